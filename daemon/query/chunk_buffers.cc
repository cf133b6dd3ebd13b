#include "daemon/query/chunk_buffers.h"

#include <utility>

namespace simpler::daemon {

ChunkBuffers::ChunkBuffers(size_t bytes, size_t kept) : bytes_(bytes), kept_(kept) {}

std::shared_ptr<char[]> ChunkBuffers::Take() {
  std::unique_ptr<char[]> buffer;
  {
    const MutexLock lock(&free_->mutex);
    if (!free_->buffers.empty()) {
      buffer = std::move(free_->buffers.back());
      free_->buffers.pop_back();
    }
  }
  if (buffer == nullptr) buffer.reset(new char[bytes_]);
  const auto give_back = [free = free_, kept = kept_](char* used) {
    std::unique_ptr<char[]> owner(used);
    const MutexLock lock(&free->mutex);
    if (free->buffers.size() < kept) free->buffers.push_back(std::move(owner));
  };
  return {buffer.release(), give_back};
}

}  // namespace simpler::daemon
