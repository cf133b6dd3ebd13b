#include "analysis/report/common_json.h"

#include <cstddef>

#include "fmt/format.h"

namespace simpler::report {

void WriteWarnings(const std::vector<capture::Warning>& warnings, JsonWriter* json) {
  json->Key("warnings");
  json->BeginArray();
  for (const capture::Warning& warning : warnings) {
    json->BeginObject();
    json->Member("code", warning.code);
    json->Member("text", warning.text);
    json->Member("count", warning.count);
    json->EndObject();
  }
  json->EndArray();
}

void WriteBlame(const Analysis& analysis, JsonWriter* json) {
  const capture::CycleScale scale = analysis.scale();
  const auto micros = [&](capture::CycleSpan span) { return scale.Micros(span); };
  json->Key("blame");
  json->BeginObject();
  json->Member("compute_us",
               analysis.blame ? std::optional(micros(analysis.blame->compute)) : std::nullopt);
  for (size_t i = 0; i < overhead::kBlameClassCount; ++i) {
    const auto blame = static_cast<overhead::BlameClass>(i);
    json->Member(
        fmt::format("{}_us", overhead::BlameClassName(blame)),
        analysis.blame ? std::optional(micros(analysis.blame->Class(blame))) : std::nullopt);
  }
  json->EndObject();
}

}  // namespace simpler::report
