#include "analysis/formats/dispatch_identity_writer.h"

#include "analysis/formats/json_value.h"
#include "fmt/format.h"

namespace simpler::formats {

std::string WriteDispatchIdentity(const capture::DispatchIdentity& identity) {
  std::string text = "{\n  \"schema_version\": 1";
  const auto add = [&text](const char* key, const std::string& value) {
    text += fmt::format(",\n  \"{}\": {}", key, value);
  };
  const auto add_number = [&add](const char* key, int64_t value) {
    add(key, fmt::format("{}", value));
  };
  add_number("run_id", identity.run_id);
  add_number("task_slot", identity.task_slot);
  add_number("group_index", identity.group_index);
  add_number("group_size", identity.group_size);
  if (identity.host_pid) add_number("host_pid", *identity.host_pid);
  add_number("chip_rank", identity.chip_rank);
  add_number("local_capture_index", identity.local_capture_index);
  add_number("endpoint_dispatch_id", identity.endpoint_dispatch_id);
  add_number("pipeline_slot", identity.pipeline_slot);
  add_number("pipeline_generation", identity.pipeline_generation);
  add("callable_digest", JsonQuote(identity.callable_digest));
  return text + "\n}\n";
}

}  // namespace simpler::formats
