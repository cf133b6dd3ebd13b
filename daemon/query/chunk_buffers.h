// Memory for chunks on their way out, used again and again: fresh memory costs a page fault for
// every 4 KiB, which is more than copying the bytes.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "daemon/sync/mutex.h"

namespace simpler::daemon {

// Any thread. Buffers may outlive the object they came from.
class ChunkBuffers {
 public:
  // Buffers of `bytes` each, of which at most `kept` wait for their next use.
  ChunkBuffers(size_t bytes, size_t kept);

  // A buffer with any content; it comes back when the last holder lets go.
  std::shared_ptr<char[]> Take();

 private:
  struct Free {
    Mutex mutex;
    std::vector<std::unique_ptr<char[]>> buffers ABSL_GUARDED_BY(mutex);
  };

  const size_t bytes_;
  const size_t kept_;
  const std::shared_ptr<Free> free_ = std::make_shared<Free>();
};

}  // namespace simpler::daemon
