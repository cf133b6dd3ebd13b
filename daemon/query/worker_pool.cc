#include "daemon/query/worker_pool.h"

#include <algorithm>
#include <utility>

#include "fmt/format.h"

namespace simpler::daemon {

WorkerPool::WorkerPool(uint32_t threads, size_t max_queued) : max_queued_(max_queued) {
  threads = std::max(threads, 1U);
  threads_.reserve(threads);
  for (uint32_t i = 0; i < threads; ++i) threads_.emplace_back([this] { Run(); });
}

WorkerPool::~WorkerPool() {
  {
    const absl::MutexLock lock(&mutex_);
    ending_ = true;
  }
  for (std::thread& thread : threads_) thread.join();
}

absl::Status WorkerPool::Post(Work work) {
  const absl::MutexLock lock(&mutex_);
  if (counted_ >= max_queued_) {
    return absl::ResourceExhaustedError(
        fmt::format("{} questions wait already, which is the limit; try again later, or raise "
                    "--max-queued",
                    counted_));
  }
  ++counted_;
  items_.push_back({.work = std::move(work), .counted = true});
  return absl::OkStatus();
}

void WorkerPool::PostAnswer(Work work) {
  const absl::MutexLock lock(&mutex_);
  items_.push_back({.work = std::move(work)});
}

// Running work may post more, so the pool ends only when nothing runs.
bool WorkerPool::HasItemOrEnds() const { return !items_.empty() || (ending_ && running_ == 0); }

bool WorkerPool::Take(Item* item) {
  const absl::MutexLock lock(&mutex_);
  mutex_.Await(absl::Condition(this, &WorkerPool::HasItemOrEnds));
  if (items_.empty()) return false;
  *item = std::move(items_.front());
  items_.pop_front();
  if (item->counted) --counted_;
  ++running_;
  return true;
}

void WorkerPool::Run() {
  Item item;
  while (Take(&item)) {
    item.work();
    item.work = nullptr;  // what it holds goes before the pool may end
    const absl::MutexLock lock(&mutex_);
    --running_;
  }
}

}  // namespace simpler::daemon
