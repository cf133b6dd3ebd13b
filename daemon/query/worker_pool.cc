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
    const MutexLock lock(&mutex_);
    ending_ = true;
    changed_.NotifyAll();
  }
  for (std::thread& thread : threads_) thread.join();
}

absl::Status WorkerPool::Post(Work work) {
  const MutexLock lock(&mutex_);
  if (counted_ >= max_queued_) {
    return absl::ResourceExhaustedError(
        fmt::format("{} questions wait already, which is the limit; try again later, or raise "
                    "--max-queued",
                    counted_));
  }
  ++counted_;
  items_.push_back({.work = std::move(work), .counted = true});
  changed_.NotifyOne();
  return absl::OkStatus();
}

void WorkerPool::PostAccepted(Work work) {
  const MutexLock lock(&mutex_);
  items_.push_back({.work = std::move(work)});
  changed_.NotifyOne();
}

void WorkerPool::PostAnswer(Work work) {
  const MutexLock lock(&mutex_);
  answers_.push_back(std::move(work));
  changed_.NotifyOne();
}

// Running work may post more, so the pool ends only when nothing runs.
bool WorkerPool::HasWorkOrEnds() const {
  return !answers_.empty() || !items_.empty() || (ending_ && running_ == 0);
}

bool WorkerPool::Take(Work* work) {
  const MutexLock lock(&mutex_);
  while (!HasWorkOrEnds()) changed_.Wait(&mutex_);
  if (!answers_.empty()) {
    *work = std::move(answers_.front());
    answers_.pop_front();
  } else if (!items_.empty()) {
    *work = std::move(items_.front().work);
    if (items_.front().counted) --counted_;
    items_.pop_front();
  } else {
    return false;
  }
  ++running_;
  return true;
}

void WorkerPool::Run() {
  Work work;
  while (Take(&work)) {
    work();
    work = nullptr;  // what it holds goes before the pool may end
    const MutexLock lock(&mutex_);
    --running_;
    if (ending_) changed_.NotifyAll();
  }
}

}  // namespace simpler::daemon
