// Indented JSON text on its way into a stream.
#pragma once

#include <iterator>
#include <ostream>
#include <string_view>
#include <utility>

#include "fmt/compile.h"
#include "fmt/format.h"

namespace simpler::formats::records {

class TextWriter {
 public:
  explicit TextWriter(std::ostream& out) : out_(out) {}
  TextWriter(const TextWriter&) = delete;
  TextWriter& operator=(const TextWriter&) = delete;

  void Put(std::string_view text) {
    buffer_.append(text.data(), text.data() + text.size());
    if (buffer_.size() >= kFlushBytes) Flush();
  }

  // `format` is FMT_COMPILE("…").
  template <typename Format, typename... Args>
  void Print(const Format& format, const Args&... args) {
    fmt::format_to(std::back_inserter(buffer_), format, args...);
    if (buffer_.size() >= kFlushBytes) Flush();
  }

  void Flush() {
    out_.write(buffer_.data(), static_cast<std::streamsize>(buffer_.size()));
    buffer_.clear();
  }

 private:
  static constexpr size_t kFlushBytes = size_t{64} << 10;

  std::ostream& out_;
  fmt::memory_buffer buffer_;
};

// A list of items on lines of their own: "[", items separated by commas, and the closing bracket
// with its own indentation. A list without items is "[]".
class LineList {
 public:
  LineList(TextWriter& out, std::string_view item_indent, std::string_view close_indent)
      : out_(out), item_indent_(item_indent), close_indent_(close_indent) {
    out_.Put("[");
  }

  // Call before the text of every item.
  void Next() {
    out_.Put(empty_ ? "\n" : ",\n");
    out_.Put(item_indent_);
    empty_ = false;
  }

  void Close() {
    if (!empty_) {
      out_.Put("\n");
      out_.Put(close_indent_);
    }
    out_.Put("]");
  }

 private:
  TextWriter& out_;
  std::string_view item_indent_;
  std::string_view close_indent_;
  bool empty_ = true;
};

}  // namespace simpler::formats::records
