// Perfetto traces, decoded as a viewer would.
#include <map>
#include <random>
#include <string>
#include <vector>

#include "analysis/timeline/trace.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/capture_generator.h"
#include "tests/support/decoded_trace.h"
#include "tests/support/traced_run.h"

namespace simpler::timeline {
namespace {

using capture::PhaseKind;
using capture::Producer;
using capture::QueueDepths;
using support::AnnotationValue;
using support::CaptureBuilder;
using support::DecodedEvent;
using support::DecodedTrace;
using support::DecodedTrack;
using support::TracedRun;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using testing::UnorderedElementsAre;

struct Written {
  DecodedTrace trace;
  TraceSummary summary;

  // Lanes of a process that exist, in order.
  std::vector<std::string> Lanes(const std::string& process) const {
    std::vector<std::string> names;
    const DecodedTrack* parent = trace.FindTrack(process);
    for (const DecodedTrack& track : trace.tracks) {
      if (track.kind == DecodedTrack::Kind::kThread && parent != nullptr &&
          track.pid == parent->pid) {
        names.push_back(track.name);
      }
    }
    return names;
  }
  // Events of a lane; the name of the process tells the views apart.
  std::vector<const DecodedEvent*> Events(const std::string& process,
                                          const std::string& lane) const {
    const int32_t pid = trace.FindTrack(process)->pid;
    for (const DecodedTrack& track : trace.tracks) {
      if (track.kind == DecodedTrack::Kind::kThread && track.pid == pid && track.name == lane) {
        return trace.EventsOf(track.uuid);
      }
    }
    return {};
  }
  std::vector<std::string> Names(const std::string& process, const std::string& lane) const {
    std::vector<std::string> names;
    for (const DecodedEvent* event : Events(process, lane)) names.push_back(event->name);
    return names;
  }
};

TimelineOptions AtOrigin(const CaptureBuilder& builder) {
  TimelineOptions options = PerfettoDefaults();
  options.origin = builder.origin();
  return options;
}

Written Write(const TracedRun& run, const TimelineOptions& options) {
  std::string bytes;
  StringSink sink(&bytes);
  auto summary = WritePerfettoTrace(run.inputs(), options, sink);
  EXPECT_TRUE(summary.ok()) << summary.status();
  EXPECT_TRUE(sink.Commit().ok());
  auto trace = support::DecodeTrace(bytes);
  EXPECT_TRUE(trace.ok()) << trace.status();
  EXPECT_EQ(summary->bytes, bytes.size());
  return {*std::move(trace), *std::move(summary)};
}

Written Write(const CaptureBuilder& builder, const TimelineOptions& options) {
  return Write(TracedRun(builder), options);
}
Written Write(const CaptureBuilder& builder) { return Write(builder, AtOrigin(builder)); }

CaptureBuilder Chain() {
  CaptureBuilder builder;
  builder.Cores({"aic", "aiv"}).CoreToThread({0, 0}).Name(0, "qk").Name(1, "softmax");
  builder.Row(1, 0, {.dispatch = 1, .start = 2, .end = 9, .finish = 10, .receive = 1.5});
  builder.Row(2, 1, {.dispatch = 11, .start = 12, .end = 19, .finish = 20, .receive = 11.5});
  builder.Phase(0, PhaseKind::kDispatch, 0.5, 1.25, {.loop = 1, .tasks = 1, .pops = {{1, 2}}});
  builder.Phase(0, PhaseKind::kComplete, 9.75, 10.5, {.loop = 2, .tasks = 1});
  builder.Phase(0, PhaseKind::kDispatch, 10.75, 11.25, {.loop = 2, .tasks = 1});
  builder.Phase(0, PhaseKind::kComplete, 19.75, 20.5, {.loop = 3, .tasks = 1});
  builder.OrchSubmit(0, 0, 1, 0, 0.25).OrchSubmit(0, 1, 2, 0.25, 0.5);
  return builder.Node(1, {0, -1, -1}).Node(2, {-1, 1, -1}).Edge(1, 2);
}

TEST(PerfettoTraceTest, TasksAreSlicesNamedByFunctionWithTaskAndTimes) {
  const Written written = Write(Chain());
  const auto events = written.Events("Worker View", "AIC_0");
  ASSERT_THAT(events, SizeIs(1));
  EXPECT_EQ(events[0]->name, "qk");
  EXPECT_TRUE(events[0]->name_is_interned);
  EXPECT_EQ(events[0]->start, 1'500);
  EXPECT_EQ(events[0]->end, 9'000);
  EXPECT_EQ(events[0]->annotations,
            (std::map<std::string, AnnotationValue>{{"task", std::string("t1")},
                                                    {"kernel_ns", uint64_t{7'000}},
                                                    {"setup_ns", uint64_t{500}}}));
  EXPECT_THAT(written.Names("Scheduler View", "AIV_1"), ElementsAre("softmax"));
  EXPECT_THAT(written.Names("AICPU Scheduler", "Sched_0"),
              ElementsAre("dispatch", "complete", "dispatch", "complete"));
  EXPECT_THAT(written.Names("AICPU Orchestrator", "Orch_0"), ElementsAre("submit", "submit"));
}

TEST(PerfettoTraceTest, TaskNamesAreThoseOfJsonTraces) {
  const CaptureBuilder builder = Chain();
  TimelineOptions options = AtOrigin(builder);
  options.naming = TaskNaming::kTask;
  const Written written = Write(builder, options);
  EXPECT_THAT(written.Names("Worker View", "AIC_0"), ElementsAre("qk(t1)"));
  EXPECT_THAT(written.Names("AICPU Scheduler", "Sched_0"),
              ElementsAre("dispatch(1)", "complete(1)", "dispatch(1)", "complete(1)"));
  EXPECT_THAT(written.Names("AICPU Orchestrator", "Orch_0"),
              ElementsAre("submit(t1)", "submit(t2)"));
}

TEST(PerfettoTraceTest, PhasesCarryTheirCounts) {
  const Written written = Write(Chain());
  const auto events = written.Events("AICPU Scheduler", "Sched_0");
  EXPECT_EQ(events.at(0)->annotations,
            (std::map<std::string, AnnotationValue>{{"tasks", uint64_t{1}},
                                                    {"loop", uint64_t{1}},
                                                    {"pop_hit", uint64_t{1}},
                                                    {"pop_miss", uint64_t{2}}}));
}

TEST(PerfettoTraceTest, DependenciesOfTheWorkerViewAreFlowsByDefault) {
  const Written written = Write(Chain());
  ASSERT_THAT(written.trace.flows, SizeIs(1));
  const auto& flow = written.trace.flows.begin()->second;
  EXPECT_EQ(written.trace.events[flow.source].name, "qk");
  EXPECT_EQ(written.trace.events[flow.target].name, "softmax");
  EXPECT_EQ(written.summary.flows[static_cast<size_t>(FlowKind::kDependencyWorker)], 1);
}

TEST(PerfettoTraceTest, EveryFamilyOfFlowsJoinsTheSlicesThatCoverItsEnds) {
  const CaptureBuilder builder = Chain();
  TimelineOptions options = AtOrigin(builder);
  options.flows.set();
  const Written written = Write(builder, options);
  std::vector<std::string> ends;
  for (const auto& [id, flow] : written.trace.flows) {
    ends.push_back(written.trace.events[flow.source].name + " -> " +
                   written.trace.events[flow.target].name);
  }
  EXPECT_THAT(ends, UnorderedElementsAre(
                        "qk -> softmax", "qk -> softmax", "qk -> complete", "qk -> complete",
                        "softmax -> complete", "softmax -> complete", "complete -> dispatch",
                        "dispatch -> qk", "dispatch -> softmax", "dispatch -> qk",
                        "dispatch -> softmax", "submit -> dispatch", "submit -> dispatch"));
}

TEST(PerfettoTraceTest, AFlowThatNoPhaseCoversIsCounted) {
  CaptureBuilder builder;
  builder.Cores({"aic"}).CoreToThread({0}).Phase(0, PhaseKind::kDispatch, 1, 2);
  builder.Row(1, 0, {.dispatch = 5, .start = 6, .end = 7, .finish = 8});
  TimelineOptions options = AtOrigin(builder);
  options.flows = *ParseFlows("dispatch");
  const Written written = Write(builder, options);
  EXPECT_THAT(written.trace.flows, IsEmpty());
  EXPECT_EQ(written.summary.left_out.flows_without_slice, 1);
}

TEST(PerfettoTraceTest, ALateProducerIsNotedOnTheConsumer) {
  CaptureBuilder builder;
  builder.Cores({"aic", "aic"});
  builder.Row(1, 0, {.start = 0, .end = 10}).Row(2, 1, {.start = 5, .end = 15});
  const Written written = Write(builder.Edge(1, 2));
  EXPECT_EQ(written.Events("Worker View", "AIC_1").at(0)->annotations.at("hb_violations"),
            AnnotationValue(uint64_t{1}));
  EXPECT_EQ(written.summary.violations, 1);
  EXPECT_THAT(written.trace.flows, SizeIs(1));
}

TEST(PerfettoTraceTest, AFlowThatWouldRunBackwardsIsCountedNotDrawn) {
  CaptureBuilder builder;
  builder.Cores({"aic", "aic"});
  builder.Row(1, 0, {.start = 6, .end = 10}).Row(2, 1, {.start = 5, .end = 15});
  const Written written = Write(builder.Edge(1, 2).Edge(2, 2));
  EXPECT_THAT(written.trace.flows, IsEmpty());
  EXPECT_EQ(written.summary.left_out.flows_backwards, 1);
  EXPECT_EQ(written.summary.left_out.flows_to_self, 1);
}

TEST(PerfettoTraceTest, EveryRowHasItsOwnLaneInTheSchedulerView) {
  CaptureBuilder builder;
  builder.Cores({"aic"});
  builder.Row(1, 0, {.dispatch = 1, .start = 2, .end = 9, .finish = 10});
  builder.Row(1, 0, {.dispatch = 5, .start = 10, .end = 14, .finish = 15});
  EXPECT_THAT(Write(builder).Lanes("Scheduler View"), ElementsAre("AIC_0", "AIC_0 (2)"));
}

TEST(PerfettoTraceTest, SlicesThatCrossGoToOverlapLanes) {
  CaptureBuilder builder;
  builder.Cores({"aic"});
  builder.Row(1, 0, {.start = 0, .end = 10}).Row(2, 0, {.start = 5, .end = 15});
  builder.Row(3, 0, {.start = 7, .end = 20}).Row(4, 0, {.start = 20, .end = 21});
  const Written written = Write(builder);
  EXPECT_THAT(written.Lanes("Worker View"),
              ElementsAre("AIC_0", "AIC_0 (overlap)", "AIC_0 (overlap 2)"));
  EXPECT_THAT(written.Events("Worker View", "AIC_0"), SizeIs(2));
  EXPECT_EQ(written.summary.overflow_slices, 2);
  EXPECT_EQ(written.summary.slices, 4);
}

TEST(PerfettoTraceTest, LostRecordsAreMarkedInTheirLane) {
  CaptureBuilder builder = Chain();
  builder.Stream(0, Producer::kAicpu,
                 {.counts = capture::SchedulerStream::CaptureCounts{4, 7, true}});
  const Written written = Write(builder);
  const auto events = written.Events("AICPU Scheduler", "Sched_0");
  const DecodedEvent& mark = *events.back();
  EXPECT_TRUE(mark.is_instant);
  EXPECT_EQ(mark.name, "lost 7 records");
  EXPECT_EQ(mark.start, 20'500);
  EXPECT_EQ(mark.annotations.at("lost"), AnnotationValue(uint64_t{7}));
  ASSERT_THAT(written.summary.warnings, SizeIs(1));
  EXPECT_EQ(written.summary.warnings[0].code, "stream_lost_records");
}

TEST(PerfettoTraceTest, MarkersAreWideEnoughToSeeButDoNotCross) {
  CaptureBuilder builder = Chain();
  builder.Phase(0, PhaseKind::kDummyTask, 3, 3, {.task_id = 7});
  builder.Phase(0, PhaseKind::kDummyTask, 3.01, 3.01, {.task_id = 8});
  builder.Phase(0, PhaseKind::kPredicatedSkip, 5, 6, {.task_id = 9});
  builder.Node(9, {0, -1, -1}).Edge(7, 8);
  const Written written = Write(builder);
  const auto events = written.Events("Worker View", "AICPU_0");
  ASSERT_THAT(events, SizeIs(3));
  EXPECT_EQ(events[0]->end - events[0]->start, 10);
  EXPECT_EQ(events[1]->end - events[1]->start, 20);
  EXPECT_EQ(events[0]->name, "dummy");
  EXPECT_EQ(events[2]->name, "qk");
  EXPECT_EQ(events[2]->annotations.at("predicated_pass"), AnnotationValue(false));
  EXPECT_THAT(written.trace.flows, SizeIs(2));
}

TEST(PerfettoTraceTest, QueueDepthsAreThreeCountersThatChange) {
  CaptureBuilder builder;
  builder.Cores({"aic"});
  const auto sample = [&](size_t stream, double at, QueueDepths depths) {
    builder.Phase(stream, PhaseKind::kDispatch, at - 0.5, at,
                  {.depths_at_start = QueueDepths{}, .depths_at_end = depths});
  };
  sample(0, 1, {5, 0, 0});
  sample(0, 3, {4, 0, 0});
  sample(1, 2, {5, 0, 1});
  const Written written = Write(builder);
  std::map<std::string, std::vector<int64_t>> values;
  for (const auto& value : written.trace.counter_values) {
    for (const DecodedTrack& track : written.trace.tracks) {
      if (track.uuid == value.track_uuid) {
        values[track.name].push_back(std::get<int64_t>(value.value));
      }
    }
  }
  EXPECT_THAT(values["ready queue AIC"], ElementsAre(5, 4));
  EXPECT_THAT(values["ready queue AIV"], ElementsAre(0));
  EXPECT_THAT(values["ready queue MIX"], ElementsAre(0, 1, 0));
  EXPECT_EQ(written.summary.counter_samples, 6);
  EXPECT_EQ(written.summary.left_out.samples_unchanged, 3);
}

TEST(PerfettoTraceTest, OverheadTracksAreCounters) {
  const CaptureBuilder builder = Chain();
  TimelineOptions options = AtOrigin(builder);
  options.overhead_counters = true;
  const Written written = Write(builder, options);
  const DecodedTrack* track = written.trace.FindTrack("oh_has_overhead");
  ASSERT_NE(track, nullptr);
  EXPECT_EQ(track->kind, DecodedTrack::Kind::kCounter);
}

TEST(PerfettoTraceTest, CaseA131BarsOffThePathAreDimmed) {
  const CaptureBuilder builder = Chain();
  const std::vector<bool> on_path = {false, true};
  TimelineOptions options = AtOrigin(builder);
  options.on_path = &on_path;
  const Written written = Write(builder, options);
  EXPECT_THAT(written.Names("Worker View", "AIC_0"), ElementsAre("·(t1)"));
  EXPECT_THAT(written.Names("Worker View", "AIV_1"), ElementsAre("softmax"));
  EXPECT_THAT(written.Names("Scheduler View", "AIC_0"), ElementsAre("qk"));
}

TEST(PerfettoTraceTest, AWindowKeepsWhatOverlapsItAndCountsTheRest) {
  const CaptureBuilder builder = Chain();
  TimelineOptions options = AtOrigin(builder);
  options.window = TimeWindow{.from_us = 10, .to_us = 11.5};
  const Written written = Write(builder, options);
  // Two phases, and the consumer's window in the scheduler; the consumer was received at 11.5.
  EXPECT_THAT(written.Names("AICPU Scheduler", "Sched_0"), ElementsAre("complete", "dispatch"));
  EXPECT_THAT(written.Lanes("Worker View"), IsEmpty());
  EXPECT_THAT(written.Names("Scheduler View", "AIV_1"), ElementsAre("softmax"));
  EXPECT_EQ(written.summary.slices, 3);
  EXPECT_EQ(written.summary.left_out.slices_outside_window, 7);
}

TEST(PerfettoTraceTest, ALaneFilterCountsWhatItLeavesOutAndArrowsItCuts) {
  const CaptureBuilder builder = Chain();
  TimelineOptions options = AtOrigin(builder);
  options.lanes = {"Worker View/AIC_*", "Sched_?"};
  const Written written = Write(builder, options);
  EXPECT_THAT(written.Lanes("Worker View"), ElementsAre("AIC_0"));
  EXPECT_THAT(written.Lanes("AICPU Scheduler"), ElementsAre("Sched_0"));
  EXPECT_EQ(written.summary.slices, 5);
  EXPECT_EQ(written.summary.left_out.slices_in_filtered_lanes, 5);
  EXPECT_EQ(written.summary.left_out.flows_leaving, 1);
  EXPECT_THAT(written.trace.flows, IsEmpty());
}

TEST(PerfettoTraceTest, AnOriginBehindTheFirstStampIsRefused) {
  const CaptureBuilder builder = Chain();
  TimelineOptions options = AtOrigin(builder);
  options.origin = builder.Stamp(5);
  std::string bytes;
  StringSink sink(&bytes);
  const TracedRun run(builder);
  const auto summary = WritePerfettoTrace(run.inputs(), options, sink);
  EXPECT_EQ(summary.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(summary.status().message()), HasSubstr("origin"));
}

TEST(PerfettoTraceTest, AnEmptyRunIsAnEmptyTrace) {
  const Written written = Write(TracedRun(CaptureBuilder().Cores({"aic"})), PerfettoDefaults());
  EXPECT_EQ(written.summary.slices, 0);
  EXPECT_THAT(written.trace.events, IsEmpty());
}

// A run with everything a device records, of random shape.
CaptureBuilder RandomRun(uint32_t seed, int tasks) {
  std::mt19937 random(seed);
  const auto up_to = [&](uint32_t limit) { return static_cast<uint32_t>(random() % limit); };
  CaptureBuilder builder;
  builder.Cores({"aic", "aiv", "aiv"}).CoreToThread({0, 1, 1}).BlockSize(7);
  std::vector<double> core_free(3), thread_free(2);
  for (int task = 1; task <= tasks; ++task) {
    const auto core = static_cast<capture::CoreId>(up_to(3));
    const size_t thread = core == 0 ? 0 : 1;
    double& at = thread_free[thread];
    const double dispatch = at + 0.25;
    builder.Phase(thread, PhaseKind::kDispatch, at, at + 0.5, {.tasks = 1});
    at += 0.5 + up_to(3);
    const double start = std::max(core_free[core], dispatch) + 0.125 * up_to(4);
    const double end = start + up_to(8);
    core_free[core] = end;
    builder.Row(static_cast<uint64_t>(task), core,
                {.dispatch = dispatch, .start = start, .end = end, .finish = end + up_to(3)});
    for (uint32_t edge = up_to(3); edge > 0 && task > 1; --edge) {
      builder.Edge(1 + up_to(static_cast<uint32_t>(task - 1)), static_cast<uint64_t>(task));
    }
    if (up_to(5) == 0) {
      builder.Phase(thread, PhaseKind::kComplete, at, at + 1);
      builder.Phase(thread, PhaseKind::kResolve, at + 0.25, at + 0.5);
      builder.Phase(thread, PhaseKind::kDummyTask, at + 0.5, at + 0.5,
                    {.task_id = uint64_t{100'000} + static_cast<uint64_t>(task)});
      at += 1;
    }
    builder.OrchSubmit(0, static_cast<uint32_t>(task), static_cast<uint64_t>(task), task * 0.5,
                       task * 0.5 + 0.25);
  }
  return builder;
}

TEST(PerfettoTraceTest, LanesNestAndCountsEqualTheCaptureOnRandomRuns) {
  for (uint32_t seed = 0; seed < 30; ++seed) {
    const CaptureBuilder builder = RandomRun(seed, 60);
    const TracedRun run(builder);
    TimelineOptions options = AtOrigin(builder);
    options.flows.set();
    const Written written = Write(run, options);  // the decoder checks order and nesting
    size_t records = 2 * run.rows().size();
    for (const auto& stream : run.rows().run().scheduler_streams) records += stream.size();
    for (const auto& lane : run.rows().run().orchestrator_lanes) {
      for (const auto& block : lane) records += block->size();
    }
    EXPECT_EQ(written.trace.events.size(), records) << "seed " << seed;
    EXPECT_EQ(written.summary.slices, records) << "seed " << seed;
    uint64_t flows = 0;
    for (uint64_t count : written.summary.flows) flows += count;
    EXPECT_EQ(written.trace.flows.size(), flows - written.summary.left_out.flows_repeated);
    // Arrows of one view and the backward ones of all make up at least the edges.
    EXPECT_GE(written.summary.flows[0] + written.summary.left_out.flows_backwards,
              run.graph().edges().size());
  }
}

// Slices of a process in a summary.
uint64_t SlicesOf(const TraceSummary& summary, const std::string& process) {
  uint64_t slices = 0;
  for (const TraceSummary::LaneCount& lane : summary.lanes) {
    if (lane.process == process) slices += lane.slices;
  }
  return slices;
}

class GeneratedRunTest : public testing::TestWithParam<support::SyntheticRuntime> {};

TEST_P(GeneratedRunTest, BothFormatsShowEveryRecordOnNestedLanes) {
  support::GeneratedCapture generated =
      support::GenerateCapture({.tasks = 1'000, .seed = 3, .runtime = GetParam()});
  const TracedRun run(std::move(generated.capture), std::move(generated.graph),
                      std::move(generated.names), /*with_graph=*/true);
  TimelineOptions options = PerfettoDefaults();
  options.flows.set();
  const Written written = Write(run, options);  // the decoder checks order and nesting
  const TraceSummary& summary = written.summary;
  EXPECT_EQ(written.trace.events.size(), summary.slices);
  EXPECT_EQ(SlicesOf(summary, "Scheduler View"), run.rows().size());
  EXPECT_EQ(summary.overflow_slices, 0);
  size_t phases = 0;
  for (const auto& stream : run.rows().run().scheduler_streams) phases += stream.size();
  const uint64_t schedulers =
      SlicesOf(summary, "AICPU Scheduler") + SlicesOf(summary, "AICore Scheduler");
  const uint64_t markers = SlicesOf(summary, "Worker View") - run.rows().size();
  EXPECT_GE(schedulers + markers + summary.left_out.phases_not_drawn, phases);
  EXPECT_GE(phases, schedulers + summary.left_out.phases_not_drawn);

  std::string json;
  StringSink sink(&json);
  const auto chrome = WriteChromeTrace(run.inputs(), ChromeDefaults(), sink);
  ASSERT_TRUE(chrome.ok()) << chrome.status();
  EXPECT_EQ(chrome->slices, summary.slices);
  EXPECT_EQ(chrome->flows[0], summary.flows[0] + summary.left_out.flows_to_self);
}

INSTANTIATE_TEST_SUITE_P(Runtimes, GeneratedRunTest,
                         testing::Values(support::SyntheticRuntime::kTensormap,
                                         support::SyntheticRuntime::kHostAicpu,
                                         support::SyntheticRuntime::kHostAicore),
                         [](const auto& runtime) {
                           switch (runtime.param) {
                             case support::SyntheticRuntime::kTensormap:
                               return "Tensormap";
                             case support::SyntheticRuntime::kHostAicpu:
                               return "HostAicpu";
                             case support::SyntheticRuntime::kHostAicore:
                               return "HostAicore";
                           }
                           return "";
                         });

// Collects parts as strings.
struct Parts {
  std::vector<std::string> bytes;

  OpenPart Opener() {
    bytes.reserve(1'000);
    return [this](uint32_t index) -> absl::StatusOr<std::unique_ptr<ByteSink>> {
      EXPECT_EQ(index, bytes.size());
      bytes.emplace_back();
      return std::make_unique<StringSink>(&bytes.back());
    };
  }
};

class TracePartsTest : public testing::TestWithParam<TraceFormat> {};

TEST_P(TracePartsTest, PartsFitAndAddUpToTheWhole) {
  const CaptureBuilder builder = RandomRun(1, 300);
  const TracedRun run(builder);
  TimelineOptions options = AtOrigin(builder);
  std::string whole_bytes;
  StringSink sink(&whole_bytes);
  const auto whole = GetParam() == TraceFormat::kPerfetto
                         ? WritePerfettoTrace(run.inputs(), options, sink)
                         : WriteChromeTrace(run.inputs(), options, sink);
  ASSERT_TRUE(whole.ok()) << whole.status();
  const uint64_t max_bytes = whole->bytes / 4;
  Parts parts;
  const auto total =
      WriteTraceInParts(GetParam(), run.inputs(), options, max_bytes, parts.Opener());
  ASSERT_TRUE(total.ok()) << total.status();
  EXPECT_EQ(total->parts, parts.bytes.size());
  EXPECT_GT(total->parts, 3);
  for (const std::string& part : parts.bytes) {
    EXPECT_LE(part.size(), max_bytes);
    if (GetParam() == TraceFormat::kPerfetto) {
      const auto decoded = support::DecodeTrace(part);
      EXPECT_TRUE(decoded.ok()) << decoded.status();
    }
  }
  EXPECT_EQ(total->slices, whole->slices);
  EXPECT_EQ(total->left_out.slices_outside_window, 0);
  EXPECT_EQ(total->left_out.flows_leaving, total->left_out.flows_entering);
  EXPECT_GT(total->left_out.flows_leaving, 0);
  EXPECT_THAT(total->warnings, IsEmpty());
}

TEST_P(TracePartsTest, WhatCannotBeCutIsWrittenWithAWarning) {
  CaptureBuilder builder;
  builder.Cores({"aic", "aic"});
  builder.Row(1, 0, {.start = 0, .end = 1}).Row(2, 1, {.start = 0, .end = 1});
  const TracedRun run(builder);
  Parts parts;
  const auto total =
      WriteTraceInParts(GetParam(), run.inputs(), AtOrigin(builder), 10, parts.Opener());
  ASSERT_TRUE(total.ok()) << total.status();
  EXPECT_THAT(parts.bytes, SizeIs(1));
  EXPECT_EQ(total->slices, 2);
  ASSERT_THAT(total->warnings, SizeIs(1));
  EXPECT_EQ(total->warnings[0].code, "part_too_long");
}

INSTANTIATE_TEST_SUITE_P(Formats, TracePartsTest,
                         testing::Values(TraceFormat::kPerfetto, TraceFormat::kChromeJson),
                         [](const auto& format) {
                           return format.param == TraceFormat::kPerfetto ? "Perfetto" : "Json";
                         });

}  // namespace
}  // namespace simpler::timeline
