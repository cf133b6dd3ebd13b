#include "client/simplerctl/trace_content.h"

#include "client/simplerctl/archive_name.h"

namespace simpler::simplerctl {
namespace {

// Validator of one --flows name.
std::string CheckFlows(const std::string& name) {
  return std::string(timeline::ParseFlows(name).status().message());
}

}  // namespace

void AddTraceContentOptions(CLI::App* command, const std::vector<std::string>& formats,
                            TraceContent* content) {
  const std::string group = "Content";
  command->add_option("--format", content->format, "Encoding")
      ->check(CLI::IsMember(formats))
      ->capture_default_str()
      ->group("Output");
  command
      ->add_option("--flows", content->flows,
                   "Arrows to draw: dependency, complete, complete_ready, dispatch, "
                   "submit_dispatch, each also as NAME.worker or NAME.scheduler, all or none "
                   "(default: dependency.worker for perfetto, all for json)")
      ->delimiter(',')
      ->check(CheckFlows)
      ->group(group);
  command
      ->add_option("--names", content->names,
                   "Call task bars by function or task (default: function for perfetto)")
      ->check(CLI::IsMember({"function", "task"}))
      ->group(group);
  command->add_option("--from", content->from_us, "Leave out what ends before this time, in µs")
      ->group(group);
  command->add_option("--to", content->to_us, "Leave out what begins after this time, in µs")
      ->group(group);
  command
      ->add_option("--lanes", content->lanes,
                   "Keep lanes whose process/lane contains this text, or matches this glob")
      ->delimiter(',')
      ->group(group);
  command
      ->add_flag("--overhead", content->overhead, "Add the eight overhead counters; needs a graph")
      ->group(group);
}

void CheckTraceContent(const TraceContent& content) {
  if (content.from_us && content.to_us && *content.from_us >= *content.to_us) {
    throw CLI::ValidationError("--to", "the window is empty: --to must be above --from");
  }
  if (content.format == "archive" && RequestOf(content) != timeline::TraceRequest{}) {
    throw CLI::ValidationError("--format",
                               "an archive holds the whole capture; leave out what "
                               "chooses the content of a trace");
  }
}

timeline::TraceRequest RequestOf(const TraceContent& content) {
  timeline::TraceRequest request;
  if (content.format == "json") request.format = timeline::TraceFormat::kChromeJson;
  request.flows = content.flows;
  if (content.names == "function") request.naming = timeline::TaskNaming::kFunction;
  if (content.names == "task") request.naming = timeline::TaskNaming::kTask;
  request.from_us = content.from_us;
  request.to_us = content.to_us;
  request.lanes = content.lanes;
  request.overhead_counters = content.overhead;
  return request;
}

std::string ExtensionOf(const TraceContent& content) {
  if (content.format == "archive") return kArchiveSuffix;
  return content.format == "json" ? ".json" : ".pftrace";
}

}  // namespace simpler::simplerctl
