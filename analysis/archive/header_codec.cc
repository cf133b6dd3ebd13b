#include "analysis/archive/header_codec.h"

#include "analysis/archive/column_codec.h"
#include "analysis/archive/format.h"
#include "fmt/format.h"

namespace simpler::archive {
namespace {

using capture::Capture;
using capture::CaptureBundle;
using capture::CoreType;
using capture::Generation;
using capture::HostCaptureStatus;
using capture::HostNanos;
using capture::Metadata;
using capture::Producer;

static_assert(static_cast<int>(CoreType::kAic) == 0 && static_cast<int>(CoreType::kAiv) == 1 &&
              static_cast<int>(CoreType::kNone) == 2);

v1::Producer EncodeProducer(Producer producer) {
  return producer == Producer::kAicore ? v1::PRODUCER_AICORE : v1::PRODUCER_AICPU;
}

absl::Status DecodeProducer(v1::Producer message, Producer& producer) {
  switch (message) {
    case v1::PRODUCER_AICPU:
      producer = Producer::kAicpu;
      return absl::OkStatus();
    case v1::PRODUCER_AICORE:
      producer = Producer::kAicore;
      return absl::OkStatus();
    default:
      return absl::InvalidArgumentError(
          fmt::format("producer {} has no meaning in this version", static_cast<int>(message)));
  }
}

void EncodeHostCapture(const HostCaptureStatus& host, v1::HostCapture* message) {
  message->set_status(host.status);
  if (host.expected_records) message->set_expected_records(*host.expected_records);
  if (host.recorded_records) message->set_recorded_records(*host.recorded_records);
  if (host.pool_records) message->set_pool_records(*host.pool_records);
  if (host.dropped_records) message->set_dropped_records(*host.dropped_records);
  if (host.error) message->set_error(*host.error);
}

HostCaptureStatus DecodeHostCapture(const v1::HostCapture& message) {
  HostCaptureStatus host;
  host.status = message.status();
  if (message.has_expected_records()) host.expected_records = message.expected_records();
  if (message.has_recorded_records()) host.recorded_records = message.recorded_records();
  if (message.has_pool_records()) host.pool_records = message.pool_records();
  if (message.has_dropped_records()) host.dropped_records = message.dropped_records();
  if (message.has_error()) host.error = message.error();
  return host;
}

void EncodeMetadata(const Metadata& metadata, v1::Metadata* message) {
  message->set_clock_freq_hz(metadata.clock_freq_hz);
  if (metadata.num_cores) message->set_num_cores(*metadata.num_cores);
  EncodeColumn(metadata.core_types, message->mutable_core_types());
  if (metadata.core_to_thread) {
    EncodeColumn(*metadata.core_to_thread, message->mutable_core_to_thread());
  }
  if (metadata.runtime) message->set_runtime(*metadata.runtime);
  message->set_host_orchestrated(metadata.host_orchestrated);
  if (metadata.host_orchestration_origin) {
    message->set_host_orchestration_origin_ns(metadata.host_orchestration_origin->value);
  }
  if (metadata.host_timeline_origin) {
    message->set_host_timeline_origin_ns(metadata.host_timeline_origin->value);
  }
  if (metadata.host_capture) {
    EncodeHostCapture(*metadata.host_capture, message->mutable_host_capture());
  }
  if (metadata.host_clock_domain_id) {
    message->set_host_clock_domain_id(*metadata.host_clock_domain_id);
  }
}

absl::Status DecodeCores(const v1::Metadata& message, Metadata& metadata) {
  absl::Status status = DecodeColumn(message.core_types(), "core_types", metadata.core_types);
  if (!status.ok()) return status;
  for (CoreType type : metadata.core_types) {
    if (type <= CoreType::kNone) continue;
    return absl::InvalidArgumentError(
        fmt::format("core type {} has no meaning in this version", static_cast<int>(type)));
  }
  if (!message.has_core_to_thread()) return absl::OkStatus();
  return DecodeColumn(message.core_to_thread(), "core_to_thread",
                      metadata.core_to_thread.emplace());
}

absl::Status DecodeMetadata(const v1::Metadata& message, Metadata& metadata) {
  if (message.clock_freq_hz() <= 0) {
    return absl::InvalidArgumentError(
        fmt::format("clock_freq_hz is {}, it must be positive", message.clock_freq_hz()));
  }
  metadata.clock_freq_hz = message.clock_freq_hz();
  if (message.has_num_cores()) metadata.num_cores = message.num_cores();
  if (message.has_runtime()) metadata.runtime = message.runtime();
  metadata.host_orchestrated = message.host_orchestrated();
  if (message.has_host_orchestration_origin_ns()) {
    metadata.host_orchestration_origin = HostNanos{message.host_orchestration_origin_ns()};
  }
  if (message.has_host_timeline_origin_ns()) {
    metadata.host_timeline_origin = HostNanos{message.host_timeline_origin_ns()};
  }
  if (message.has_host_capture()) metadata.host_capture = DecodeHostCapture(message.host_capture());
  if (message.has_host_clock_domain_id()) {
    metadata.host_clock_domain_id = message.host_clock_domain_id();
  }
  return DecodeCores(message, metadata);
}

}  // namespace

v1::Header EncodeHeader(const CaptureBundle& bundle) {
  v1::Header message;
  message.set_level(bundle.capture.level);
  message.set_generation(static_cast<uint32_t>(bundle.capture.generation) + 1);
  message.set_task_producer(EncodeProducer(bundle.capture.task_producer));
  EncodeMetadata(bundle.capture.metadata, message.mutable_metadata());
  v1::SourceNames& sources = *message.mutable_sources();
  sources.set_records(bundle.sources.records);
  sources.set_deps(bundle.sources.deps);
  sources.set_name_map(bundle.sources.name_map);
  sources.set_dispatch_identity(bundle.sources.dispatch_identity);
  return message;
}

absl::Status DecodeHeader(const v1::Header& message, CaptureBundle& bundle) {
  Capture& capture = bundle.capture;
  if (message.level() < 1 || message.level() > 4) {
    return absl::InvalidArgumentError(
        fmt::format("level is {}, it must be 1 to 4", message.level()));
  }
  const uint32_t last_generation = static_cast<uint32_t>(Generation::kG4) + 1;
  if (message.generation() < 1 || message.generation() > last_generation) {
    return absl::InvalidArgumentError(
        fmt::format("generation {} has no meaning in this version", message.generation()));
  }
  capture.level = message.level();
  capture.generation = static_cast<Generation>(message.generation() - 1);
  absl::Status status = DecodeProducer(message.task_producer(), capture.task_producer);
  if (!status.ok()) return status;
  bundle.sources = {message.sources().records(), message.sources().deps(),
                    message.sources().name_map(), message.sources().dispatch_identity()};
  return DecodeMetadata(message.metadata(), capture.metadata);
}

absl::StatusOr<v1::Run> EncodeRun(const capture::Run& run) {
  for (size_t lanes : {run.scheduler_streams.size(), run.orchestrator_lanes.size(),
                       run.host_submit_lanes.size()}) {
    if (lanes <= kMaxColumnValues) continue;
    return absl::InvalidArgumentError(
        fmt::format("a run has {} lanes, more than the allowed {}", lanes, kMaxColumnValues));
  }
  v1::Run message;
  if (run.epoch) message.set_epoch(*run.epoch);
  message.set_has_scheduler_tasks(run.has_scheduler_tasks);
  message.set_has_scheduler_streams(run.has_scheduler_streams);
  message.set_orchestrator_lanes(static_cast<uint32_t>(run.orchestrator_lanes.size()));
  message.set_host_submit_lanes(static_cast<uint32_t>(run.host_submit_lanes.size()));
  return message;
}

absl::StatusOr<capture::Run> DecodeRun(const v1::Run& message) {
  if (message.orchestrator_lanes() > kMaxColumnValues ||
      message.host_submit_lanes() > kMaxColumnValues) {
    return absl::InvalidArgumentError(
        fmt::format("declares {} and {} lanes, more than the allowed {}",
                    message.orchestrator_lanes(), message.host_submit_lanes(), kMaxColumnValues));
  }
  capture::Run run;
  if (message.has_epoch()) run.epoch = message.epoch();
  run.has_scheduler_tasks = message.has_scheduler_tasks();
  run.has_scheduler_streams = message.has_scheduler_streams();
  run.orchestrator_lanes.resize(message.orchestrator_lanes());
  run.host_submit_lanes.resize(message.host_submit_lanes());
  return run;
}

v1::SchedulerStream EncodeStream(const capture::SchedulerStream& stream) {
  v1::SchedulerStream message;
  message.set_recorded(stream.recorded);
  message.set_platform(stream.platform);
  message.set_runtime(stream.runtime);
  message.set_producer(EncodeProducer(stream.producer));
  message.set_scheduler_id(stream.scheduler_id);
  message.set_worker_id(stream.worker_id);
  message.set_core_type(stream.core_type);
  if (stream.physical_core_id) message.set_physical_core_id(*stream.physical_core_id);
  if (stream.counts) {
    v1::SchedulerStream::CaptureCounts& counts = *message.mutable_counts();
    counts.set_committed(stream.counts->committed);
    counts.set_dropped(stream.counts->dropped);
    counts.set_truncated(stream.counts->truncated);
  }
  return message;
}

absl::StatusOr<capture::SchedulerStream> DecodeStream(const v1::SchedulerStream& message) {
  capture::SchedulerStream stream;
  stream.recorded = message.recorded();
  stream.platform = message.platform();
  stream.runtime = message.runtime();
  absl::Status status = DecodeProducer(message.producer(), stream.producer);
  if (!status.ok()) return status;
  stream.scheduler_id = message.scheduler_id();
  stream.worker_id = message.worker_id();
  stream.core_type = message.core_type();
  if (message.has_physical_core_id()) stream.physical_core_id = message.physical_core_id();
  if (message.has_counts()) {
    const v1::SchedulerStream::CaptureCounts& counts = message.counts();
    stream.counts = {counts.committed(), counts.dropped(), counts.truncated()};
  }
  return stream;
}

v1::DispatchIdentity EncodeIdentity(const capture::DispatchIdentity& identity) {
  v1::DispatchIdentity message;
  message.set_run_id(identity.run_id);
  message.set_task_slot(identity.task_slot);
  message.set_group_index(identity.group_index);
  message.set_group_size(identity.group_size);
  message.set_chip_rank(identity.chip_rank);
  message.set_local_capture_index(identity.local_capture_index);
  message.set_endpoint_dispatch_id(identity.endpoint_dispatch_id);
  message.set_pipeline_slot(identity.pipeline_slot);
  message.set_pipeline_generation(identity.pipeline_generation);
  if (identity.host_pid) message.set_host_pid(*identity.host_pid);
  message.set_callable_digest(identity.callable_digest);
  return message;
}

capture::DispatchIdentity DecodeIdentity(const v1::DispatchIdentity& message) {
  capture::DispatchIdentity identity;
  identity.run_id = message.run_id();
  identity.task_slot = message.task_slot();
  identity.group_index = message.group_index();
  identity.group_size = message.group_size();
  identity.chip_rank = message.chip_rank();
  identity.local_capture_index = message.local_capture_index();
  identity.endpoint_dispatch_id = message.endpoint_dispatch_id();
  identity.pipeline_slot = message.pipeline_slot();
  identity.pipeline_generation = message.pipeline_generation();
  if (message.has_host_pid()) identity.host_pid = message.host_pid();
  identity.callable_digest = message.callable_digest();
  return identity;
}

}  // namespace simpler::archive
