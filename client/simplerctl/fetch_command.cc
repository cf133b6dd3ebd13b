#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "client/profiler/profiler_client.h"
#include "client/simplerctl/commands.h"
#include "client/simplerctl/daemon_messages.h"
#include "client/simplerctl/download.h"
#include "client/simplerctl/inputs.h"
#include "client/simplerctl/output.h"
#include "client/simplerctl/trace_announcement.h"
#include "client/simplerctl/trace_content.h"
#include "fmt/format.h"

namespace simpler::simplerctl {
namespace {

namespace v1 = profiler::v1;

struct FetchOptions {
  const DaemonOptions* daemon = nullptr;
  InputOptions inputs;  // only the run
  std::string id;
  TraceContent content;
  bool json = false;
  std::optional<std::string> path;

  bool is_archive() const { return content.format == "archive"; }
};

v1::FetchTraceRequest RequestFor(const FetchOptions& options) {
  if (options.is_archive()) return ArchiveRequest(options.id);
  v1::FetchTraceRequest request;
  *request.mutable_run() = RunOf(options.id, options.inputs.run, options.inputs.strict);
  *request.mutable_options() = ToMessage(RequestOf(options.content));
  request.set_summary_format(ToMessage(options.json ? OutputForm::kJson : OutputForm::kText));
  return request;
}

absl::StatusOr<profiler::FetchedTrace> FetchToStdout(const v1::FetchTraceRequest& request,
                                                     profiler::ProfilerClient* client) {
  absl::StatusOr<std::unique_ptr<timeline::ByteSink>> sink = OpenOutput(kStandardOutput);
  if (!sink.ok()) return sink.status();
  absl::StatusOr<profiler::FetchedTrace> trace = client->FetchTrace(
      request, [&sink](const v1::TraceChunk& chunk) { return (*sink)->Append(chunk.data()); });
  if (!trace.ok()) return trace;
  if (absl::Status status = (*sink)->Commit(); !status.ok()) return status;
  return trace;
}

absl::StatusOr<ExitCode> Run(const FetchOptions& options) {
  absl::StatusOr<std::unique_ptr<profiler::ProfilerClient>> client = Connect(*options.daemon);
  if (!client.ok()) return client.status();
  const v1::FetchTraceRequest request = RequestFor(options);
  const std::string path = options.path.value_or(options.id + ExtensionOf(options.content));
  absl::StatusOr<profiler::FetchedTrace> trace = path == kStandardOutput
                                                     ? FetchToStdout(request, client->get())
                                                     : Download(request, path, client->get());
  if (!trace.ok()) return trace.status();
  if (options.is_archive()) {
    NoteArchive(path, trace->total_bytes);
    return ExitCode::kOk;
  }
  return Announce({path, trace->total_bytes, std::move(trace->summary), options.json});
}

}  // namespace

void AddFetchCommand(const CommandLine& line) {
  CLI::App* command = line.app->add_subcommand(
      "fetch", "Fetch a trace or the archive of a capture from the daemon; can be interrupted");
  auto options = std::make_shared<FetchOptions>();
  options->daemon = line.daemon;
  command->add_option("id", options->id, "Capture in the daemon")->required();
  AddRunOptions(command, &options->inputs);
  AddTraceContentOptions(command, {"perfetto", "json", "archive"}, &options->content);
  command
      ->add_option("-o,--output", options->path,
                   "File, - for standard output (default: ID.pftrace, ID.json or ID.simpler)")
      ->group("Output");
  command->add_flag("--json", options->json, "Say what was written, and left out, as JSON")
      ->group("Output");
  command->footer(
      "Until everything is there, a file is called FILE.TAG.part; the same command goes on with "
      "it.\n"
      "Examples:\n"
      "  simplerctl fetch cap-0123456789ab -o run.pftrace\n"
      "  simplerctl fetch cap-0123456789ab --format archive -o run.simpler");
  command->callback([options, action = line.action] {
    CheckTraceContent(options->content);
    *action = [options] { return Run(*options); };
  });
}

}  // namespace simpler::simplerctl
