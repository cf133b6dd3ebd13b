#include "analysis/formats/json_value.h"

#include "analysis/formats/json_integer.h"
#include "fmt/format.h"

namespace simpler::formats {
namespace {

constexpr size_t kExcerptLength = 32;

std::string_view TrimBlanks(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

bool IsUtf8Continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

simdjson::error_code ReadRawText(simdjson::ondemand::value& value, std::string_view& raw) {
  simdjson::ondemand::object object;
  simdjson::ondemand::array array;
  if (value.get_object().get(object) == simdjson::SUCCESS) return object.raw_json().get(raw);
  if (value.get_array().get(array) == simdjson::SUCCESS) return array.raw_json().get(raw);
  raw = value.raw_json_token();
  return simdjson::SUCCESS;
}

}  // namespace

bool ReadId(simdjson::ondemand::value& value, uint64_t& out) {
  return ParseInteger(value, out) == JsonInteger::kOk;
}

std::string Excerpt(simdjson::ondemand::value& value) {
  const std::string_view text = TrimBlanks(value.raw_json_token());
  if (text.size() <= kExcerptLength) return std::string(text);
  size_t length = kExcerptLength;
  while (length > 0 && IsUtf8Continuation(text[length])) --length;
  return std::string(text.substr(0, length)) + "…";
}

simdjson::error_code ReadJsonText(simdjson::ondemand::value value, std::string& text) {
  std::string_view raw;
  if (const auto error = ReadRawText(value, raw)) return error;
  text = TrimBlanks(raw);
  // On-Demand only counts brackets in what it skips, so the text is parsed in full once.
  simdjson::dom::parser parser;
  return parser.parse(text).error();
}

std::string JsonQuote(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    if (static_cast<unsigned char>(c) < 0x20) {
      quoted += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else {
      quoted += c;
    }
  }
  return quoted += '"';
}

}  // namespace simpler::formats
