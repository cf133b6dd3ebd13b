#include "tests/support/capture_dump.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string_view>
#include <vector>

#include "fmt/format.h"

namespace simpler::support {
namespace {

using capture::AicoreTaskBlock;
using capture::Capture;
using capture::Metadata;
using capture::OrchestratorPhaseBlock;
using capture::Run;
using capture::SchedulerPhaseBlock;
using capture::SchedulerStream;

template <typename T>
std::string Text(const std::optional<T>& value) {
  return value ? fmt::format("{}", *value) : "-";
}

std::string WithoutBlanks(std::string json) {
  std::erase_if(json, [](char c) { return c == ' ' || c == '\n'; });
  return json;
}

class Dumper {
 public:
  explicit Dumper(DumpScope scope) : everything_(scope == DumpScope::kEverything) {}

  std::string Dump(const Capture& capture) {
    Line("level {} task_producer {}", capture.level, ProducerName(capture.task_producer));
    DumpMetadata(capture.metadata);
    for (const Run& run : capture.runs) DumpRun(run);
    for (const auto& field : capture.opaque) Line("opaque {} {}", field.key, field.json);
    return std::move(text_);
  }

 private:
  template <typename... Args>
  void Line(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Args>(args)...);
    text_ += '\n';
  }

  void DumpMetadata(const Metadata& metadata) {
    Line("metadata {} Hz cores {} runtime {} host {} domain {}", metadata.clock_freq_hz,
         Text(metadata.num_cores), Text(metadata.runtime), metadata.host_orchestrated,
         Text(metadata.host_clock_domain_id));
    for (const capture::CoreType type : metadata.core_types) Line("core {}", CoreTypeName(type));
    if (metadata.core_to_thread) {
      Line("core_to_thread {}", fmt::join(*metadata.core_to_thread, " "));
    }
    if (const auto& origin = metadata.host_orchestration_origin) {
      Line("host_orchestration_origin {}", origin->value);
    }
    if (const auto& origin = metadata.host_timeline_origin) {
      Line("host_timeline_origin {}", origin->value);
    }
    if (const auto& host = metadata.host_capture) {
      Line("host_capture {} {} {} {} {} {}", host->status, Text(host->expected_records),
           Text(host->recorded_records), Text(host->pool_records), Text(host->dropped_records),
           Text(host->error));
    }
    for (const auto& field : metadata.opaque) {
      Line("metadata {} {}", field.key, everything_ ? field.json : WithoutBlanks(field.json));
    }
  }

  void DumpRun(const Run& run) {
    Line("run epoch {} scheduler_tasks {} scheduler_streams {}", Text(run.epoch),
         run.has_scheduler_tasks, run.has_scheduler_streams);
    for (const auto& block : run.aicore_tasks) DumpBlock(*block);
    for (const auto& block : run.scheduler_tasks) DumpBlock(*block);
    DumpStreams(run.scheduler_streams);
    for (size_t i = 0; i < run.orchestrator_lanes.size(); ++i) {
      Line("orchestrator lane {}", i);
      ForEachPhase(run.orchestrator_lanes[i], [this](const OrchestratorPhaseBlock& block,
                                                     size_t row) { DumpPhase(block, row); });
    }
    DumpHost(run);
    for (const auto& record : run.lifecycle) DumpLifecycle(record);
  }

  void DumpBlock(const AicoreTaskBlock& block) {
    for (size_t row = 0; row < block.size(); ++row) {
      Line("aicore {} {} {} {} {} {}", block.core_id[row], block.task_id[row],
           block.reg_task_id[row], block.start[row].value, block.end[row].value,
           block.has_receive ? std::to_string(block.receive_to_start[row]) : "-");
    }
  }

  void DumpBlock(const capture::SchedulerTaskBlock& block) {
    for (size_t row = 0; row < block.size(); ++row) {
      Line("scheduler {} {} {} {}", block.core_id[row], block.reg_task_id[row],
           block.dispatch[row].value, block.finish[row].value);
    }
  }

  void DumpStreams(const std::vector<SchedulerStream>& streams) {
    size_t count = streams.size();
    while (!everything_ && count > 0 && streams[count - 1].size() == 0) --count;
    for (size_t i = 0; i < count; ++i) {
      DumpHeader(streams[i], i);
      for (const auto& block : streams[i].blocks) DumpBlock(*block);
    }
  }

  void DumpHeader(const SchedulerStream& stream, size_t index) {
    if (!everything_ || !stream.recorded) {
      Line("stream {} {}", index, ProducerName(stream.producer));
      return;
    }
    Line(
        "stream {} recorded, platform '{}' runtime '{}' producer {} id {} worker {} type '{}' "
        "physical {}",
        index, stream.platform, stream.runtime, ProducerName(stream.producer), stream.scheduler_id,
        stream.worker_id, stream.core_type, Text(stream.physical_core_id));
    if (stream.counts) {
      Line("capture {} {} {}", stream.counts->committed, stream.counts->dropped,
           stream.counts->truncated);
    }
  }

  void DumpBlock(const SchedulerPhaseBlock& block) {
    for (size_t row = 0; row < block.size(); ++row) {
      Line("phase {} {} {} present {:b} loop {} tasks {} id {} pops {} {} depths {} {}",
           PhaseKindName(block.kind[row]), block.start[row].value, block.end[row].value,
           block.present[row], block.loop_iter[row], block.tasks_processed[row], block.task_id[row],
           block.pop_hit[row], block.pop_miss[row], fmt::join(block.depths_at_start[row], ","),
           fmt::join(block.depths_at_end[row], ","));
      for (const auto& kind : block.unknown_kinds) {
        if (kind.row == row) Line("  kind {}", kind.name);
      }
      for (const auto& extra : block.extra) {
        if (extra.row == row) Line("  extra {} {}", extra.key, extra.json);
      }
    }
  }

  void DumpPhase(const OrchestratorPhaseBlock& block, size_t row) {
    Line("{} present {:b} {} {} {} {}", OrchestratorPhaseKindName(block.kind[row]),
         block.present[row], block.submit_idx[row], block.task_id[row], block.start[row].value,
         block.end[row].value);
  }

  void DumpHost(const Run& run) {
    for (size_t i = 0; i < run.host_submit_lanes.size(); ++i) {
      Line("host lane {}", i);
      for (const auto& submit : run.host_submit_lanes[i]) {
        Line("submit {} {} {} {}", Text(submit.submit_idx), Text(submit.task_id),
             submit.start.value, submit.end.value);
      }
    }
    for (const auto& upload : run.host_uploads) {
      Line("upload '{}' {} {} {}", upload.phase, upload.start.value, upload.end.value,
           upload.detail);
    }
  }

  void DumpLifecycle(const capture::LifecycleRecord& record) {
    Line("lifecycle {}", Text(record.thread_id));
    for (size_t i = 0; i < capture::kLifecycleStampCount; ++i) {
      const auto stamp = static_cast<capture::LifecycleStamp>(i);
      if (record.at(stamp)) Line("  {} {}", LifecycleStampName(stamp), record.at(stamp)->value);
    }
  }

  bool everything_;
  std::string text_;
};

}  // namespace

std::string DumpCapture(const Capture& capture, DumpScope scope) {
  return Dumper(scope).Dump(capture);
}

}  // namespace simpler::support
