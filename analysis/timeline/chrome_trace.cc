#include "analysis/timeline/chrome_trace.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>

#include "analysis/timeline/chrome_events.h"
#include "analysis/timeline/flows.h"
#include "analysis/timeline/overflow_lanes.h"
#include "analysis/timeline/overhead_tracks.h"
#include "analysis/timeline/trace_counts.h"
#include "analysis/timeline/trace_metadata.h"

namespace simpler::timeline {
namespace {

using capture::DependencyGraph;
using capture::DeviceCycles;
using capture::OrchestratorPhaseKind;
using capture::PhaseKind;
using capture::Producer;
using capture::SchedulerPhaseBlock;
using capture::Task;

// Arrows leave a bar this much before its end, so that viewers find the bar and not the next one.
constexpr double kInsideBarMicros = 0.01;

// Sub-lanes of a core's Scheduler View that have a name in existing traces.
constexpr uint32_t kNamedSubLanes = 2;

constexpr int kQueueSortIndex = 100;

int SortIndexOf(Process process) {
  switch (process) {
    case Process::kGraphExecution:
      return 1;
    case Process::kLifecycle:
      return 2;
    default:
      return static_cast<int>(process);
  }
}

double RoundToThreeDecimals(double value) { return std::round(value * 1000.0) / 1000.0; }

class ChromeTrace {
 public:
  ChromeTrace(const Model& model, const TimelineInputs& inputs, const TimelineOptions& options,
              const NanoWindow& window, ByteSink& sink)
      : model_(model),
        inputs_(inputs),
        options_(options),
        window_(window),
        events_(&sink),
        counts_(model),
        overflow_(model),
        completions_(model),
        dispatches_(model) {
    for (const FunctionLabel& label : model.tasks.labels()) {
      escaped_.push_back({label.func_id, EscapedText(label.plain), EscapedText(label.spmd)});
    }
    RankProducers();
  }

  absl::Status Write() {
    WriteLifecycle();
    WriteGraphs();
    WriteTaskViews();
    WriteSchedulers();
    WriteUploads();
    WriteOrchestrators();
    WriteFlows();
    if (options_.overhead_counters) WriteOverhead();
    return events_.Finish(TraceMetadataJson(model_));
  }

  TraceCounts& counts() { return counts_; }

 private:
  // --- Times and ids.

  double Micros(DeviceCycles at) const { return model_.axis.Micros(at); }
  double Micros(Instant at) const { return model_.axis.Micros(at); }
  int64_t Nanos(Instant at) const { return model_.axis.Nanos(at); }

  // Numbers of bars: workers, then Scheduler View bars, then markers.
  uint64_t SchedulerViewId(size_t row) const { return model_.rows().size() + row; }
  uint64_t MarkerId(size_t marker) const {
    return model_.rows().size() * (model_.row_lanes.has_scheduler_view() ? 2 : 1) + marker;
  }

  static std::string EscapedText(const std::string& text) {
    JsonText json;
    json.Escaped(text);
    return std::string(json.view());
  }

  // --- Lanes.

  const Lane& LaneAt(uint32_t lane) const { return model_.lanes.lanes()[lane]; }

  int32_t TidOf(uint32_t lane, uint32_t index) const {
    const OverflowLanes::Extra* extra = overflow_.Find(lane, index);
    return extra != nullptr ? extra->tid : LaneAt(lane).tid;
  }

  // Whether the slice is in the trace; counts it.
  bool Admit(uint32_t lane, uint32_t index, Instant start, Instant end) {
    if (!events_.status().ok()) return false;
    if (!counts_.Admit(lane, Nanos(start), Nanos(end), window_)) return false;
    if (overflow_.Find(lane, index) != nullptr) ++counts_.summary().overflow_slices;
    return true;
  }

  void NameProcess(Process process) {
    events_.ProcessName(process, model_.lanes.ProcessName(process));
    events_.ProcessSortIndex(process, SortIndexOf(process));
  }

  void NameLane(uint32_t lane) {
    if (!LaneAt(lane).kept) return;
    events_.ThreadName(LaneAt(lane).process, LaneAt(lane).tid, LaneAt(lane).name);
    for (const OverflowLanes::Extra& extra : overflow_.extras()) {
      if (extra.lane == lane) events_.ThreadName(LaneAt(lane).process, extra.tid, extra.name);
    }
  }

  void NameLanesOfKind(LaneKind kind) {
    for (uint32_t lane = 0; lane < model_.lanes.lanes().size(); ++lane) {
      if (LaneAt(lane).kind == kind) NameLane(lane);
    }
  }

  // --- Bars.

  void EndBar(uint32_t lane, uint32_t index, double ts, double dur) {
    events_.EndBar(LaneAt(lane).process, TidOf(lane, index), ts, dur);
  }

  void WriteLifecycle() {
    if (!model_.lanes.HasProcess(Process::kLifecycle)) return;
    NameProcess(Process::kLifecycle);
    NameLanesOfKind(LaneKind::kLifecycle);
    for (uint32_t i = 0; i < model_.lifecycle.bars.size(); ++i) {
      const LifecycleBar& bar = model_.lifecycle.bars[i];
      const uint32_t lane = model_.lanes.Lifecycle(bar.thread);
      if (!Admit(lane, i, Instant::Device(bar.start), Instant::Device(bar.end))) continue;
      JsonText& json = events_.BeginBar();
      json.Raw(R"("args":{"aicpu_thread_id":)").Number(bar.thread);
      json.Raw(R"(},"cat":"aicpu_lifecycle","name":")").Raw(bar.name).Raw("\"");
      EndBar(lane, i, Micros(bar.start), Micros(bar.end) - Micros(bar.start));
    }
  }

  void WriteGraphs() {
    if (!model_.lanes.HasProcess(Process::kGraphExecution)) return;
    NameProcess(Process::kGraphExecution);
    NameLanesOfKind(LaneKind::kGraph);
    for (uint32_t i = 0; i < model_.graphs.size(); ++i) WriteGraph(i);
  }

  void WriteGraph(uint32_t index) {
    const GraphInstance& graph = model_.graphs[index];
    const uint32_t lane = model_.lanes.Graph(graph.lane);
    if (!Admit(lane, index, Instant::Device(graph.prepare_start),
               Instant::Device(graph.execution_end))) {
      return;
    }
    const double start = Micros(graph.prepare_start);
    const double execution_start = Micros(graph.execution_start);
    const double end = Micros(graph.execution_end);
    JsonText& json = events_.BeginBar();
    json.Raw(R"("args":{"outer_task_id":)").Number(graph.outer_task);
    json.Raw(R"(,"visible_node_count":)").Number(graph.visible_nodes);
    json.Raw(R"(,"visible_node_index_min":)").Number(graph.smallest_node);
    json.Raw(R"(,"visible_node_index_max":)").Number(graph.largest_node);
    json.Raw(R"(,"prepare_slice_count":)").Number(graph.prepare_slices);
    json.Raw(R"(,"prepare_duration_us":)").Number(graph.prepare_us);
    json.Raw(R"(,"execution_start_us":)").Number(execution_start);
    json.Raw(R"(,"execution_duration_us":)").Number(end - execution_start);
    json.Raw(R"(,"synthetic_id_layout":)").String(InnerTaskLayoutName(model_.tasks.layout()));
    json.Raw(R"(},"cat":"graph_execution","cname":"rail_animation","name":"GraphExecution()");
    json.Raw(model_.tasks.Display(graph.outer_task)).Raw(", ").Number(graph.visible_nodes);
    json.Raw(" visible nodes)\"");
    EndBar(lane, index, start, end - start);
  }

  void WriteTaskViews() {
    NameProcess(Process::kWorkerView);
    if (model_.row_lanes.has_scheduler_view()) NameProcess(Process::kSchedulerView);
    NameLanesOfKind(LaneKind::kWorker);
    NameLanesOfKind(LaneKind::kAicpuWorker);
    for (uint32_t task = 0; task < model_.tasks.tasks().size(); ++task) WriteWorkerBars(task);
    if (!model_.row_lanes.has_scheduler_view()) return;
    for (uint32_t lane = 0; lane < model_.lanes.lanes().size(); ++lane) {
      const Lane& named = LaneAt(lane);
      if (named.kind != LaneKind::kSchedulerView || named.sub >= kNamedSubLanes || !named.kept) {
        continue;
      }
      events_.ThreadName(named.process, named.tid, LaneAt(lane - named.sub).name);
    }
    for (uint32_t task = 0; task < model_.tasks.tasks().size(); ++task) {
      WriteSchedulerViewBars(task);
    }
  }

  void WriteWorkerBars(uint32_t task) {
    const Task& t = model_.tasks.tasks()[task];
    const std::string display = model_.tasks.Display(t.id);
    ComposeHints(task);
    for (uint32_t row = t.first_row; row < t.first_row + t.row_count; ++row) {
      const uint32_t lane = model_.lanes.Worker(model_.rows().core(row));
      if (Admit(lane, row, Instant::Device(model_.rows().receive(row)),
                Instant::Device(model_.rows().end(row)))) {
        WriteWorkerBar(task, row, lane, display);
      }
    }
  }

  void WriteWorkerBar(uint32_t task, uint32_t row, uint32_t lane, const std::string& display) {
    const double receive = Micros(model_.rows().receive(row));
    const double start = Micros(model_.rows().start(row));
    const double end = Micros(model_.rows().end(row));
    const FunctionLabel& label = escaped_[model_.tasks.LabelOf(task, model_.rows().type(row))];
    JsonText& json = events_.BeginBar();
    WriteEventHint(json, row, label.func_id, display);
    json.Raw(hints_.view()).Raw(R"("duration-us":)").Number(end - receive);
    json.Raw(R"(,"kernel-duration-us":)").Number(end - start);
    json.Raw(R"(,"local_setup_us":)").Number(start - receive);
    json.Raw(R"(,"taskId":)").Number(model_.rows().task_id(row));
    if (model_.run().epoch) json.Raw(R"(,"run_epoch":)").Number(*model_.run().epoch);
    json.Raw(R"(},"cat":"event","id":)").Number(row).Raw(R"(,"name":")");
    if (options_.on_path != nullptr && !(*options_.on_path)[task]) {
      json.Raw("·(").Raw(display).Raw(")\"");
    } else {
      json.Raw(label.Text(model_.tasks.IsSpmd(task))).Raw("(").Raw(display).Raw(")\"");
    }
    EndBar(lane, row, receive, end - receive);
  }

  void WriteEventHint(JsonText& json, uint32_t row, int32_t function, const std::string& display) {
    json.Raw(R"("args":{"event-hint":"Task:)").Raw(display).Raw(", FuncId:").Number(function);
    json.Raw(", CoreId:").Number(model_.rows().core(row)).Raw("\",");
  }

  // The fan-out and fan-in arguments of a task's bars.
  void ComposeHints(uint32_t task) {
    hints_.Clear();
    const auto node = model_.tasks.NodeOfTask(task);
    const bool known = node != DependencyGraph::kNoNode;
    const DependencyGraph* graph = model_.tasks.graph();
    using Nodes = std::span<const DependencyGraph::NodeIndex>;
    ComposeHint("fanout-hint", known ? graph->Successors(node) : Nodes());
    const Nodes producers = known ? graph->Predecessors(node) : Nodes();
    producers_.assign(producers.begin(), producers.end());
    std::stable_sort(producers_.begin(), producers_.end(),
                     [this](auto a, auto b) { return producer_rank_[a] < producer_rank_[b]; });
    ComposeHint("fanin-hint", producers_);
  }

  // Producers are listed in the order in which each first appears as one in the graph's edges.
  void RankProducers() {
    const DependencyGraph* graph = model_.tasks.graph();
    if (graph == nullptr) return;
    producer_rank_.assign(graph->nodes().size(), UINT32_MAX);
    uint32_t rank = 0;
    for (const DependencyGraph::Edge& edge : graph->edges()) {
      if (producer_rank_[edge.pred] == UINT32_MAX) producer_rank_[edge.pred] = rank++;
    }
  }

  void ComposeHint(std::string_view key, std::span<const DependencyGraph::NodeIndex> nodes) {
    hints_.String(key).Raw(":\"").Number(nodes.size()).Raw(": [");
    for (size_t i = 0; i < nodes.size(); ++i) {
      if (i > 0) hints_.Raw(", ");
      hints_.Raw(model_.tasks.Display(model_.tasks.graph()->nodes()[nodes[i]].id));
    }
    hints_.Raw("]\",");
  }

  void WriteSchedulerViewBars(uint32_t task) {
    const Task& t = model_.tasks.tasks()[task];
    const std::string display = model_.tasks.Display(t.id);
    for (uint32_t row = t.first_row; row < t.first_row + t.row_count; ++row) {
      if (!model_.rows().has_scheduler(row)) continue;
      const uint32_t lane =
          model_.lanes.SchedulerView(model_.rows().core(row), model_.row_lanes.SubLaneOf(row));
      if (Admit(lane, row, Instant::Device(model_.rows().dispatch(row)),
                Instant::Device(model_.rows().finish(row)))) {
        WriteSchedulerViewBar(task, row, lane, display);
      }
    }
  }

  void WriteSchedulerViewBar(uint32_t task, uint32_t row, uint32_t lane,
                             const std::string& display) {
    const double dispatch = Micros(model_.rows().dispatch(row));
    const double finish = Micros(model_.rows().finish(row));
    const FunctionLabel& label = escaped_[model_.tasks.LabelOf(task, model_.rows().type(row))];
    JsonText& json = events_.BeginBar();
    WriteEventHint(json, row, label.func_id, display);
    json.Raw(R"("dispatch-time-us":)").Number(dispatch);
    json.Raw(R"(,"finish-time-us":)").Number(finish);
    json.Raw(R"(,"scheduler-duration-us":)").Number(finish - dispatch);
    json.Raw(R"(,"taskId":)").Number(model_.rows().task_id(row));
    json.Raw(R"(},"cat":"event","id":)").Number(SchedulerViewId(row)).Raw(R"(,"name":")");
    json.Raw(label.Text(model_.tasks.IsSpmd(task))).Raw("(").Raw(display).Raw(")\"");
    EndBar(lane, row, dispatch, finish - dispatch);
  }

  // --- Schedulers and what their threads do as workers.

  void WriteSchedulers() {
    if (model_.phases.streams().empty()) return;
    NameProcess(Process::kScheduler);
    size_t next_marker = 0;
    for (uint32_t stream = 0; stream < model_.phases.streams().size(); ++stream) {
      NameLane(model_.lanes.Scheduler(stream));
      if (model_.phases.HasNestedResolve(stream)) NameLane(model_.lanes.Resolve(stream));
      for (uint32_t record = 0; record < model_.phases.size(stream); ++record) {
        WritePhase({stream, record}, next_marker);
      }
    }
    if (!model_.lanes.keeps_counters()) return;
    events_.ThreadName(Process::kScheduler, kReadyQueueTid, kReadyQueueTrack);
    events_.ThreadSortIndex(Process::kScheduler, kReadyQueueTid, kQueueSortIndex);
  }

  void WritePhase(PhaseId id, size_t& next_marker) {
    const PhaseRole role = model_.phases.Role(id);
    if (role == PhaseRole::kHidden) return;
    if (role == PhaseRole::kMarker) {
      WriteMarker(next_marker++);
      return;
    }
    const Instant start = Instant::Device(model_.phases.Start(id));
    const Instant end = Instant::Device(model_.phases.End(id));
    const uint32_t lane = model_.LaneOf(id);
    if (Admit(lane, id.record, start, end)) WritePhaseBar(id, lane);
    if (model_.phases.HasQueueSample(id)) WriteQueueSample(id);
  }

  void WritePhaseBar(PhaseId id, uint32_t lane) {
    const auto [block, row] = model_.phases.At(id);
    const PhaseKind kind = block->kind[row];
    const Producer producer = model_.phases.streams()[id.stream].producer;
    const bool has_count = block->Has(row, SchedulerPhaseBlock::kTasksProcessed);
    const bool is_complete = kind == PhaseKind::kComplete;
    const uint32_t attributed = is_complete ? completions_.FinishesIn(id) : 0;
    const uint32_t processed = has_count ? block->tasks_processed[row] : attributed;

    JsonText& json = events_.BeginBar();
    json.Raw(R"("args":{"phase":")").Raw(PhaseArgument(kind)).Raw(R"(","loop_iter":)");
    json.Number(block->Has(row, SchedulerPhaseBlock::kLoopIter) ? block->loop_iter[row] : 0U);
    json.Raw(R"(,"tasks_processed":)").Number(processed);
    const bool names_task =
        producer == Producer::kAicore && block->Has(row, SchedulerPhaseBlock::kTaskId);
    if (names_task) json.Raw(R"(,"task_id":)").Number(block->task_id[row]);
    WriteDepths(json, *block, row);
    if (is_complete) {
      json.Raw(R"(,"finishes_processed":)").Number(processed);
      if (has_count) json.Raw(R"(,"finish_rows_attributed":)").Number(attributed);
    }
    json.Raw(R"(},"cat":"scheduler","cname":")").Raw(PhaseColour(kind)).Raw(R"(","name":")");
    json.Raw(PhaseDisplayName(kind, producer));
    if (producer == Producer::kAicpu) {
      json.Raw("(").Number(processed).Raw(")");
    } else if (names_task) {
      json.Raw("(").Raw(model_.tasks.Display(block->task_id[row])).Raw(")");
    }
    json.Raw("\"");
    const double start = Micros(block->start[row]);
    EndBar(lane, id.record, start, Micros(block->end[row]) - start);
  }

  static void WriteDepths(JsonText& json, const SchedulerPhaseBlock& block, size_t row) {
    if (!block.Has(row, SchedulerPhaseBlock::kDepthsAtStart) ||
        !block.Has(row, SchedulerPhaseBlock::kDepthsAtEnd)) {
      return;
    }
    const auto list = [&json](std::string_view key, const capture::QueueDepths& depths) {
      json.Raw(",").String(key).Raw(":[").Number(depths[0]).Raw(",").Number(depths[1]).Raw(",");
      json.Number(depths[2]).Raw("]");
    };
    list("shared_at_start (aic,aiv,mix)", block.depths_at_start[row]);
    list("shared_at_end (aic,aiv,mix)", block.depths_at_end[row]);
  }

  void WriteQueueSample(PhaseId id) {
    const auto [block, row] = model_.phases.At(id);
    if (!AdmitSample(model_.lanes.keeps_counters(), block->end[row])) return;
    const capture::QueueDepths& depths = block->depths_at_end[row];
    values_.Clear();
    values_.Raw(R"("AIC":)").Number(depths[0]).Raw(R"(,"AIV":)").Number(depths[1]);
    values_.Raw(R"(,"MIX":)").Number(depths[2]);
    events_.Counter("queue", "shared_ready_queue", kReadyQueueTid, Micros(block->end[row]),
                    values_.view());
  }

  bool AdmitSample(bool track_is_kept, DeviceCycles at) {
    if (!events_.status().ok()) return false;
    TraceSummary& summary = counts_.summary();
    if (!track_is_kept) {
      ++summary.left_out.samples_in_filtered_tracks;
    } else if (!window_.HoldsInstant(model_.axis.Nanos(at))) {
      ++summary.left_out.samples_outside_window;
    } else {
      ++summary.counter_samples;
      return true;
    }
    return false;
  }

  void WriteMarker(size_t index) {
    const Markers::Marker& marker = model_.markers.all()[index];
    const auto position = static_cast<uint32_t>(index);
    const uint32_t lane = model_.LaneOf(marker);
    if (!Admit(lane, position, model_.StartOf(marker), model_.EndOf(marker))) return;
    JsonText& json = events_.BeginBar();
    switch (marker.kind) {
      case Markers::Kind::kDummy:
        WriteDummy(json, marker);
        break;
      case Markers::Kind::kPredicatedSkip:
        WriteSkip(json, marker);
        break;
      case Markers::Kind::kAlloc:
        WriteAlloc(json, marker);
        break;
    }
    json.Raw(R"(,"cat":"event","id":)").Number(MarkerId(index));
    const double start = Micros(model_.StartOf(marker));
    const double dur = Micros(model_.EndOf(marker)) - start;
    EndBar(lane, position, start, std::max(dur, kShortestMarkerMicros));
  }

  void WriteLoopAndTask(JsonText& json, const Markers::Marker& marker) {
    const auto [block, row] = model_.phases.At(marker.phase());
    json.Raw(R"("args":{"loop_iter":)");
    json.Number(block->Has(row, SchedulerPhaseBlock::kLoopIter) ? block->loop_iter[row] : 0U);
    if (const auto task_id = model_.TaskOf(marker)) json.Raw(R"(,"task_id":)").Number(*task_id);
  }

  void WriteDummy(JsonText& json, const Markers::Marker& marker) {
    WriteLoopAndTask(json, marker);
    const std::string name = model_.MarkerLabel(marker);
    json.Raw(R"(,"event-hint":)").String(name).Raw(R"(,"phase":"dummy_task"},"name":)");
    json.String(name);
  }

  void WriteSkip(JsonText& json, const Markers::Marker& marker) {
    WriteLoopAndTask(json, marker);
    const std::string name = model_.MarkerLabel(marker);
    json.Raw(R"(,"event-hint":)").String(name).Raw(R"(,"predicated_pass":false},"name":)");
    json.String(name);
  }

  void WriteAlloc(JsonText& json, const Markers::Marker& marker) {
    const std::string name = model_.MarkerLabel(marker);
    json.Raw(R"("args":{"phase":"alloc","task_id":)").Number(*model_.TaskOf(marker));
    json.Raw(R"(,"event-hint":)").String(name).Raw(R"(},"cname":"olive","name":)").String(name);
  }

  // --- Orchestrators.

  void WriteUploads() {
    if (!model_.lanes.has_uploads()) return;
    events_.ProcessName(Process::kOrchestrator, "Host Prepare");
    const uint32_t lane = model_.lanes.Uploads();
    NameLane(lane);
    for (uint32_t i = 0; i < model_.run().host_uploads.size(); ++i) {
      const capture::HostUpload& upload = model_.run().host_uploads[i];
      const Instant start = Instant::Host(upload.start);
      const Instant end = Instant::Host(std::max(upload.start, upload.end));
      if (!Admit(lane, i, start, end)) continue;
      JsonText& json = events_.BeginBar();
      json.Raw(R"("args":{"bytes":)").Number(upload.detail);
      json.Raw(R"(},"cat":"host_h2d","cname":"thread_state_iowait","name":)");
      json.String(upload.phase.empty() ? "upload" : upload.phase);
      EndBar(lane, i, Micros(start), Micros(end) - Micros(start));
    }
  }

  void WriteOrchestrators() {
    if (model_.orchestrator.lane_count() == 0) return;
    NameProcess(Process::kOrchestrator);
    NameLanesOfKind(LaneKind::kOrchestrator);
    const std::span<const Markers::Marker> markers = model_.markers.all();
    size_t alloc = 0;
    while (alloc < markers.size() && markers[alloc].kind != Markers::Kind::kAlloc) ++alloc;
    ForEachSubmit(model_.orchestrator, [&](SubmitId id, const OrchestratorRecord& record) {
      WriteSubmit(id, record);
      if (alloc < markers.size() && markers[alloc].submit() == id) WriteMarker(alloc++);
    });
  }

  void WriteSubmit(SubmitId id, const OrchestratorRecord& record) {
    const uint32_t lane = model_.lanes.Orchestrator(id.lane);
    if (!Admit(lane, id.record, record.start, record.end)) return;
    JsonText& json = events_.BeginBar();
    json.Raw(R"("args":{"phase":")").Raw(capture::OrchestratorPhaseKindName(record.kind));
    json.Raw(R"(","submit_idx":)");
    json.Number(record.submit_idx.value_or(0)).Raw(R"(,"task_id":)");
    if (record.task_id) {
      json.Number(*record.task_id);
    } else {
      json.Number(-1);
    }
    json.Raw(R"(},"cat":"orchestrator","cname":")").Raw(OrchestratorColour(record.kind));
    json.Raw(R"(","name":")").Raw(ShortPhaseName(record.kind));
    json.Raw("(");
    if (record.task_id) {
      json.Raw(model_.tasks.Display(*record.task_id));
    } else {
      json.Number(record.submit_idx.value_or(0));
    }
    json.Raw(")\"");
    EndBar(lane, id.record, Micros(record.start), Micros(record.end) - Micros(record.start));
  }

  // --- Flows.

  bool Wants(FlowKind kind) const { return options_.flows.test(static_cast<size_t>(kind)); }

  // Whether both ends are in the trace; counts the flow either way.
  bool AdmitFlow(FlowKind kind, bool from_is_kept, bool to_is_kept) {
    if (!events_.status().ok()) return false;
    if (from_is_kept && to_is_kept) {
      counts_.CountFlow(kind);
      return true;
    }
    counts_.CountCutFlow(from_is_kept, to_is_kept);
    return false;
  }

  bool KeepsAnchor(Anchor anchor, TaskView view) const {
    return Keeps(model_, window_, anchor, view);
  }
  bool KeepsPoint(uint32_t lane, DeviceCycles at) const {
    return LaneAt(lane).kept && window_.HoldsInstant(model_.axis.Nanos(at));
  }

  // The bar that an arrow of a row names.
  uint64_t BoundBarId(uint32_t row, TaskView view) const {
    const uint32_t bound = model_.row_lanes.LastOfTask(row);
    return view == TaskView::kWorker ? bound : SchedulerViewId(bound);
  }

  // A point on the bar of an anchor.
  ChromePoint OnBar(Anchor anchor, TaskView view, double ts) const {
    const uint32_t lane = LaneOf(model_, anchor, view);
    const uint64_t id = anchor.is_marker ? MarkerId(anchor.index) : BoundBarId(anchor.index, view);
    return {LaneAt(lane).process, TidOf(lane, anchor.index), ts, id};
  }

  ChromePoint OnScheduler(uint32_t stream, double ts) const {
    return {Process::kScheduler, LaneAt(model_.lanes.Scheduler(stream)).tid, ts};
  }

  void WriteFlows() {
    if (Wants(FlowKind::kDependencyWorker)) WriteDependencies(TaskView::kWorker);
    if (Wants(FlowKind::kDependencyScheduler)) WriteDependencies(TaskView::kScheduler);
    for (uint32_t task = 0; task < model_.tasks.tasks().size(); ++task) WriteCompletions(task);
    if (Wants(FlowKind::kCompleteReady)) WriteReleases();
    dispatches_.ForEachRow([&](size_t row, uint32_t stream) { WriteDispatch(row, stream); });
    if (Wants(FlowKind::kSubmitDispatch)) WriteSubmitDispatches();
  }

  void WriteDependencies(TaskView view) {
    const FlowKind kind =
        view == TaskView::kWorker ? FlowKind::kDependencyWorker : FlowKind::kDependencyScheduler;
    ForEachDependency(model_, view, [&](const DependencyFlow& flow) {
      if (!AdmitFlow(kind, KeepsAnchor(flow.producer, view), KeepsAnchor(flow.consumer, view))) {
        return;
      }
      const bool violates = Violates(model_, flow.producer, flow.consumer, view);
      if (violates) ++counts_.summary().violations;
      values_.Clear();
      values_.Raw(R"("input_task_count":)").Number(model_.tasks.BlockCount(flow.consumer_node));
      values_.Raw(R"(,"output_task_count":)").Number(model_.tasks.BlockCount(flow.producer_node));
      values_.Raw(",");
      events_.Flow(violates ? "hb_violation" : "dependency",
                   OnBar(flow.producer, view, Micros(StartOf(model_, flow.producer, view))),
                   OnBar(flow.consumer, view, Micros(StartOf(model_, flow.consumer, view))),
                   values_.view());
    });
  }

  void WriteCompletions(uint32_t task) {
    const bool wants_worker = Wants(FlowKind::kCompleteWorker);
    const bool wants_scheduler = Wants(FlowKind::kCompleteScheduler);
    if (!wants_worker && !wants_scheduler) return;
    const auto completion = completions_.Of(task);
    if (!completion) return;
    if (wants_worker) WriteCompletion(task, *completion, TaskView::kWorker);
    if (wants_scheduler) WriteCompletion(task, *completion, TaskView::kScheduler);
  }

  void WriteCompletion(uint32_t task, const Completions::Completion& completion, TaskView view) {
    const FlowKind kind =
        view == TaskView::kWorker ? FlowKind::kCompleteWorker : FlowKind::kCompleteScheduler;
    const bool to_is_kept =
        KeepsPoint(model_.lanes.Scheduler(completion.phase.stream), completion.at);
    model_.tasks.ForEachAnchor(task, view, [&](uint32_t row) {
      const Anchor anchor{false, row};
      if (!AdmitFlow(kind, KeepsAnchor(anchor, view), to_is_kept)) return;
      events_.Flow("complete",
                   OnBar(anchor, view, Micros(EndOf(model_, anchor, view)) - kInsideBarMicros),
                   OnScheduler(completion.phase.stream, Micros(completion.at)));
    });
  }

  void WriteReleases() {
    completions_.ForEachRelease([&](PhaseId phase, uint32_t, DeviceCycles dispatch, int thread) {
      const DeviceCycles end = model_.phases.End(phase);
      const auto consumer = static_cast<uint32_t>(thread);
      if (!AdmitFlow(FlowKind::kCompleteReady,
                     KeepsPoint(model_.lanes.Scheduler(phase.stream), end),
                     KeepsPoint(model_.lanes.Scheduler(consumer), dispatch))) {
        return;
      }
      events_.Flow("complete→ready", OnScheduler(phase.stream, Micros(end) - kInsideBarMicros),
                   OnScheduler(consumer, Micros(dispatch)));
    });
  }

  void WriteDispatch(size_t row, uint32_t stream) {
    const Anchor anchor{false, static_cast<uint32_t>(row)};
    const DeviceCycles dispatch = model_.rows().dispatch(row);
    const bool from_is_kept = KeepsPoint(model_.lanes.Scheduler(stream), dispatch);
    const ChromePoint from = OnScheduler(stream, Micros(dispatch));
    if (Wants(FlowKind::kDispatchWorker) && AdmitFlow(FlowKind::kDispatchWorker, from_is_kept,
                                                      KeepsAnchor(anchor, TaskView::kWorker))) {
      ChromePoint to = OnBar(anchor, TaskView::kWorker, Micros(model_.rows().start(row)));
      to.bind_id.reset();  // the arrow points at the kernel's start, inside the bar
      events_.Flow("dispatch", from, to);
    }
    if (Wants(FlowKind::kDispatchScheduler) &&
        AdmitFlow(FlowKind::kDispatchScheduler, from_is_kept,
                  KeepsAnchor(anchor, TaskView::kScheduler))) {
      events_.Flow("dispatch", from, OnBar(anchor, TaskView::kScheduler, Micros(dispatch)));
    }
  }

  void WriteSubmitDispatches() {
    const std::vector<std::optional<SubmitId>> submits = SubmitsOfTasks(model_);
    if (submits.empty()) return;
    dispatches_.ForEachRow([&](size_t row, uint32_t stream) {
      const std::optional<SubmitId>& submit = submits[model_.tasks.TaskOfRow(row)];
      if (submit) WriteSubmitDispatch(*submit, row, stream);
    });
  }

  void WriteSubmitDispatch(SubmitId submit, size_t row, uint32_t stream) {
    const OrchestratorRecord record = model_.orchestrator.At(submit);
    const DeviceCycles dispatch = model_.rows().dispatch(row);
    const uint32_t lane = model_.lanes.Orchestrator(submit.lane);
    if (!AdmitFlow(FlowKind::kSubmitDispatch,
                   LaneAt(lane).kept && window_.HoldsSlice(Nanos(record.start), Nanos(record.end)),
                   KeepsPoint(model_.lanes.Scheduler(stream), dispatch))) {
      return;
    }
    const char* name = record.kind == OrchestratorPhaseKind::kSubmit  ? "submit→dispatch"
                       : record.kind == OrchestratorPhaseKind::kFanin ? "fanin→dispatch"
                                                                      : "params→dispatch";
    events_.Flow(name, {Process::kOrchestrator, TidOf(lane, submit.record), Micros(record.end)},
                 OnScheduler(stream, Micros(dispatch)));
  }

  // --- Overhead counters.

  void WriteOverhead() {
    if (std::string missing = OverheadTracksMissing(inputs_); !missing.empty()) {
      counts_.summary().warnings.push_back(
          {"overhead_tracks_missing", "the overhead counters are left out: " + missing});
      return;
    }
    const std::string process = model_.lanes.ProcessName(Process::kScheduler);
    ForEachOverheadChange(inputs_, [&](const OverheadTrack& track, DeviceCycles at, int64_t value) {
      if (!AdmitSample(LaneMatches(options_.lanes, process, track.name), at)) return;
      values_.Clear();
      values_.String(track.name).Raw(":").Number(value);
      events_.Counter("overhead", track.name, track.tid, RoundToThreeDecimals(Micros(at)),
                      values_.view());
    });
  }

  const Model& model_;
  const TimelineInputs& inputs_;
  const TimelineOptions& options_;
  const NanoWindow window_;
  ChromeEvents events_;
  TraceCounts counts_;
  const OverflowLanes overflow_;
  const Completions completions_;
  const Dispatches dispatches_;
  std::vector<FunctionLabel> escaped_;                 // by label, as JSON text
  std::vector<uint32_t> producer_rank_;                // by node
  std::vector<DependencyGraph::NodeIndex> producers_;  // of the task being written
  JsonText hints_;                                     // of the task being written
  JsonText values_;                                    // scratch
};

}  // namespace

absl::StatusOr<TraceSummary> WriteChromeEvents(const Model& model, const TimelineInputs& inputs,
                                               const TimelineOptions& options,
                                               const NanoWindow& window, ByteSink& sink) {
  const uint64_t before = sink.bytes_written();
  ChromeTrace trace(model, inputs, options, window, sink);
  if (absl::Status status = trace.Write(); !status.ok()) return status;
  return trace.counts().Finish(sink.bytes_written() - before);
}

}  // namespace simpler::timeline
