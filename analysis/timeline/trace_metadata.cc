#include "analysis/timeline/trace_metadata.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

#include "analysis/timeline/json_text.h"

namespace simpler::timeline {
namespace {

using capture::HostCaptureStatus;

int64_t CountHostSubmits(const capture::Run& run) {
  size_t count = 0;
  for (const auto& lane : run.host_submit_lanes) count += lane.size();
  return static_cast<int64_t>(count);
}

// What contradicts the claim that all host records are here.
std::vector<const char*> FindCountErrors(const HostCaptureStatus& status, int64_t actual) {
  std::vector<const char*> errors;
  if (status.recorded_records && *status.recorded_records != actual) {
    errors.push_back("recorded_record_count_mismatch");
  }
  if (!status.expected_records) {
    errors.push_back("expected_record_count_missing");
  } else if (*status.expected_records != actual) {
    errors.push_back("expected_record_count_mismatch");
  }
  return errors;
}

void AppendCount(JsonText& json, std::string_view key, const std::optional<int64_t>& count) {
  json.Raw(",").String(key).Raw(":");
  if (count) {
    json.Number(*count);
  } else {
    json.Raw("null");
  }
}

void AppendHostCapture(JsonText& json, const HostCaptureStatus& status,
                       const std::vector<const char*>& errors) {
  json.Raw(R"("host_capture":{"status":)").String(status.status);
  AppendCount(json, "expected_records", status.expected_records);
  AppendCount(json, "recorded_records", status.recorded_records);
  AppendCount(json, "pool_records", status.pool_records);
  AppendCount(json, "dropped_records", status.dropped_records);
  json.Raw(R"(,"error":)");
  if (status.error) {
    json.String(*status.error);
  } else {
    json.Raw("null");
  }
  if (!errors.empty()) {
    json.Raw(R"(,"converter_validation_errors":[)");
    for (size_t i = 0; i < errors.size(); ++i) json.Raw(i == 0 ? "" : ",").String(errors[i]);
    json.Raw("]");
  }
  json.Raw("},");
}

void AppendHostLayout(JsonText& json, const Model& model) {
  const capture::Metadata& metadata = model.capture().metadata;
  const int64_t actual = CountHostSubmits(model.run());
  HostCaptureStatus unknown;
  unknown.status = "unknown";
  unknown.error = "legacy_capture_status_missing";
  const HostCaptureStatus& status = metadata.host_capture.value_or(unknown);
  const std::vector<const char*> errors =
      metadata.host_capture ? FindCountErrors(status, actual) : std::vector<const char*>();
  const bool complete =
      status.status == "complete" && status.dropped_records == 0 && errors.empty();

  json.Raw(R"("layout":"causal_composite","trace_status":)")
      .String(complete ? "complete" : "partial")
      .Raw(",");
  const auto relation = std::find_if(
      metadata.opaque.begin(), metadata.opaque.end(),
      [](const capture::OpaqueField& field) { return field.key == "timeline_relation"; });
  if (relation != metadata.opaque.end()) json.Raw(R"("relation":)").Raw(relation->json).Raw(",");
  AppendHostCapture(json, status, errors);
  json.Raw(R"("host_records_complete":)").Bool(complete);
  if (actual == 0) json.Raw(R"(,"host_records_missing":true)");
  json.Raw(R"(,"cross_domain_latency_available":false,"cross_domain_gap_unknown":true)");
  json.Raw(R"(,"logical_seam_us":)").Number(model.axis.seam_us());
}

}  // namespace

std::string TraceMetadataJson(const Model& model) {
  const std::optional<std::string>& runtime = model.capture().metadata.runtime;
  if (!runtime && !model.axis.is_composite()) return "";
  JsonText json;
  json.Raw("{");
  if (model.axis.is_composite()) AppendHostLayout(json, model);
  if (runtime) json.Raw(model.axis.is_composite() ? "," : "").Raw(R"("runtime":)").String(*runtime);
  json.Raw("}");
  return std::string(json.view());
}

}  // namespace simpler::timeline
