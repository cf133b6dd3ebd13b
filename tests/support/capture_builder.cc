#include "tests/support/capture_builder.h"

#include <cmath>
#include <memory>

namespace simpler::support {
namespace {

using capture::AicoreTaskBlock;
using capture::Capture;
using capture::CoreId;
using capture::CoreType;
using capture::DependencyGraph;
using capture::DeviceCycles;
using capture::LifecycleRecord;
using capture::LifecycleStamp;
using capture::OrchestratorPhaseBlock;
using capture::OrchestratorPhaseKind;
using capture::PhaseKind;
using capture::Producer;
using capture::SchedulerPhaseBlock;
using capture::SchedulerTaskBlock;

CoreType ParseCoreType(const std::string& name) {
  if (name == "aic") return CoreType::kAic;
  return name == "aiv" ? CoreType::kAiv : CoreType::kNone;
}

template <typename T>
uint8_t Presence(const std::optional<T>& value, uint8_t field) {
  return value ? field : uint8_t{0};
}

template <typename Block>
std::vector<std::shared_ptr<const Block>> Share(const std::vector<Block>& blocks) {
  std::vector<std::shared_ptr<const Block>> shared;
  for (const Block& block : blocks) shared.push_back(std::make_shared<const Block>(block));
  return shared;
}

}  // namespace

CaptureBuilder::CaptureBuilder(int64_t frequency_hz, int64_t origin) : origin_{origin} {
  header_.level = 4;
  header_.metadata.clock_freq_hz = frequency_hz;
}

DeviceCycles CaptureBuilder::Stamp(double micros) const {
  const double cycles_per_micro = static_cast<double>(header_.metadata.clock_freq_hz) / 1e6;
  return origin_ + std::llround(micros * cycles_per_micro);
}

CaptureBuilder& CaptureBuilder::Level(int level) {
  header_.level = level;
  return *this;
}

CaptureBuilder& CaptureBuilder::BlockSize(size_t records) {
  block_size_ = records;
  return *this;
}

CaptureBuilder& CaptureBuilder::Cores(const std::vector<std::string>& types) {
  header_.metadata.num_cores = static_cast<int64_t>(types.size());
  header_.metadata.core_types.clear();
  for (const std::string& type : types) {
    header_.metadata.core_types.push_back(ParseCoreType(type));
  }
  return *this;
}

CaptureBuilder& CaptureBuilder::CoreToThread(const std::vector<int16_t>& threads) {
  header_.metadata.core_to_thread = threads;
  return *this;
}

CaptureBuilder& CaptureBuilder::Runtime(const std::string& runtime) {
  header_.metadata.runtime = runtime;
  return *this;
}

CaptureBuilder& CaptureBuilder::TaskProducer(Producer producer) {
  header_.task_producer = producer;
  return *this;
}

CaptureBuilder& CaptureBuilder::NextRun(int64_t epoch) {
  header_.generation = capture::Generation::kG4;
  const RunDraft& last = runs_.back();
  const bool untouched = !last.header.epoch && last.aicore.empty() && last.scheduler.empty() &&
                         last.streams.empty() && last.orchestrator.empty();
  if (!untouched) runs_.emplace_back();
  runs_.back().header.epoch = epoch;
  return *this;
}

template <typename Block>
Block& CaptureBuilder::OpenBlock(std::vector<Block>& blocks) const {
  if (blocks.empty() || blocks.back().size() >= block_size_) blocks.emplace_back();
  return blocks.back();
}

CaptureBuilder& CaptureBuilder::Row(uint64_t task, CoreId core, const RowTimes& times) {
  RunDraft& run = runs_.back();
  const uint32_t token = times.reg_task_id.value_or(run.next_token[core]);
  run.next_token[core] = token + 1;

  const bool has_receive = times.receive.has_value();
  if (!run.aicore.empty() && run.aicore.back().has_receive != has_receive) {
    run.aicore.emplace_back();
  }
  AicoreTaskBlock& block = OpenBlock(run.aicore);
  block.has_receive = has_receive;
  block.core_id.push_back(core);
  block.task_id.push_back(task);
  block.reg_task_id.push_back(token);
  block.start.push_back(Stamp(times.start));
  block.end.push_back(Stamp(times.end));
  if (has_receive) {
    block.receive_to_start.push_back(
        static_cast<uint32_t>(Stamp(times.start) - Stamp(*times.receive)));
  }
  if (times.dispatch || times.finish) {
    SchedulerRow(core, token, times.dispatch.value_or(times.start),
                 times.finish.value_or(times.end));
  }
  return *this;
}

CaptureBuilder& CaptureBuilder::SchedulerRow(CoreId core, uint32_t reg_task_id, double dispatch,
                                             double finish) {
  SchedulerTaskBlock& block = OpenBlock(runs_.back().scheduler);
  block.core_id.push_back(core);
  block.reg_task_id.push_back(reg_task_id);
  block.dispatch.push_back(Stamp(dispatch));
  block.finish.push_back(Stamp(finish));
  return *this;
}

CaptureBuilder::StreamDraft& CaptureBuilder::StreamAt(size_t index) {
  std::vector<StreamDraft>& streams = runs_.back().streams;
  while (streams.size() <= index) {
    StreamDraft gap;
    gap.header.scheduler_id = static_cast<int>(streams.size());
    gap.header.worker_id = gap.header.scheduler_id;
    gap.header.core_type = "aicpu";
    streams.push_back(std::move(gap));
  }
  return streams[index];
}

CaptureBuilder& CaptureBuilder::Stream(size_t index, Producer producer,
                                       const StreamFields& fields) {
  capture::SchedulerStream& header = StreamAt(index).header;
  header.recorded = true;
  header.producer = producer;
  header.worker_id = fields.worker_id.value_or(header.scheduler_id);
  header.core_type = fields.core_type;
  header.physical_core_id = fields.physical_core_id;
  header.counts = fields.counts;
  header.platform = fields.platform;
  header.runtime = fields.runtime;
  return *this;
}

CaptureBuilder& CaptureBuilder::Phase(size_t stream, PhaseKind kind, double start, double end,
                                      const PhaseFields& fields) {
  StreamDraft& draft = StreamAt(stream);
  draft.header.recorded = true;
  SchedulerPhaseBlock& block = OpenBlock(draft.blocks);
  block.start.push_back(Stamp(start));
  block.end.push_back(Stamp(end));
  block.kind.push_back(kind);
  block.present.push_back(
      static_cast<uint8_t>(Presence(fields.loop, SchedulerPhaseBlock::kLoopIter) |
                           Presence(fields.tasks, SchedulerPhaseBlock::kTasksProcessed) |
                           Presence(fields.task_id, SchedulerPhaseBlock::kTaskId) |
                           Presence(fields.pops, SchedulerPhaseBlock::kPops) |
                           Presence(fields.depths_at_start, SchedulerPhaseBlock::kDepthsAtStart) |
                           Presence(fields.depths_at_end, SchedulerPhaseBlock::kDepthsAtEnd)));
  block.loop_iter.push_back(fields.loop.value_or(0));
  block.tasks_processed.push_back(fields.tasks.value_or(0));
  block.task_id.push_back(fields.task_id.value_or(0));
  block.pop_hit.push_back(fields.pops.value_or(std::pair(0u, 0u)).first);
  block.pop_miss.push_back(fields.pops.value_or(std::pair(0u, 0u)).second);
  block.depths_at_start.push_back(fields.depths_at_start.value_or(capture::QueueDepths{}));
  block.depths_at_end.push_back(fields.depths_at_end.value_or(capture::QueueDepths{}));
  return *this;
}

CaptureBuilder& CaptureBuilder::OrchSubmit(size_t lane, uint32_t submit_idx, uint64_t task,
                                           double start, double end) {
  auto& lanes = runs_.back().orchestrator;
  if (lanes.size() <= lane) lanes.resize(lane + 1);
  OrchestratorPhaseBlock& block = OpenBlock(lanes[lane]);
  block.kind.push_back(OrchestratorPhaseKind::kSubmit);
  block.present.push_back(OrchestratorPhaseBlock::kSubmitIdx | OrchestratorPhaseBlock::kTaskId);
  block.submit_idx.push_back(submit_idx);
  block.task_id.push_back(task);
  block.start.push_back(Stamp(start));
  block.end.push_back(Stamp(end));
  return *this;
}

CaptureBuilder& CaptureBuilder::Lifecycle(
    int thread, std::initializer_list<std::pair<LifecycleStamp, double>> stamps) {
  LifecycleRecord record;
  record.thread_id = thread;
  for (const auto& [stamp, micros] : stamps) {
    record.stamps[static_cast<size_t>(stamp)] = Stamp(micros);
  }
  runs_.back().header.lifecycle.push_back(record);
  return *this;
}

CaptureBuilder& CaptureBuilder::HostSubmit(size_t lane, uint32_t submit_idx, uint64_t task,
                                           int64_t start_ns, int64_t end_ns) {
  auto& lanes = runs_.back().header.host_submit_lanes;
  if (lanes.size() <= lane) lanes.resize(lane + 1);
  lanes[lane].push_back({submit_idx, task, {start_ns}, {end_ns}});
  header_.metadata.host_orchestrated = true;
  return *this;
}

CaptureBuilder& CaptureBuilder::Upload(const std::string& phase, int64_t start_ns, int64_t end_ns,
                                       int64_t bytes) {
  runs_.back().header.host_uploads.push_back({phase, {start_ns}, {end_ns}, bytes});
  header_.metadata.host_orchestrated = true;
  return *this;
}

CaptureBuilder& CaptureBuilder::Node(uint64_t task, std::array<int32_t, 3> kernel_ids,
                                     uint32_t block_num) {
  DependencyGraph::Node node;
  node.id = task;
  node.has_kernels = true;
  node.kernel_ids = kernel_ids;
  node.has_block_num = true;
  node.block_num = block_num;
  graph_.AddTask(node);
  return *this;
}

CaptureBuilder& CaptureBuilder::Edge(uint64_t pred, uint64_t succ) {
  graph_.AddEdge(pred, succ);
  return *this;
}

CaptureBuilder& CaptureBuilder::Name(int32_t func_id, const std::string& name) {
  names_.names[func_id] = name;
  return *this;
}

capture::Run CaptureBuilder::Freeze(const RunDraft& draft) const {
  capture::Run run = draft.header;
  run.has_scheduler_tasks = header_.level >= 2;
  run.has_scheduler_streams = header_.level >= 3;
  run.aicore_tasks = Share(draft.aicore);
  run.scheduler_tasks = Share(draft.scheduler);
  for (const StreamDraft& stream : draft.streams) {
    run.scheduler_streams.push_back(stream.header);
    run.scheduler_streams.back().blocks = Share(stream.blocks);
  }
  for (const auto& lane : draft.orchestrator) run.orchestrator_lanes.push_back(Share(lane));
  return run;
}

Capture CaptureBuilder::BuildCapture() const {
  Capture capture = header_;
  for (const RunDraft& draft : runs_) capture.runs.push_back(Freeze(draft));
  return capture;
}

DependencyGraph CaptureBuilder::BuildGraph() const {
  DependencyGraph::Builder copy = graph_;
  return copy.Build();
}

}  // namespace simpler::support
