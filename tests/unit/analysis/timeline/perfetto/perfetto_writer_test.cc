#include "analysis/timeline/perfetto/perfetto_writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>

#include "proto/perfetto/perfetto_subset.pb.h"
#include "tests/support/decoded_trace.h"

namespace simpler::timeline {
namespace {

using support::AnnotationValue;
using support::DecodedEvent;
using support::DecodedTrace;
using support::DecodedTrack;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;

constexpr uint64_t kMaxTime = std::numeric_limits<int64_t>::max();

class PerfettoWriterTest : public ::testing::Test {
 protected:
  DecodedTrace Decode() {
    EXPECT_TRUE(writer_.Finish().ok());
    auto trace = support::DecodeTrace(bytes_);
    EXPECT_TRUE(trace.ok()) << trace.status();
    return trace.ok() ? *trace : DecodedTrace{};
  }

  LaneId AddLane(const std::string& name) {
    auto lane = writer_.AddLane({.name = name});
    EXPECT_TRUE(lane.ok()) << lane.status();
    return *lane;
  }

  ProcessId AddProcess(int32_t pid) {
    auto process = writer_.AddProcess({.pid = pid, .name = "process"});
    EXPECT_TRUE(process.ok()) << process.status();
    return *process;
  }

  // A slice whose name is written inline.
  absl::Status Slice(LaneId lane, uint64_t start, uint64_t end, std::string_view name) {
    return writer_.WriteSlice(lane, start, end, {.text = name});
  }

  // The events of a lane as "name[start,end]@depth", in the order of the file.
  static std::vector<std::string> Shape(const DecodedTrace& trace, const std::string& lane) {
    std::vector<std::string> shape;
    for (const DecodedEvent* event : trace.EventsOf(trace.FindTrack(lane)->uuid)) {
      shape.push_back(event->name + "[" + std::to_string(event->start) + "," +
                      std::to_string(event->end) + "]@" + std::to_string(event->depth));
    }
    return shape;
  }

  void ExpectRejected(const absl::Status& status, const std::string& part_of_message) {
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(std::string(status.message()), HasSubstr(part_of_message));
  }

  std::string bytes_;
  StringSink sink_{&bytes_};
  PerfettoWriter writer_{&sink_};
};

// Tracks

TEST_F(PerfettoWriterTest, EmptyTraceHoldsTheRootTrackThatAsksForExplicitOrder) {
  const DecodedTrace trace = Decode();
  ASSERT_EQ(trace.tracks.size(), 1u);
  EXPECT_EQ(trace.tracks[0].kind, DecodedTrack::Kind::kRoot);
  EXPECT_TRUE(trace.tracks[0].orders_processes);
  EXPECT_TRUE(trace.tracks[0].orders_threads);
  EXPECT_TRUE(trace.tracks[0].orders_children);
}

TEST_F(PerfettoWriterTest, TracksFormTheDeclaredHierarchy) {
  const auto chip = writer_.AddProcess({.pid = 7, .name = "Worker View", .rank = -3});
  ASSERT_TRUE(chip.ok());
  ASSERT_TRUE(writer_.AddLane({.process = *chip, .tid = 11, .name = "AIC_0", .rank = 1}).ok());
  ASSERT_TRUE(writer_.AddLane({.process = *chip, .name = "markers", .rank = 2}).ok());
  ASSERT_TRUE(
      writer_.AddCounter({.process = *chip, .name = "ready", .unit = CounterUnit::kCount}).ok());
  ASSERT_TRUE(writer_.AddLane({.name = "capture", .rank = -9}).ok());

  const DecodedTrace trace = Decode();
  const DecodedTrack* process = trace.FindTrack("Worker View");
  ASSERT_NE(process, nullptr);
  EXPECT_EQ(process->kind, DecodedTrack::Kind::kProcess);
  EXPECT_EQ(process->pid, 7);
  EXPECT_EQ(process->rank, -3);
  EXPECT_TRUE(process->orders_children);

  const DecodedTrack* thread = trace.FindTrack("AIC_0");
  ASSERT_NE(thread, nullptr);
  EXPECT_EQ(thread->kind, DecodedTrack::Kind::kThread);
  EXPECT_EQ(thread->pid, 7);
  EXPECT_EQ(thread->tid, 11);
  EXPECT_EQ(thread->rank, 1);
  EXPECT_EQ(thread->parent_uuid, process->uuid);

  const DecodedTrack* named = trace.FindTrack("markers");
  ASSERT_NE(named, nullptr);
  EXPECT_EQ(named->kind, DecodedTrack::Kind::kNamed);
  EXPECT_EQ(named->parent_uuid, process->uuid);
  EXPECT_EQ(named->rank, 2);
  EXPECT_FALSE(named->merges_siblings);

  const DecodedTrack* counter = trace.FindTrack("ready");
  ASSERT_NE(counter, nullptr);
  EXPECT_EQ(counter->kind, DecodedTrack::Kind::kCounter);
  EXPECT_EQ(counter->parent_uuid, process->uuid);
  EXPECT_EQ(counter->unit, "count");
  EXPECT_FALSE(counter->merges_siblings);

  const DecodedTrack* global = trace.FindTrack("capture");
  ASSERT_NE(global, nullptr);
  EXPECT_EQ(global->parent_uuid, 0u);
  EXPECT_EQ(global->rank, -9);
}

TEST_F(PerfettoWriterTest, EveryUnitOfCountersIsWritten) {
  ASSERT_TRUE(writer_.AddCounter({.name = "a", .unit = CounterUnit::kNanoseconds}).ok());
  ASSERT_TRUE(writer_.AddCounter({.name = "b", .unit = CounterUnit::kBytes}).ok());
  ASSERT_TRUE(writer_.AddCounter({.name = "c", .unit_name = "cores"}).ok());
  ASSERT_TRUE(writer_.AddCounter({.name = "d"}).ok());
  const DecodedTrace trace = Decode();
  EXPECT_EQ(trace.FindTrack("a")->unit, "ns");
  EXPECT_EQ(trace.FindTrack("b")->unit, "bytes");
  EXPECT_EQ(trace.FindTrack("c")->unit, "cores");
  EXPECT_EQ(trace.FindTrack("d")->unit, "");
}

TEST_F(PerfettoWriterTest, IdsThatAreNotPositiveOrTakenAreRefused) {
  const ProcessId first = AddProcess(1);
  const ProcessId second = AddProcess(2);
  ExpectRejected(writer_.AddProcess({.pid = 1, .name = "again"}).status(), "'again': pid 1");
  ExpectRejected(writer_.AddProcess({.pid = 0, .name = "zero"}).status(), "pid 0");
  ExpectRejected(writer_.AddProcess({.pid = -1, .name = "minus"}).status(), "pid -1");
  EXPECT_TRUE(writer_.AddLane({.process = first, .tid = 5, .name = "x"}).ok());
  EXPECT_TRUE(writer_.AddLane({.process = second, .tid = 5, .name = "y"}).ok());
  ExpectRejected(writer_.AddLane({.process = first, .tid = 5, .name = "z"}).status(),
                 "lane 'z': tid 5 of process 1");
  ExpectRejected(writer_.AddLane({.process = first, .tid = 0, .name = "z"}).status(), "tid 0");
  ExpectRejected(writer_.AddLane({.tid = 6, .name = "z"}).status(), "needs a process");
  ExpectRejected(writer_.AddLane({.process = ProcessId{2}, .name = "z"}).status(),
                 "process 2 is unknown");
  ExpectRejected(writer_.AddCounter({.process = ProcessId{9}, .name = "c"}).status(),
                 "track 'c': process 9 is unknown");
  EXPECT_EQ(Decode().tracks.size(), 5u) << "what was refused is not in the trace";
}

// Slices

TEST_F(PerfettoWriterTest, SlicesOfALaneNest) {
  const LaneId lane = AddLane("lane");
  ASSERT_TRUE(Slice(lane, 100, 900, "outer").ok());
  ASSERT_TRUE(Slice(lane, 150, 400, "first").ok());
  ASSERT_TRUE(Slice(lane, 200, 300, "inner").ok());
  ASSERT_TRUE(Slice(lane, 400, 900, "second").ok());
  ASSERT_TRUE(Slice(lane, 1000, 1100, "next").ok());
  EXPECT_THAT(Shape(Decode(), "lane"),
              ElementsAre("outer[100,900]@0", "first[150,400]@1", "inner[200,300]@2",
                          "second[400,900]@1", "next[1000,1100]@0"));
}

TEST_F(PerfettoWriterTest, EqualSlicesNestInTheOrderWritten) {
  const LaneId lane = AddLane("lane");
  ASSERT_TRUE(Slice(lane, 5, 9, "a").ok());
  ASSERT_TRUE(Slice(lane, 5, 9, "b").ok());
  ASSERT_TRUE(Slice(lane, 5, 7, "c").ok());
  EXPECT_THAT(Shape(Decode(), "lane"), ElementsAre("a[5,9]@0", "b[5,9]@1", "c[5,7]@2"));
}

TEST_F(PerfettoWriterTest, SlicesWithoutLengthAreKeptAndDoNotNestInEachOther) {
  const LaneId lane = AddLane("lane");
  ASSERT_TRUE(Slice(lane, 5, 9, "around").ok());
  ASSERT_TRUE(Slice(lane, 5, 5, "at start").ok());
  ASSERT_TRUE(Slice(lane, 5, 5, "again").ok());
  ASSERT_TRUE(Slice(lane, 7, 7, "inside").ok());
  ASSERT_TRUE(Slice(lane, 9, 9, "at end").ok());
  ASSERT_TRUE(Slice(lane, 9, 12, "behind").ok());
  EXPECT_THAT(Shape(Decode(), "lane"),
              ElementsAre("around[5,9]@0", "at start[5,5]@1", "again[5,5]@1", "inside[7,7]@1",
                          "at end[9,9]@0", "behind[9,12]@0"));
}

TEST_F(PerfettoWriterTest, AdjacentSlicesAreSiblings) {
  const LaneId lane = AddLane("lane");
  for (uint64_t i = 0; i < 4; ++i) ASSERT_TRUE(Slice(lane, i * 10, i * 10 + 10, "s").ok());
  EXPECT_THAT(Shape(Decode(), "lane"),
              ElementsAre("s[0,10]@0", "s[10,20]@0", "s[20,30]@0", "s[30,40]@0"));
}

TEST_F(PerfettoWriterTest, TimesMayTakeTheWholeRange) {
  const LaneId lane = AddLane("lane");
  ASSERT_TRUE(Slice(lane, 0, kMaxTime, "all").ok());
  ASSERT_TRUE(Slice(lane, kMaxTime - 1, kMaxTime, "last").ok());
  ASSERT_TRUE(Slice(lane, kMaxTime, kMaxTime, "end").ok());
  EXPECT_THAT(
      Shape(Decode(), "lane"),
      ElementsAre("all[0,9223372036854775807]@0", "last[9223372036854775806,9223372036854775807]@1",
                  "end[9223372036854775807,9223372036854775807]@0"));
}

TEST_F(PerfettoWriterTest, DeepNestingIsKept) {
  const LaneId lane = AddLane("lane");
  constexpr uint64_t kDepth = 5000;
  for (uint64_t i = 0; i < kDepth; ++i) ASSERT_TRUE(Slice(lane, i, 2 * kDepth - i, "s").ok());
  const DecodedTrace trace = Decode();
  ASSERT_EQ(trace.events.size(), kDepth);
  for (uint64_t i = 0; i < kDepth; ++i) {
    ASSERT_EQ(trace.events[i].depth, i);
    ASSERT_EQ(trace.events[i].end, 2 * kDepth - i);
  }
}

TEST_F(PerfettoWriterTest, SlicesThatBreakTheRulesAreRefusedAndLeaveNoTrace) {
  const LaneId lane = AddLane("AIV_3");
  ASSERT_TRUE(Slice(lane, 100, 200, "a").ok());
  ExpectRejected(Slice(lane, 150, 201, "crossing"), "lane 'AIV_3': slice [150, 201] ns");
  ExpectRejected(Slice(lane, 99, 300, "early"), "99 ns follows one at 100 ns");
  ExpectRejected(Slice(lane, 160, 159, "backward"), "[160, 159]");
  ExpectRejected(Slice(lane, 160, kMaxTime + 1, "endless"), "ends before it starts or beyond");
  ExpectRejected(Slice(lane, kMaxTime + 1, kMaxTime + 2, "late"), "beyond the format's");
  // A refused slice moves neither the clock of the lane nor its open slices.
  ExpectRejected(Slice(lane, 190, 210, "crossing"), "put it on another lane");
  ASSERT_TRUE(Slice(lane, 150, 180, "b").ok());
  ExpectRejected(Slice(lane, 150, 181, "crossing"), "ends at 180 ns");
  EXPECT_THAT(Shape(Decode(), "AIV_3"), ElementsAre("a[100,200]@0", "b[150,180]@1"));
}

TEST_F(PerfettoWriterTest, LanesInterleaveInAnyWay) {
  const LaneId late = AddLane("late");
  const LaneId early = AddLane("early");
  ASSERT_TRUE(Slice(late, 1000, 2000, "l0").ok());
  ASSERT_TRUE(Slice(early, 1, 50, "e0").ok());
  ASSERT_TRUE(Slice(late, 1500, 1600, "l1").ok());
  ASSERT_TRUE(Slice(early, 2, 3, "e1").ok());
  ASSERT_TRUE(writer_.EndLane(late).ok());
  ASSERT_TRUE(Slice(early, 60, 70, "e2").ok());
  const DecodedTrace trace = Decode();
  EXPECT_THAT(Shape(trace, "late"), ElementsAre("l0[1000,2000]@0", "l1[1500,1600]@1"));
  EXPECT_THAT(Shape(trace, "early"), ElementsAre("e0[1,50]@0", "e1[2,3]@1", "e2[60,70]@0"));
}

TEST_F(PerfettoWriterTest, MoreThan127LanesAndNamesAreToldApart) {
  std::vector<LaneId> lanes;
  for (int i = 0; i < 300; ++i) lanes.push_back(AddLane("lane " + std::to_string(i)));
  for (size_t i = 0; i < lanes.size(); ++i) {
    const NameId name = writer_.InternName("name " + std::to_string(i));
    ASSERT_TRUE(writer_.WriteSlice(lanes[i], i, i + 1, {.name = name}).ok());
  }
  const DecodedTrace trace = Decode();
  for (int i : {0, 126, 127, 128, 299}) {
    const auto events = trace.EventsOf(trace.FindTrack("lane " + std::to_string(i))->uuid);
    ASSERT_EQ(events.size(), 1u);
    EXPECT_EQ(events[0]->name, "name " + std::to_string(i));
    EXPECT_EQ(events[0]->start, static_cast<uint64_t>(i));
  }
}

TEST_F(PerfettoWriterTest, EndedLaneTakesNoEvents) {
  const LaneId lane = AddLane("lane");
  ASSERT_TRUE(Slice(lane, 1, 2, "a").ok());
  ASSERT_TRUE(writer_.EndLane(lane).ok());
  EXPECT_EQ(Slice(lane, 3, 4, "b").code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(writer_.WriteInstant(lane, 3, {.text = "i"}).code(),
            absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(writer_.EndLane(lane).code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(Shape(Decode(), "lane"), ElementsAre("a[1,2]@0"));
}

TEST_F(PerfettoWriterTest, UnknownIdsAreRefused) {
  const LaneId lane = AddLane("lane");
  const NameId name = writer_.InternName("name");
  const KeyId key = writer_.InternKey("key");
  ExpectRejected(Slice(LaneId{1}, 0, 1, "x"), "lane 1 is unknown");
  ExpectRejected(writer_.WriteCounter(CounterId{0}, 0, 0), "counter 0 is unknown");
  ExpectRejected(writer_.WriteSlice(lane, 0, 1, {.name = NameId{2}}), "name 2 is unknown");
  const std::array annotations = {Annotation::Uint(key, 1), Annotation::Uint(KeyId{2}, 1)};
  ExpectRejected(writer_.WriteSlice(lane, 0, 1, {.name = name, .annotations = annotations}),
                 "key 2 is unknown");
  EXPECT_TRUE(Decode().events.empty());
}

// Instants

TEST_F(PerfettoWriterTest, InstantsStandBetweenSlices) {
  const LaneId lane = AddLane("lane");
  ASSERT_TRUE(writer_.WriteInstant(lane, 0, {.text = "first"}).ok());
  ASSERT_TRUE(Slice(lane, 10, 20, "s").ok());
  ASSERT_TRUE(writer_.WriteInstant(lane, 10, {.text = "inside"}).ok());
  ASSERT_TRUE(writer_.WriteInstant(lane, 20, {.text = "behind"}).ok());
  ExpectRejected(writer_.WriteInstant(lane, 19, {.text = "early"}), "19 ns follows one at 20 ns");
  const DecodedTrace trace = Decode();
  EXPECT_THAT(Shape(trace, "lane"),
              ElementsAre("first[0,0]@0", "s[10,20]@0", "inside[10,10]@1", "behind[20,20]@0"));
  EXPECT_TRUE(trace.events[0].is_instant);
  EXPECT_FALSE(trace.events[1].is_instant);
}

// Names and annotations

TEST_F(PerfettoWriterTest, StringsAreDefinedOncePerLane) {
  const NameId name = writer_.InternName("matmul");
  const KeyId key = writer_.InternKey("task");
  EXPECT_EQ(writer_.InternName("matmul"), name);
  EXPECT_EQ(writer_.InternKey("task"), key);
  for (const LaneId lane : {AddLane("a"), AddLane("b")}) {
    for (uint64_t i = 0; i < 10; ++i) {
      const std::array annotations = {Annotation::Uint(key, i)};
      ASSERT_TRUE(
          writer_.WriteSlice(lane, i, i + 1, {.name = name, .annotations = annotations}).ok());
    }
  }
  const DecodedTrace trace = Decode();
  EXPECT_EQ(trace.interned_strings, 4u);
  EXPECT_EQ(trace.events.size(), 20u);
  for (const DecodedEvent& event : trace.events) {
    EXPECT_EQ(event.name, "matmul");
    EXPECT_TRUE(event.name_is_interned);
  }
}

TEST_F(PerfettoWriterTest, UnusedStringsAreNotWritten) {
  writer_.InternName("never");
  writer_.InternKey("used");
  AddLane("lane");
  EXPECT_EQ(Decode().interned_strings, 0u);
}

TEST_F(PerfettoWriterTest, InlineNamesAreWrittenInTheEvent) {
  const LaneId lane = AddLane("lane");
  ASSERT_TRUE(Slice(lane, 0, 1, "matmul(r1t5)").ok());
  ASSERT_TRUE(Slice(lane, 1, 2, "").ok());
  const DecodedTrace trace = Decode();
  EXPECT_EQ(trace.interned_strings, 0u);
  EXPECT_EQ(trace.events[0].name, "matmul(r1t5)");
  EXPECT_FALSE(trace.events[0].name_is_interned);
  EXPECT_EQ(trace.events[1].name, "");
}

TEST_F(PerfettoWriterTest, AnnotationsOfEveryKindKeepTheirExactValue) {
  const LaneId lane = AddLane("lane");
  const std::array annotations = {
      Annotation::Bool(writer_.InternKey("yes"), true),
      Annotation::Bool(writer_.InternKey("no"), false),
      Annotation::Uint(writer_.InternKey("max"), std::numeric_limits<uint64_t>::max()),
      Annotation::Uint(writer_.InternKey("zero"), 0),
      Annotation::Int(writer_.InternKey("min"), std::numeric_limits<int64_t>::min()),
      Annotation::Int(writer_.InternKey("minus one"), -1),
      Annotation::Double(writer_.InternKey("third"), 1.0 / 3),
      Annotation::Double(writer_.InternKey("infinite"), std::numeric_limits<double>::infinity()),
      Annotation::Text(writer_.InternKey("text"), "plain"),
      Annotation::Text(writer_.InternKey("empty"), ""),
  };
  ASSERT_TRUE(writer_.WriteSlice(lane, 0, 1, {.text = "s", .annotations = annotations}).ok());
  const DecodedTrace trace = Decode();
  EXPECT_THAT(
      trace.events[0].annotations,
      UnorderedElementsAre(
          Pair("yes", AnnotationValue(true)), Pair("no", AnnotationValue(false)),
          Pair("max", AnnotationValue(std::numeric_limits<uint64_t>::max())),
          Pair("zero", AnnotationValue(uint64_t{0})),
          Pair("min", AnnotationValue(std::numeric_limits<int64_t>::min())),
          Pair("minus one", AnnotationValue(int64_t{-1})), Pair("third", AnnotationValue(1.0 / 3)),
          Pair("infinite", AnnotationValue(std::numeric_limits<double>::infinity())),
          Pair("text", AnnotationValue(std::string("plain"))),
          Pair("empty", AnnotationValue(std::string()))));
}

TEST_F(PerfettoWriterTest, AnnotationKeyUsedTwiceInOneEventIsDefinedOnce) {
  const LaneId lane = AddLane("lane");
  const KeyId key = writer_.InternKey("key");
  const std::array annotations = {Annotation::Uint(key, 1), Annotation::Uint(key, 2)};
  ASSERT_TRUE(writer_.WriteSlice(lane, 0, 1, {.text = "s", .annotations = annotations}).ok());
  EXPECT_EQ(Decode().interned_strings, 1u);
}

TEST_F(PerfettoWriterTest, TextsOfEveryLengthAroundTheLengthBoundariesAreExact) {
  const LaneId lane = AddLane("lane");
  const KeyId key = writer_.InternKey("key");
  std::vector<std::string> texts;
  for (size_t size = 60; size < 140; ++size) texts.emplace_back(size, 'x');
  for (size_t size = 16350; size < 16400; ++size) texts.emplace_back(size, 'y');
  texts.emplace_back(3'000'000, 'z');  // far larger than the buffer
  uint64_t time = 0;
  for (const std::string& text : texts) {
    const std::array annotations = {Annotation::Text(key, text)};
    ASSERT_TRUE(
        writer_.WriteSlice(lane, time, time + 1, {.text = text, .annotations = annotations}).ok());
    ++time;
  }
  const DecodedTrace trace = Decode();
  ASSERT_EQ(trace.events.size(), texts.size());
  for (size_t i = 0; i < texts.size(); ++i) {
    ASSERT_EQ(trace.events[i].name, texts[i]);
    ASSERT_EQ(trace.events[i].annotations.at("key"), AnnotationValue(texts[i]));
  }
}

TEST_F(PerfettoWriterTest, EventsAboveTheLargestPacketAreRefused) {
  const LaneId lane = AddLane("lane");
  const std::string text(PerfettoWriter::kMaxPacketBytes, 'x');
  ExpectRejected(Slice(lane, 0, 1, text), "the limit is 67108864");
  const NameId name = writer_.InternName(text);
  ExpectRejected(writer_.WriteSlice(lane, 0, 1, {.name = name}), "the limit is 67108864");
  ExpectRejected(writer_.AddLane({.name = text}).status(), "the limit is 67108864");
  ASSERT_TRUE(Slice(lane, 0, 1, "small").ok());
  EXPECT_THAT(Shape(Decode(), "lane"), ElementsAre("small[0,1]@0"));
}

// Flows

TEST_F(PerfettoWriterTest, FlowsJoinEvents) {
  const LaneId a = AddLane("a");
  const LaneId b = AddLane("b");
  const std::array<uint64_t, 2> out = {1, std::numeric_limits<uint64_t>::max()};
  const std::array<uint64_t, 1> first_in = {1};
  const std::array<uint64_t, 1> second_in = {std::numeric_limits<uint64_t>::max()};
  ASSERT_TRUE(writer_.WriteSlice(a, 10, 20, {.text = "producer", .outgoing_flows = out}).ok());
  ASSERT_TRUE(writer_.WriteSlice(b, 20, 30, {.text = "c0", .incoming_flows = first_in}).ok());
  ASSERT_TRUE(writer_.WriteInstant(b, 40, {.text = "c1", .incoming_flows = second_in}).ok());
  const DecodedTrace trace = Decode();
  ASSERT_EQ(trace.flows.size(), 2u);
  for (const auto& [id, consumer] : {std::pair(out[0], "c0"), std::pair(out[1], "c1")}) {
    EXPECT_EQ(trace.events[trace.flows.at(id).source].name, "producer");
    EXPECT_EQ(trace.events[trace.flows.at(id).target].name, consumer);
  }
}

TEST_F(PerfettoWriterTest, OneProducerMayHaveVeryManyFlows) {
  const LaneId lane = AddLane("lane");
  std::vector<uint64_t> flows(100'000);
  for (size_t i = 0; i < flows.size(); ++i) flows[i] = i + 1;
  ASSERT_TRUE(writer_.WriteSlice(lane, 0, 1, {.text = "p", .outgoing_flows = flows}).ok());
  ASSERT_TRUE(writer_.WriteSlice(lane, 1, 2, {.text = "c", .incoming_flows = flows}).ok());
  EXPECT_EQ(Decode().flows.size(), flows.size());
}

// Counters

TEST_F(PerfettoWriterTest, CountersKeepTheirValuesAndTimes) {
  const auto depth = writer_.AddCounter({.name = "depth"});
  const auto ratio = writer_.AddCounter({.name = "ratio"});
  ASSERT_TRUE(depth.ok() && ratio.ok());
  ASSERT_TRUE(writer_.WriteCounter(*depth, 5, 3).ok());
  ASSERT_TRUE(writer_.WriteDoubleCounter(*ratio, 1, 0.25).ok());
  ASSERT_TRUE(writer_.WriteCounter(*depth, 5, -3).ok());
  ASSERT_TRUE(writer_.WriteCounter(*depth, 1'000'000'000'000, 0).ok());
  ExpectRejected(writer_.WriteCounter(*depth, 4, 0), "track 'depth': an event at 4 ns");
  ExpectRejected(writer_.WriteDoubleCounter(*ratio, kMaxTime + 1, 0), "beyond");

  const DecodedTrace trace = Decode();
  const uint64_t depth_uuid = trace.FindTrack("depth")->uuid;
  ASSERT_EQ(trace.counter_values.size(), 4u);
  EXPECT_EQ(trace.counter_values[0].track_uuid, depth_uuid);
  EXPECT_EQ(trace.counter_values[0].time, 5u);
  EXPECT_EQ(std::get<int64_t>(trace.counter_values[0].value), 3);
  EXPECT_EQ(trace.counter_values[1].track_uuid, trace.FindTrack("ratio")->uuid);
  EXPECT_EQ(std::get<double>(trace.counter_values[1].value), 0.25);
  EXPECT_EQ(std::get<int64_t>(trace.counter_values[2].value), -3);
  EXPECT_EQ(trace.counter_values[3].time, 1'000'000'000'000u);
}

// The stream

TEST_F(PerfettoWriterTest, BufferSizeDoesNotChangeTheTrace) {
  const auto write = [](size_t buffer_bytes) {
    std::string bytes;
    StringSink sink(&bytes);
    PerfettoWriter writer(&sink, buffer_bytes);
    const LaneId lane = *writer.AddLane({.name = "lane"});
    const KeyId key = writer.InternKey("key");
    for (uint64_t i = 0; i < 1000; ++i) {
      const std::string text(i % 300, 'x');
      const std::array annotations = {Annotation::Text(key, text)};
      EXPECT_TRUE(
          writer.WriteSlice(lane, i, i + 2 - i % 2, {.text = "s", .annotations = annotations})
              .ok());
    }
    EXPECT_TRUE(writer.Finish().ok());
    EXPECT_EQ(writer.bytes_written(), bytes.size());
    EXPECT_EQ(sink.bytes_written(), bytes.size());
    return bytes;
  };
  const std::string expected = write(PerfettoWriter::kDefaultBufferBytes);
  for (size_t buffer_bytes : {1, 64, 100, 1000, 4096}) EXPECT_EQ(write(buffer_bytes), expected);
}

TEST_F(PerfettoWriterTest, EncodingIsNoLongerThanProtobufsOwn) {
  const LaneId lane = AddLane("lane");
  const KeyId key = writer_.InternKey("task");
  const std::array<uint64_t, 1> flow = {7};
  for (uint64_t i = 0; i < 300; ++i) {
    const std::string text(i, 'x');
    const std::array annotations = {Annotation::Uint(key, i << i % 60),
                                    Annotation::Text(key, text)};
    const Event event = {.name = writer_.InternName(std::to_string(i)),
                         .annotations = annotations,
                         .outgoing_flows = flow};
    ASSERT_TRUE(writer_.WriteSlice(lane, i * i * i, i * i * i + 1, event).ok());
  }
  ASSERT_TRUE(writer_.Finish().ok());
  perfetto_subset::Trace trace;
  ASSERT_TRUE(trace.ParseFromString(bytes_));
  EXPECT_EQ(bytes_.size(), trace.ByteSizeLong());
}

TEST_F(PerfettoWriterTest, OpenSlicesAddAtMost25Bytes) {
  LaneId lane = AddLane("first");
  for (int i = 0; i < 20'000; ++i) lane = AddLane("lane");  // sequence ids of three bytes
  ASSERT_TRUE(Slice(lane, 0, kMaxTime, "s").ok());
  const uint64_t before = writer_.bytes_written();
  ASSERT_TRUE(writer_.EndLane(lane).ok());
  EXPECT_LE(writer_.bytes_written() - before, 25u);
}

// Fails from the first byte on.
class BrokenSink final : public ByteSink {
  absl::Status Store(std::string_view) override { return absl::ResourceExhaustedError("full"); }
  absl::Status Finish() override { return absl::OkStatus(); }
};

TEST(PerfettoWriterFailureTest, FailureOfTheSinkIsReportedByTheCallThatMeetsItAndByAllLaterOnes) {
  BrokenSink sink;
  PerfettoWriter writer(&sink, 1024);
  const auto lane = writer.AddLane({.name = "lane"});
  const auto counter = writer.AddCounter({.name = "counter"});
  ASSERT_TRUE(lane.ok() && counter.ok());
  absl::Status status;
  for (uint64_t i = 0; i < 100 && status.ok(); ++i) {
    status = writer.WriteSlice(*lane, i, i + 1, {.text = "slice"});
  }
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(writer.WriteSlice(*lane, 1000, 1001, {.text = "slice"}), status);
  EXPECT_EQ(writer.WriteInstant(*lane, 1000, {.text = "instant"}), status);
  EXPECT_EQ(writer.WriteCounter(*counter, 0, 0), status);
  EXPECT_EQ(writer.WriteDoubleCounter(*counter, 0, 0), status);
  EXPECT_EQ(writer.AddProcess({.pid = 1, .name = "p"}).status(), status);
  EXPECT_EQ(writer.AddLane({.name = "l"}).status(), status);
  EXPECT_EQ(writer.AddCounter({.name = "c"}).status(), status);
  EXPECT_EQ(writer.Finish(), status);
}

}  // namespace
}  // namespace simpler::timeline
