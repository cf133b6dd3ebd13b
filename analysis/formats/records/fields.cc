#include "analysis/formats/records/fields.h"

#include "analysis/formats/json_value.h"
#include "fmt/format.h"

namespace simpler::formats::records {

using capture::Producer;
using simdjson::ondemand::value;

absl::Status ReadSchemaVersion(value field, Place place, const ReadContext& context) {
  uint64_t version = 0;
  if (ReadUint(field, 1, version) && version == 1) return absl::OkStatus();
  return context.RefuseValue(place, "schema_version", field, "1");
}

absl::Status ReadProducer(value field, Place place, const ReadContext& context,
                          Producer& producer) {
  std::string_view name;
  const bool is_string = field.get_string().get(name) == simdjson::SUCCESS;
  for (const Producer known : {Producer::kAicpu, Producer::kAicore}) {
    if (is_string && name == ProducerName(known)) {
      producer = known;
      return absl::OkStatus();
    }
  }
  return context.Refuse(place, fmt::format("{}.producer must be 'aicpu' or 'aicore'", place.key));
}

absl::Status ReadText(value field, Place place, std::string_view name, const ReadContext& context,
                      std::string& text) {
  std::string_view view;
  if (field.get_string().get(view) == simdjson::SUCCESS) {
    text = view;
    return absl::OkStatus();
  }
  if (ReadNull(field)) return absl::OkStatus();
  return context.RefuseValue(place, name, field, "a string");
}

absl::Status ReadInteger(value field, Place place, std::string_view name, int64_t min, int64_t max,
                         const ReadContext& context, int64_t& out) {
  if (field.get_int64().get(out) == simdjson::SUCCESS && min <= out && out <= max) {
    return absl::OkStatus();
  }
  return context.RefuseValue(place, name, field, fmt::format("an integer from {} to {}", min, max));
}

absl::Status ReadOptionalInteger(value field, Place place, std::string_view name, int64_t min,
                                 int64_t max, const ReadContext& context,
                                 std::optional<int64_t>& out) {
  if (ReadNull(field)) return absl::OkStatus();
  int64_t number = 0;
  if (auto status = ReadInteger(field, place, name, min, max, context, number); !status.ok()) {
    return status;
  }
  out = number;
  return absl::OkStatus();
}

}  // namespace simpler::formats::records
