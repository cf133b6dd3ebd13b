#include "analysis/formats/name_map_writer.h"

#include "analysis/formats/json_value.h"
#include "fmt/format.h"

namespace simpler::formats {

std::string WriteNameMap(const capture::NameMap& names) {
  std::string text = fmt::format(
      "{{\n  \"level\": {},\n  \"orchestrator_name\": {},\n  \"callable_id_to_name\": {{",
      names.level ? fmt::format("{}", *names.level) : "null",
      names.orchestrator_name ? JsonQuote(*names.orchestrator_name) : "null");
  const char* separator = "\n";
  for (const auto& [func_id, name] : names.names) {
    text += fmt::format("{}    \"{}\": {}", separator, func_id, JsonQuote(name));
    separator = ",\n";
  }
  return text + "\n  }\n}\n";
}

}  // namespace simpler::formats
