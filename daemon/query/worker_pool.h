// Threads that do the daemon's work, with a bounded queue before them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <thread>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "daemon/sync/mutex.h"

namespace simpler::daemon {

using Work = std::function<void()>;

// Where a cache runs computations and hands over results; an interface so that tests decide when.
class Executor {
 public:
  virtual ~Executor() = default;
  // ResourceExhausted when too much waits already; `work` will then not run.
  virtual absl::Status Post(Work work) = 0;
  // For the next step of something that was accepted before: never refused.
  virtual void PostAccepted(Work work) = 0;
  // For handing over a result, which is quick: never refused, and before everything that waits.
  virtual void PostAnswer(Work work) = 0;
};

// Runs answers first, everything else in the order of posting. All functions may be called from any
// thread, also from running work.
class WorkerPool final : public Executor {
 public:
  // At least one thread; at most `max_queued` pieces of work wait that Post has taken.
  WorkerPool(uint32_t threads, size_t max_queued);
  // Runs everything that is queued, and what that posts, before it returns.
  ~WorkerPool() override;
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  absl::Status Post(Work work) override;
  void PostAccepted(Work work) override;
  void PostAnswer(Work work) override;

 private:
  struct Item {
    Work work;
    bool counted = false;  // against max_queued_
  };

  void Run();
  // Blocks until there is something to run. False: the pool ends.
  bool Take(Work* work);
  bool HasWorkOrEnds() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const size_t max_queued_;
  Mutex mutex_;
  ConditionVariable changed_;  // HasWorkOrEnds may have become true
  std::deque<Work> answers_ ABSL_GUARDED_BY(mutex_);
  std::deque<Item> items_ ABSL_GUARDED_BY(mutex_);
  size_t counted_ ABSL_GUARDED_BY(mutex_) = 0;  // items_ that count
  size_t running_ ABSL_GUARDED_BY(mutex_) = 0;
  bool ending_ ABSL_GUARDED_BY(mutex_) = false;
  std::vector<std::thread> threads_;  // started last
};

}  // namespace simpler::daemon
