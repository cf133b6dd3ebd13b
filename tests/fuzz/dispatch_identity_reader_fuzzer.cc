// Any bytes are either refused with a message or give an identity that keeps the rules.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "analysis/formats/dispatch_identity_reader.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using simpler::formats::JsonFile;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto identity =
      simpler::formats::ParseDispatchIdentity(JsonFile::FromText(text, "rank2/d7/fuzz"));
  const bool sound = identity.ok()
                         ? identity->chip_rank == 2 && identity->local_capture_index == 7 &&
                               identity->group_index < identity->group_size &&
                               identity->callable_digest.size() == 64
                         : !identity.status().message().empty();
  if (!sound) std::abort();
  return 0;
}
