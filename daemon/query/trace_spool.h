// Where rendered traces are kept: files without a name in one directory, within a budget of bytes.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "analysis/capture/warning.h"
#include "analysis/timeline/byte_sink.h"
#include "analysis/timeline/trace.h"
#include "daemon/query/chunk_buffers.h"
#include "daemon/query/spooled_trace.h"
#include "daemon/sync/mutex.h"

namespace simpler::daemon {

// Shared by all files; any thread.
class TraceSpool {
 public:
  // Fails when no file can be made in `directory`.
  static absl::StatusOr<std::shared_ptr<TraceSpool>> Open(std::string directory,
                                                          uint64_t budget_bytes);

  uint64_t used_bytes() const;
  uint64_t budget_bytes() const { return budget_bytes_; }
  const std::string& directory() const { return directory_; }

  // For chunks that are read.
  ChunkBuffers& buffers() { return buffers_; }

  // Descriptor of a new file without a name; the caller owns it.
  absl::StatusOr<int> NewFile() const;

  // Takes `bytes` of the budget; false when they are not there. Give them back with Release.
  bool Reserve(uint64_t bytes);
  void Release(uint64_t bytes);

 private:
  TraceSpool(std::string directory, uint64_t budget_bytes)
      : directory_(std::move(directory)), budget_bytes_(budget_bytes) {}

  const std::string directory_;
  const uint64_t budget_bytes_;
  ChunkBuffers buffers_{SpooledTrace::kChunkBytes, /*kept=*/16};
  mutable Mutex mutex_;
  uint64_t used_bytes_ ABSL_GUARDED_BY(mutex_) = 0;
};

// Takes one trace and makes it a SpooledTrace. Belongs to one thread. Memory: one chunk.
class SpoolSink final : public timeline::ByteSink {
 public:
  // `make_room` is asked to free some of the spool when it is full and says whether it did. Once
  // `stop` is requested, writing fails with Cancelled.
  static absl::StatusOr<std::unique_ptr<SpoolSink>> Create(std::shared_ptr<TraceSpool> spool,
                                                           std::function<bool()> make_room,
                                                           std::stop_token stop);
  ~SpoolSink() override;

  // The trace, after Commit succeeded. Call once, last.
  std::shared_ptr<const SpooledTrace> Take(std::optional<timeline::TraceSummary> summary,
                                           std::vector<capture::Warning> warnings);

 private:
  class File;

  SpoolSink(std::unique_ptr<File> file, std::function<bool()> make_room, std::stop_token stop);

  absl::Status Store(std::string_view bytes) override;
  // ResourceExhausted, with the size of the whole trace, when it did not fit.
  absl::Status Finish() override;
  absl::Status StoreChunk();

  std::unique_ptr<File> file_;
  const std::function<bool()> make_room_;
  const std::stop_token stop_;
  std::string chunk_;
  // Set when the trace does not fit: nothing is kept any more, but the bytes are still counted, so
  // that the message can name the size.
  bool overflowed_ = false;
};

}  // namespace simpler::daemon
