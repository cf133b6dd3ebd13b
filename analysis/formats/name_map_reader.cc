#include "analysis/formats/name_map_reader.h"

#include <charconv>
#include <cstdint>
#include <limits>
#include <string_view>

#include "absl/status/status.h"
#include "fmt/format.h"

namespace simpler::formats {
namespace {

namespace dom = simdjson::dom;

class NameMapParser {
 public:
  explicit NameMapParser(const JsonFile& file) : file_(file) {}

  absl::StatusOr<capture::NameMap> Parse() {
    dom::parser parser;
    dom::element document;
    const simdjson::padded_string_view bytes = file_.bytes();
    if (auto error =
            parser.parse(bytes.data(), bytes.size(), /*realloc_if_needed=*/false).get(document)) {
      return Invalid(
          fmt::format("is not a complete JSON document ({})", simdjson::error_message(error)));
    }
    dom::object top;
    if (document.get(top)) return Invalid("the top level must be an object");
    for (const auto [key, value] : top) {
      if (value.is_null()) continue;
      absl::Status status;
      if (key == "level") {
        status = ParseLevel(value);
      } else if (key == "orchestrator_name") {
        status = ParseOrchestratorName(value);
      } else if (key == "callable_id_to_name") {
        status = ParseNames(value);
      }
      if (!status.ok()) return status;
    }
    return std::move(names_);
  }

 private:
  absl::Status ParseLevel(dom::element value) {
    int64_t level = 0;
    if (value.get(level) || level < 0 || level > std::numeric_limits<int>::max()) {
      return Invalid("level must be a small integer");
    }
    names_.level = static_cast<int>(level);
    return absl::OkStatus();
  }

  absl::Status ParseOrchestratorName(dom::element value) {
    std::string_view name;
    if (value.get(name)) return Invalid("orchestrator_name must be a string or null");
    names_.orchestrator_name = std::string(name);
    return absl::OkStatus();
  }

  absl::Status ParseNames(dom::element value) {
    dom::object names;
    if (value.get(names)) return Invalid("callable_id_to_name must be an object");
    for (const auto [key, name] : names) {
      int32_t func_id = 0;
      const char* const end = key.data() + key.size();
      const auto parsed = std::from_chars(key.data(), end, func_id);
      if (parsed.ec != std::errc() || parsed.ptr != end) {
        return Invalid(fmt::format(
            "callable_id_to_name: key '{}' must be a function id in decimal digits", key));
      }
      std::string_view text;
      if (name.get(text)) {
        return Invalid(fmt::format("callable_id_to_name['{}'] must be a string", key));
      }
      names_.names[func_id] = std::string(text);
    }
    return absl::OkStatus();
  }

  absl::Status Invalid(const std::string& reason) const {
    return absl::InvalidArgumentError(
        fmt::format("{}: {}; write the name map again or leave it out", file_.name(), reason));
  }

  const JsonFile& file_;
  capture::NameMap names_;
};

}  // namespace

absl::StatusOr<capture::NameMap> ParseNameMap(const JsonFile& file) {
  return NameMapParser(file).Parse();
}

absl::StatusOr<capture::NameMap> ReadNameMap(const std::string& path) {
  absl::StatusOr<JsonFile> file = JsonFile::Open(path);
  if (!file.ok()) return file.status();
  return ParseNameMap(*file);
}

}  // namespace simpler::formats
