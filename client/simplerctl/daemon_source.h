// Answers that the daemon gives about a capture in its store.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "client/profiler/profiler_client.h"
#include "client/simplerctl/answer_source.h"
#include "client/simplerctl/inputs.h"

namespace simpler::simplerctl {

class DaemonSource final : public AnswerSource {
 public:
  // The options' path is the capture's id. `tolerance`: of the critical path, in cycles.
  DaemonSource(std::unique_ptr<profiler::ProfilerClient> client, const InputOptions& options,
               int64_t tolerance);

  absl::StatusOr<ReportAnswer> Report(OutputForm form) override;
  absl::StatusOr<std::string> Stats(OutputForm form) override;
  absl::StatusOr<CriticalPathAnswer> CriticalPath(OutputForm form, size_t top_families) override;
  absl::StatusOr<std::string> Info(OutputForm form) override;
  absl::StatusOr<TraceAnswer> WriteTrace(const timeline::TraceRequest& request,
                                         OutputForm summary_form,
                                         timeline::ByteSink* sink) override;
  std::string DefaultTracePath() const override { return run_.capture_id(); }

 private:
  absl::StatusOr<bool> HasGraph();

  std::unique_ptr<profiler::ProfilerClient> client_;
  profiler::v1::RunSelector run_;
  int64_t tolerance_;
};

}  // namespace simpler::simplerctl
