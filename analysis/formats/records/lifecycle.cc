#include "analysis/formats/records/lifecycle.h"

#include <limits>
#include <optional>
#include <string>

#include "analysis/formats/json_value.h"
#include "analysis/formats/records/fields.h"
#include "fmt/format.h"

namespace simpler::formats::records {
namespace {

using capture::DeviceCycles;
using capture::LifecycleRecord;
using capture::LifecycleStamp;
using simdjson::ondemand::value;

// The stamps up to here are start/end pairs.
constexpr size_t kPairedStamps = static_cast<size_t>(LifecycleStamp::kExitWaitEnd) + 1;

std::optional<LifecycleStamp> StampOf(std::string_view key) {
  constexpr std::string_view kSuffix = "_cycles";
  if (!key.ends_with(kSuffix)) return std::nullopt;
  key.remove_suffix(kSuffix.size());
  for (size_t i = 0; i < capture::kLifecycleStampCount; ++i) {
    const auto stamp = static_cast<LifecycleStamp>(i);
    if (key == LifecycleStampName(stamp)) return stamp;
  }
  return std::nullopt;
}

absl::Status ReadStampField(value field, Place place, std::string_view key,
                            const ReadContext& context, std::optional<DeviceCycles>& out) {
  int64_t cycles = 0;
  if (ReadNull(field)) return absl::OkStatus();
  if (!ReadStamp(field, cycles)) {
    return context.RefuseValue(place, key, field, "an integer from 0 to 9223372036854775807");
  }
  if (cycles != 0) out = DeviceCycles{cycles};
  return absl::OkStatus();
}

absl::Status CheckPairs(const LifecycleRecord& record, Place place, const ReadContext& context) {
  for (size_t i = 0; i < kPairedStamps; i += 2) {
    const auto& start = record.stamps[i];
    const auto& end = record.stamps[i + 1];
    if (!start || !end || *start <= *end) continue;
    return context.Refuse(
        place, fmt::format("has a negative interval: {}_cycles {} > {}_cycles {}",
                           LifecycleStampName(static_cast<LifecycleStamp>(i)), start->value,
                           LifecycleStampName(static_cast<LifecycleStamp>(i + 1)), end->value));
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status ReadLifecycle(value section, ReadContext& context,
                           PerEpoch<std::vector<LifecycleRecord>>& records) {
  constexpr std::string_view kKey = "aicpu_lifecycle_records";
  constexpr const char* kRule = "aicpu_lifecycle_records must be an array of objects";
  simdjson::ondemand::array items;
  if (section.get_array().get(items)) return context.Refuse({kKey}, kRule);
  Place place{kKey, 0};
  for (auto next : items) {
    value item;
    simdjson::ondemand::json_type type{};
    if (const auto error = std::move(next).get(item)) return context.RefuseSyntax(place, error);
    if (item.type().get(type) || type != simdjson::ondemand::json_type::object) {
      return context.Refuse(place, kRule);
    }
    LifecycleRecord record;
    std::optional<int64_t> thread;
    Epoch epoch;
    const auto read_field = [&](std::string_view key, value field) -> absl::Status {
      if (const auto stamp = StampOf(key)) {
        auto& out = record.stamps[static_cast<size_t>(*stamp)];
        return ReadStampField(field, place, key, context, out);
      }
      if (key == "aicpu_thread_id") {
        return ReadOptionalInteger(field, place, key, 0, std::numeric_limits<int>::max(), context,
                                   thread);
      }
      if (key == "run_epoch") {
        return ReadOptionalInteger(field, place, key, 0, std::numeric_limits<int64_t>::max(),
                                   context, epoch);
      }
      context.CountIgnoredField(fmt::format("{}.{}", kKey, key));
      return absl::OkStatus();
    };
    if (auto status = ForEachField(item, place, context, read_field); !status.ok()) return status;
    if (auto status = CheckPairs(record, place, context); !status.ok()) return status;
    if (thread) record.thread_id = static_cast<int>(*thread);
    records[epoch].push_back(record);
    ++place.row;
  }
  return absl::OkStatus();
}

}  // namespace simpler::formats::records
