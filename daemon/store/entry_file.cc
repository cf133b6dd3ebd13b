#include "daemon/store/entry_file.h"

#include <string_view>

#include "analysis/archive/crc32c.h"
#include "proto/simpler/store/v1/entry.pb.h"

namespace simpler::daemon {
namespace {

namespace v1 = simpler::store::v1;

constexpr size_t kChecksumBytes = 4;

std::string LittleEndian(uint32_t value) {
  std::string bytes;
  for (size_t i = 0; i < kChecksumBytes; ++i) bytes += static_cast<char>(value >> (8 * i) & 0xFF);
  return bytes;
}

void FillRun(const RunInfo& run, v1::Run* message) {
  if (run.epoch) message->set_epoch(*run.epoch);
  message->set_aicore_rows(run.aicore_rows);
  message->set_scheduler_rows(run.scheduler_rows);
  message->set_scheduler_phases(run.scheduler_phases);
  message->set_orchestrator_records(run.orchestrator_records);
}

RunInfo ToRun(const v1::Run& message) {
  RunInfo run;
  if (message.has_epoch()) run.epoch = message.epoch();
  run.aicore_rows = message.aicore_rows();
  run.scheduler_rows = message.scheduler_rows();
  run.scheduler_phases = message.scheduler_phases();
  run.orchestrator_records = message.orchestrator_records();
  return run;
}

}  // namespace

std::string EncodeEntry(const CaptureInfo& info) {
  v1::Entry entry;
  entry.set_archive_bytes(info.archive_bytes);
  entry.set_name(info.import.name);
  entry.mutable_labels()->insert(info.import.labels.begin(), info.import.labels.end());
  entry.set_idempotency_key(info.import.idempotency_key);
  entry.set_import_time_unix_ms(info.import_time_unix_ms);
  entry.set_level(info.level);
  entry.set_clock_freq_hz(info.clock_freq_hz);
  for (const RunInfo& run : info.runs) FillRun(run, entry.add_runs());
  entry.set_graph_tasks(info.graph_tasks);
  entry.set_graph_edges(info.graph_edges);
  entry.set_has_name_map(info.has_name_map);
  entry.set_memory_bytes(info.memory_bytes);
  const std::string message = entry.SerializeAsString();
  return LittleEndian(archive::Crc32c(message)) + message;
}

std::optional<CaptureInfo> DecodeEntry(const std::string& bytes, uint64_t archive_bytes) {
  if (bytes.size() < kChecksumBytes) return std::nullopt;
  const std::string_view message = std::string_view(bytes).substr(kChecksumBytes);
  if (bytes.substr(0, kChecksumBytes) != LittleEndian(archive::Crc32c(message))) {
    return std::nullopt;
  }
  v1::Entry entry;
  if (!entry.ParseFromArray(message.data(), static_cast<int>(message.size())) ||
      entry.archive_bytes() != archive_bytes) {
    return std::nullopt;
  }
  CaptureInfo info;
  info.import.name = entry.name();
  info.import.labels.insert(entry.labels().begin(), entry.labels().end());
  info.import.idempotency_key = entry.idempotency_key();
  info.import_time_unix_ms = entry.import_time_unix_ms();
  info.level = entry.level();
  info.clock_freq_hz = entry.clock_freq_hz();
  for (const v1::Run& run : entry.runs()) info.runs.push_back(ToRun(run));
  info.graph_tasks = entry.graph_tasks();
  info.graph_edges = entry.graph_edges();
  info.has_name_map = entry.has_name_map();
  info.memory_bytes = entry.memory_bytes();
  info.archive_bytes = archive_bytes;
  return info;
}

}  // namespace simpler::daemon
