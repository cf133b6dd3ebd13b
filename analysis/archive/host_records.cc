#include "analysis/archive/host_records.h"

#include <bit>
#include <string>
#include <utility>

#include "analysis/archive/column_codec.h"
#include "analysis/archive/row_columns.h"
#include "fmt/format.h"

namespace simpler::archive {
namespace {

using capture::HostNanos;
using capture::HostSubmit;
using capture::HostUpload;
using capture::kLifecycleStampCount;
using capture::LifecycleRecord;

constexpr uint8_t kHasSubmitIdx = 1;
constexpr uint8_t kHasTaskId = 2;

// One member of every record as a column.
template <typename T, typename Record, typename Get>
std::vector<T> Gather(std::span<const Record> records, Get get) {
  std::vector<T> column;
  column.reserve(records.size());
  for (const Record& record : records) column.push_back(get(record));
  return column;
}

template <typename Record>
absl::Status EncodeHostTimes(std::span<const Record> records, v1::Column* start_column,
                             v1::Column* duration_column) {
  const auto start = Gather<HostNanos>(records, [](const Record& r) { return r.start; });
  const auto end = Gather<HostNanos>(records, [](const Record& r) { return r.end; });
  EncodeColumn(start, start_column);
  return EncodeDurations(std::span<const HostNanos>(start), std::span<const HostNanos>(end),
                         duration_column);
}

// The first 14 stamps are pairs of the beginning and the end of a step.
constexpr size_t kPairedStamps = 14;

absl::Status CheckStamps(const LifecycleRecord& record, size_t row) {
  for (size_t i = 0; i < kLifecycleStampCount; ++i) {
    const auto& stamp = record.stamps[i];
    if (!stamp) continue;
    const bool ends_a_pair = i < kPairedStamps && i % 2 == 1 && record.stamps[i - 1];
    if (stamp->value >= 0 && !(ends_a_pair && *stamp < *record.stamps[i - 1])) continue;
    return absl::InvalidArgumentError(fmt::format(
        "record {}: {} at {} is negative or precedes the beginning of its step", row,
        capture::LifecycleStampName(static_cast<capture::LifecycleStamp>(i)), stamp->value));
  }
  return absl::OkStatus();
}

// Distributes `stamps` to the records whose bits in `present` ask for them.
absl::Status DecodeStamps(const std::vector<uint32_t>& present,
                          const std::vector<capture::DeviceCycles>& stamps,
                          std::vector<LifecycleRecord>& records) {
  size_t wanted = 0;
  uint32_t bits = 0;
  for (uint32_t mask : present) {
    wanted += static_cast<size_t>(std::popcount(mask));
    bits |= mask;
  }
  if (wanted != stamps.size() || bits >> kLifecycleStampCount != 0) {
    return absl::InvalidArgumentError(
        fmt::format("stamps: {} values do not match the presence bits", stamps.size()));
  }
  auto next = stamps.begin();
  for (size_t row = 0; row < records.size(); ++row) {
    for (size_t i = 0; i < kLifecycleStampCount; ++i) {
      if (present[row] >> i & 1) records[row].stamps[i] = *next++;
    }
    if (absl::Status status = CheckStamps(records[row], row); !status.ok()) return status;
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status Encode(std::span<const HostSubmit> submits, v1::HostSubmits* message) {
  EncodeColumn(
      Gather<uint8_t>(submits,
                      [](const HostSubmit& submit) {
                        return static_cast<uint8_t>((submit.submit_idx ? kHasSubmitIdx : 0) |
                                                    (submit.task_id ? kHasTaskId : 0));
                      }),
      message->mutable_present());
  EncodeColumn(
      Gather<uint32_t>(submits, [](const HostSubmit& s) { return s.submit_idx.value_or(0); }),
      message->mutable_submit_idx());
  EncodeColumn(Gather<uint64_t>(submits, [](const HostSubmit& s) { return s.task_id.value_or(0); }),
               message->mutable_task_id());
  return EncodeHostTimes(submits, message->mutable_start_ns(), message->mutable_duration_ns());
}

absl::Status Encode(std::span<const HostUpload> uploads, v1::HostUploads* message) {
  EncodeTexts(Gather<std::string>(uploads, [](const HostUpload& upload) { return upload.phase; }),
              message->mutable_phase());
  EncodeColumn(Gather<int64_t>(uploads, [](const HostUpload& upload) { return upload.detail; }),
               message->mutable_detail());
  return EncodeHostTimes(uploads, message->mutable_start_ns(), message->mutable_duration_ns());
}

absl::Status Encode(std::span<const LifecycleRecord> records, v1::Lifecycle* message) {
  std::vector<uint32_t> present;
  std::vector<capture::DeviceCycles> stamps;
  for (size_t row = 0; row < records.size(); ++row) {
    if (absl::Status status = CheckStamps(records[row], row); !status.ok()) return status;
    uint32_t mask = 0;
    for (size_t i = 0; i < kLifecycleStampCount; ++i) {
      if (!records[row].stamps[i]) continue;
      mask |= uint32_t{1} << i;
      stamps.push_back(*records[row].stamps[i]);
    }
    present.push_back(mask);
  }
  const auto has_thread = [](const LifecycleRecord& r) { return uint8_t{r.thread_id.has_value()}; };
  const auto thread = [](const LifecycleRecord& r) { return int32_t{r.thread_id.value_or(0)}; };
  EncodeColumn(Gather<uint8_t>(records, has_thread), message->mutable_thread_known());
  EncodeColumn(Gather<int32_t>(records, thread), message->mutable_thread_id());
  EncodeColumn(present, message->mutable_present());
  EncodeColumn(stamps, message->mutable_stamps());
  return absl::OkStatus();
}

absl::StatusOr<std::vector<HostSubmit>> Decode(const v1::HostSubmits& message) {
  std::vector<uint8_t> present;
  std::vector<uint32_t> submit_idx;
  std::vector<uint64_t> task_id;
  std::vector<HostNanos> start;
  std::vector<HostNanos> end;
  RowColumns columns(message.present().count());
  columns.Read(message.present(), "present", present);
  columns.Read(message.submit_idx(), "submit_idx", submit_idx);
  columns.Read(message.task_id(), "task_id", task_id);
  columns.ReadIntervals(message.start_ns(), message.duration_ns(), start, end);
  if (!columns.status().ok()) return columns.status();
  std::vector<HostSubmit> submits(present.size());
  for (size_t row = 0; row < submits.size(); ++row) {
    if (present[row] & kHasSubmitIdx) submits[row].submit_idx = submit_idx[row];
    if (present[row] & kHasTaskId) submits[row].task_id = task_id[row];
    submits[row].start = start[row];
    submits[row].end = end[row];
  }
  return submits;
}

absl::StatusOr<std::vector<HostUpload>> Decode(const v1::HostUploads& message) {
  std::vector<std::string> phase;
  std::vector<int64_t> detail;
  std::vector<HostNanos> start;
  std::vector<HostNanos> end;
  RowColumns columns(message.phase().lengths().count());
  columns.Read(message.detail(), "detail", detail);
  columns.ReadIntervals(message.start_ns(), message.duration_ns(), start, end);
  if (columns.status().ok()) columns.Refuse(DecodeTexts(message.phase(), "phase", phase));
  if (!columns.status().ok()) return columns.status();
  std::vector<HostUpload> uploads(phase.size());
  for (size_t row = 0; row < uploads.size(); ++row) {
    uploads[row] = {std::move(phase[row]), start[row], end[row], detail[row]};
  }
  return uploads;
}

absl::StatusOr<std::vector<LifecycleRecord>> Decode(const v1::Lifecycle& message) {
  std::vector<uint8_t> has_thread;
  std::vector<int32_t> thread_id;
  std::vector<uint32_t> present;
  std::vector<capture::DeviceCycles> stamps;
  RowColumns columns(message.present().count());
  columns.Read(message.thread_known(), "thread_known", has_thread);
  columns.Read(message.thread_id(), "thread_id", thread_id);
  columns.Read(message.present(), "present", present);
  if (columns.status().ok()) columns.Refuse(DecodeColumn(message.stamps(), "stamps", stamps));
  if (!columns.status().ok()) return columns.status();
  std::vector<LifecycleRecord> records(present.size());
  for (size_t row = 0; row < records.size(); ++row) {
    if (has_thread[row] != 0) records[row].thread_id = thread_id[row];
  }
  if (absl::Status status = DecodeStamps(present, stamps, records); !status.ok()) return status;
  return records;
}

}  // namespace simpler::archive
