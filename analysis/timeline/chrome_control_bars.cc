#include "analysis/timeline/chrome_control_bars.h"

#include <algorithm>
#include <optional>
#include <span>
#include <string_view>

namespace simpler::timeline {

using capture::PhaseKind;
using capture::Producer;
using capture::SchedulerPhaseBlock;

namespace {

constexpr int kQueueSortIndex = 100;

}  // namespace

void ChromeControlBars::WriteLifecycle() {
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

void ChromeControlBars::WriteSchedulers() {
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

void ChromeControlBars::WritePhase(PhaseId id, size_t& next_marker) {
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

void ChromeControlBars::WritePhaseBar(PhaseId id, uint32_t lane) {
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

void ChromeControlBars::WriteDepths(JsonText& json, const SchedulerPhaseBlock& block, size_t row) {
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

void ChromeControlBars::WriteQueueSample(PhaseId id) {
  const auto [block, row] = model_.phases.At(id);
  if (!AdmitSample(model_.lanes.keeps_counters(), block->end[row])) return;
  const capture::QueueDepths& depths = block->depths_at_end[row];
  values_.Clear();
  values_.Raw(R"("AIC":)").Number(depths[0]).Raw(R"(,"AIV":)").Number(depths[1]);
  values_.Raw(R"(,"MIX":)").Number(depths[2]);
  events_.Counter("queue", "shared_ready_queue", kReadyQueueTid, Micros(block->end[row]),
                  values_.view());
}

void ChromeControlBars::WriteMarker(size_t index) {
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

void ChromeControlBars::WriteLoopAndTask(JsonText& json, const Markers::Marker& marker) {
  const auto [block, row] = model_.phases.At(marker.phase());
  json.Raw(R"("args":{"loop_iter":)");
  json.Number(block->Has(row, SchedulerPhaseBlock::kLoopIter) ? block->loop_iter[row] : 0U);
  if (const auto task_id = model_.TaskOf(marker)) json.Raw(R"(,"task_id":)").Number(*task_id);
}

void ChromeControlBars::WriteDummy(JsonText& json, const Markers::Marker& marker) {
  WriteLoopAndTask(json, marker);
  const std::string name = model_.MarkerLabel(marker);
  json.Raw(R"(,"event-hint":)").String(name).Raw(R"(,"phase":"dummy_task"},"name":)");
  json.String(name);
}

void ChromeControlBars::WriteSkip(JsonText& json, const Markers::Marker& marker) {
  WriteLoopAndTask(json, marker);
  const std::string name = model_.MarkerLabel(marker);
  json.Raw(R"(,"event-hint":)").String(name).Raw(R"(,"predicated_pass":false},"name":)");
  json.String(name);
}

void ChromeControlBars::WriteAlloc(JsonText& json, const Markers::Marker& marker) {
  const std::string name = model_.MarkerLabel(marker);
  json.Raw(R"("args":{"phase":"alloc","task_id":)").Number(*model_.TaskOf(marker));
  json.Raw(R"(,"event-hint":)").String(name).Raw(R"(},"cname":"olive","name":)").String(name);
}

void ChromeControlBars::WriteUploads() {
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

void ChromeControlBars::WriteOrchestrators() {
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

void ChromeControlBars::WriteSubmit(SubmitId id, const OrchestratorRecord& record) {
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

}  // namespace simpler::timeline
