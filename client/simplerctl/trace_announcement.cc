#include "client/simplerctl/trace_announcement.h"

#include <optional>

#include "analysis/report/trace_summary.h"
#include "client/simplerctl/output.h"

namespace simpler::simplerctl {

absl::StatusOr<ExitCode> Announce(const TraceAnnouncement& trace) {
  const bool to_stdout = trace.destination == kStandardOutput;
  const std::string destination = to_stdout ? "standard output" : trace.destination;
  const std::string text =
      trace.json ? trace.summary
                 : report::TraceDestinationText(destination, trace.bytes) + trace.summary;
  if (to_stdout) {
    Note(text);
    return ExitCode::kOk;
  }
  if (absl::Status status = WriteOutput(std::nullopt, text); !status.ok()) return status;
  if (!trace.json) Note("Open https://ui.perfetto.dev and drop the file there.");
  return ExitCode::kOk;
}

}  // namespace simpler::simplerctl
