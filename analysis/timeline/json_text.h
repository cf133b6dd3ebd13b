// Compact JSON text, built in a buffer that is reused. Commas are the caller's business.
#pragma once

#include <charconv>
#include <concepts>
#include <cstddef>
#include <string>
#include <string_view>

namespace simpler::timeline {

class JsonText {
 public:
  JsonText& Raw(std::string_view text) {
    text_.append(text);
    return *this;
  }

  template <std::integral Integer>
  JsonText& Number(Integer value) {
    char digits[24];
    const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
    text_.append(digits, end);
    return *this;
  }

  // The shortest text that reads back as the same finite double.
  JsonText& Number(double value) {
    char digits[32];
    const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
    text_.append(digits, end);
    return *this;
  }

  JsonText& Bool(bool value) { return Raw(value ? "true" : "false"); }

  // The inside of a JSON string: quotes, backslashes and control characters are escaped.
  JsonText& Escaped(std::string_view text);

  // A JSON string with its quotes.
  JsonText& String(std::string_view text) { return Raw("\"").Escaped(text).Raw("\""); }

  std::string_view view() const { return text_; }
  size_t size() const { return text_.size(); }
  void Clear() { text_.clear(); }

 private:
  std::string text_;
};

}  // namespace simpler::timeline
