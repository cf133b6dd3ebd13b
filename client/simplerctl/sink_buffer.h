// Lets what writes to a standard stream write into a byte sink.
#pragma once

#include <streambuf>
#include <string_view>

#include "analysis/timeline/byte_sink.h"

namespace simpler::simplerctl {

// Borrows `sink`, which buffers by itself. A failing sink sets the stream's badbit; the sink keeps
// the reason.
class SinkBuffer final : public std::streambuf {
 public:
  explicit SinkBuffer(timeline::ByteSink* sink) : sink_(sink) {}

 private:
  std::streamsize xsputn(const char* bytes, std::streamsize count) override {
    return sink_->Append(std::string_view(bytes, static_cast<size_t>(count))).ok() ? count : 0;
  }
  int_type overflow(int_type c) override {
    if (traits_type::eq_int_type(c, traits_type::eof())) return traits_type::not_eof(c);
    const char byte = traits_type::to_char_type(c);
    return sink_->Append(std::string_view(&byte, 1)).ok() ? c : traits_type::eof();
  }

  timeline::ByteSink* sink_;
};

}  // namespace simpler::simplerctl
