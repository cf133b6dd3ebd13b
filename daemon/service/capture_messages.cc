#include "daemon/service/capture_messages.h"

namespace simpler::daemon {
namespace {

void FillRun(const RunInfo& run, uint32_t index, profiler::v1::RunInfo* message) {
  message->set_index(index);
  if (run.epoch) message->set_epoch(*run.epoch);
  message->set_aicore_rows(run.aicore_rows);
  message->set_scheduler_rows(run.scheduler_rows);
  message->set_scheduler_phases(run.scheduler_phases);
  message->set_orchestrator_records(run.orchestrator_records);
}

}  // namespace

ImportLabels ToImportLabels(const profiler::v1::ImportHeader& header) {
  return {.name = header.name(),
          .labels = {header.labels().begin(), header.labels().end()},
          .idempotency_key = header.idempotency_key()};
}

void FillCapture(const CaptureInfo& info, profiler::v1::Capture* message) {
  message->set_id(info.id);
  message->set_name(info.import.name);
  message->mutable_labels()->insert(info.import.labels.begin(), info.import.labels.end());
  message->set_import_time_unix_ms(info.import_time_unix_ms);
  message->set_level(info.level);
  message->set_clock_freq_hz(info.clock_freq_hz);
  uint32_t index = 0;
  for (const RunInfo& run : info.runs) FillRun(run, index++, message->add_runs());
  message->set_graph_tasks(info.graph_tasks);
  message->set_graph_edges(info.graph_edges);
  message->set_has_name_map(info.has_name_map);
  message->set_memory_bytes(info.memory_bytes);
  message->set_archive_bytes(info.archive_bytes);
  message->set_on_disk(info.on_disk);
  message->set_in_memory(info.in_memory);
}

void FillEviction(const EvictionInfo& info, profiler::v1::Eviction* message) {
  message->set_capture_id(info.capture_id);
  message->set_name(info.name);
  message->set_reason(info.reason);
  message->set_time_unix_ms(info.time_unix_ms);
  message->set_memory_bytes(info.memory_bytes);
  message->set_still_on_disk(info.still_on_disk);
}

void FillWarnings(const std::vector<capture::Warning>& warnings,
                  google::protobuf::RepeatedPtrField<profiler::v1::Warning>* messages) {
  for (const capture::Warning& warning : warnings) {
    profiler::v1::Warning* message = messages->Add();
    message->set_code(warning.code);
    message->set_text(warning.text);
    message->set_count(warning.count);
  }
}

}  // namespace simpler::daemon
