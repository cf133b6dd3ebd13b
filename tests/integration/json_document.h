// A parsed JSON document addressed by dotted paths, for tests.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "simdjson.h"

namespace simpler::integration {

class JsonDocument {
 public:
  // Text that is not JSON fails the test; every later question then fails as well.
  explicit JsonDocument(const std::string& text);

  // Paths are keys and array indices joined by dots: "scheduler.threads.0.role".
  bool Has(const std::string& path) const;
  bool IsNull(const std::string& path) const;
  bool IsString(const std::string& path) const;
  bool IsNumber(const std::string& path) const;   // any JSON number
  bool IsInteger(const std::string& path) const;  // a number without fraction or exponent
  std::string Text(const std::string& path) const;
  double Number(const std::string& path) const;
  std::vector<simdjson::dom::element> Array(const std::string& path) const;

 private:
  simdjson::simdjson_result<simdjson::dom::element> At(const std::string& path) const;

  simdjson::dom::parser parser_;
  simdjson::dom::element root_;
};

}  // namespace simpler::integration
