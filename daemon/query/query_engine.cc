#include "daemon/query/query_engine.h"

#include <compare>
#include <limits>
#include <utility>

#include "analysis/archive/archive_writer.h"
#include "analysis/overhead/critical_path.h"
#include "analysis/report/bundle_inputs.h"
#include "analysis/report/trace_summary.h"
#include "daemon/query/analysis_weight.h"
#include "daemon/query/flight_cache.h"
#include "daemon/query/trace_key.h"
#include "daemon/query/trace_spool.h"
#include "daemon/query/worker_pool.h"

namespace simpler::daemon {
namespace {

using Bundle = std::shared_ptr<const capture::CaptureBundle>;
using AnalyzedResult = absl::StatusOr<std::shared_ptr<const AnalyzedCapture>>;
using TraceResult = absl::StatusOr<std::shared_ptr<const SpooledTrace>>;

struct AnalysisKey {
  RunKey run;
  int64_t tolerance_cycles = 0;

  auto operator<=>(const AnalysisKey&) const = default;
};

AnalyzedResult AnalyzeBundle(Bundle bundle, const AnalysisKey& key, const std::stop_token& stop) {
  absl::StatusOr<report::Inputs> inputs = report::InputsOf(*bundle, key.run.run_index);
  if (!inputs.ok()) return inputs.status();
  report::Options options;
  options.strict = key.run.strict;
  options.tolerance = key.tolerance_cycles;
  options.cancelled = [&stop] { return stop.stop_requested(); };
  absl::StatusOr<report::Analysis> analysis = report::Analyze(*std::move(inputs), options);
  if (!analysis.ok()) return analysis.status();
  return std::make_shared<const AnalyzedCapture>(std::move(bundle), *std::move(analysis));
}

uint64_t NoWeight(const SpooledTrace&) { return 0; }

}  // namespace

class QueryEngine::State {
 public:
  State(const EngineOptions& options, CaptureStore* store, std::shared_ptr<TraceSpool> spool)
      : store_(store),
        spool_(std::move(spool)),
        analyses_(
            options.analysis_cache_bytes,
            [](const AnalyzedCapture& value) { return MemoryBytes(value.analysis); }, &pool_),
        // The spool has the budget of traces, because they are written before they are cached.
        traces_(std::numeric_limits<uint64_t>::max(), NoWeight, &pool_),
        pool_(options.threads, options.max_queued) {
    // Cached analyses hold their captures.
    store_->OnUnload([this](const std::string& id) { ForgetAnalyses(id); });
  }

  ~State() {
    store_->OnUnload(nullptr);
    traces_.Close();
    analyses_.Close();
  }

  absl::Status Post(Work work) { return pool_.Post(std::move(work)); }
  void PostAccepted(Work work) { pool_.PostAccepted(std::move(work)); }

  void Analyze(const RunKey& run, std::optional<int64_t> tolerance_cycles,
               const std::stop_token& stop, AnalysisDone done,
               Admission admission = Admission::kNew) {
    const AnalysisKey key{
        .run = run,
        .tolerance_cycles = tolerance_cycles.value_or(overhead::CriticalPathOptions{}.tolerance)};
    auto compute = [this, key](const std::stop_token& abandoned, const AnalysisDone& finished) {
      absl::StatusOr<Bundle> bundle = store_->Load(key.run.capture_id);
      finished(bundle.ok() ? AnalyzeBundle(*std::move(bundle), key, abandoned) : bundle.status());
    };
    analyses_.Get(key, stop, compute, std::move(done), admission);
  }

  void RenderTrace(const RunKey& run, const timeline::TraceRequest& request,
                   const std::stop_token& stop, TraceDone done) {
    const absl::StatusOr<timeline::TimelineOptions> options = timeline::OptionsFor(request);
    if (!options.ok()) {
      pool_.PostAnswer([done = std::move(done), status = options.status()] { done(status); });
      return;
    }
    auto compute = [this, run, format = request.format, options = *options](
                       const std::stop_token& abandoned, const TraceDone& finished) {
      auto render = [this, format, options, abandoned, finished](const AnalyzedResult& analyzed) {
        if (!analyzed.ok()) return finished(analyzed.status());
        // The answer of an analysis must be quick, and rendering is not.
        pool_.PostAccepted([this, format, options, abandoned, finished, held = *analyzed] {
          finished(Render(held->analysis, format, options, abandoned));
        });
      };
      Analyze(run, std::nullopt, abandoned, render, Admission::kAccepted);
    };
    traces_.Get(KeyOf(run, request.format, *options), stop, compute, std::move(done));
  }

  void RenderArchive(const std::string& capture_id, const std::stop_token& stop, TraceDone done) {
    auto compute = [this, capture_id](const std::stop_token& abandoned, const TraceDone& finished) {
      absl::StatusOr<Bundle> bundle = store_->Load(capture_id);
      finished(bundle.ok() ? Pack(**bundle, abandoned) : bundle.status());
    };
    traces_.Get(ArchiveKey(capture_id), stop, compute, std::move(done));
  }

  void ForgetAnalyses(const std::string& capture_id) {
    analyses_.EraseIf([&](const AnalysisKey& key) { return key.run.capture_id == capture_id; });
  }

  void Forget(const std::string& capture_id) {
    ForgetAnalyses(capture_id);
    traces_.EraseIf([&](const TraceKey& key) { return key.run.capture_id == capture_id; });
  }

  EngineUsage usage() const {
    const FlightCounts analyses = analyses_.counts();
    const FlightCounts traces = traces_.counts();
    return {.analysis_cache_used_bytes = analyses_.used(),
            .spool_used_bytes = spool_->used_bytes(),
            .analyses_computed = analyses.computed,
            .analyses_shared = analyses.shared,
            .traces_rendered = traces.computed,
            .traces_shared = traces.shared};
  }

 private:
  absl::StatusOr<std::unique_ptr<SpoolSink>> NewSink(const std::stop_token& abandoned) {
    return SpoolSink::Create(
        spool_, [this] { return traces_.EvictOldestIdle(); }, abandoned);
  }

  TraceResult Render(const report::Analysis& analysis, timeline::TraceFormat format,
                     const timeline::TimelineOptions& options, const std::stop_token& abandoned) {
    absl::StatusOr<std::unique_ptr<SpoolSink>> sink = NewSink(abandoned);
    if (!sink.ok()) return sink.status();
    absl::StatusOr<timeline::TraceSummary> summary =
        timeline::WriteTrace(format, report::TimelineInputsOf(analysis), options, **sink);
    if (!summary.ok()) return summary.status();
    if (absl::Status status = (*sink)->Commit(); !status.ok()) return status;
    return (*sink)->Take(*std::move(summary), analysis.warnings);
  }

  TraceResult Pack(const capture::CaptureBundle& bundle, const std::stop_token& abandoned) {
    absl::StatusOr<std::unique_ptr<SpoolSink>> sink = NewSink(abandoned);
    if (!sink.ok()) return sink.status();
    if (absl::Status status = archive::WriteArchive(bundle, sink->get()); !status.ok()) {
      return status;
    }
    if (absl::Status status = (*sink)->Commit(); !status.ok()) return status;
    return (*sink)->Take(std::nullopt, bundle.warnings);
  }

  CaptureStore* const store_;
  const std::shared_ptr<TraceSpool> spool_;
  FlightCache<AnalysisKey, AnalyzedCapture> analyses_;
  FlightCache<TraceKey, SpooledTrace> traces_;
  WorkerPool pool_;  // ends before what its work uses
};

absl::StatusOr<std::unique_ptr<QueryEngine>> QueryEngine::Create(const EngineOptions& options,
                                                                 CaptureStore* store) {
  absl::StatusOr<std::shared_ptr<TraceSpool>> spool =
      TraceSpool::Open(options.spool_directory, options.spool_bytes);
  if (!spool.ok()) return spool.status();
  return std::unique_ptr<QueryEngine>(
      new QueryEngine(std::make_unique<State>(options, store, *std::move(spool))));
}

QueryEngine::QueryEngine(std::unique_ptr<State> state) : state_(std::move(state)) {}
QueryEngine::~QueryEngine() = default;

absl::Status QueryEngine::Post(std::function<void()> work) { return state_->Post(std::move(work)); }

void QueryEngine::PostAccepted(std::function<void()> work) {
  state_->PostAccepted(std::move(work));
}

void QueryEngine::Analyze(const RunKey& run, std::optional<int64_t> tolerance_cycles,
                          const std::stop_token& stop, AnalysisDone done) {
  state_->Analyze(run, tolerance_cycles, stop, std::move(done));
}

void QueryEngine::RenderTrace(const RunKey& run, const timeline::TraceRequest& request,
                              const std::stop_token& stop, TraceDone done) {
  state_->RenderTrace(run, request, stop, std::move(done));
}

void QueryEngine::RenderArchive(const std::string& capture_id, const std::stop_token& stop,
                                TraceDone done) {
  state_->RenderArchive(capture_id, stop, std::move(done));
}

void QueryEngine::Forget(const std::string& capture_id) { state_->Forget(capture_id); }

EngineUsage QueryEngine::usage() const { return state_->usage(); }

}  // namespace simpler::daemon
