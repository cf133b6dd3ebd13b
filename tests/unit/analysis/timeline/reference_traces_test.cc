// JSON traces of recorded captures, event by event against those that the public Python converter
// made of them (tests/data/traces). docs/timeline.md lists the differences by design.
#include <cstdlib>
#include <fstream>
#include <map>
#include <optional>
#include <ostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "analysis/formats/deps_reader.h"
#include "analysis/formats/name_map_reader.h"
#include "analysis/formats/records_reader.h"
#include "fmt/format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/chrome_trace.h"
#include "tests/support/test_data.h"
#include "tests/support/traced_run.h"

namespace simpler::timeline {
namespace {

using support::ChromeEvent;
using support::ChromeTrace;
using support::TestDataPath;
using support::TracedRun;

constexpr int64_t kOrchestrator = 1;

struct Reference {
  std::string name;     // folder of the expected trace
  std::string capture;  // folder of the capture
  bool overhead = true;

  friend std::ostream& operator<<(std::ostream& out, const Reference& reference) {
    return out << reference.name;
  }
};

std::string ReadText(const std::string& path) {
  std::ifstream file(path);
  EXPECT_TRUE(file.is_open()) << path;
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

template <typename T>
T ValueOf(absl::StatusOr<T> value) {
  if (!value.ok()) throw std::runtime_error(std::string(value.status().message()));
  return *std::move(value);
}

ChromeTrace Convert(const Reference& reference, const std::string& layout) {
  const std::string folder = TestDataPath(reference.capture);
  const std::string names = TestDataPath("traces/" + reference.name + "/name_map.json");
  const TracedRun run(
      ValueOf(formats::ReadRecords(folder + layout + "/chip_swimlane_records.json")),
      ValueOf(formats::ReadDeps(folder + "/deps.json")).graph,
      std::ifstream(names).is_open() ? ValueOf(formats::ReadNameMap(names)) : capture::NameMap(),
      /*with_graph=*/true);
  TimelineOptions options = ChromeDefaults();
  options.overhead_counters = reference.overhead;
  std::string bytes;
  StringSink sink(&bytes);
  const TraceSummary summary = ValueOf(WriteChromeTrace(run.inputs(), options, sink));
  EXPECT_EQ(summary.bytes, bytes.size());
  return support::ParseChromeTrace(bytes);
}

std::optional<double> NumberIn(const std::string& json) {
  char* end = nullptr;
  const double value = std::strtod(json.c_str(), &end);
  if (json.empty() || *end != '\0') return std::nullopt;
  return value;
}

// The arguments with one text for equal numbers, and the name of today for the one that changed.
std::map<std::string, std::string> Canonical(const std::map<std::string, std::string>& args) {
  std::map<std::string, std::string> canonical;
  for (const auto& [key, json] : args) {
    const auto number = NumberIn(json);
    canonical[key == "aicpu-duration-us" ? "scheduler-duration-us" : key] =
        number ? fmt::format("{}", *number) : json;
  }
  return canonical;
}

// What is compared of an event. With `is_timeless`, times of the device's clock are not: traces of
// host-orchestrated runs were placed by clock anchors, which are not read any more.
std::string Comparable(const ChromeEvent& event, bool is_timeless) {
  const bool compares_times = !is_timeless || event.pid == kOrchestrator;
  std::ostringstream text;
  text.precision(17);
  text << event.phase << " " << event.pid << ":" << event.tid.value_or(0) << " " << event.name
       << " " << event.category << " " << event.colour << " id " << event.id.value_or(0) << " bind "
       << (event.bind_id ? std::to_string(*event.bind_id) : "-") << " "
       << event.input_task_count.value_or(-1) << "/" << event.output_task_count.value_or(-1);
  if (compares_times) text << " at " << event.ts.value_or(-1) << " for " << event.dur.value_or(-1);
  for (const auto& [key, value] : Canonical(event.args)) {
    text << " " << key << "=" << (key.ends_with("us") && !compares_times ? "" : value);
  }
  return text.str();
}

std::vector<std::string> Comparable(const ChromeTrace& trace, bool is_timeless) {
  std::vector<std::string> lines;
  for (const ChromeEvent& event : trace.events) {
    if (is_timeless && event.name == "submit→dispatch") continue;  // would need related clocks
    lines.push_back(Comparable(event, is_timeless));
  }
  return lines;
}

bool IsSchedulerLaneName(const std::string& line) { return line.starts_with("M 2:300"); }

class ReferenceTracesTest : public testing::TestWithParam<Reference> {};

TEST_P(ReferenceTracesTest, ArchivedLayoutGivesTheSameEvents) {
  const ChromeTrace expected = support::ParseChromeTrace(
      ReadText(TestDataPath("traces/" + GetParam().name + "/expected.json")));
  const bool is_timeless = !expected.metadata.empty();
  const std::vector<std::string> lines = Comparable(Convert(GetParam(), ""), is_timeless);
  const std::vector<std::string> expected_lines = Comparable(expected, is_timeless);
  ASSERT_EQ(lines.size(), expected_lines.size());
  for (size_t i = 0; i < lines.size(); ++i) EXPECT_EQ(lines[i], expected_lines[i]) << "event " << i;
}

// The current layout has no entry for a scheduler that recorded nothing, so its lane has no name.
TEST_P(ReferenceTracesTest, CurrentLayoutGivesTheSameEventsButNamesOfEmptyLanes) {
  std::vector<std::string> archived = Comparable(Convert(GetParam(), ""), false);
  std::vector<std::string> current = Comparable(Convert(GetParam(), "/current_layout"), false);
  std::erase_if(archived, IsSchedulerLaneName);
  std::erase_if(current, IsSchedulerLaneName);
  EXPECT_EQ(current, archived);
}

INSTANTIATE_TEST_SUITE_P(
    Captures, ReferenceTracesTest,
    testing::Values(Reference{"long_dummy_chain_L4", "captures/long_dummy_chain_L4"},
                    Reference{"host_build_graph_vector_example_L4",
                              "captures/host_build_graph_vector_example_L4"},
                    // Counters at level 1 were made from dispatch times that nobody recorded.
                    Reference{"vector_example_L1", "traces/vector_example_L1",
                              /*overhead=*/false},
                    Reference{"predicated_dispatch_L4", "traces/predicated_dispatch_L4"},
                    Reference{"a5_vector_example_L4", "traces/a5_vector_example_L4"}),
    [](const auto& reference) { return reference.param.name; });

}  // namespace
}  // namespace simpler::timeline
