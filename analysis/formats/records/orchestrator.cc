#include "analysis/formats/records/orchestrator.h"

#include <limits>
#include <string>
#include <utility>

#include "analysis/formats/json_value.h"
#include "analysis/formats/records/fields.h"
#include "fmt/format.h"

namespace simpler::formats::records {
namespace {

using capture::HostNanos;
using capture::HostSubmit;
using capture::HostUpload;
using capture::OrchestratorPhaseBlock;
using capture::OrchestratorPhaseKind;
using simdjson::ondemand::value;

constexpr int64_t kMaxInt64 = std::numeric_limits<int64_t>::max();
constexpr size_t kMaxLanes = 1024;  // beyond any chip; bounds the memory of a hostile file

// What the records of both clocks have in common.
struct Submit {
  std::optional<int64_t> submit_idx;
  std::optional<uint64_t> task_id;
  std::optional<int64_t> start;
  std::optional<int64_t> end;
  Epoch epoch;
  std::string kind;
};

absl::Status ReadOptionalId(value field, Place place, const ReadContext& context,
                            std::optional<uint64_t>& out) {
  if (ReadNull(field)) return absl::OkStatus();
  uint64_t id = 0;
  if (!ReadId(field, id)) {
    return context.RefuseValue(place, "task_id", field,
                               "a 64-bit integer, its decimal string, or null");
  }
  out = id;
  return absl::OkStatus();
}

// Reads one record whose stamps are called `<start|end><suffix>`.
absl::Status ReadSubmit(value item, Place place, std::string_view suffix, ReadContext& context,
                        Submit& submit) {
  const auto read_field = [&](std::string_view key, value field) -> absl::Status {
    const auto is_stamp = [&](std::string_view name) {
      return key.starts_with(name) && key.substr(name.size()) == suffix;
    };
    if (is_stamp("start")) {
      return ReadOptionalInteger(field, place, key, 0, kMaxInt64, context, submit.start);
    }
    if (is_stamp("end")) {
      return ReadOptionalInteger(field, place, key, 0, kMaxInt64, context, submit.end);
    }
    if (key == "submit_idx") {
      return ReadOptionalInteger(field, place, key, 0, std::numeric_limits<uint32_t>::max(),
                                 context, submit.submit_idx);
    }
    if (key == "task_id") return ReadOptionalId(field, place, context, submit.task_id);
    if (key == "run_epoch") {
      return ReadOptionalInteger(field, place, key, 0, kMaxInt64, context, submit.epoch);
    }
    if (key == "kind" || key == "phase") return ReadText(field, place, key, context, submit.kind);
    context.CountIgnoredField(fmt::format("{}.{}", place.key, key));
    return absl::OkStatus();
  };
  if (auto status = ForEachField(item, place, context, read_field); !status.ok()) return status;
  if (!submit.start || !submit.end) {
    return context.Refuse(place, fmt::format("must contain start{0} and end{0}", suffix));
  }
  return absl::OkStatus();
}

void AppendPhase(const Submit& submit, OrchestratorPhaseKind kind, OrchestratorPhaseBlock& block) {
  uint8_t present = 0;
  if (submit.submit_idx) present |= OrchestratorPhaseBlock::kSubmitIdx;
  if (submit.task_id) present |= OrchestratorPhaseBlock::kTaskId;
  block.kind.push_back(kind);
  block.present.push_back(present);
  block.submit_idx.push_back(static_cast<uint32_t>(submit.submit_idx.value_or(0)));
  block.task_id.push_back(submit.task_id.value_or(0));
  block.start.push_back({*submit.start});
  block.end.push_back({*submit.end});
}

absl::Status ReadDeviceRecord(value item, Place place, ReadContext& context, DeviceLane& lane) {
  Submit submit;
  auto status = ReadSubmit(item, place, "_cycles", context, submit);
  if (!status.ok()) return status;
  if (*submit.start > *submit.end) {
    return context.Refuse(place, fmt::format("has a negative interval: start_cycles {} > "
                                             "end_cycles {}",
                                             *submit.start, *submit.end));
  }
  const auto kind = submit.kind.empty() ? OrchestratorPhaseKind::kSubmit
                                        : capture::ParseOrchestratorPhaseKind(submit.kind);
  if (!kind) {
    context.CountUnknownOrchestratorKind(submit.kind);
    return absl::OkStatus();
  }
  AppendPhase(submit, *kind, lane[submit.epoch].Next());
  return absl::OkStatus();
}

absl::Status ReadHostRecord(value item, Place place, ReadContext& context, HostLane& lane) {
  Submit submit;
  auto status = ReadSubmit(item, place, "_host_ns", context, submit);
  if (!status.ok()) return status;
  HostSubmit record{{}, submit.task_id, {*submit.start}, {*submit.end}};
  if (submit.submit_idx) record.submit_idx = static_cast<uint32_t>(*submit.submit_idx);
  lane[submit.epoch].push_back(record);
  return absl::OkStatus();
}

// Reads a list of lanes, each a list of records that `read_record` adds to the lane.
template <typename Lane, typename ReadRecord>
absl::Status ReadLanes(value section, std::string_view key, const ReadContext& context,
                       std::vector<Lane>& lanes, ReadRecord&& read_record) {
  return ForEachItem(section, key, context, [&](value list, size_t index) -> absl::Status {
    if (index >= kMaxLanes) {
      return context.Refuse({key}, fmt::format("more than {} lanes", kMaxLanes));
    }
    Lane& lane = lanes.emplace_back();
    const std::string lane_key = fmt::format("{}[{}]", key, index);
    return ForEachItem(list, lane_key, context, [&](value item, size_t row) {
      return read_record(item, Place{lane_key, row}, lane);
    });
  });
}

absl::Status CheckHostInterval(const char* what, HostNanos start, HostNanos end,
                               std::optional<HostNanos> origin, Place place,
                               const ReadContext& context) {
  const HostNanos bound = origin.value_or(start);
  if (bound <= start && start <= end) return absl::OkStatus();
  return context.Refuse(place, fmt::format("invalid {}: origin={}, start={}, end={}", what,
                                           bound.value, start.value, end.value));
}

}  // namespace

absl::Status ReadDeviceLanes(value section, ReadContext& context, std::vector<DeviceLane>& lanes) {
  return ReadLanes(section, "aicpu_orchestrator_phases", context, lanes,
                   [&](value item, Place place, DeviceLane& lane) {
                     return ReadDeviceRecord(item, place, context, lane);
                   });
}

absl::Status ReadHostLanes(value section, ReadContext& context, std::vector<HostLane>& lanes) {
  return ReadLanes(section, "host_orchestrator_phases", context, lanes,
                   [&](value item, Place place, HostLane& lane) {
                     return ReadHostRecord(item, place, context, lane);
                   });
}

absl::Status ReadHostUploads(value section, ReadContext& context, HostUploads& uploads) {
  constexpr std::string_view kKey = "host_device_uploads";
  return ForEachItem(section, kKey, context, [&](value item, size_t row) -> absl::Status {
    const Place place{kKey, row};
    HostUpload upload;
    std::optional<int64_t> start;
    std::optional<int64_t> end;
    std::optional<int64_t> detail;
    Epoch epoch;
    auto status =
        ForEachField(item, place, context, [&](std::string_view key, value field) -> absl::Status {
          const auto integer = [&](int64_t min, std::optional<int64_t>& out) {
            return ReadOptionalInteger(field, place, key, min, kMaxInt64, context, out);
          };
          if (key == "phase") return ReadText(field, place, key, context, upload.phase);
          if (key == "start_host_ns") return integer(0, start);
          if (key == "end_host_ns") return integer(0, end);
          if (key == "detail") return integer(std::numeric_limits<int64_t>::min(), detail);
          if (key == "run_epoch") return integer(0, epoch);
          context.CountIgnoredField(fmt::format("{}.{}", kKey, key));
          return absl::OkStatus();
        });
    if (!status.ok()) return status;
    if (!start || !end) {
      return context.Refuse(place, "must contain start_host_ns and end_host_ns");
    }
    upload.start = {*start};
    upload.end = {*end};
    upload.detail = detail.value_or(0);
    uploads[epoch].push_back(std::move(upload));
    return absl::OkStatus();
  });
}

absl::Status CheckHostTimes(std::optional<HostNanos> origin, const ReadContext& context,
                            const std::vector<HostLane>& lanes, const HostUploads& uploads) {
  for (const HostLane& lane : lanes) {
    for (const auto& [epoch, records] : lane.groups()) {
      for (size_t row = 0; row < records.size(); ++row) {
        auto status =
            CheckHostInterval("host orchestrator phase", records[row].start, records[row].end,
                              origin, {"host_orchestrator_phases", row}, context);
        if (!status.ok()) return status;
      }
    }
  }
  for (const auto& [epoch, records] : uploads.groups()) {
    for (size_t row = 0; row < records.size(); ++row) {
      auto status = CheckHostInterval("host device upload", records[row].start, records[row].end,
                                      origin, {"host_device_uploads", row}, context);
      if (!status.ok()) return status;
    }
  }
  return absl::OkStatus();
}

}  // namespace simpler::formats::records
