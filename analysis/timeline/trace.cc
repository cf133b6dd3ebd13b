#include "analysis/timeline/trace.h"

#include "absl/status/status.h"
#include "analysis/timeline/chrome_trace.h"
#include "analysis/timeline/perfetto_trace.h"
#include "analysis/timeline/write_window.h"
#include "fmt/format.h"

namespace simpler::timeline {
namespace {

struct FlowNames {
  const char* name;
  const char* family;
};

constexpr std::array<FlowNames, kFlowKindCount> kFlowNames = {{
    {"dependency.worker", "dependency"},
    {"dependency.scheduler", "dependency"},
    {"complete.worker", "complete"},
    {"complete.scheduler", "complete"},
    {"complete_ready", "complete_ready"},
    {"dispatch.worker", "dispatch"},
    {"dispatch.scheduler", "dispatch"},
    {"submit_dispatch", "submit_dispatch"},
}};

}  // namespace

const char* FlowKindName(FlowKind kind) { return kFlowNames[static_cast<size_t>(kind)].name; }

absl::StatusOr<FlowSet> ParseFlows(const std::string& name) {
  FlowSet set;
  if (name == "none") return set;
  if (name == "all") return set.set();
  for (size_t kind = 0; kind < kFlowKindCount; ++kind) {
    if (name == kFlowNames[kind].name || name == kFlowNames[kind].family) set.set(kind);
  }
  if (set.none()) {
    return absl::InvalidArgumentError(fmt::format(
        "unknown flows \"{}\": choose dependency, complete, complete_ready, dispatch, "
        "submit_dispatch, all or none; dependency, complete and dispatch take .worker or "
        ".scheduler",
        name));
  }
  return set;
}

TimelineOptions ChromeDefaults() {
  TimelineOptions options;
  options.flows.set();
  options.naming = TaskNaming::kTask;
  return options;
}

TimelineOptions PerfettoDefaults() {
  TimelineOptions options;
  options.flows.set(static_cast<size_t>(FlowKind::kDependencyWorker));
  return options;
}

namespace {

absl::StatusOr<TraceSummary> WriteWhole(TraceFormat format, const TimelineInputs& inputs,
                                        const TimelineOptions& options, ByteSink& sink) {
  const auto model = BuildModelFor(format, inputs, options);
  if (!model.ok()) return model.status();
  return WriteWindow(format, **model, inputs, options, WindowOf(options), sink);
}

}  // namespace

absl::StatusOr<std::unique_ptr<const Model>> BuildModelFor(TraceFormat format,
                                                           const TimelineInputs& inputs,
                                                           const TimelineOptions& options) {
  const SubLanes sub_lanes =
      format == TraceFormat::kChromeJson ? SubLanes::kPerTask : SubLanes::kPerRow;
  auto model = Model::Build(inputs, options, sub_lanes);
  if (!model.ok()) return model;
  if (absl::Status status = CheckPathIsKept(**model, options); !status.ok()) return status;
  return model;
}

absl::StatusOr<TraceSummary> WriteWindow(TraceFormat format, const Model& model,
                                         const TimelineInputs& inputs,
                                         const TimelineOptions& options, const NanoWindow& window,
                                         ByteSink& sink) {
  return format == TraceFormat::kChromeJson
             ? WriteChromeEvents(model, inputs, options, window, sink)
             : WritePerfettoPackets(model, inputs, options, window, sink);
}

absl::StatusOr<TraceSummary> WriteChromeTrace(const TimelineInputs& inputs,
                                              const TimelineOptions& options, ByteSink& sink) {
  return WriteWhole(TraceFormat::kChromeJson, inputs, options, sink);
}

absl::StatusOr<TraceSummary> WritePerfettoTrace(const TimelineInputs& inputs,
                                                const TimelineOptions& options, ByteSink& sink) {
  return WriteWhole(TraceFormat::kPerfetto, inputs, options, sink);
}

}  // namespace simpler::timeline
