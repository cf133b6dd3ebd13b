#include "analysis/timeline/perfetto_trace.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analysis/timeline/overflow_lanes.h"
#include "analysis/timeline/overhead_tracks.h"
#include "analysis/timeline/perfetto/perfetto_writer.h"
#include "analysis/timeline/queue_samples.h"
#include "analysis/timeline/slice_flows.h"
#include "analysis/timeline/trace_counts.h"
#include "fmt/format.h"

namespace simpler::timeline {
namespace {

using capture::DeviceCycles;
using capture::SchedulerPhaseBlock;

// How far ahead of the slice being written memory is asked for. Some hundred ns.
constexpr size_t kSlicesAhead = 4;

uint64_t Unsigned(int64_t nanos) { return static_cast<uint64_t>(nanos); }

// Arguments of slices, numbered once per trace.
struct Keys {
  explicit Keys(PerfettoWriter& writer)
      : task(writer.InternKey("task")),
        kernel_ns(writer.InternKey("kernel_ns")),
        setup_ns(writer.InternKey("setup_ns")),
        hb_violations(writer.InternKey("hb_violations")),
        tasks(writer.InternKey("tasks")),
        loop(writer.InternKey("loop")),
        pop_hit(writer.InternKey("pop_hit")),
        pop_miss(writer.InternKey("pop_miss")),
        submit(writer.InternKey("submit")),
        predicated_pass(writer.InternKey("predicated_pass")),
        bytes(writer.InternKey("bytes")),
        nodes(writer.InternKey("nodes")),
        prepare_slices(writer.InternKey("prepare_slices")),
        lost(writer.InternKey("lost")) {}

  KeyId task, kernel_ns, setup_ns, hb_violations, tasks, loop, pop_hit, pop_miss, submit,
      predicated_pass, bytes, nodes, prepare_slices, lost;
};

class PerfettoTrace {
 public:
  PerfettoTrace(const Model& model, const TimelineInputs& inputs, const TimelineOptions& options,
                const NanoWindow& window, ByteSink& sink)
      : model_(model),
        inputs_(inputs),
        options_(options),
        window_(window),
        writer_(&sink),
        keys_(writer_),
        counts_(model),
        flows_(model, options, window, &counts_) {
    for (const FunctionLabel& label : model.tasks.labels()) {
      label_names_.push_back({writer_.InternName(label.plain), writer_.InternName(label.spmd)});
    }
  }

  absl::Status Write() {
    for (uint32_t lane = 0; lane < model_.lanes.lanes().size(); ++lane) {
      if (absl::Status status = WriteLane(lane); !status.ok()) return status;
    }
    if (absl::Status status = WriteQueueDepths(); !status.ok()) return status;
    if (options_.overhead_counters) {
      if (absl::Status status = WriteOverhead(); !status.ok()) return status;
    }
    return writer_.Finish();
  }

  TraceCounts& counts() { return counts_; }

 private:
  bool NamesTasks() const { return options_.naming == TaskNaming::kTask; }

  // --- Tracks.

  absl::StatusOr<ProcessId> ProcessOf(Process process) {
    const auto it = processes_.find(process);
    if (it != processes_.end()) return it->second;
    const int pid = static_cast<int>(process);
    absl::StatusOr<ProcessId> id =
        writer_.AddProcess({.pid = pid, .name = model_.lanes.ProcessName(process), .rank = pid});
    if (id.ok()) processes_.emplace(process, *id);
    return id;
  }

  absl::StatusOr<LaneId> AddLane(const Lane& lane, int32_t tid, std::string name) {
    const absl::StatusOr<ProcessId> process = ProcessOf(lane.process);
    if (!process.ok()) return process.status();
    return writer_.AddLane(
        {.process = *process, .tid = tid, .name = std::move(name), .rank = next_rank_++});
  }

  // --- Lanes.

  absl::Status WriteLane(uint32_t index) {
    const Lane& lane = model_.lanes.lanes()[index];
    std::vector<LaneSlice> slices = model_.SlicesOf(lane);
    const std::optional<Loss> loss = lane.kept ? LossOf(lane, slices) : std::nullopt;
    std::erase_if(slices, [&](const LaneSlice& slice) {
      return !counts_.Admit(index, slice.start_ns, slice.end_ns, window_);
    });
    const std::vector<LaneSlice> crossing = TakeOutCrossing(slices);
    if (slices.empty() && !loss) return absl::OkStatus();

    const absl::StatusOr<LaneId> id = AddLane(lane, lane.tid, lane.name);
    if (!id.ok()) return id.status();
    if (absl::Status status = WriteSlices(lane, *id, slices); !status.ok()) return status;
    if (loss) {
      if (absl::Status status = MarkLoss(*id, *loss); !status.ok()) return status;
    }
    if (absl::Status status = writer_.EndLane(*id); !status.ok()) return status;
    return WriteCrossing(lane, crossing);
  }

  absl::Status WriteCrossing(const Lane& lane, const std::vector<LaneSlice>& crossing) {
    counts_.summary().overflow_slices += crossing.size();
    uint32_t level = 0;
    for (std::vector<LaneSlice>& slices : SpreadOverLanes(crossing)) {
      const absl::StatusOr<LaneId> id = AddLane(lane, model_.lanes.ExtraTid(extra_lanes_++),
                                                OverflowLaneName(lane.name, ++level));
      if (!id.ok()) return id.status();
      if (absl::Status status = WriteSlices(lane, *id, slices); !status.ok()) return status;
      if (absl::Status status = writer_.EndLane(*id); !status.ok()) return status;
    }
    return absl::OkStatus();
  }

  absl::Status WriteSlices(const Lane& lane, LaneId id, std::vector<LaneSlice>& slices) {
    if (lane.kind == LaneKind::kAicpuWorker) WidenMarkers(slices);
    const bool shows_rows = lane.kind == LaneKind::kWorker || lane.kind == LaneKind::kSchedulerView;
    const TaskView view = lane.kind == LaneKind::kWorker ? TaskView::kWorker : TaskView::kScheduler;
    for (size_t i = 0; i < slices.size(); ++i) {
      const LaneSlice& slice = slices[i];
      if (shows_rows && i + 3 * kSlicesAhead < slices.size()) {
        model_.tasks.PrefetchRow(slices[i + 3 * kSlicesAhead].index);
        model_.tasks.PrefetchTask(slices[i + 2 * kSlicesAhead].index);
        flows_.PrefetchLists(slices[i + kSlicesAhead].index, view);
        flows_.PrefetchNeighbours(slices[i + kSlicesAhead / 2].index, view);
      }
      const Event event = Describe(lane, slice);
      absl::Status status =
          writer_.WriteSlice(id, Unsigned(slice.start_ns), Unsigned(slice.end_ns), event);
      if (!status.ok()) return status;
    }
    return absl::OkStatus();
  }

  // Gives short markers a visible length, where that meets no other marker.
  static void WidenMarkers(std::vector<LaneSlice>& slices) {
    int64_t last_end = 0;
    for (size_t i = 0; i < slices.size(); ++i) {
      LaneSlice& slice = slices[i];
      const bool is_outer = slice.start_ns >= last_end;
      last_end = std::max(last_end, slice.end_ns);
      if (!is_outer) continue;
      int64_t end = slice.start_ns + kShortestMarkerNanos;
      if (i + 1 < slices.size()) end = std::min(end, slices[i + 1].start_ns);
      slice.end_ns = std::max(slice.end_ns, end);
    }
  }

  // Records that a scheduler could not store. Where they are missing is not known, so the mark is
  // at the end of what was stored.
  struct Loss {
    uint64_t records;
    int64_t at_ns;
  };

  // Absent when nothing was lost, or the mark is outside the window.
  std::optional<Loss> LossOf(const Lane& lane, const std::vector<LaneSlice>& slices) const {
    if (lane.kind != LaneKind::kScheduler) return std::nullopt;
    const auto& counts = model_.phases.streams()[lane.key].counts;
    if (!counts || counts->dropped == 0) return std::nullopt;
    Loss loss{counts->dropped, 0};
    for (const LaneSlice& slice : slices) loss.at_ns = std::max(loss.at_ns, slice.end_ns);
    return window_.HoldsInstant(loss.at_ns) ? std::optional(loss) : std::nullopt;
  }

  absl::Status MarkLoss(LaneId id, const Loss& loss) {
    annotations_.assign({Annotation::Uint(keys_.lost, loss.records)});
    text_ = fmt::format("lost {} record{}", loss.records, loss.records == 1 ? "" : "s");
    return writer_.WriteInstant(id, Unsigned(loss.at_ns),
                                {.text = text_, .annotations = annotations_});
  }

  // --- Slices. The views in an Event live until the next call.

  Event Describe(const Lane& lane, const LaneSlice& slice) {
    annotations_.clear();
    switch (lane.kind) {
      case LaneKind::kOrchestrator:
        return DescribeSubmit({lane.key, slice.index});
      case LaneKind::kUploads:
        return DescribeUpload(model_.run().host_uploads[slice.index]);
      case LaneKind::kScheduler:
      case LaneKind::kResolve:
        return DescribePhase({lane.key, slice.index});
      case LaneKind::kSchedulerView:
        return DescribeTask(lane, slice, TaskView::kScheduler);
      case LaneKind::kWorker:
        return DescribeTask(lane, slice, TaskView::kWorker);
      case LaneKind::kAicpuWorker:
        return DescribeMarker(slice.index);
      case LaneKind::kGraph:
        return DescribeGraph(model_.graphs[slice.index]);
      case LaneKind::kLifecycle:
        return {.name = NameOf(model_.lifecycle.bars[slice.index].name)};
    }
    return {};
  }

  Event DescribeTask(const Lane& lane, const LaneSlice& slice, TaskView view) {
    const uint32_t task = model_.tasks.TaskOfRow(slice.index);
    SetDisplay(model_.tasks.tasks()[task].id);
    if (view == TaskView::kWorker) {
      const int64_t kernel_ns = slice.end_ns - slice.start_ns - slice.setup_ns;
      annotations_.push_back(Annotation::Uint(keys_.kernel_ns, Unsigned(kernel_ns)));
      annotations_.push_back(Annotation::Uint(keys_.setup_ns, slice.setup_ns));
    }
    flows_.FindOfAnchor({false, slice.index}, view);
    const capture::CoreId core = model_.row_lanes.cores()[lane.key];
    Event event = NameTask(task, model_.capture().metadata.TypeOf(core), view);
    AddFlows(event);
    return event;
  }

  Event NameTask(uint32_t task, capture::CoreType type, TaskView view) {
    const bool is_dimmed =
        view == TaskView::kWorker && options_.on_path != nullptr && !(*options_.on_path)[task];
    if (is_dimmed) {
      text_ = "·(" + display_ + ")";
      return {.text = text_};
    }
    const uint32_t label = model_.tasks.LabelOf(task, type);
    const bool is_spmd = model_.tasks.IsSpmd(task);
    if (NamesTasks()) {
      text_ = model_.tasks.labels()[label].Text(is_spmd) + "(" + display_ + ")";
      return {.text = text_};
    }
    return {.name = label_names_[label][is_spmd ? 1 : 0]};
  }

  Event DescribeMarker(uint32_t index) {
    const Markers::Marker& marker = model_.markers.all()[index];
    if (const auto task_id = model_.TaskOf(marker)) SetDisplay(*task_id);
    if (marker.kind == Markers::Kind::kPredicatedSkip) {
      annotations_.push_back(Annotation::Bool(keys_.predicated_pass, false));
    }
    flows_.FindOfAnchor({true, index}, TaskView::kWorker);
    text_ = model_.MarkerLabel(marker);
    Event event;
    if (NamesTasks()) {
      event.text = text_;
    } else {
      event.name = NameOf(std::string_view(text_).substr(0, text_.find('(')));
    }
    AddFlows(event);
    return event;
  }

  Event DescribePhase(PhaseId id) {
    const auto [block, row] = model_.phases.At(id);
    const capture::Producer producer = model_.phases.streams()[id.stream].producer;
    const bool names_task =
        producer == capture::Producer::kAicore && block->Has(row, SchedulerPhaseBlock::kTaskId);
    if (names_task) SetDisplay(block->task_id[row]);
    AddCount(keys_.tasks, *block, row, SchedulerPhaseBlock::kTasksProcessed,
             block->tasks_processed);
    AddCount(keys_.loop, *block, row, SchedulerPhaseBlock::kLoopIter, block->loop_iter);
    AddCount(keys_.pop_hit, *block, row, SchedulerPhaseBlock::kPops, block->pop_hit);
    AddCount(keys_.pop_miss, *block, row, SchedulerPhaseBlock::kPops, block->pop_miss);
    flows_.FindOfSlice(model_.numbers.Phase(model_.phases.Ordinal(id)));
    const char* name = PhaseDisplayName(block->kind[row], producer);
    Event event;
    if (!NamesTasks()) {
      event.name = NameOf(name);
    } else {
      text_ = name;
      if (names_task) text_ += "(" + display_ + ")";
      if (producer == capture::Producer::kAicpu) {
        const bool has_count = block->Has(row, SchedulerPhaseBlock::kTasksProcessed);
        text_ += fmt::format("({})", has_count ? block->tasks_processed[row] : 0U);
      }
      event.text = text_;
    }
    AddFlows(event);
    return event;
  }

  Event DescribeSubmit(SubmitId id) {
    const OrchestratorRecord record = model_.orchestrator.At(id);
    if (record.task_id) SetDisplay(*record.task_id);
    if (record.submit_idx) {
      annotations_.push_back(Annotation::Uint(keys_.submit, *record.submit_idx));
    }
    flows_.FindOfSlice(model_.numbers.Submit(model_.orchestrator.Ordinal(id)));
    const std::string_view name = ShortPhaseName(record.kind);
    Event event;
    if (NamesTasks() && record.task_id) {
      text_ = std::string(name) + "(" + display_ + ")";
      event.text = text_;
    } else {
      event.name = NameOf(name);
    }
    AddFlows(event);
    return event;
  }

  Event DescribeUpload(const capture::HostUpload& upload) {
    annotations_.push_back(Annotation::Int(keys_.bytes, upload.detail));
    return {.name = NameOf(upload.phase.empty() ? "upload" : std::string_view(upload.phase)),
            .annotations = annotations_};
  }

  Event DescribeGraph(const GraphInstance& graph) {
    SetDisplay(graph.outer_task);
    annotations_.push_back(Annotation::Uint(keys_.nodes, graph.visible_nodes));
    annotations_.push_back(Annotation::Uint(keys_.prepare_slices, graph.prepare_slices));
    return {.name = NameOf("GraphExecution"), .annotations = annotations_};
  }

  // Names that recur and come from a small set.
  NameId NameOf(std::string_view name) { return writer_.InternName(name); }

  void SetDisplay(uint64_t task_id) {
    display_ = model_.tasks.Display(task_id);
    annotations_.push_back(Annotation::Text(keys_.task, display_));
  }

  void AddCount(KeyId key, const SchedulerPhaseBlock& block, size_t row,
                SchedulerPhaseBlock::Field field, const std::vector<uint32_t>& column) {
    if (block.Has(row, field)) annotations_.push_back(Annotation::Uint(key, column[row]));
  }

  // The arrows that flows_ found last, and all arguments.
  void AddFlows(Event& event) {
    if (flows_.violations() > 0) {
      annotations_.push_back(Annotation::Uint(keys_.hb_violations, flows_.violations()));
    }
    event.annotations = annotations_;
    event.outgoing_flows = flows_.outgoing();
    event.incoming_flows = flows_.incoming();
  }

  // --- Counters.

  // A counter track that exists once it has a sample, and skips samples that change nothing.
  struct Track {
    std::string name;
    std::optional<CounterId> id;
    int64_t last = 0;
  };

  absl::Status WriteSample(Track& track, DeviceCycles at, int64_t value) {
    TraceSummary& summary = counts_.summary();
    const int64_t nanos = model_.axis.Nanos(at);
    if (!window_.HoldsInstant(nanos)) {
      ++summary.left_out.samples_outside_window;
      return absl::OkStatus();
    }
    if (!track.id) {
      const absl::StatusOr<ProcessId> process = ProcessOf(Process::kScheduler);
      if (!process.ok()) return process.status();
      const absl::StatusOr<CounterId> id =
          writer_.AddCounter({.process = *process, .name = track.name, .rank = next_rank_++});
      if (!id.ok()) return id.status();
      track.id = *id;
    } else if (track.last == value) {
      ++summary.left_out.samples_unchanged;
      return absl::OkStatus();
    }
    track.last = value;
    ++summary.counter_samples;
    return writer_.WriteCounter(*track.id, Unsigned(nanos), value);
  }

  absl::Status WriteQueueDepths() {
    std::array<Track, 3> tracks = {
        {{"ready queue AIC", {}, 0}, {"ready queue AIV", {}, 0}, {"ready queue MIX", {}, 0}}};
    absl::Status status;
    ForEachQueueSample(model_.phases, [&](DeviceCycles at, const capture::QueueDepths& depths) {
      if (!model_.lanes.keeps_counters()) {
        counts_.summary().left_out.samples_in_filtered_tracks += tracks.size();
        return;
      }
      for (size_t i = 0; i < tracks.size() && status.ok(); ++i) {
        status = WriteSample(tracks[i], at, depths[i]);
      }
    });
    return status;
  }

  absl::Status WriteOverhead() {
    if (std::string missing = OverheadTracksMissing(inputs_); !missing.empty()) {
      counts_.summary().warnings.push_back(
          {"overhead_tracks_missing", "the overhead counters are left out: " + missing});
      return absl::OkStatus();
    }
    const std::string process = model_.lanes.ProcessName(Process::kScheduler);
    std::map<int32_t, Track> tracks;
    for (const OverheadTrack& track : OverheadTracks()) tracks[track.tid].name = track.name;
    absl::Status status;
    ForEachOverheadChange(inputs_, [&](const OverheadTrack& track, DeviceCycles at, int64_t value) {
      if (!LaneMatches(options_.lanes, process, track.name)) {
        ++counts_.summary().left_out.samples_in_filtered_tracks;
      } else if (status.ok()) {
        status = WriteSample(tracks[track.tid], at, value);
      }
    });
    return status;
  }

  const Model& model_;
  const TimelineInputs& inputs_;
  const TimelineOptions& options_;
  const NanoWindow window_;
  PerfettoWriter writer_;
  const Keys keys_;
  TraceCounts counts_;
  SliceFlows flows_;
  std::map<Process, ProcessId> processes_;
  std::vector<std::array<NameId, 2>> label_names_;  // by label: plain, SPMD
  int32_t next_rank_ = 0;
  uint32_t extra_lanes_ = 0;
  std::vector<Annotation> annotations_;  // of the slice being written
  std::string display_;                  // its task
  std::string text_;                     // its name, when it is not interned
};

}  // namespace

absl::StatusOr<TraceSummary> WritePerfettoPackets(const Model& model, const TimelineInputs& inputs,
                                                  const TimelineOptions& options,
                                                  const NanoWindow& window, ByteSink& sink) {
  const uint64_t before = sink.bytes_written();
  PerfettoTrace trace(model, inputs, options, window, sink);
  if (absl::Status status = trace.Write(); !status.ok()) return status;
  return trace.counts().Finish(sink.bytes_written() - before);
}

}  // namespace simpler::timeline
