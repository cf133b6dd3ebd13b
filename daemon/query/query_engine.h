// Answers questions about stored captures: on a bounded pool of threads, each question computed
// once however many ask it at the same time, results kept within a budget.
//
// Functions return at once and may be called from any thread; the answer comes as one call of
// `done` on a query thread, exactly once. The caller's stop_token ends its wait: `done` then gets
// Cancelled soon. Work is abandoned when nobody waits for it any more. A full queue answers
// ResourceExhausted.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "analysis/capture/bundle.h"
#include "analysis/report/analysis.h"
#include "analysis/timeline/trace.h"
#include "analysis/timeline/trace_request.h"
#include "daemon/query/spooled_trace.h"
#include "daemon/store/capture_store.h"

namespace simpler::daemon {

// Which run of which capture, read how.
struct RunKey {
  std::string capture_id;
  uint32_t run_index = 0;
  bool strict = false;

  auto operator<=>(const RunKey&) const = default;
};

// A run with everything that was computed about it. Immutable.
struct AnalyzedCapture {
  AnalyzedCapture(std::shared_ptr<const capture::CaptureBundle> of, report::Analysis result)
      : bundle(std::move(of)), analysis(std::move(result)) {}

  std::shared_ptr<const capture::CaptureBundle> bundle;  // what `analysis` borrows from
  report::Analysis analysis;
};

struct EngineOptions {
  uint32_t threads = 2;
  uint32_t max_queued = 256;  // questions that wait for a thread
  uint64_t analysis_cache_bytes = uint64_t{1} << 30;
  uint64_t spool_bytes = uint64_t{4} << 30;
  std::string spool_directory = "/var/tmp";
};

struct EngineUsage {
  uint64_t analysis_cache_used_bytes = 0;
  uint64_t spool_used_bytes = 0;
  uint64_t analyses_computed = 0;
  uint64_t analyses_shared = 0;
  uint64_t traces_rendered = 0;
  uint64_t traces_shared = 0;
};

class QueryEngine {
 public:
  // `store` outlives the engine. Fails when the spool directory cannot be written.
  static absl::StatusOr<std::unique_ptr<QueryEngine>> Create(const EngineOptions& options,
                                                             CaptureStore* store);
  // Waits for running work; what is queued answers Cancelled.
  ~QueryEngine();

  // Runs `work` on a query thread, for what needs no cache (imports, rendering of documents).
  // ResourceExhausted: the queue is full, `work` will not run. Work that is queued when the engine
  // is destroyed still runs.
  absl::Status Post(std::function<void()> work);

  // The same for what is left to do of something that Post took before: never refused, and no
  // question finds the queue full because of it.
  void PostAccepted(std::function<void()> work);

  using AnalysisDone = std::function<void(absl::StatusOr<std::shared_ptr<const AnalyzedCapture>>)>;
  // NotFound: the capture. OutOfRange: the run, naming how many there are. Else as report::Analyze.
  void Analyze(const RunKey& run, std::optional<int64_t> tolerance_cycles,
               const std::stop_token& stop, AnalysisDone done);

  using TraceDone = std::function<void(absl::StatusOr<std::shared_ptr<const SpooledTrace>>)>;
  // As Analyze; InvalidArgument for bad options; ResourceExhausted when the trace does not fit into
  // the spool, naming its size and the budget, or when the disk is full.
  void RenderTrace(const RunKey& run, const timeline::TraceRequest& request,
                   const std::stop_token& stop, TraceDone done);
  // The capture as an archive.
  void RenderArchive(const std::string& capture_id, const std::stop_token& stop, TraceDone done);

  // Drops what is cached of a deleted capture.
  void Forget(const std::string& capture_id);

  EngineUsage usage() const;

 private:
  class State;
  explicit QueryEngine(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace simpler::daemon
