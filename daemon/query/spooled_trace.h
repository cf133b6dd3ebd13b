// A rendered trace, ready to be sent.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "analysis/capture/warning.h"
#include "analysis/timeline/trace.h"

namespace simpler::daemon {

// Bytes in a file that has no name, with the checksum of every chunk. Immutable, for any number of
// threads; the file's space is given back when the last holder lets go.
class SpooledTrace {
 public:
  static constexpr uint64_t kChunkBytes = uint64_t{1} << 20;

  virtual ~SpooledTrace() = default;
  virtual uint64_t size() const = 0;
  // Identifies the bytes: equal traces have equal tags.
  virtual const std::string& etag() const = 0;

  struct Chunk {
    std::string_view data() const { return {buffer.get(), size}; }

    std::shared_ptr<const char[]> buffer;  // keeps the bytes
    size_t size = 0;
    uint32_t crc32c = 0;
  };
  // The bytes from `offset` (at most size()) to the next multiple of kChunkBytes or the end. Reads
  // from the page cache. Internal when the file cannot be read.
  virtual absl::StatusOr<Chunk> Read(uint64_t offset) const = 0;

  // What the trace holds and leaves out; absent for archives.
  virtual const std::optional<timeline::TraceSummary>& summary() const = 0;
  // Of the capture and the model.
  virtual const std::vector<capture::Warning>& warnings() const = 0;
};

}  // namespace simpler::daemon
