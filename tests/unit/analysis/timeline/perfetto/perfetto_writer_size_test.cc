// What a slice and a flow cost in a trace like real ones: 60 lanes, 40 function names, gaps and
// durations of 1 to 100 us, task ids of four rings. The totals include everything: tracks,
// sequences and strings.
#include <gtest/gtest.h>

#include <array>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "analysis/timeline/perfetto/perfetto_writer.h"

namespace simpler::timeline {
namespace {

constexpr int kLanes = 60;
constexpr int kSlicesPerLane = 1000;
constexpr int kNames = 40;

class PerfettoWriterSizeTest : public ::testing::Test {
 protected:
  enum class Arguments { kNone, kTask, kTaskAndTimings };

  // The size of a trace whose slices have these arguments and `flows` flows each, to the next
  // slice of the lane.
  uint64_t TraceSize(Arguments arguments, size_t flows) {
    std::string bytes;
    StringSink sink(&bytes);
    PerfettoWriter writer(&sink);
    const KeyId task = writer.InternKey("task");
    const KeyId wait = writer.InternKey("receive_to_start_ns");
    const KeyId finish = writer.InternKey("end_to_finish_ns");
    std::vector<NameId> names;
    for (int i = 0; i < kNames; ++i) names.push_back(writer.InternName("fn" + std::to_string(i)));
    std::mt19937_64 random(1);
    std::uniform_int_distribution<uint64_t> delta(1'000, 100'000);
    uint64_t flow = 0;
    for (int i = 0; i < kLanes; ++i) {
      const LaneId lane = *writer.AddLane({.name = "AIV_" + std::to_string(i)});
      uint64_t time = 0;
      for (uint64_t k = 0; k < kSlicesPerLane; ++k) {
        const uint64_t start = time + delta(random);
        time = start + delta(random);
        const uint64_t task_id = (k % 4) << 32 | (k * kLanes + static_cast<uint64_t>(i));
        const std::array annotations = {
            Annotation::Uint(task, task_id),
            Annotation::Int(wait, static_cast<int64_t>(delta(random))),
            Annotation::Int(finish, static_cast<int64_t>(delta(random)))};
        std::vector<uint64_t> out(flows), in(flows);
        for (size_t f = 0; f < flows; ++f) {
          in[f] = flow + f;
          out[f] = flow + flows + f;
        }
        flow += flows;
        const Event event = {.name = names[k % kNames],
                             .annotations = std::span(annotations).first(ArgumentCount(arguments)),
                             .outgoing_flows = out,
                             .incoming_flows = in};
        EXPECT_TRUE(writer.WriteSlice(lane, start, time, event).ok());
      }
    }
    EXPECT_TRUE(writer.Finish().ok());
    return bytes.size();
  }

  static size_t ArgumentCount(Arguments arguments) {
    switch (arguments) {
      case Arguments::kNone:
        return 0;
      case Arguments::kTask:
        return 1;
      case Arguments::kTaskAndTimings:
        return 3;
    }
    return 0;
  }

  double BytesPerSlice(Arguments arguments) {
    const double bytes = static_cast<double>(TraceSize(arguments, 0)) / (kLanes * kSlicesPerLane);
    RecordProperty("bytes_per_slice", std::to_string(bytes));
    return bytes;
  }
};

TEST_F(PerfettoWriterSizeTest, SliceWithoutArguments) {
  EXPECT_LE(BytesPerSlice(Arguments::kNone), 32);
}

TEST_F(PerfettoWriterSizeTest, SliceWithTaskId) { EXPECT_LE(BytesPerSlice(Arguments::kTask), 42); }

TEST_F(PerfettoWriterSizeTest, SliceWithTaskIdAndTwoTimings) {
  EXPECT_LE(BytesPerSlice(Arguments::kTaskAndTimings), 58);
}

TEST_F(PerfettoWriterSizeTest, FlowWithBothItsEnds) {
  const uint64_t without = TraceSize(Arguments::kTask, 0);
  const uint64_t with = TraceSize(Arguments::kTask, 1);
  const double bytes = static_cast<double>(with - without) / (kLanes * kSlicesPerLane);
  RecordProperty("bytes_per_flow", std::to_string(bytes));
  EXPECT_LE(bytes, 20);
}

}  // namespace
}  // namespace simpler::timeline
