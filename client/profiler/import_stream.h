// The bytes of an archive as the messages of an import.
#pragma once

#include <cstddef>
#include <functional>

#include "analysis/timeline/byte_sink.h"
#include "proto/simpler/profiler/v1/profiler.pb.h"

namespace simpler::profiler {

// Cuts what is appended into messages of at most kMessageBytes of data, the first with the header.
// Commit sends what is left; an empty archive is one message with the header alone.
class ImportStream final : public timeline::ByteSink {
 public:
  static constexpr size_t kMessageBytes = size_t{1} << 20;

  // Sends one message; false: the daemon takes no more, because it has answered already.
  using Send = std::function<bool(const v1::ImportCaptureRequest& message)>;
  ImportStream(const v1::ImportHeader& header, Send send);

  // The daemon answered before the end. Every function has then returned Aborted.
  bool closed_by_daemon() const { return closed_by_daemon_; }

 private:
  absl::Status Store(std::string_view bytes) override;
  absl::Status Finish() override;

  v1::ImportCaptureRequest message_;
  Send send_;
  bool closed_by_daemon_ = false;
};

}  // namespace simpler::profiler
