// Results of expensive computations: equal questions that are asked at the same time share one
// computation, and results are kept, the least recently used ones going first, within a budget.
//
// Nobody blocks: a computation is started on the executor and reports through a callback, and so
// does the cache. Get, Erase and the rest may be called from any thread; callbacks run on the
// executor, outside of the cache's lock.
#pragma once

#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <stop_token>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "daemon/query/worker_pool.h"
#include "daemon/sync/mutex.h"

namespace simpler::daemon {

struct FlightCounts {
  uint64_t computed = 0;  // computations that were started
  uint64_t shared = 0;    // questions answered from the cache or by somebody else's computation
};

// Whether a question comes from outside, or is a step of one that was accepted already.
enum class Admission { kNew, kAccepted };

// Key is ordered and copyable. Errors are handed to all who wait and not kept.
template <typename Key, typename Value>
class FlightCache {
 public:
  using Result = absl::StatusOr<std::shared_ptr<const Value>>;
  using Done = std::function<void(Result)>;
  // Computes the value and calls `done` once, at once or later, from any thread. `stop` tells that
  // nobody waits any more; the result is then of no interest.
  using Compute = std::function<void(std::stop_token stop, Done done)>;
  using Weigh = std::function<uint64_t(const Value&)>;

  // Keeps values whose weights add up to at most `budget`. `executor` outlives the cache's last
  // callback.
  FlightCache(uint64_t budget, Weigh weigh, Executor* executor)
      : budget_(budget), weigh_(std::move(weigh)), executor_(executor) {}

  // Calls `done` exactly once: with the value, with the computation's error, with ResourceExhausted
  // when the executor is full and this is a new question, or, once `stop` says so, with Cancelled.
  void Get(const Key& key, const std::stop_token& stop, Compute compute, Done done,
           Admission admission = Admission::kNew) {
    auto waiter = std::make_shared<Waiter>(std::move(done));
    LeaveOnStop(stop, waiter);
    std::shared_ptr<Flight> flight;
    bool start = false;
    {
      const MutexLock lock(&mutex_);
      if (closed_) return Answer(std::move(waiter), Closed());
      if (waiter->gave_up) return Answer(std::move(waiter), GaveUp());
      if (auto hit = ready_.find(key); hit != ready_.end()) {
        ++counts_.shared;
        recent_.splice(recent_.begin(), recent_, hit->second);
        return Answer(std::move(waiter), hit->second->value);
      }
      std::shared_ptr<Flight>& known = flights_[key];
      start = known == nullptr;
      ++(start ? counts_.computed : counts_.shared);
      if (start) known = std::make_shared<Flight>(key);
      flight = known;
      flight->waiters.push_back(waiter);
      waiter->flight = flight;
    }
    if (start) Start(flight, std::move(compute), admission);
  }

  // Drops the least recently used value that nobody but the cache holds; false when there is none.
  bool EvictOldestIdle() {
    std::shared_ptr<const Value> dropped;  // destroyed after the lock is released
    const MutexLock lock(&mutex_);
    for (auto entry = recent_.end(); entry != recent_.begin();) {
      --entry;
      // New holders come through the cache, hence through the lock.
      if (entry->value.use_count() > 1) continue;
      dropped = Drop(entry);
      return true;
    }
    return false;
  }

  // Drops the values of these keys, and does not keep those that are being computed.
  void EraseIf(const std::function<bool(const Key&)>& matches) {
    std::vector<std::shared_ptr<const Value>> dropped;
    const MutexLock lock(&mutex_);
    for (auto entry = recent_.begin(); entry != recent_.end();) {
      const auto next = std::next(entry);
      if (matches(entry->key)) dropped.push_back(Drop(entry));
      entry = next;
    }
    for (auto flight = flights_.begin(); flight != flights_.end();) {
      if (!matches(flight->first)) {
        ++flight;
        continue;
      }
      erased_.insert(flight->second);
      flight = flights_.erase(flight);
    }
  }

  // Answers everyone who waits, and everyone who comes later, with Cancelled.
  void Close() {
    std::vector<std::shared_ptr<Flight>> abandoned;
    std::vector<std::shared_ptr<Waiter>> waiters;
    {
      const MutexLock lock(&mutex_);
      closed_ = true;
      abandoned.assign(erased_.begin(), erased_.end());
      for (const auto& [key, flight] : flights_) abandoned.push_back(flight);
      for (const auto& flight : abandoned) {
        for (auto& waiter : flight->waiters) waiters.push_back(std::move(waiter));
        flight->waiters.clear();
      }
      erased_.clear();
      flights_.clear();
    }
    for (const auto& flight : abandoned) flight->stop.request_stop();
    for (auto& waiter : waiters) Answer(std::move(waiter), Closed());
  }

  // Weight of what is kept.
  uint64_t used() const {
    const MutexLock lock(&mutex_);
    return used_;
  }

  FlightCounts counts() const {
    const MutexLock lock(&mutex_);
    return counts_;
  }

 private:
  struct Flight;

  // Someone who wants the result of a flight. It is in its flight's list until it is answered.
  struct Waiter {
    explicit Waiter(Done callback) : done(std::move(callback)) {}
    const Done done;
    // Both guarded by the cache's mutex.
    std::weak_ptr<Flight> flight;  // empty: it has not joined one yet
    bool gave_up = false;          // before it joined one
    // Made before others know the waiter, destroyed when it is answered.
    std::optional<std::stop_callback<std::function<void()>>> on_stop;
  };

  // A computation under way. It is in flights_ as long as others may join it.
  struct Flight {
    explicit Flight(Key of) : key(std::move(of)) {}
    const Key key;
    std::stop_source stop;
    std::list<std::shared_ptr<Waiter>> waiters;  // guarded by the cache's mutex
  };

  struct Entry {
    Key key;
    std::shared_ptr<const Value> value;
    uint64_t weight = 0;
  };
  using Entries = std::list<Entry>;

  static absl::Status Closed() {
    return absl::CancelledError("the daemon is shutting down; ask again when it is back");
  }

  static absl::Status GaveUp() { return absl::CancelledError("the caller gave up"); }

  // Only queues, so it may be called with the lock held.
  void Answer(std::shared_ptr<Waiter> waiter, Result result) {
    executor_->PostAnswer([waiter = std::move(waiter), result = std::move(result)]() mutable {
      waiter->on_stop.reset();
      waiter->done(std::move(result));
    });
  }

  // Comes before the waiter joins a flight, because a stop that was requested already calls back
  // here and now.
  void LeaveOnStop(const std::stop_token& stop, const std::shared_ptr<Waiter>& waiter) {
    if (!stop.stop_possible()) return;
    waiter->on_stop.emplace(stop, [this, weak_waiter = std::weak_ptr<Waiter>(waiter)] {
      if (const auto leaving = weak_waiter.lock()) Leave(leaving);
    });
  }

  void Leave(const std::shared_ptr<Waiter>& waiter) {
    std::shared_ptr<Flight> flight;
    bool last = false;
    {
      const MutexLock lock(&mutex_);
      flight = waiter->flight.lock();
      waiter->gave_up = true;
      if (flight == nullptr || flight->waiters.remove(waiter) == 0) return;
      last = flight->waiters.empty();
      // Whoever asks from now on starts afresh.
      if (last) Unlist(flight);
    }
    if (last) flight->stop.request_stop();
    Answer(waiter, GaveUp());
  }

  void Start(const std::shared_ptr<Flight>& flight, Compute compute, Admission admission) {
    Work work = [this, flight, compute = std::move(compute)] {
      if (flight->stop.stop_requested()) return;
      compute(flight->stop.get_token(),
              [this, flight](Result result) { Land(flight, std::move(result)); });
    };
    if (admission == Admission::kAccepted) return executor_->PostAccepted(std::move(work));
    const absl::Status status = executor_->Post(std::move(work));
    if (!status.ok()) Land(flight, status);
  }

  void Land(const std::shared_ptr<Flight>& flight, Result result) {
    std::list<std::shared_ptr<Waiter>> waiters;
    std::vector<std::shared_ptr<const Value>> dropped;
    {
      const MutexLock lock(&mutex_);
      waiters.swap(flight->waiters);
      if (Unlist(flight) && result.ok()) Keep(flight->key, *result, &dropped);
    }
    if (waiters.empty()) return;
    // The last one gets the result itself: from then on only those who asked hold it.
    const std::shared_ptr<Waiter> last = std::move(waiters.back());
    waiters.pop_back();
    for (auto& waiter : waiters) Answer(std::move(waiter), result);
    Answer(last, std::move(result));
  }

  // Nobody can join the flight any more. False: its key was erased, its result is not to be kept.
  bool Unlist(const std::shared_ptr<Flight>& flight) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    erased_.erase(flight);
    const auto found = flights_.find(flight->key);
    if (found == flights_.end() || found->second != flight) return false;
    flights_.erase(found);
    return true;
  }

  void Keep(const Key& key, std::shared_ptr<const Value> value,
            std::vector<std::shared_ptr<const Value>>* dropped)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    const uint64_t weight = weigh_(*value);
    if (weight > budget_) return;
    recent_.push_front({.key = key, .value = std::move(value), .weight = weight});
    ready_[key] = recent_.begin();
    used_ += weight;
    while (used_ > budget_) dropped->push_back(Drop(std::prev(recent_.end())));
  }

  std::shared_ptr<const Value> Drop(typename Entries::iterator entry)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    std::shared_ptr<const Value> value = std::move(entry->value);
    used_ -= entry->weight;
    ready_.erase(entry->key);
    recent_.erase(entry);
    return value;
  }

  const uint64_t budget_;
  const Weigh weigh_;
  Executor* const executor_;

  mutable Mutex mutex_;
  bool closed_ ABSL_GUARDED_BY(mutex_) = false;
  std::map<Key, std::shared_ptr<Flight>> flights_ ABSL_GUARDED_BY(mutex_);
  // Under way, but nobody may join them: their keys were erased.
  std::set<std::shared_ptr<Flight>> erased_ ABSL_GUARDED_BY(mutex_);
  Entries recent_ ABSL_GUARDED_BY(mutex_);  // most recently used first
  std::map<Key, typename Entries::iterator> ready_ ABSL_GUARDED_BY(mutex_);
  uint64_t used_ ABSL_GUARDED_BY(mutex_) = 0;
  FlightCounts counts_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace simpler::daemon
