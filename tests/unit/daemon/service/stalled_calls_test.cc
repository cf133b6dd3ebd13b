#include "daemon/service/stalled_calls.h"

#include <memory>

#include "gtest/gtest.h"

namespace simpler::daemon {
namespace {

using std::chrono::seconds;

class FakeCall final : public StallableCall {
 public:
  explicit FakeCall(SteadyTime since, StalledCalls* leave = nullptr)
      : since_(since), leave_(leave) {}

  bool EndIfWaitingSince(SteadyTime limit) override {
    if (since_ > limit) return false;
    ended_ = true;
    if (leave_ != nullptr) leave_->Remove(this);
    return true;
  }
  bool ended() const { return ended_; }

 private:
  const SteadyTime since_;
  StalledCalls* const leave_;
  bool ended_ = false;
};

TEST(StalledCallsTest, EndsWhatWaitsSinceTheLimit) {
  StalledCalls calls;
  const auto old = std::make_shared<FakeCall>(SteadyTime(seconds(5)));
  const auto young = std::make_shared<FakeCall>(SteadyTime(seconds(7)));
  calls.Add(old);
  calls.Add(young);
  EXPECT_EQ(calls.End(SteadyTime(seconds(6))), 1u);
  EXPECT_TRUE(old->ended());
  EXPECT_FALSE(young->ended());
}

TEST(StalledCallsTest, HoldsCallsUntilTheyLeave) {
  StalledCalls calls;
  auto call = std::make_shared<FakeCall>(SteadyTime(seconds(0)));
  const std::weak_ptr<FakeCall> watched = call;
  const FakeCall* key = call.get();
  calls.Add(std::move(call));
  EXPECT_FALSE(watched.expired());
  calls.Remove(key);
  EXPECT_TRUE(watched.expired());
  calls.Remove(key);
  EXPECT_EQ(calls.End(SteadyTime::max()), 0u);
}

TEST(StalledCallsTest, CallMayLeaveWhileItIsEnded) {
  StalledCalls calls;
  const auto call = std::make_shared<FakeCall>(SteadyTime(seconds(0)), &calls);
  calls.Add(call);
  EXPECT_EQ(calls.End(SteadyTime(seconds(1))), 1u);
  EXPECT_EQ(calls.End(SteadyTime(seconds(1))), 0u);
}

}  // namespace
}  // namespace simpler::daemon
