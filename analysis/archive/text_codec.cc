#include "analysis/archive/text_codec.h"

#include <cstdint>

#include "analysis/archive/column_codec.h"
#include "analysis/archive/row_columns.h"
#include "fmt/format.h"

namespace simpler::archive {
namespace {

using capture::Capture;
using capture::CaptureBundle;
using capture::OpaqueField;
using capture::Warning;

constexpr uint8_t kInMetadata = 1;
constexpr uint8_t kContinues = 2;

constexpr uint8_t kOfCapture = 0;
constexpr uint8_t kOfSideFiles = 1;

// One member of every entry as a list.
template <typename T, typename Entry, typename Get>
std::vector<T> Gather(std::span<const Entry> entries, Get get) {
  std::vector<T> values;
  values.reserve(entries.size());
  for (const Entry& entry : entries) values.push_back(T(get(entry)));
  return values;
}

// Decodes texts that belong to `rows` rows.
void ReadTexts(const v1::TextColumn& column, const char* name, size_t rows, RowColumns& columns,
               std::vector<std::string>& texts) {
  if (columns.status().ok()) columns.Refuse(DecodeTexts(column, name, texts));
  if (texts.size() != rows) {
    columns.Refuse(absl::InvalidArgumentError(
        fmt::format("{}: {} texts for {} rows", name, texts.size(), rows)));
  }
}

}  // namespace

std::vector<OpaquePiece> CutOpaque(const std::vector<OpaqueField>& fields, bool in_metadata,
                                   size_t max_bytes) {
  std::vector<OpaquePiece> pieces;
  for (const OpaqueField& field : fields) {
    std::string_view rest = field.json;
    pieces.push_back({in_metadata, false, field.key, rest.substr(0, max_bytes)});
    while (rest.size() > max_bytes) {
      rest.remove_prefix(max_bytes);
      pieces.push_back({in_metadata, true, {}, rest.substr(0, max_bytes)});
    }
  }
  return pieces;
}

void Encode(std::span<const OpaquePiece> pieces, v1::OpaqueText* message) {
  const auto flags = [](const OpaquePiece& piece) {
    return (piece.in_metadata ? kInMetadata : 0) | (piece.continues ? kContinues : 0);
  };
  EncodeColumn(Gather<uint8_t>(pieces, flags), message->mutable_flags());
  EncodeTexts(Gather<std::string>(pieces, [](const OpaquePiece& piece) { return piece.key; }),
              message->mutable_key());
  EncodeTexts(Gather<std::string>(pieces, [](const OpaquePiece& piece) { return piece.json; }),
              message->mutable_json());
}

void Encode(std::span<const ScopedWarning> warnings, v1::Warnings* message) {
  const auto scope = [](const ScopedWarning& w) {
    return w.of_capture ? kOfCapture : kOfSideFiles;
  };
  EncodeColumn(Gather<uint8_t>(warnings, scope), message->mutable_scope());
  EncodeTexts(Gather<std::string>(warnings, [](const ScopedWarning& w) { return w.warning->code; }),
              message->mutable_code());
  EncodeTexts(Gather<std::string>(warnings, [](const ScopedWarning& w) { return w.warning->text; }),
              message->mutable_text());
  EncodeColumn(Gather<uint64_t>(warnings, [](const ScopedWarning& w) { return w.warning->count; }),
               message->mutable_count());
}

void Encode(std::span<const FunctionName> names, v1::FunctionNames* message) {
  EncodeColumn(Gather<int32_t>(names, [](const FunctionName& name) { return name.first; }),
               message->mutable_func_id());
  EncodeTexts(Gather<std::string>(names, [](const FunctionName& name) { return name.second; }),
              message->mutable_name());
}

absl::Status Decode(const v1::OpaqueText& message, Capture& capture) {
  std::vector<uint8_t> flags;
  std::vector<std::string> keys;
  std::vector<std::string> values;
  const size_t rows = message.flags().count();
  RowColumns columns(rows);
  columns.Read(message.flags(), "flags", flags);
  ReadTexts(message.key(), "key", rows, columns, keys);
  ReadTexts(message.json(), "json", rows, columns, values);
  if (!columns.status().ok()) return columns.status();
  for (size_t row = 0; row < rows; ++row) {
    auto& fields = (flags[row] & kInMetadata) != 0 ? capture.metadata.opaque : capture.opaque;
    if ((flags[row] & kContinues) == 0) {
      fields.push_back({std::move(keys[row]), std::move(values[row])});
    } else if (!fields.empty()) {
      fields.back().json += values[row];
    } else {
      return absl::InvalidArgumentError(
          fmt::format("row {} continues a field, but none came before", row));
    }
  }
  return absl::OkStatus();
}

absl::Status Decode(const v1::Warnings& message, CaptureBundle& bundle) {
  std::vector<uint8_t> scope;
  std::vector<std::string> code;
  std::vector<std::string> text;
  std::vector<uint64_t> count;
  const size_t rows = message.scope().count();
  RowColumns columns(rows);
  columns.Read(message.scope(), "scope", scope);
  columns.Read(message.count(), "count", count);
  ReadTexts(message.code(), "code", rows, columns, code);
  ReadTexts(message.text(), "text", rows, columns, text);
  if (!columns.status().ok()) return columns.status();
  for (size_t row = 0; row < rows; ++row) {
    std::vector<Warning>& warnings =
        scope[row] == kOfCapture ? bundle.capture.warnings : bundle.warnings;
    warnings.push_back({std::move(code[row]), std::move(text[row]), count[row]});
  }
  return absl::OkStatus();
}

absl::Status Decode(const v1::FunctionNames& message, std::map<int32_t, std::string>& names) {
  std::vector<int32_t> ids;
  std::vector<std::string> texts;
  const size_t rows = message.func_id().count();
  RowColumns columns(rows);
  columns.Read(message.func_id(), "func_id", ids);
  ReadTexts(message.name(), "name", rows, columns, texts);
  if (!columns.status().ok()) return columns.status();
  for (size_t row = 0; row < rows; ++row) {
    if (!names.empty() && ids[row] <= names.rbegin()->first) {
      return absl::InvalidArgumentError(fmt::format(
          "function id {} does not follow {}; ids must ascend", ids[row], names.rbegin()->first));
    }
    names.emplace_hint(names.end(), ids[row], std::move(texts[row]));
  }
  return absl::OkStatus();
}

}  // namespace simpler::archive
