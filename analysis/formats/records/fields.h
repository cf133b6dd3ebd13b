// Objects of a records file field by field, and fields that several sections have.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "analysis/capture/capture.h"
#include "analysis/formats/records/read_context.h"
#include "simdjson.h"

namespace simpler::formats::records {

// Calls `read_field(key, value)` (returning absl::Status) for every field of an object, keys
// unescaped. Refuses anything but an object.
template <typename ReadField>
absl::Status ForEachField(simdjson::ondemand::value item, Place place, const ReadContext& context,
                          ReadField&& read_field) {
  simdjson::ondemand::object fields;
  if (item.get_object().get(fields)) {
    return context.Refuse(place, std::string(place.key) + " must be an object");
  }
  for (auto next : fields) {
    simdjson::ondemand::field field;
    std::string_view key;
    if (const auto error = std::move(next).get(field)) return context.RefuseSyntax(place, error);
    if (const auto error = field.unescaped_key().get(key)) {
      return context.RefuseSyntax(place, error);
    }
    if (auto status = read_field(key, field.value()); !status.ok()) return status;
  }
  return absl::OkStatus();
}

// Calls `read_item(value, row)` (returning absl::Status) for every item of a list. Refuses anything
// but a list.
template <typename ReadItem>
absl::Status ForEachItem(simdjson::ondemand::value list, std::string_view key,
                         const ReadContext& context, ReadItem&& read_item) {
  simdjson::ondemand::array items;
  if (list.get_array().get(items)) {
    return context.RefuseValue({key}, key, list, "a list");
  }
  size_t row = 0;
  for (auto next : items) {
    simdjson::ondemand::value item;
    if (const auto error = std::move(next).get(item)) {
      return context.RefuseSyntax({key, row}, error);
    }
    if (auto status = read_item(item, row); !status.ok()) return status;
    ++row;
  }
  return absl::OkStatus();
}

// schema_version: 1 is the only one there is.
absl::Status ReadSchemaVersion(simdjson::ondemand::value field, Place place,
                               const ReadContext& context);

// producer: "aicpu" or "aicore".
absl::Status ReadProducer(simdjson::ondemand::value field, Place place, const ReadContext& context,
                          capture::Producer& producer);

// A string; null leaves `text` empty.
absl::Status ReadText(simdjson::ondemand::value field, Place place, std::string_view name,
                      const ReadContext& context, std::string& text);

// An integer within [min, max].
absl::Status ReadInteger(simdjson::ondemand::value field, Place place, std::string_view name,
                         int64_t min, int64_t max, const ReadContext& context, int64_t& out);

// As ReadInteger; null leaves `out` absent.
absl::Status ReadOptionalInteger(simdjson::ondemand::value field, Place place,
                                 std::string_view name, int64_t min, int64_t max,
                                 const ReadContext& context, std::optional<int64_t>& out);

}  // namespace simpler::formats::records
