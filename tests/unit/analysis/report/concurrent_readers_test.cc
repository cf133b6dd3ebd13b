// Captures do not change once they are read, and any number of threads may analyse and draw one of
// them at once. The thread sanitizer build of this test finds what writes to shared state.
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "analysis/report/analysis.h"
#include "analysis/report/report_json.h"
#include "analysis/report/trace_summary.h"
#include "analysis/timeline/byte_sink.h"
#include "analysis/timeline/trace.h"
#include "gtest/gtest.h"
#include "tests/support/capture_generator.h"

namespace simpler::report {
namespace {

class TextSink final : public timeline::ByteSink {
 public:
  const std::string& text() const { return text_; }

 private:
  absl::Status Store(std::string_view bytes) override {
    text_ += bytes;
    return absl::OkStatus();
  }
  absl::Status Finish() override { return absl::OkStatus(); }

  std::string text_;
};

// The bytes of a trace with every arrow and counter; empty when it fails.
std::string TraceOf(timeline::TraceFormat format, const timeline::TimelineInputs& inputs) {
  timeline::TimelineOptions options = timeline::ChromeDefaults();
  options.flows = *timeline::ParseFlows("all");
  options.overhead_counters = true;
  TextSink sink;
  const auto summary = format == timeline::TraceFormat::kPerfetto
                           ? timeline::WritePerfettoTrace(inputs, options, sink)
                           : timeline::WriteChromeTrace(inputs, options, sink);
  EXPECT_TRUE(summary.ok()) << summary.status();
  EXPECT_TRUE(sink.Commit().ok());
  return sink.text();
}

struct Answers {
  std::string report;
  std::string perfetto;
  std::string chrome;
  friend bool operator==(const Answers&, const Answers&) = default;
};

// Both traces of an analysis that may be shared.
Answers AnswersOf(const Analysis& analysis) {
  const timeline::TimelineInputs inputs = TimelineInputsOf(analysis);
  return {ReportJson(analysis), TraceOf(timeline::TraceFormat::kPerfetto, inputs),
          TraceOf(timeline::TraceFormat::kChromeJson, inputs)};
}

Inputs InputsOf(const support::GeneratedCapture& generated) {
  return {.capture = &generated.capture,
          .run_index = 0,
          .graph = &generated.graph,
          .names = &generated.names,
          .warnings = {},
          .capture_name = "run.json",
          .graph_name = "deps.json"};
}

// Runs `answer` on four threads at once.
template <typename Answer>
std::vector<Answers> OnFourThreads(const Answer& answer) {
  std::vector<Answers> answers(4);
  std::vector<std::thread> threads;
  for (Answers& result : answers) threads.emplace_back([&] { result = answer(); });
  for (std::thread& thread : threads) thread.join();
  return answers;
}

class ConcurrentReadersTest : public ::testing::TestWithParam<support::SyntheticRuntime> {};

TEST_P(ConcurrentReadersTest, AnalyseOneCaptureAsOneReaderDoes) {
  const auto generated = support::GenerateCapture({.tasks = 300, .runtime = GetParam()});
  const auto analyse = [&] {
    const absl::StatusOr<Analysis> analysis = Analyze(InputsOf(generated));
    EXPECT_TRUE(analysis.ok()) << analysis.status();
    return analysis.ok() ? AnswersOf(*analysis) : Answers{};
  };
  const Answers alone = analyse();
  ASSERT_FALSE(alone.perfetto.empty());
  for (const Answers& together : OnFourThreads(analyse)) EXPECT_TRUE(together == alone);
}

TEST_P(ConcurrentReadersTest, DrawOneAnalysisAsOneReaderDoes) {
  const auto generated = support::GenerateCapture({.tasks = 300, .runtime = GetParam()});
  const absl::StatusOr<Analysis> analysis = Analyze(InputsOf(generated));
  ASSERT_TRUE(analysis.ok()) << analysis.status();
  const Answers alone = AnswersOf(*analysis);
  ASSERT_FALSE(alone.chrome.empty());
  const auto draw = [&] { return AnswersOf(*analysis); };
  for (const Answers& together : OnFourThreads(draw)) EXPECT_TRUE(together == alone);
}

INSTANTIATE_TEST_SUITE_P(Runtimes, ConcurrentReadersTest,
                         ::testing::Values(support::SyntheticRuntime::kTensormap,
                                           support::SyntheticRuntime::kHostAicpu,
                                           support::SyntheticRuntime::kHostAicore));

}  // namespace
}  // namespace simpler::report
