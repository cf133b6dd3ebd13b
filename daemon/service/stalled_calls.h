// Finds calls that wait for their client for too long.
#pragma once

#include <chrono>
#include <memory>
#include <unordered_map>

#include "absl/base/thread_annotations.h"
#include "daemon/sync/mutex.h"

namespace simpler::daemon {

using SteadyTime = std::chrono::steady_clock::time_point;

// A call that may wait for its client.
class StallableCall {
 public:
  virtual ~StallableCall() = default;
  // Ends the call if it has been waiting since `limit` or longer; says whether it did. Called from
  // the control thread at any time, even after the call ended.
  virtual bool EndIfWaitingSince(SteadyTime limit) = 0;
};

// Calls come and go on any thread; the control thread asks for stalled ones now and then.
class StalledCalls {
 public:
  void Add(std::shared_ptr<StallableCall> call) ABSL_LOCKS_EXCLUDED(mutex_);
  void Remove(const StallableCall* call) ABSL_LOCKS_EXCLUDED(mutex_);

  // Ends all calls that wait since `limit` or longer; returns how many.
  size_t End(SteadyTime limit) ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  Mutex mutex_;
  std::unordered_map<const StallableCall*, std::shared_ptr<StallableCall>> calls_
      ABSL_GUARDED_BY(mutex_);
};

}  // namespace simpler::daemon
