#include "client/profiler/import_stream.h"

#include <algorithm>
#include <utility>

namespace simpler::profiler {

ImportStream::ImportStream(const v1::ImportHeader& header, Send send) : send_(std::move(send)) {
  *message_.mutable_header() = header;
  message_.mutable_data()->reserve(kMessageBytes);
}

absl::Status ImportStream::Store(std::string_view bytes) {
  while (!bytes.empty()) {
    std::string* data = message_.mutable_data();
    const size_t count = std::min(bytes.size(), kMessageBytes - data->size());
    data->append(bytes.substr(0, count));
    bytes.remove_prefix(count);
    if (data->size() < kMessageBytes) break;
    if (absl::Status status = Finish(); !status.ok()) return status;
  }
  return absl::OkStatus();
}

absl::Status ImportStream::Finish() {
  if (!message_.has_header() && message_.data().empty()) return absl::OkStatus();
  closed_by_daemon_ = !send_(message_);
  if (closed_by_daemon_) return absl::AbortedError("the daemon ended the import");
  message_.clear_header();
  message_.mutable_data()->clear();
  return absl::OkStatus();
}

}  // namespace simpler::profiler
