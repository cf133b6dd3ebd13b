#include "daemon/query/analysis_weight.h"

#include <vector>

namespace simpler::daemon {
namespace {

// Of the index of one row in a JoinedRun: block and row of both streams.
constexpr uint64_t kJoinedRowBytes = 16;

template <typename T>
uint64_t BytesOf(const std::vector<T>& values) {
  return values.capacity() * sizeof(T);
}

uint64_t BytesOf(const overhead::CriticalPath& path) {
  return BytesOf(path.static_path.tasks) + BytesOf(path.observed.tasks);
}

}  // namespace

uint64_t MemoryBytes(const report::Analysis& analysis) {
  uint64_t bytes = sizeof(analysis) + analysis.rows.size() * kJoinedRowBytes;
  bytes += BytesOf(analysis.tasks) + BytesOf(analysis.functions.functions);
  if (analysis.nodes) {
    bytes += BytesOf(analysis.nodes->node_of_task) + BytesOf(analysis.nodes->task_of_node);
  }
  if (analysis.critical_path) bytes += BytesOf(*analysis.critical_path);
  if (analysis.blame) bytes += BytesOf(analysis.blame->by_task);
  bytes += BytesOf(analysis.families) + BytesOf(analysis.ledger.entries);
  return bytes + BytesOf(analysis.warnings);
}

}  // namespace simpler::daemon
