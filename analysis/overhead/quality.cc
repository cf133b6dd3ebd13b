#include "analysis/overhead/quality.h"

#include "analysis/overhead/counted.h"
#include "fmt/format.h"

namespace simpler::overhead {
namespace {

using capture::HostCaptureStatus;
using capture::JoinReport;

uint64_t HostRecordCount(const capture::Run& run) {
  uint64_t count = 0;
  for (const auto& lane : run.host_submit_lanes) count += lane.size();
  return count;
}

class Assessor {
 public:
  Assessor(const OverheadInputs& inputs, const OverheadReport& report)
      : inputs_(inputs), report_(report) {}

  Quality Assess() {
    FindLostRows();
    FindLostPhases();
    FindLostHostRecords();
    if (!result_.reasons.empty()) result_.quality = QualityClass::kInvalid;
    FindContradictions();
    if (result_.quality == QualityClass::kOk && !result_.reasons.empty()) {
      result_.quality = QualityClass::kPerturbed;
    }
    return std::move(result_);
  }

 private:
  void FindLostRows() {
    const JoinReport& join = inputs_.rows->report();
    if (const uint64_t lost = join.scheduler_rows_without_aicore; lost > 0) {
      result_.reasons.push_back(
          fmt::format("{} without AICore record: kernels are missing from the timeline, so idle "
                      "cores are overstated",
                      Counted(lost, "dispatched row")));
    }
    if (const uint64_t lost = join.aicore_rows_without_scheduler; lost > 0) {
      result_.reasons.push_back(fmt::format(
          "{} of {} without scheduler record: their waiting is not counted, so overhead is a lower "
          "bound",
          lost, Counted(report_.rows, "AICore row")));
    }
  }

  void FindLostPhases() {
    if (!report_.scheduler || report_.scheduler->truncated_streams == 0) return;
    result_.reasons.push_back(
        fmt::format("{} lost in {}: the scheduler budget is a lower bound",
                    Counted(report_.scheduler->dropped_records, "phase record"),
                    Counted(report_.scheduler->truncated_streams, "scheduler stream")));
  }

  void FindLostHostRecords() {
    const auto& host = inputs_.rows->capture().metadata.host_capture;
    if (!host) return;
    if (host->dropped_records.value_or(0) > 0) {
      result_.reasons.push_back(
          fmt::format("the host dropped {} of orchestration",
                      Counted(static_cast<uint64_t>(*host->dropped_records), "record")));
    } else if (host->status == "dropped" || host->status == "incomplete") {
      result_.reasons.push_back(
          fmt::format("the host reports its orchestration records as {}", host->status));
    }
    FindHostMismatch(*host);
  }

  // Only a file with one run can be compared: the host counts the records of all of them.
  void FindHostMismatch(const HostCaptureStatus& host) {
    if (inputs_.rows->capture().runs.size() > 1) return;
    const auto present = static_cast<int64_t>(HostRecordCount(inputs_.rows->run()));
    for (const auto& claimed : {host.recorded_records, host.expected_records}) {
      if (!claimed || *claimed == present) continue;
      result_.reasons.push_back(fmt::format(
          "the host claims {} orchestration records, the file holds {}", *claimed, present));
      return;
    }
  }

  void AddContradiction(uint64_t count, uint64_t total, const char* what) {
    const double percent =
        total == 0 ? 0 : 100.0 * static_cast<double>(count) / static_cast<double>(total);
    if (percent <= kToleratedPercent) return;
    result_.reasons.push_back(fmt::format("{} of {} {} ({:.1f} %)", count, total, what, percent));
  }

  void FindContradictions() {
    const StampHealth& health = report_.health;
    AddContradiction(health.dispatch_after_start, health.rows_with_scheduler,
                     "rows were stamped as dispatched after their kernel started");
    AddContradiction(health.finish_before_end, health.rows_with_scheduler,
                     "rows were stamped as finished before their kernel ended");
    AddContradiction(health.overlapping_rows, health.rows,
                     "rows started while another kernel ran on their core");
    AddContradiction(health.edges_violated, health.edges_checked,
                     "dependencies were started before their producer ended");
  }

  const OverheadInputs& inputs_;
  const OverheadReport& report_;
  Quality result_;
};

}  // namespace

const char* QualityClassName(QualityClass quality) {
  switch (quality) {
    case QualityClass::kOk:
      return "OK";
    case QualityClass::kPerturbed:
      return "PERTURBED";
    case QualityClass::kInvalid:
      break;
  }
  return "INVALID";
}

Quality AssessQuality(const OverheadInputs& inputs, const OverheadReport& report) {
  return Assessor(inputs, report).Assess();
}

}  // namespace simpler::overhead
