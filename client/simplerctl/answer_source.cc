#include "client/simplerctl/answer_source.h"

#include <utility>

#include "client/profiler/profiler_client.h"
#include "client/simplerctl/capture_id.h"
#include "client/simplerctl/daemon_source.h"
#include "client/simplerctl/local_source.h"

namespace simpler::simplerctl {

absl::StatusOr<std::unique_ptr<AnswerSource>> OpenSource(const InputOptions& options,
                                                         const SourceUse& use) {
  if (options.path && IsCaptureId(*options.path)) {
    absl::StatusOr<std::unique_ptr<profiler::ProfilerClient>> client = Connect(*options.daemon);
    if (!client.ok()) return client.status();
    return std::make_unique<DaemonSource>(*std::move(client), options, use.tolerance);
  }
  absl::StatusOr<std::unique_ptr<LocalSource>> local = LocalSource::Open(options, use);
  if (!local.ok()) return local.status();
  return *std::move(local);
}

}  // namespace simpler::simplerctl
