// The Perfetto encoder against libprotobuf writing the same packets, in the same run.
//
// Each iteration encodes one trace three times: with PerfettoWriter; by building one Trace message
// and serialising it; by serialising one reused TracePacket per packet. The time of the benchmark
// is PerfettoWriter's. Counters:
//
//   vs_one_trace      CPU time of the Trace message / CPU time of PerfettoWriter
//   vs_reused_packet  CPU time of the reused packet / CPU time of PerfettoWriter
//   bytes_per_slice   size of the trace, all tracks and strings included, per slice
//   bytes_per_flow    what one flow adds, both its ends together
//
// Ratios use the fastest iteration of each contender and thread CPU time, because the machine may
// be shared. The bytes go to a sink that only counts them.
#include <benchmark/benchmark.h>
#include <google/protobuf/io/coded_stream.h>
#include <time.h>

#include <algorithm>
#include <array>
#include <limits>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "analysis/timeline/perfetto/perfetto_writer.h"
#include "proto/perfetto/perfetto_subset.pb.h"

namespace simpler::timeline {
namespace {

namespace pb = ::simpler::perfetto_subset;

constexpr uint64_t kLanes = 60;
constexpr uint64_t kSlicesPerLane = 2000;
constexpr uint64_t kNames = 40;
constexpr double kSlices = static_cast<double>(kLanes * kSlicesPerLane);

class CountingSink final : public ByteSink {
  absl::Status Store(std::string_view) override { return absl::OkStatus(); }
  absl::Status Finish() override { return absl::OkStatus(); }
};

struct BenchSlice {
  uint64_t start = 0;  // ns
  uint64_t end = 0;    // ns
  uint32_t name = 0;   // index of the name
  uint64_t task = 0;
  int64_t wait = 0;    // ns
  int64_t finish = 0;  // ns
};

// What the slices of one benchmark carry besides name and time.
struct Load {
  size_t annotations = 0;  // the first ones of task, wait, finish
  bool flows = false;      // one flow to the next slice of the lane
};

using Lane = std::vector<BenchSlice>;

// Slices without overlap; gaps and durations of 1 to 100 us, as in captures of chips. All lanes of
// a trace get the same slices, so that reading them costs next to nothing.
Lane MakeLane() {
  std::mt19937_64 random(1);
  std::uniform_int_distribution<uint64_t> delta(1'000, 100'000);
  Lane lane(kSlicesPerLane);
  uint64_t time = 0;
  for (uint64_t i = 0; i < kSlicesPerLane; ++i) {
    BenchSlice& slice = lane[i];
    slice.start = time + delta(random);
    slice.end = slice.start + delta(random);
    slice.name = static_cast<uint32_t>(delta(random) % kNames);
    slice.task = (i % 4) << 32 | i * kLanes;
    slice.wait = static_cast<int64_t>(delta(random));
    slice.finish = static_cast<int64_t>(delta(random));
    time = slice.end;
  }
  return lane;
}

// The flow that leaves slice `i` of a lane; it enters slice `i + 1`.
uint64_t FlowId(uint64_t lane, uint64_t i) { return lane * kSlicesPerLane + i + 1; }

void EncodeByHand(const Lane& slices, const Load& load, ByteSink* sink) {
  PerfettoWriter writer(sink);
  const KeyId task = writer.InternKey("task");
  const KeyId wait = writer.InternKey("receive_to_start_ns");
  const KeyId finish = writer.InternKey("end_to_finish_ns");
  std::vector<NameId> names;
  for (uint64_t i = 0; i < kNames; ++i) {
    names.push_back(writer.InternName("fn" + std::to_string(i)));
  }
  std::array<Annotation, 3> annotations = {Annotation::Uint(task, 0), Annotation::Int(wait, 0),
                                           Annotation::Int(finish, 0)};
  std::array<uint64_t, 1> outgoing = {};
  std::array<uint64_t, 1> incoming = {};
  Event event = {.annotations = std::span(annotations).first(load.annotations)};
  for (uint64_t l = 0; l < kLanes; ++l) {
    const LaneId lane = writer.AddLane({.name = "AIV_" + std::to_string(l)}).value();
    for (uint64_t i = 0; i < slices.size(); ++i) {
      const BenchSlice& slice = slices[i];
      if (load.annotations > 0) annotations[0] = Annotation::Uint(task, slice.task);
      if (load.annotations > 1) annotations[1] = Annotation::Int(wait, slice.wait);
      if (load.annotations > 2) annotations[2] = Annotation::Int(finish, slice.finish);
      event.name = names[slice.name];
      if (load.flows) {
        outgoing[0] = FlowId(l, i);
        incoming[0] = FlowId(l, i - 1);
        event.outgoing_flows = std::span(outgoing).first(i + 1 < slices.size() ? 1 : 0);
        event.incoming_flows = std::span(incoming).first(i > 0 ? 1 : 0);
      }
      writer.WriteSlice(lane, slice.start, slice.end, event).IgnoreError();
    }
    writer.EndLane(lane).IgnoreError();
  }
  writer.Finish().IgnoreError();
}

void FillBegin(const Lane& slices, uint64_t l, uint64_t i, const Load& load, uint64_t delta,
               pb::TracePacket* packet) {
  const BenchSlice& slice = slices[i];
  packet->set_timestamp(delta);
  packet->set_trusted_packet_sequence_id(static_cast<uint32_t>(l + 1));
  packet->set_sequence_flags(pb::TracePacket::SEQ_NEEDS_INCREMENTAL_STATE);
  pb::TrackEvent* event = packet->mutable_track_event();
  event->set_type(pb::TrackEvent::TYPE_SLICE_BEGIN);
  event->set_name_iid(slice.name + 1);
  for (size_t a = 0; a < load.annotations; ++a) {
    pb::DebugAnnotation* annotation = event->add_debug_annotations();
    annotation->set_name_iid(a + 1);
    if (a == 0) annotation->set_uint_value(slice.task);
    if (a == 1) annotation->set_int_value(slice.wait);
    if (a == 2) annotation->set_int_value(slice.finish);
  }
  if (load.flows && i + 1 < slices.size()) event->add_flow_ids(FlowId(l, i));
  if (load.flows && i > 0) event->add_terminating_flow_ids(FlowId(l, i - 1));
}

void FillEnd(uint64_t l, uint64_t delta, pb::TracePacket* packet) {
  packet->set_timestamp(delta);
  packet->set_trusted_packet_sequence_id(static_cast<uint32_t>(l + 1));
  packet->set_sequence_flags(pb::TracePacket::SEQ_NEEDS_INCREMENTAL_STATE);
  packet->mutable_track_event()->set_type(pb::TrackEvent::TYPE_SLICE_END);
}

// Calls `emit(lane, slice, timestamp delta, is_begin)` for every event packet of the trace.
template <typename Emit>
void ForEachEventPacket(const Lane& slices, Emit emit) {
  for (uint64_t l = 0; l < kLanes; ++l) {
    uint64_t clock = 0;
    for (uint64_t i = 0; i < slices.size(); ++i) {
      const BenchSlice& slice = slices[i];
      emit(l, i, slice.start - clock, true);
      emit(l, i, slice.end - slice.start, false);
      clock = slice.end;
    }
  }
}

// The packets of the trace that are not events: tracks, sequences, strings. libprotobuf's
// contenders copy these messages instead of filling them in, which is not slower.
std::vector<pb::TracePacket> Declarations(const Lane& slices, const Load& load) {
  std::string bytes;
  StringSink sink(&bytes);
  EncodeByHand(slices, load, &sink);
  pb::Trace trace;
  trace.ParseFromString(bytes);
  std::vector<pb::TracePacket> declarations;
  for (const pb::TracePacket& packet : trace.packet()) {
    if (!packet.has_track_event()) declarations.push_back(packet);
  }
  return declarations;
}

void FillTrace(const Lane& slices, const Load& load,
               const std::vector<pb::TracePacket>& declarations, pb::Trace* trace) {
  for (const pb::TracePacket& packet : declarations) *trace->add_packet() = packet;
  ForEachEventPacket(slices, [&](uint64_t l, uint64_t i, uint64_t delta, bool is_begin) {
    if (is_begin) {
      FillBegin(slices, l, i, load, delta, trace->add_packet());
    } else {
      FillEnd(l, delta, trace->add_packet());
    }
  });
}

void EncodeReusedPacket(const Lane& slices, const Load& load,
                        const std::vector<pb::TracePacket>& declarations, ByteSink* sink) {
  using google::protobuf::io::CodedOutputStream;
  constexpr size_t kMaxPacketBytes = 256;
  std::vector<uint8_t> buffer(PerfettoWriter::kDefaultBufferBytes);
  size_t used = 0;
  const auto flush = [&] {
    sink->Append(std::string_view(reinterpret_cast<const char*>(buffer.data()), used))
        .IgnoreError();
    used = 0;
  };
  pb::TracePacket packet;
  const auto append = [&] {
    if (used + kMaxPacketBytes > buffer.size()) flush();
    uint8_t* out = buffer.data() + used;
    *out++ = 1 << 3 | 2;  // Trace.packet
    out =
        CodedOutputStream::WriteVarint32ToArray(static_cast<uint32_t>(packet.ByteSizeLong()), out);
    out = packet.SerializeWithCachedSizesToArray(out);
    used = static_cast<size_t>(out - buffer.data());
  };
  for (const pb::TracePacket& declaration : declarations) {
    packet = declaration;
    append();
  }
  ForEachEventPacket(slices, [&](uint64_t l, uint64_t i, uint64_t delta, bool is_begin) {
    packet.Clear();
    if (is_begin) {
      FillBegin(slices, l, i, load, delta, &packet);
    } else {
      FillEnd(l, delta, &packet);
    }
    append();
  });
  flush();
}

// Seconds of CPU time that `work` takes on this thread.
template <typename Work>
double CpuSeconds(Work work) {
  const auto now = [] {
    timespec time = {};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
  };
  const double start = now();
  work();
  return now() - start;
}

uint64_t SizeByHand(const Lane& slices, const Load& load) {
  CountingSink sink;
  EncodeByHand(slices, load, &sink);
  return sink.bytes_written();
}

void BM_PerfettoWriter(benchmark::State& state, Load load) {
  const Lane slices = MakeLane();
  const std::vector<pb::TracePacket> declarations = Declarations(slices, load);
  double by_hand = std::numeric_limits<double>::infinity();
  double one_trace = by_hand;
  double reused_packet = by_hand;
  for (auto _ : state) {
    CountingSink sink;
    const double seconds = CpuSeconds([&] { EncodeByHand(slices, load, &sink); });
    state.SetIterationTime(seconds);
    by_hand = std::min(by_hand, seconds);

    CountingSink trace_sink;
    pb::Trace trace;  // its destruction is not timed
    std::string bytes;
    one_trace = std::min(one_trace, CpuSeconds([&] {
                           FillTrace(slices, load, declarations, &trace);
                           trace.SerializeToString(&bytes);
                           trace_sink.Append(bytes).IgnoreError();
                         }));

    CountingSink packet_sink;
    reused_packet =
        std::min(reused_packet,
                 CpuSeconds([&] { EncodeReusedPacket(slices, load, declarations, &packet_sink); }));
    if (sink.bytes_written() != trace_sink.bytes_written() ||
        sink.bytes_written() != packet_sink.bytes_written()) {
      state.SkipWithError("the contenders write traces of different sizes");
      return;
    }
  }
  state.counters["ns_per_slice"] = by_hand / kSlices * 1e9;
  state.counters["vs_one_trace"] = one_trace / by_hand;
  state.counters["vs_reused_packet"] = reused_packet / by_hand;
  const auto size = static_cast<double>(SizeByHand(slices, load));
  state.counters["bytes_per_slice"] = size / kSlices;
  if (load.flows) {
    const Load without_flows = {.annotations = load.annotations, .flows = false};
    const double flow_count = static_cast<double>(kLanes * (kSlicesPerLane - 1));
    state.counters["bytes_per_flow"] =
        (size - static_cast<double>(SizeByHand(slices, without_flows))) / flow_count;
  }
}

BENCHMARK_CAPTURE(BM_PerfettoWriter, no_arguments, Load{.annotations = 0, .flows = false})
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(BM_PerfettoWriter, task, Load{.annotations = 1, .flows = false})
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(BM_PerfettoWriter, task_and_two_timings, Load{.annotations = 3, .flows = false})
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(BM_PerfettoWriter, task_and_flow, Load{.annotations = 1, .flows = true})
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace simpler::timeline
