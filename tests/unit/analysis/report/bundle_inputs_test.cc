#include "analysis/report/bundle_inputs.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/capture_builder.h"

namespace simpler::report {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

capture::CaptureBundle Bundle() {
  support::CaptureBuilder builder;
  builder.Cores({"aic"}).Row(1, 0, {.dispatch = 0, .start = 1, .end = 2, .finish = 3});
  capture::CaptureBundle bundle;
  bundle.capture = builder.BuildCapture();
  bundle.sources.records = "run/records.json";
  bundle.sources.deps = "run/deps.json";
  bundle.warnings.emplace_back();
  return bundle;
}

TEST(BundleInputsTest, PartsThatAreThereAreBorrowed) {
  capture::CaptureBundle bundle = Bundle();
  bundle.graph.emplace();
  bundle.names.emplace();
  const absl::StatusOr<Inputs> inputs = InputsOf(bundle, 0);
  ASSERT_TRUE(inputs.ok()) << inputs.status();
  EXPECT_EQ(inputs->capture, &bundle.capture);
  EXPECT_EQ(inputs->run_index, 0u);
  EXPECT_EQ(inputs->graph, &*bundle.graph);
  EXPECT_EQ(inputs->names, &*bundle.names);
  EXPECT_EQ(inputs->capture_name, "run/records.json");
  EXPECT_EQ(inputs->graph_name, "run/deps.json");
  EXPECT_THAT(inputs->warnings, SizeIs(1));
}

TEST(BundleInputsTest, PartsThatAreMissingAreNull) {
  const capture::CaptureBundle bundle = Bundle();
  const absl::StatusOr<Inputs> inputs = InputsOf(bundle, 0);
  ASSERT_TRUE(inputs.ok()) << inputs.status();
  EXPECT_EQ(inputs->graph, nullptr);
  EXPECT_EQ(inputs->names, nullptr);
}

TEST(BundleInputsTest, ARunThatIsNotThereIsNamedWithThoseThatAre) {
  const capture::CaptureBundle bundle = Bundle();
  const absl::Status status = InputsOf(bundle, 1).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kOutOfRange);
  EXPECT_THAT(std::string(status.message()),
              HasSubstr("run/records.json: there is no run 1; the capture holds 1 run,"));
}

}  // namespace
}  // namespace simpler::report
