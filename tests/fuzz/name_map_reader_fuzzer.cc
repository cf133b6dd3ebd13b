// Any bytes are either refused with a message or give a name map.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "analysis/formats/name_map_reader.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using simpler::formats::JsonFile;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto names = simpler::formats::ParseNameMap(JsonFile::FromText(text, "fuzz"));
  if (!names.ok() && names.status().message().empty()) std::abort();
  return 0;
}
