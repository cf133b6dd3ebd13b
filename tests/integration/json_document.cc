#include "tests/integration/json_document.h"

#include <algorithm>

#include "gtest/gtest.h"

namespace simpler::integration {

JsonDocument::JsonDocument(const std::string& text) {
  const simdjson::error_code error = parser_.parse(text).get(root_);
  if (error != simdjson::SUCCESS) {
    ADD_FAILURE() << "not JSON (" << simdjson::error_message(error) << "): " << text;
    root_ = parser_.parse(std::string("{}")).value();
  }
}

simdjson::simdjson_result<simdjson::dom::element> JsonDocument::At(const std::string& path) const {
  std::string pointer = '/' + path;
  std::replace(pointer.begin(), pointer.end(), '.', '/');
  return root_.at_pointer(pointer);
}

bool JsonDocument::Has(const std::string& path) const {
  return At(path).error() == simdjson::SUCCESS;
}

bool JsonDocument::IsNull(const std::string& path) const {
  simdjson::dom::element element;
  return At(path).get(element) == simdjson::SUCCESS && element.is_null();
}

bool JsonDocument::IsString(const std::string& path) const { return At(path).is_string(); }

bool JsonDocument::IsNumber(const std::string& path) const {
  simdjson::dom::element element;
  return At(path).get(element) == simdjson::SUCCESS && element.is_number();
}

bool JsonDocument::IsInteger(const std::string& path) const {
  return At(path).is_int64() || At(path).is_uint64();
}

std::string JsonDocument::Text(const std::string& path) const {
  std::string_view text;
  EXPECT_EQ(At(path).get(text), simdjson::SUCCESS) << path;
  return std::string(text);
}

double JsonDocument::Number(const std::string& path) const {
  double number = 0;
  EXPECT_EQ(At(path).get(number), simdjson::SUCCESS) << path;
  return number;
}

std::vector<simdjson::dom::element> JsonDocument::Array(const std::string& path) const {
  simdjson::dom::array array;
  EXPECT_EQ(At(path).get(array), simdjson::SUCCESS) << path;
  return {array.begin(), array.end()};
}

}  // namespace simpler::integration
