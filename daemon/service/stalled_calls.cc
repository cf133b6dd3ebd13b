#include "daemon/service/stalled_calls.h"

#include <utility>
#include <vector>

namespace simpler::daemon {

void StalledCalls::Add(std::shared_ptr<StallableCall> call) {
  MutexLock lock(&mutex_);
  const StallableCall* key = call.get();
  calls_.emplace(key, std::move(call));
}

void StalledCalls::Remove(const StallableCall* call) {
  std::shared_ptr<StallableCall> removed;  // destroyed without the lock
  MutexLock lock(&mutex_);
  const auto found = calls_.find(call);
  if (found == calls_.end()) return;
  removed = std::move(found->second);
  calls_.erase(found);
}

size_t StalledCalls::End(SteadyTime limit) {
  // Ending a call may run its last callback, which removes it from here.
  std::vector<std::shared_ptr<StallableCall>> calls;
  {
    MutexLock lock(&mutex_);
    calls.reserve(calls_.size());
    for (const auto& [key, call] : calls_) calls.push_back(call);
  }
  size_t ended = 0;
  for (const auto& call : calls) ended += call->EndIfWaitingSince(limit) ? 1 : 0;
  return ended;
}

}  // namespace simpler::daemon
