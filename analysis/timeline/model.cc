#include "analysis/timeline/model.h"

#include <algorithm>
#include <utility>

#include "analysis/timeline/first_fit.h"
#include "fmt/format.h"

namespace simpler::timeline {
namespace {

using capture::SchedulerPhaseBlock;

absl::Status CheckInputs(const TimelineInputs& inputs) {
  if (inputs.rows == nullptr || inputs.tasks == nullptr) {
    return absl::InvalidArgumentError("a timeline needs rows and their tasks");
  }
  if ((inputs.graph == nullptr) != (inputs.nodes == nullptr)) {
    return absl::InvalidArgumentError("a graph and its task nodes go together");
  }
  const size_t covered = inputs.tasks->empty() ? 0
                                               : size_t{inputs.tasks->back().first_row} +
                                                     inputs.tasks->back().row_count;
  if (covered != inputs.rows->size()) {
    return absl::InvalidArgumentError(
        fmt::format("the tasks cover {} rows, the run has {}: fold the tasks of this run", covered,
                    inputs.rows->size()));
  }
  if (inputs.nodes != nullptr &&
      (inputs.nodes->node_of_task.size() != inputs.tasks->size() ||
       inputs.nodes->task_of_node.size() != inputs.graph->nodes().size())) {
    return absl::InvalidArgumentError("the task nodes belong to other tasks or another graph");
  }
  return absl::OkStatus();
}

absl::Status CheckOptions(const TimelineInputs& inputs, const TimelineOptions& options) {
  if (options.window && !(options.window->from_us < options.window->to_us)) {
    return absl::InvalidArgumentError(fmt::format("the window [{}, {}) µs is empty",
                                                  options.window->from_us, options.window->to_us));
  }
  if (options.on_path != nullptr && options.on_path->size() != inputs.tasks->size()) {
    return absl::InvalidArgumentError(fmt::format("the path covers {} tasks, the run has {}",
                                                  options.on_path->size(), inputs.tasks->size()));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::unique_ptr<const Model>> Model::Build(const TimelineInputs& inputs,
                                                          const TimelineOptions& options,
                                                          SubLanes sub_lanes) {
  if (absl::Status status = CheckInputs(inputs); !status.ok()) return status;
  if (absl::Status status = CheckOptions(inputs, options); !status.ok()) return status;
  absl::StatusOr<TimeAxis> axis =
      TimeAxis::Create(inputs.rows->capture(), inputs.rows->run(), options.origin);
  if (!axis.ok()) return axis.status();
  auto model = std::unique_ptr<const Model>(new Model(*axis, inputs, options, sub_lanes));
  if (!model->numbers.Fit()) {
    return absl::InvalidArgumentError(
        "the run has more than 2^32 slices, which a trace cannot number: cut the capture");
  }
  return model;
}

Model::Model(TimeAxis time_axis, const TimelineInputs& inputs, const TimelineOptions& options,
             SubLanes sub_lanes)
    : axis(time_axis),
      tasks(*inputs.rows, *inputs.tasks, inputs.graph, inputs.nodes, inputs.names),
      phases(*inputs.rows, *inputs.tasks),
      orchestrator(capture(), run()),
      markers(tasks, phases, orchestrator),
      graphs(FindGraphInstances(tasks, phases, axis)),
      lifecycle(CollectLifecycleBars(run())),
      row_lanes(tasks, sub_lanes),
      lanes({capture(), run(), inputs.names, row_lanes, phases, orchestrator, graphs, lifecycle,
             options.lanes}),
      numbers(inputs.rows->size(), phases.record_count(), orchestrator.record_count()) {}

uint32_t Model::LaneOf(const Markers::Marker& marker) const {
  return lanes.AicpuWorker(marker.kind == Markers::Kind::kAlloc
                               ? lanes.first_orchestrator_aicpu() + marker.source
                               : marker.source);
}

uint32_t Model::NumberOf(const Markers::Marker& marker) const {
  return marker.kind == Markers::Kind::kAlloc ? numbers.Alloc(orchestrator.Ordinal(marker.submit()))
                                              : numbers.Phase(phases.Ordinal(marker.phase()));
}

Instant Model::StartOf(const Markers::Marker& marker) const {
  return marker.kind == Markers::Kind::kAlloc ? orchestrator.At(marker.submit()).start
                                              : Instant::Device(phases.Start(marker.phase()));
}

Instant Model::EndOf(const Markers::Marker& marker) const {
  return marker.kind == Markers::Kind::kAlloc ? orchestrator.At(marker.submit()).end
                                              : Instant::Device(phases.End(marker.phase()));
}

std::optional<uint64_t> Model::TaskOf(const Markers::Marker& marker) const {
  if (marker.kind == Markers::Kind::kAlloc) return orchestrator.At(marker.submit()).task_id;
  const auto [block, row] = phases.At(marker.phase());
  if (!block->Has(row, SchedulerPhaseBlock::kTaskId)) return std::nullopt;
  return block->task_id[row];
}

std::string Model::MarkerLabel(const Markers::Marker& marker) const {
  const std::optional<uint64_t> task_id = TaskOf(marker);
  const std::string display = task_id ? tasks.Display(*task_id) : "unknown";
  if (marker.kind == Markers::Kind::kDummy) return "dummy(" + display + ")";
  if (marker.kind == Markers::Kind::kAlloc) return "alloc(" + display + ")";
  const capture::DependencyGraph* graph = tasks.graph();
  const auto node =
      graph != nullptr && task_id ? graph->Find(*task_id) : capture::DependencyGraph::kNoNode;
  const bool is_known = node != capture::DependencyGraph::kNoNode;
  const uint32_t label =
      tasks.LabelOfFunction(is_known ? capture::FirstActiveFunction(graph->nodes()[node]) : -1);
  return tasks.labels()[label].Text(is_known && tasks.IsSpmdNode(node)) + "(" + display + ")";
}

std::vector<LaneSlice> Model::SlicesOf(const Lane& lane) const {
  switch (lane.kind) {
    case LaneKind::kOrchestrator:
      return OrchestratorSlices(lane);
    case LaneKind::kUploads:
      return UploadSlices();
    case LaneKind::kScheduler:
    case LaneKind::kResolve:
      return PhaseSlices(lane);
    case LaneKind::kSchedulerView:
      return SchedulerViewSlices(lane);
    case LaneKind::kWorker:
      return WorkerSlices(lane);
    case LaneKind::kAicpuWorker:
      return MarkerSlices(lane);
    case LaneKind::kGraph:
      return GraphSlices(lane);
    case LaneKind::kLifecycle:
      return LifecycleSlices(lane);
  }
  return {};
}

std::vector<LaneSlice> Model::PhaseSlices(const Lane& lane) const {
  std::vector<LaneSlice> slices;
  for (uint32_t record = 0; record < phases.size(lane.key); ++record) {
    const PhaseId id{lane.key, record};
    const auto [block, row] = phases.At(id);
    const PhaseRole role = RoleOf(block->kind[row], phases.streams()[lane.key].producer);
    if (role == PhaseRole::kMarker || role == PhaseRole::kHidden) continue;
    if (phases.IsNestedResolve(id) != (lane.kind == LaneKind::kResolve)) continue;
    slices.push_back({axis.Nanos(block->start[row]), axis.Nanos(block->end[row]), record});
  }
  return slices;
}

std::vector<LaneSlice> Model::WorkerSlices(const Lane& lane) const {
  std::vector<LaneSlice> slices;
  slices.reserve(row_lanes.RowsOf(lane.key).size());
  for (uint32_t row : row_lanes.RowsOf(lane.key)) {
    const capture::DeviceCycles start = rows().start(row);
    const capture::DeviceCycles receive = rows().receive(row);
    slices.push_back({axis.Nanos(receive), axis.Nanos(rows().end(row)), row,
                      static_cast<uint32_t>(axis.Nanos(start) - axis.Nanos(receive))});
  }
  return slices;
}

std::vector<LaneSlice> Model::SchedulerViewSlices(const Lane& lane) const {
  std::vector<LaneSlice> slices;
  for (uint32_t row : row_lanes.RowsOf(lane.key)) {
    if (!rows().has_scheduler(row) || row_lanes.SubLaneOf(row) != lane.sub) continue;
    slices.push_back({axis.Nanos(rows().dispatch(row)), axis.Nanos(rows().finish(row)), row});
  }
  return slices;
}

std::vector<LaneSlice> Model::MarkerSlices(const Lane& lane) const {
  std::vector<LaneSlice> slices;
  for (uint32_t i = 0; i < markers.all().size(); ++i) {
    const Markers::Marker& marker = markers.all()[i];
    if (lanes.lanes()[LaneOf(marker)].key != lane.key) continue;
    slices.push_back({axis.Nanos(StartOf(marker)), axis.Nanos(EndOf(marker)), i});
  }
  return slices;
}

std::vector<LaneSlice> Model::OrchestratorSlices(const Lane& lane) const {
  std::vector<LaneSlice> slices;
  slices.reserve(orchestrator.size(lane.key));
  for (uint32_t record = 0; record < orchestrator.size(lane.key); ++record) {
    const OrchestratorRecord submit = orchestrator.At({lane.key, record});
    slices.push_back({axis.Nanos(submit.start), axis.Nanos(submit.end), record});
  }
  return slices;
}

std::vector<LaneSlice> Model::UploadSlices() const {
  std::vector<LaneSlice> slices;
  for (uint32_t i = 0; i < run().host_uploads.size(); ++i) {
    const capture::HostUpload& upload = run().host_uploads[i];
    slices.push_back({axis.Nanos(Instant::Host(upload.start)),
                      axis.Nanos(Instant::Host(std::max(upload.start, upload.end))), i});
  }
  return slices;
}

std::vector<LaneSlice> Model::GraphSlices(const Lane& lane) const {
  std::vector<LaneSlice> slices;
  for (uint32_t i = 0; i < graphs.size(); ++i) {
    if (graphs[i].lane != lane.key) continue;
    slices.push_back({axis.Nanos(graphs[i].prepare_start), axis.Nanos(graphs[i].execution_end), i});
  }
  return slices;
}

std::vector<LaneSlice> Model::LifecycleSlices(const Lane& lane) const {
  std::vector<LaneSlice> slices;
  for (uint32_t i = 0; i < lifecycle.bars.size(); ++i) {
    const LifecycleBar& bar = lifecycle.bars[i];
    if (static_cast<uint32_t>(bar.thread) != lane.key) continue;
    slices.push_back({axis.Nanos(bar.start), axis.Nanos(bar.end), i});
  }
  return slices;
}

uint64_t Model::CountHiddenPhases() const {
  uint64_t hidden = 0;
  for (const capture::SchedulerStream& stream : phases.streams()) {
    ForEachPhase(stream, [&](const SchedulerPhaseBlock& block, size_t row) {
      if (RoleOf(block.kind[row], stream.producer) == PhaseRole::kHidden) ++hidden;
    });
  }
  return hidden;
}

std::vector<LaneSlice> TakeOutCrossing(std::vector<LaneSlice>& slices) {
  const auto before = [](const LaneSlice& a, const LaneSlice& b) {
    return a.start_ns != b.start_ns ? a.start_ns < b.start_ns : a.end_ns > b.end_ns;
  };
  if (!std::is_sorted(slices.begin(), slices.end(), before)) {
    std::stable_sort(slices.begin(), slices.end(), before);
  }
  std::vector<LaneSlice> crossing;
  std::vector<int64_t> open_ends;
  size_t kept = 0;
  for (const LaneSlice& slice : slices) {
    while (!open_ends.empty() && open_ends.back() <= slice.start_ns) open_ends.pop_back();
    if (!open_ends.empty() && slice.end_ns > open_ends.back()) {
      crossing.push_back(slice);
    } else {
      open_ends.push_back(slice.end_ns);
      slices[kept++] = slice;
    }
  }
  slices.resize(kept);
  return crossing;
}

std::vector<std::vector<LaneSlice>> SpreadOverLanes(const std::vector<LaneSlice>& slices) {
  std::vector<std::vector<LaneSlice>> lanes;
  FirstFit fit;
  for (const LaneSlice& slice : slices) {
    const uint32_t lane = fit.Place(slice.start_ns, slice.end_ns);
    lanes.resize(fit.lane_count());
    lanes[lane].push_back(slice);
  }
  return lanes;
}

}  // namespace simpler::timeline
