// Where the answers of the commands come from: files, or a capture in the daemon. Both give the
// same bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "analysis/overhead/critical_path.h"
#include "analysis/timeline/byte_sink.h"
#include "analysis/timeline/trace_request.h"
#include "client/simplerctl/inputs.h"
#include "client/simplerctl/output_options.h"

namespace simpler::simplerctl {

// What a limit on the overhead is checked against.
struct OverheadFigure {
  std::optional<double> has_percent;
  bool invalid_capture = false;
};

struct ReportAnswer {
  std::string document;
  OverheadFigure overhead;
};

struct CriticalPathAnswer {
  std::string document;
  std::string summary;  // one line, without a line end
};

struct TraceAnswer {
  std::string summary;  // what the trace holds and leaves out
  bool has_graph = false;
};

// Answers about one run of one capture, as documents in the form that is asked for.
class AnswerSource {
 public:
  virtual ~AnswerSource() = default;

  virtual absl::StatusOr<ReportAnswer> Report(OutputForm form) = 0;
  virtual absl::StatusOr<std::string> Stats(OutputForm form) = 0;
  virtual absl::StatusOr<CriticalPathAnswer> CriticalPath(OutputForm form, size_t top_families) = 0;
  virtual absl::StatusOr<std::string> Info(OutputForm form) = 0;

  // Writes the trace without committing the sink.
  virtual absl::StatusOr<TraceAnswer> WriteTrace(const timeline::TraceRequest& request,
                                                 OutputForm summary_form,
                                                 timeline::ByteSink* sink) = 0;
  // Where the trace goes when nobody says so: a path without extension.
  virtual std::string DefaultTracePath() const = 0;
};

// What the source is going to be used for.
struct SourceUse {
  int64_t tolerance = overhead::CriticalPathOptions{}.tolerance;  // of the critical path, in cycles
  bool writes_trace = false;                                      // for the progress bar
};

// Reads the files, or finds the daemon when the options name a capture in it.
absl::StatusOr<std::unique_ptr<AnswerSource>> OpenSource(const InputOptions& options,
                                                         const SourceUse& use = {});

}  // namespace simpler::simplerctl
