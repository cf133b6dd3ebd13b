#include "analysis/formats/records/metadata.h"

#include <limits>
#include <set>
#include <string>
#include <utility>

#include "analysis/formats/json_value.h"
#include "analysis/formats/records/fields.h"
#include "fmt/format.h"

namespace simpler::formats::records {
namespace {

using capture::CoreType;
using capture::HostCaptureStatus;
using capture::HostNanos;
using capture::Metadata;
using simdjson::ondemand::value;

constexpr std::string_view kKey = "metadata";
constexpr int64_t kMaxInt64 = std::numeric_limits<int64_t>::max();
constexpr size_t kMaxCores = size_t{std::numeric_limits<capture::CoreId>::max()} + 1;

absl::Status CheckCoreCount(size_t core, std::string_view list, const ReadContext& context) {
  if (core < kMaxCores) return absl::OkStatus();
  return context.Refuse({list}, fmt::format("lists more than {} cores", kMaxCores));
}

absl::Status ReadCoreTypes(value field, const ReadContext& context, std::vector<CoreType>& types) {
  constexpr std::string_view kList = "metadata.core_types";
  return ForEachItem(field, kList, context, [&](value item, size_t core) -> absl::Status {
    auto status = CheckCoreCount(core, kList, context);
    if (!status.ok()) return status;
    std::string_view name;
    const bool is_string = item.get_string().get(name) == simdjson::SUCCESS;
    if (is_string && name == "aic") {
      types.push_back(CoreType::kAic);
    } else if (is_string && name == "aiv") {
      types.push_back(CoreType::kAiv);
    } else if (!is_string && ReadNull(item)) {
      types.push_back(CoreType::kNone);
    } else {
      return context.RefuseValue({kList, core}, "core type", item, "\"aic\", \"aiv\" or null");
    }
    return absl::OkStatus();
  });
}

absl::Status ReadCoreToThread(value field, const ReadContext& context,
                              std::optional<std::vector<int16_t>>& threads) {
  constexpr std::string_view kList = "metadata.core_to_thread";
  if (ReadNull(field)) return absl::OkStatus();
  threads.emplace();
  return ForEachItem(field, kList, context, [&](value item, size_t core) -> absl::Status {
    auto status = CheckCoreCount(core, kList, context);
    if (!status.ok()) return status;
    int64_t thread = 0;
    status = ReadInteger(item, {kList, core}, "thread", -1, std::numeric_limits<int16_t>::max(),
                         context, thread);
    if (!status.ok()) return status;
    threads->push_back(static_cast<int16_t>(thread));
    return absl::OkStatus();
  });
}

absl::Status ReadHostCapture(value field, ReadContext& context,
                             std::optional<HostCaptureStatus>& out) {
  constexpr Place kPlace{"metadata.host_capture"};
  HostCaptureStatus host;
  std::string error;
  const auto read_field = [&](std::string_view key, value item) -> absl::Status {
    const auto count = [&](std::optional<int64_t>& number) {
      return ReadOptionalInteger(item, kPlace, key, 0, kMaxInt64, context, number);
    };
    if (key == "status") return ReadText(item, kPlace, key, context, host.status);
    if (key == "expected_records") return count(host.expected_records);
    if (key == "recorded_records") return count(host.recorded_records);
    if (key == "pool_records") return count(host.pool_records);
    if (key == "dropped_records") return count(host.dropped_records);
    if (key == "error") return ReadText(item, kPlace, key, context, error);
    context.CountIgnoredField("metadata.host_capture." + std::string(key));
    return absl::OkStatus();
  };
  if (auto status = ForEachField(field, kPlace, context, read_field); !status.ok()) return status;
  if (!error.empty()) host.error = std::move(error);
  if (host.status.empty()) host.status = "unknown";
  out = std::move(host);
  return absl::OkStatus();
}

absl::Status ReadFrequency(value field, const ReadContext& context, int64_t& frequency) {
  if (field.get_int64().get(frequency) == simdjson::SUCCESS) {
    if (frequency > 0) return absl::OkStatus();
    return context.Refuse({kKey}, fmt::format("metadata missing/zero clock_freq_hz: {}", frequency),
                          "set it to the counter frequency of the chip in Hz");
  }
  return context.RefuseValue({kKey}, "clock_freq_hz", field, "a frequency in Hz, an integer > 0");
}

absl::Status ReadHostNanos(value field, std::string_view key, const ReadContext& context,
                           std::optional<HostNanos>& out) {
  std::optional<int64_t> nanos;
  auto status = ReadOptionalInteger(field, {kKey}, key, 0, kMaxInt64, context, nanos);
  if (nanos) out = HostNanos{*nanos};
  return status;
}

absl::Status ReadOptionalText(value field, std::string_view key, const ReadContext& context,
                              std::optional<std::string>& out) {
  std::string text;
  auto status = ReadText(field, {kKey}, key, context, text);
  if (!text.empty()) out = std::move(text);
  return status;
}

absl::Status KeepField(value field, std::string_view key, const ReadContext& context,
                       Metadata& metadata) {
  std::string text;
  if (const auto error = ReadJsonText(field, text)) return context.RefuseSyntax({key}, error);
  metadata.opaque.push_back({std::string(key), std::move(text)});
  return absl::OkStatus();
}

// "host" switches host mode on. Any other source is what a missing key means, and is kept.
absl::Status ReadOrchestratorSource(value field, std::string_view key, const ReadContext& context,
                                    Metadata& metadata) {
  std::string_view source;
  if (field.get_string().get(source) == simdjson::SUCCESS && source == "host") {
    metadata.host_orchestrated = true;
    return absl::OkStatus();
  }
  return KeepField(field, key, context, metadata);
}

}  // namespace

absl::Status ReadMetadata(value section, ReadContext& context, Metadata& metadata) {
  std::set<std::string, std::less<>> seen;
  const auto read_field = [&](std::string_view key, value field) -> absl::Status {
    if (!seen.emplace(key).second) {
      return context.Refuse({kKey}, fmt::format("{} occurs twice", key));
    }
    if (key == "clock_freq_hz") return ReadFrequency(field, context, metadata.clock_freq_hz);
    if (key == "num_cores") {
      return ReadOptionalInteger(field, {kKey}, key, 0, kMaxInt64, context, metadata.num_cores);
    }
    if (key == "core_types") return ReadCoreTypes(field, context, metadata.core_types);
    if (key == "core_to_thread") return ReadCoreToThread(field, context, metadata.core_to_thread);
    if (key == "runtime") return ReadOptionalText(field, key, context, metadata.runtime);
    if (key == "orchestrator_source") return ReadOrchestratorSource(field, key, context, metadata);
    if (key == "host_orchestration_origin_ns") {
      return ReadHostNanos(field, key, context, metadata.host_orchestration_origin);
    }
    if (key == "host_timeline_origin_ns") {
      return ReadHostNanos(field, key, context, metadata.host_timeline_origin);
    }
    if (key == "host_capture") return ReadHostCapture(field, context, metadata.host_capture);
    if (key == "host_clock_domain_id") {
      return ReadOptionalText(field, key, context, metadata.host_clock_domain_id);
    }
    return KeepField(field, key, context, metadata);
  };
  return ForEachField(section, {kKey}, context, read_field);
}

}  // namespace simpler::formats::records
