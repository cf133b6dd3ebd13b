#include "analysis/formats/records/metadata_writer.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/formats/json_value.h"
#include "fmt/format.h"

namespace simpler::formats::records {
namespace {

using capture::CoreType;
using capture::HostCaptureStatus;
using capture::Metadata;

// Recorders' order of fields.
constexpr std::string_view kOrder[] = {"clock_freq_hz",
                                       "num_cores",
                                       "core_types",
                                       "orchestrator_source",
                                       "orchestrator_clock_domain",
                                       "device_clock_domain",
                                       "host_timestamp_resolution_ns",
                                       "host_timestamp_quantization_ns",
                                       "host_orchestration_origin_ns",
                                       "timeline_relation",
                                       "host_capture",
                                       "host_clock_domain_id",
                                       "host_timeline_origin_ns",
                                       "clock_anchors",
                                       "core_to_thread",
                                       "runtime"};

// Fields outside the order come last.
size_t RankOf(std::string_view key) {
  return static_cast<size_t>(std::find(std::begin(kOrder), std::end(kOrder), key) -
                             std::begin(kOrder));
}

struct Field {
  size_t rank;
  std::string text;
};

std::string CoreTypesText(const std::vector<CoreType>& types) {
  std::string list;
  for (const CoreType type : types) {
    if (!list.empty()) list += ", ";
    list += type == CoreType::kNone ? "null" : fmt::format("\"{}\"", CoreTypeName(type));
  }
  return fmt::format("[{}]", list);
}

std::string NumberText(const std::optional<int64_t>& number) {
  return number ? std::to_string(*number) : "null";
}

std::string HostCaptureText(const HostCaptureStatus& host) {
  return fmt::format(
      R"({{"status": {}, "expected_records": {}, "recorded_records": {}, "pool_records": {}, )"
      R"("dropped_records": {}, "error": {}}})",
      JsonQuote(host.status), NumberText(host.expected_records), NumberText(host.recorded_records),
      NumberText(host.pool_records), NumberText(host.dropped_records),
      host.error ? JsonQuote(*host.error) : "null");
}

class FieldList {
 public:
  void Add(std::string_view key, std::string_view json) {
    fields_.push_back({RankOf(key), fmt::format("{}: {}", JsonQuote(key), json)});
  }

  // Puts carried-through fields at their place without changing their order.
  void AddInOrder(const std::vector<capture::OpaqueField>& fields) {
    size_t rank = 0;
    for (const capture::OpaqueField& field : fields) {
      Add(field.key, field.json);
      rank = fields_.back().rank = std::max(rank, fields_.back().rank);
    }
  }

  std::vector<Field> Sorted() && {
    std::stable_sort(fields_.begin(), fields_.end(),
                     [](const Field& a, const Field& b) { return a.rank < b.rank; });
    return std::move(fields_);
  }

 private:
  std::vector<Field> fields_;
};

FieldList CollectFields(const Metadata& metadata) {
  FieldList fields;
  fields.Add("clock_freq_hz", std::to_string(metadata.clock_freq_hz));
  if (metadata.num_cores) fields.Add("num_cores", std::to_string(*metadata.num_cores));
  fields.Add("core_types", CoreTypesText(metadata.core_types));
  if (metadata.host_orchestrated) fields.Add("orchestrator_source", "\"host\"");
  if (const auto& origin = metadata.host_orchestration_origin) {
    fields.Add("host_orchestration_origin_ns", std::to_string(origin->value));
  }
  if (const auto& host = metadata.host_capture) fields.Add("host_capture", HostCaptureText(*host));
  if (const auto& id = metadata.host_clock_domain_id) {
    fields.Add("host_clock_domain_id", JsonQuote(*id));
  }
  if (const auto& origin = metadata.host_timeline_origin) {
    fields.Add("host_timeline_origin_ns", std::to_string(origin->value));
  }
  if (const auto& threads = metadata.core_to_thread) {
    fields.Add("core_to_thread", fmt::format("[{}]", fmt::join(*threads, ", ")));
  }
  if (metadata.runtime) fields.Add("runtime", JsonQuote(*metadata.runtime));
  fields.AddInOrder(metadata.opaque);
  return fields;
}

}  // namespace

void WriteMetadata(const Metadata& metadata, TextWriter& out) {
  out.Put("{");
  const char* separator = "\n    ";
  for (const Field& field : CollectFields(metadata).Sorted()) {
    out.Put(separator);
    out.Put(field.text);
    separator = ",\n    ";
  }
  out.Put("\n  }");
}

}  // namespace simpler::formats::records
