#include "daemon/query/trace_key.h"

#include <gtest/gtest.h>

#include "analysis/timeline/trace_request.h"

namespace simpler::daemon {
namespace {

using timeline::TaskNaming;
using timeline::TraceFormat;
using timeline::TraceRequest;

TraceKey Key(const TraceRequest& request, const RunKey& run = {.capture_id = "cap-1"}) {
  return KeyOf(run, request.format, *timeline::OptionsFor(request));
}

bool Equal(const TraceKey& a, const TraceKey& b) { return (a <=> b) == 0; }

TEST(TraceKeyTest, SpellingDoesNotMatter) {
  EXPECT_TRUE(Equal(Key({}), Key({.flows = {"dependency.worker"}})));
  EXPECT_TRUE(Equal(Key({.flows = {"dispatch", "complete"}}),
                    Key({.flows = {"complete", "dispatch", "complete.worker"}})));
  EXPECT_TRUE(Equal(Key({}), Key({.naming = TaskNaming::kFunction})));
  EXPECT_TRUE(Equal(Key({.lanes = {"a", "b", "a"}}), Key({.lanes = {"b", "a"}})));
  EXPECT_TRUE(Equal(Key({.format = TraceFormat::kChromeJson}),
                    Key({.format = TraceFormat::kChromeJson, .naming = TaskNaming::kFunction})));
}

TEST(TraceKeyTest, EverythingThatChangesTheBytesMatters) {
  const TraceRequest requests[] = {
      {},
      {.format = TraceFormat::kChromeJson},
      {.flows = {"none"}},
      {.naming = TaskNaming::kTask},
      {.from_us = 1.0},
      {.to_us = 1.0},
      {.from_us = 1.0, .to_us = 2.0},
      {.lanes = {"a"}},
      {.overhead_counters = true},
  };
  for (size_t i = 0; i < std::size(requests); ++i) {
    for (size_t j = 0; j < std::size(requests); ++j) {
      EXPECT_EQ(Equal(Key(requests[i]), Key(requests[j])), i == j) << i << " " << j;
    }
  }
  EXPECT_FALSE(Equal(Key({}, {.capture_id = "cap-1"}), Key({}, {.capture_id = "cap-2"})));
  EXPECT_FALSE(
      Equal(Key({}, {.capture_id = "cap-1"}), Key({}, {.capture_id = "cap-1", .run_index = 1})));
  EXPECT_FALSE(Equal(Key({}), ArchiveKey("cap-1")));
}

}  // namespace
}  // namespace simpler::daemon
