#include "analysis/timeline/trace_request.h"

#include <gtest/gtest.h>

#include <limits>

namespace simpler::timeline {
namespace {

TEST(TraceRequestTest, WhatIsNotSaidIsTheFormatsDefault) {
  for (const TraceFormat format : {TraceFormat::kPerfetto, TraceFormat::kChromeJson}) {
    const auto options = OptionsFor({.format = format});
    ASSERT_TRUE(options.ok());
    const TimelineOptions expected =
        format == TraceFormat::kPerfetto ? PerfettoDefaults() : ChromeDefaults();
    EXPECT_EQ(options->flows, expected.flows);
    EXPECT_EQ(options->naming, expected.naming);
    EXPECT_FALSE(options->window.has_value());
    EXPECT_TRUE(options->lanes.empty());
    EXPECT_FALSE(options->overhead_counters);
  }
}

TEST(TraceRequestTest, FlowsReplaceTheDefaultAndAddUp) {
  EXPECT_TRUE(OptionsFor({.flows = {"none"}})->flows.none());
  EXPECT_EQ(OptionsFor({.flows = {"dispatch", "complete"}})->flows,
            *ParseFlows("dispatch") | *ParseFlows("complete"));
  EXPECT_EQ(OptionsFor({.flows = {"dispatch", "sideways"}}).status().code(),
            absl::StatusCode::kInvalidArgument);
}

TEST(TraceRequestTest, AnOpenWindowReachesToTheEnds) {
  EXPECT_EQ(OptionsFor({.from_us = 5.0})->window->to_us, std::numeric_limits<double>::infinity());
  EXPECT_EQ(OptionsFor({.to_us = 5.0})->window->from_us, 0.0);
}

TEST(TraceRequestTest, EmptyWindowsAndEndsThatAreNoNumbersAreRefused) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const TraceRequest& request :
       {TraceRequest{.from_us = 5.0, .to_us = 5.0}, TraceRequest{.from_us = 6.0, .to_us = 5.0},
        TraceRequest{.to_us = -1.0}, TraceRequest{.from_us = nan}, TraceRequest{.to_us = nan}}) {
    EXPECT_EQ(OptionsFor(request).status().code(), absl::StatusCode::kInvalidArgument);
  }
}

}  // namespace
}  // namespace simpler::timeline
