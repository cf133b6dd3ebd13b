#include "tests/support/capture_generator.h"

#include <algorithm>
#include <optional>
#include <ostream>
#include <string>
#include <utility>

#include "fmt/format.h"
#include "tests/support/generator/block_list.h"
#include "tests/support/generator/phases.h"
#include "tests/support/generator/random.h"
#include "tests/support/generator/schedule.h"
#include "tests/support/generator/task_plan.h"

namespace simpler::support {
namespace {

using capture::Capture;
using capture::CoreId;
using capture::CoreType;
using capture::DependencyGraph;
using capture::LifecycleStamp;
using capture::Metadata;
using capture::OrchestratorPhaseBlock;
using capture::Run;
using capture::SchedulerTaskBlock;

constexpr int64_t kHostBoot = 5'000'000'000;  // host nanoseconds at which submission begins
constexpr int64_t kRunEpoch = 7;

bool IsHostBuilt(const GeneratorOptions& options) {
  return options.runtime != SyntheticRuntime::kTensormap;
}

Metadata MakeMetadata(const GeneratorOptions& options, const Chip& chip) {
  Metadata metadata;
  metadata.clock_freq_hz = chip.frequency_hz();
  metadata.num_cores = chip.core_count();
  std::vector<int16_t> threads;
  for (uint32_t core = 0; core < chip.core_count(); ++core) {
    metadata.core_types.push_back(chip.IsAic(core) ? CoreType::kAic : CoreType::kAiv);
    threads.push_back(static_cast<int16_t>(chip.ThreadOf(core)));
  }
  if (options.level >= 3) metadata.core_to_thread = std::move(threads);
  if (options.run_epoch) {
    metadata.runtime = IsHostBuilt(options) ? "host_build_graph" : "tensormap_and_ringbuffer";
  }
  return metadata;
}

// Rows of one core are emitted in the order in which their completion was seen.
void MoveSchedulerRows(CoreId core, CoreSchedule& schedule, Run& run) {
  struct Row {
    DispatchStamps stamps;
    uint32_t token;
  };
  std::vector<Row> rows;
  rows.reserve(schedule.stamps.size());
  for (const DispatchStamps& stamps : schedule.stamps) {
    rows.push_back({stamps, static_cast<uint32_t>(rows.size())});
  }
  std::vector<DispatchStamps>().swap(schedule.stamps);
  std::stable_sort(rows.begin(), rows.end(),
                   [](const Row& a, const Row& b) { return a.stamps.finish < b.stamps.finish; });
  BlockList<SchedulerTaskBlock> blocks;
  for (const Row& row : rows) {
    SchedulerTaskBlock& block = blocks.open();
    block.core_id.push_back(core);
    block.reg_task_id.push_back(row.token);
    block.dispatch.push_back({row.stamps.dispatch});
    block.finish.push_back({row.stamps.finish});
  }
  blocks.MoveTo(run.scheduler_tasks);
}

void AddDeviceSubmits(const TaskPlan& plan, const Schedule& schedule, Run& run) {
  BlockList<OrchestratorPhaseBlock> lane;
  for (uint32_t i = 0; i < plan.tasks().size(); ++i) {
    OrchestratorPhaseBlock& block = lane.open();
    block.kind.push_back(capture::OrchestratorPhaseKind::kSubmit);
    block.present.push_back(OrchestratorPhaseBlock::kSubmitIdx | OrchestratorPhaseBlock::kTaskId);
    block.submit_idx.push_back(i);
    block.task_id.push_back(plan.tasks()[i].id);
    block.start.push_back({schedule.submit_begin[i]});
    block.end.push_back({schedule.submit_end[i]});
  }
  run.orchestrator_lanes.emplace_back();
  lane.MoveTo(run.orchestrator_lanes.back());
}

void AddHostSubmits(const TaskPlan& plan, const Schedule& schedule, Capture& capture) {
  Run& run = capture.runs.back();
  const auto host_time = [&](int64_t cycles) {
    return capture::HostNanos{kHostBoot + capture.scale().Nanos(cycles - Chip::kBoot)};
  };
  run.host_submit_lanes.emplace_back();
  for (uint32_t i = 0; i < plan.tasks().size(); ++i) {
    run.host_submit_lanes.back().push_back({i, plan.tasks()[i].id,
                                            host_time(schedule.submit_begin[i]),
                                            host_time(schedule.submit_end[i])});
  }
  run.host_uploads.push_back({"args", {kHostBoot}, {kHostBoot + 2000}, 4096});

  capture::HostCaptureStatus status;
  status.status = "complete";
  status.expected_records = status.recorded_records = static_cast<int64_t>(plan.tasks().size());
  status.dropped_records = 0;
  capture.metadata.host_orchestrated = true;
  capture.metadata.host_orchestration_origin = capture::HostNanos{kHostBoot};
  capture.metadata.host_capture = status;
}

void AddLifecycle(const GeneratorOptions& options, const Chip& chip, const Schedule& schedule,
                  Run& run) {
  const int64_t finish = schedule.retired.empty()
                             ? Chip::kBoot
                             : *std::max_element(schedule.retired.begin(), schedule.retired.end());
  constexpr LifecycleStamp kBefore[] = {
      LifecycleStamp::kHandshakeStart,       LifecycleStamp::kHandshakeComplete,
      LifecycleStamp::kContextPublishStart,  LifecycleStamp::kContextPublishComplete,
      LifecycleStamp::kBootstrapWaitStart,   LifecycleStamp::kBootstrapComplete,
      LifecycleStamp::kRegisterReleaseStart, LifecycleStamp::kRegisterReleaseEnd};
  constexpr LifecycleStamp kAfter[] = {
      LifecycleStamp::kExitSignalStart, LifecycleStamp::kExitSignalEnd,
      LifecycleStamp::kExitWaitStart, LifecycleStamp::kExitWaitEnd};
  for (uint32_t thread = 0; thread < options.threads; ++thread) {
    capture::LifecycleRecord record;
    record.thread_id = static_cast<int>(thread);
    int64_t now = Chip::kBoot - chip.Cycles(10);
    const auto stamp = [&](LifecycleStamp which) {
      now += chip.Cycles(1);
      record.stamps[static_cast<size_t>(which)] = capture::DeviceCycles{now};
    };
    for (LifecycleStamp which : kBefore) stamp(which);
    now = finish + chip.Cycles(thread);
    for (LifecycleStamp which : kAfter) stamp(which);
    run.lifecycle.push_back(record);
  }
}

Capture Assemble(const GeneratorOptions& options, const Chip& chip, const TaskPlan& plan,
                 Schedule schedule, Random& random) {
  Capture capture;
  capture.level = options.level;
  capture.generation = options.run_epoch ? capture::Generation::kG4 : capture::Generation::kG3;
  capture.metadata = MakeMetadata(options, chip);
  Run& run = capture.runs.emplace_back();
  if (options.run_epoch) run.epoch = kRunEpoch;

  const bool aicore = options.runtime == SyntheticRuntime::kHostAicore;
  if (options.level >= 4) {
    if (IsHostBuilt(options)) {
      AddHostSubmits(plan, schedule, capture);
    } else {
      AddDeviceSubmits(plan, schedule, run);
    }
  }
  if (options.level >= 3) {
    run.has_scheduler_streams = true;
    run.scheduler_streams = SchedulerPhases(plan, options, chip, schedule, random);
  }
  if (options.level >= 2) {
    run.has_scheduler_tasks = true;
    if (aicore) capture.task_producer = capture::Producer::kAicore;
    if (aicore) AddLifecycle(options, chip, schedule, run);
    for (uint32_t core = 0; core < chip.core_count(); ++core) {
      MoveSchedulerRows(static_cast<CoreId>(core), schedule.cores[core], run);
    }
  }
  for (CoreSchedule& core : schedule.cores) core.kernels.MoveTo(run.aicore_tasks);
  return capture;
}

}  // namespace

GeneratedCapture GenerateCapture(const GeneratorOptions& options) {
  Random random(options.seed);
  const Chip chip(options);
  const TaskPlan plan(options, random);
  GeneratedCapture generated;
  generated.graph = plan.BuildGraph();
  generated.names = KernelNames();
  generated.capture = Assemble(options, chip, plan, PlayTasks(plan, options, chip, random), random);
  return generated;
}

void WriteDeps(const DependencyGraph& graph, std::ostream& out) {
  out << "{\"tasks\":[";
  const char* separator = "\n";
  for (const DependencyGraph::Node& node : graph.nodes()) {
    if (!node.is_task) continue;
    out << fmt::format(
        R"({}{{"task_id":"{}","scope":"auto","early_dispatch":{},"kernel_ids":[{},{},{}],)"
        R"("block_num":{},"args":[]}})",
        std::exchange(separator, ",\n"), node.id, node.early_dispatch, node.kernel_ids[0],
        node.kernel_ids[1], node.kernel_ids[2], node.block_num);
  }
  out << "],\"tensors\":[],\"edges\":[";
  separator = "\n";
  for (size_t i = 0; i < graph.edges().size(); ++i) {
    const uint64_t pred = graph.nodes()[graph.edges()[i].pred].id;
    const uint64_t succ = graph.nodes()[graph.edges()[i].succ].id;
    out << fmt::format(
        R"({}{{"pred":"{}","succ":"{}","arg":0,"source":"creator","flags":["wait","retain"]}})",
        std::exchange(separator, ",\n"), pred, succ);
    if (i % 3 == 0) {
      out << fmt::format(
          R"(,{}{{"pred":"{}","succ":"{}","arg":0,"source":"tensormap","flags":["wait"],)"
          R"("overlap":"covered"}})",
          "\n", pred, succ);
    }
  }
  out << "]}\n";
}

void WriteNameMap(const capture::NameMap& names, std::ostream& out) {
  out << fmt::format(
      "{{\n  \"level\": {},\n  \"orchestrator_name\": null,\n"
      "  \"callable_id_to_name\": {{",
      names.level.value_or(2));
  const char* separator = "";
  for (const auto& [func_id, name] : names.names) {
    out << fmt::format("{}\n    \"{}\": \"{}\"", std::exchange(separator, ","), func_id, name);
  }
  out << "\n  }\n}\n";
}

}  // namespace simpler::support
