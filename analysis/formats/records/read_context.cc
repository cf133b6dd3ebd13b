#include "analysis/formats/records/read_context.h"

#include "analysis/formats/json_value.h"
#include "fmt/format.h"

namespace simpler::formats::records {
namespace {

using capture::Warning;

constexpr size_t kNamesInWarning = 5;

// "a (3), b (1), …" and the sum of the counts.
std::pair<std::string, uint64_t> ListCounts(const std::map<std::string, uint64_t>& counts) {
  std::string names;
  uint64_t total = 0;
  size_t listed = 0;
  for (const auto& [name, count] : counts) {
    total += count;
    if (listed == kNamesInWarning) names += ", …";
    if (listed++ >= kNamesInWarning) continue;
    names += fmt::format("{}{} ({})", names.empty() ? "" : ", ", name, count);
  }
  return {names, total};
}

}  // namespace

std::string Place::Text() const {
  return row == kNoRow ? std::string(key) : fmt::format("{} row {}", key, row);
}

absl::Status ReadContext::Refuse(Place place, const std::string& reason,
                                 const std::string& remedy) const {
  return absl::InvalidArgumentError(
      fmt::format("{}: {}: {}; {}", file_name_, place.Text(), reason, remedy));
}

absl::Status ReadContext::RefuseSyntax(Place place, simdjson::error_code error) const {
  return Refuse(place, fmt::format("not valid JSON ({})", simdjson::error_message(error)),
                "the file is truncated or damaged; copy the original again or record again");
}

absl::Status ReadContext::RefuseValue(Place place, std::string_view field,
                                      simdjson::ondemand::value value,
                                      const std::string& expected) const {
  return Refuse(place, fmt::format("{} must be {}, found {}", field, expected, Excerpt(value)));
}

std::vector<Warning> ReadContext::Warnings() const {
  std::vector<Warning> warnings = warnings_;
  if (!unknown_kinds_.empty()) {
    const auto [names, total] = ListCounts(unknown_kinds_);
    warnings.push_back({"unknown_phase_kind",
                        fmt::format("{}: {} phase record(s) of unknown kind: {}; they are kept but "
                                    "enter no figure",
                                    file_name_, total, names),
                        total});
  }
  if (!dropped_kinds_.empty()) {
    const auto [names, total] = ListCounts(dropped_kinds_);
    warnings.push_back({"unknown_orchestrator_kind",
                        fmt::format("{}: {} orchestrator record(s) of unknown kind were left out: "
                                    "{}",
                                    file_name_, total, names),
                        total});
  }
  if (!ignored_fields_.empty()) {
    const auto [names, total] = ListCounts(ignored_fields_);
    warnings.push_back(
        {"ignored_field",
         fmt::format("{}: field(s) without a meaning here were dropped: {}", file_name_, names),
         total});
  }
  return warnings;
}

}  // namespace simpler::formats::records
