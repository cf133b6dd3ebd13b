// Random traces, written and read back.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "analysis/timeline/perfetto/perfetto_writer.h"
#include "tests/support/decoded_trace.h"

namespace simpler::timeline {
namespace {

using support::AnnotationValue;
using support::DecodedEvent;
using support::DecodedTrace;

struct RandomSlice {
  uint64_t start = 0;
  uint64_t end = 0;
  size_t depth = 0;
  std::string name;
  bool inline_name = false;
  std::map<std::string, AnnotationValue> annotations;
  std::vector<uint64_t> outgoing_flows;
  std::vector<uint64_t> incoming_flows;
};

class Generator {
 public:
  explicit Generator(uint32_t seed) : random_(seed) {}

  uint64_t UpTo(uint64_t limit) {
    return std::uniform_int_distribution<uint64_t>(0, limit)(random_);
  }
  bool OneIn(uint64_t n) { return UpTo(n - 1) == 0; }
  // Any magnitude is equally likely, so that encoded lengths vary.
  uint64_t AnyMagnitude() { return UpTo(std::numeric_limits<uint64_t>::max()) >> UpTo(63); }

  // Nested slices inside [begin, end], in the order in which the writer wants them.
  void FillLane(uint64_t begin, uint64_t end, size_t depth, size_t count,
                std::vector<RandomSlice>* lane) {
    uint64_t time = begin;
    while (lane->size() < count && time <= end) {
      RandomSlice slice;
      slice.start = std::min(end, time + (OneIn(3) ? 0 : UpTo((end - time) / 8)));
      slice.end = OneIn(10) ? slice.start : slice.start + UpTo((end - slice.start) / 4);
      slice.depth = depth;
      FillContent(&slice);
      lane->push_back(slice);
      if (slice.end > slice.start && depth < 20 && OneIn(2)) {
        // The last instant belongs to what follows the slice.
        FillLane(slice.start, slice.end - 1, depth + 1, count, lane);
      }
      if (slice.end >= end && end - begin < 4) return;
      time = slice.end;
    }
  }

  std::mt19937& engine() { return random_; }

 private:
  void FillContent(RandomSlice* slice) {
    slice->inline_name = OneIn(10);
    slice->name = "name" + std::to_string(UpTo(300));
    for (uint64_t i = UpTo(4); i > 0; --i) {
      slice->annotations["key" + std::to_string(UpTo(200))] = RandomValue();
    }
  }

  AnnotationValue RandomValue() {
    switch (UpTo(4)) {
      case 0:
        return OneIn(2);
      case 1:
        return AnyMagnitude();
      case 2:
        return static_cast<int64_t>(AnyMagnitude());
      case 3:
        return static_cast<double>(AnyMagnitude()) / 3;
      default:
        return std::string(UpTo(200), 'v');
    }
  }

  std::mt19937 random_;
};

// Joins random pairs of slices, earlier to later.
void AddFlows(Generator& generator, size_t count, std::vector<std::vector<RandomSlice>>* lanes) {
  const auto pick = [&]() -> RandomSlice& {
    std::vector<RandomSlice>& lane = (*lanes)[generator.UpTo(lanes->size() - 1)];
    return lane[generator.UpTo(lane.size() - 1)];
  };
  for (uint64_t id = 1; id <= count; ++id) {
    RandomSlice* source = &pick();
    RandomSlice* target = &pick();
    if (target->start < source->start) std::swap(source, target);
    source->outgoing_flows.push_back(id);
    target->incoming_flows.push_back(id);
  }
}

Annotation ToAnnotation(KeyId key, const AnnotationValue& value) {
  switch (value.index()) {
    case 0:
      return Annotation::Bool(key, std::get<bool>(value));
    case 1:
      return Annotation::Uint(key, std::get<uint64_t>(value));
    case 2:
      return Annotation::Int(key, std::get<int64_t>(value));
    case 3:
      return Annotation::Double(key, std::get<double>(value));
    default:
      return Annotation::Text(key, std::get<std::string>(value));
  }
}

absl::Status Write(PerfettoWriter& writer, LaneId lane, const RandomSlice& slice) {
  std::vector<Annotation> annotations;
  for (const auto& [key, value] : slice.annotations) {
    annotations.push_back(ToAnnotation(writer.InternKey(key), value));
  }
  Event event = {.annotations = annotations,
                 .outgoing_flows = slice.outgoing_flows,
                 .incoming_flows = slice.incoming_flows};
  if (slice.inline_name) {
    event.text = slice.name;
  } else {
    event.name = writer.InternName(slice.name);
  }
  return writer.WriteSlice(lane, slice.start, slice.end, event);
}

void ExpectSame(const DecodedEvent& actual, const RandomSlice& expected) {
  EXPECT_EQ(actual.start, expected.start);
  EXPECT_EQ(actual.end, expected.end);
  EXPECT_EQ(actual.depth, expected.depth);
  EXPECT_EQ(actual.name, expected.name);
  EXPECT_EQ(actual.name_is_interned, !expected.inline_name);
  EXPECT_EQ(actual.annotations, expected.annotations);
  EXPECT_EQ(actual.outgoing_flows, expected.outgoing_flows);
  EXPECT_EQ(actual.incoming_flows, expected.incoming_flows);
}

class PerfettoWriterRoundTripTest : public ::testing::TestWithParam<uint32_t> {};

TEST_P(PerfettoWriterRoundTripTest, RandomTraceComesBackUnchanged) {
  constexpr size_t kLanes = 8;
  constexpr size_t kSlicesPerLane = 1250;
  Generator generator(GetParam());
  std::vector<std::vector<RandomSlice>> slices(kLanes);
  for (size_t i = 0; i < kLanes; ++i) {
    while (slices[i].size() < kSlicesPerLane) {
      const uint64_t begin = slices[i].empty() ? 0 : slices[i].back().start + 1'000'000'000;
      generator.FillLane(begin, begin + 900'000'000, 0, kSlicesPerLane, &slices[i]);
    }
  }
  AddFlows(generator, 5000, &slices);

  std::string bytes;
  StringSink sink(&bytes);
  PerfettoWriter writer(&sink, 4096);
  std::vector<LaneId> lanes;
  std::vector<size_t> turns;  // which lane writes its next slice
  for (size_t i = 0; i < kLanes; ++i) {
    const auto lane = writer.AddLane({.name = "lane" + std::to_string(i)});
    ASSERT_TRUE(lane.ok());
    lanes.push_back(*lane);
    turns.insert(turns.end(), slices[i].size(), i);
  }
  std::shuffle(turns.begin(), turns.end(), generator.engine());
  std::vector<size_t> written(kLanes);
  for (size_t i : turns) {
    const absl::Status status = Write(writer, lanes[i], slices[i][written[i]++]);
    ASSERT_TRUE(status.ok()) << status;
  }
  ASSERT_TRUE(writer.Finish().ok());

  const auto trace = support::DecodeTrace(bytes);
  ASSERT_TRUE(trace.ok()) << trace.status();
  EXPECT_EQ(trace->events.size(), turns.size());
  EXPECT_EQ(trace->flows.size(), 5000u);
  for (size_t i = 0; i < kLanes; ++i) {
    const auto events = trace->EventsOf(trace->FindTrack("lane" + std::to_string(i))->uuid);
    ASSERT_EQ(events.size(), slices[i].size());
    for (size_t k = 0; k < events.size(); ++k) {
      SCOPED_TRACE("lane " + std::to_string(i) + " slice " + std::to_string(k));
      ExpectSame(*events[k], slices[i][k]);
      if (HasFailure()) return;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, PerfettoWriterRoundTripTest, ::testing::Values(1, 2, 3));

}  // namespace
}  // namespace simpler::timeline
