#include "analysis/report/json_writer.h"

#include <array>
#include <charconv>
#include <cmath>
#include <utility>

#include "fmt/format.h"

namespace simpler::report {

void JsonWriter::Key(std::string_view key) {
  StartValue();
  Quote(key);
  out_ += ": ";
  after_key_ = true;
}

void JsonWriter::Value(std::string_view text) {
  StartValue();
  Quote(text);
}

void JsonWriter::Value(bool value) { Scalar(value ? "true" : "false"); }

void JsonWriter::Value(double value) {
  if (!std::isfinite(value)) return Null();
  std::array<char, 32> digits;
  const auto result = std::to_chars(digits.data(), digits.data() + digits.size(), value);
  Scalar({digits.data(), static_cast<size_t>(result.ptr - digits.data())});
}

std::string JsonWriter::Take() {
  out_ += '\n';
  return std::exchange(out_, {});
}

void JsonWriter::Open(char bracket) {
  StartValue();
  out_ += bracket;
  has_elements_.push_back(false);
}

void JsonWriter::Close(char bracket) {
  const bool had_elements = has_elements_.back();
  has_elements_.pop_back();
  if (had_elements) NewLine();
  out_ += bracket;
}

void JsonWriter::Scalar(std::string_view text) {
  StartValue();
  out_ += text;
}

void JsonWriter::StartValue() {
  if (after_key_) {
    after_key_ = false;
    return;
  }
  if (has_elements_.empty()) return;
  if (has_elements_.back()) out_ += ',';
  has_elements_.back() = true;
  NewLine();
}

void JsonWriter::NewLine() {
  out_ += '\n';
  out_.append(2 * has_elements_.size(), ' ');
}

void JsonWriter::Quote(std::string_view text) {
  out_ += '"';
  for (const char c : text) {
    switch (c) {
      case '"':
        out_ += "\\\"";
        break;
      case '\\':
        out_ += "\\\\";
        break;
      case '\n':
        out_ += "\\n";
        break;
      case '\t':
        out_ += "\\t";
        break;
      default:
        if (static_cast<unsigned char>(c) < 0x20) {
          out_ += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
        } else {
          out_ += c;
        }
    }
  }
  out_ += '"';
}

}  // namespace simpler::report
