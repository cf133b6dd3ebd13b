#include "client/simplerctl/daemon_status.h"

#include <cstdint>

#include "analysis/report/json_writer.h"
#include "client/simplerctl/byte_text.h"
#include "fmt/format.h"

namespace simpler::simplerctl {
namespace {

using profiler::v1::DescribeResponse;
using report::JsonWriter;

std::string UsageText(uint64_t used, uint64_t budget) {
  return fmt::format("{} of {}", ByteText(used), ByteText(budget));
}

// Bytes used of a budget, and how often its contents were computed and answered again.
void WriteCache(const char* key, uint64_t used, uint64_t budget, uint64_t made, uint64_t shared,
                const char* made_key, JsonWriter* json) {
  json->Key(key);
  json->BeginObject();
  json->Member("used_bytes", used);
  json->Member("budget_bytes", budget);
  json->Member(made_key, made);
  json->Member("shared", shared);
  json->EndObject();
}

}  // namespace

std::string DaemonStatusText(const DescribeResponse& status) {
  const std::string directory =
      status.store_directory().empty() ? "memory only" : status.store_directory();
  std::string text;
  const auto line = [&text](const char* what, const std::string& value) {
    text += fmt::format("{:<11} {}\n", what, value);
  };
  line("version", fmt::format("simplerd {}, archives up to {}.{}", status.version(),
                              status.archive_major_version(), status.archive_minor_version()));
  line("up", fmt::format("{:.1f} s", static_cast<double>(status.uptime_ms()) / 1000));
  line("store",
       fmt::format("{} captures, {} ({})", status.captures(),
                   UsageText(status.store_used_bytes(), status.store_budget_bytes()), directory));
  line("analyses",
       fmt::format(
           "{} computed, {} shared, {} kept", status.analyses_computed(), status.analyses_shared(),
           UsageText(status.analysis_cache_used_bytes(), status.analysis_cache_budget_bytes())));
  line("traces",
       fmt::format("{} rendered, {} shared, {} kept", status.traces_rendered(),
                   status.traces_shared(),
                   UsageText(status.trace_spool_used_bytes(), status.trace_spool_budget_bytes())));
  line("queries", fmt::format("{} threads, {} slow readers cut", status.query_threads(),
                              status.slow_readers_cut()));
  return text;
}

std::string DaemonStatusJson(const DescribeResponse& status) {
  JsonWriter json;
  json.BeginObject();
  json.Member("schema", "simpler.status/1");
  json.Member("version", status.version());
  json.Member("uptime_ms", status.uptime_ms());
  json.Key("archive_version");
  json.BeginObject();
  json.Member("major", status.archive_major_version());
  json.Member("minor", status.archive_minor_version());
  json.EndObject();
  json.Key("store");
  json.BeginObject();
  json.Member("captures", status.captures());
  json.Member("used_bytes", status.store_used_bytes());
  json.Member("budget_bytes", status.store_budget_bytes());
  json.Key("directory");
  status.store_directory().empty() ? json.Null() : json.Value(status.store_directory());
  json.EndObject();
  WriteCache("analyses", status.analysis_cache_used_bytes(), status.analysis_cache_budget_bytes(),
             status.analyses_computed(), status.analyses_shared(), "computed", &json);
  WriteCache("traces", status.trace_spool_used_bytes(), status.trace_spool_budget_bytes(),
             status.traces_rendered(), status.traces_shared(), "rendered", &json);
  json.Member("query_threads", status.query_threads());
  json.Member("slow_readers_cut", status.slow_readers_cut());
  json.EndObject();
  return json.Take();
}

}  // namespace simpler::simplerctl
