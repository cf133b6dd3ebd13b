#include "analysis/formats/records/sections.h"

#include <set>
#include <string>
#include <utility>

#include "fmt/format.h"

namespace simpler::formats::records {
namespace {

using capture::Run;

constexpr size_t kMaxRuns = 1024;  // bounds the memory of a hostile file

template <typename T>
void CollectEpochs(const PerEpoch<T>& section, std::set<int64_t>& epochs) {
  for (const auto& [epoch, group] : section.groups()) {
    if (epoch) epochs.insert(*epoch);
  }
}

template <typename T>
void CollectEpochs(const std::vector<PerEpoch<T>>& lanes, std::set<int64_t>& epochs) {
  for (const PerEpoch<T>& lane : lanes) CollectEpochs(lane, epochs);
}

std::set<int64_t> AllEpochs(Sections& sections) {
  std::set<int64_t> epochs;
  CollectEpochs(sections.aicore, epochs);
  if (sections.scheduler_tasks) CollectEpochs(sections.scheduler_tasks->rows, epochs);
  if (sections.scheduler_streams) {
    for (StreamDraft& stream : *sections.scheduler_streams) {
      CollectEpochs(stream.records.blocks(), epochs);
    }
  }
  CollectEpochs(sections.device_lanes, epochs);
  CollectEpochs(sections.host_lanes, epochs);
  CollectEpochs(sections.host_uploads, epochs);
  CollectEpochs(sections.lifecycle, epochs);
  return epochs;
}

class Divider {
 public:
  Divider(const std::set<int64_t>& epochs, ReadContext& context, std::vector<Run>& runs)
      : context_(context), runs_(runs) {
    if (epochs.empty()) runs_.emplace_back();
    for (const int64_t epoch : epochs) {
      run_of_epoch_[epoch] = runs_.size();
      runs_.emplace_back().epoch = epoch;
    }
  }

  // Hands every group of a section to its run: `take(run, group)`.
  template <typename T, typename Take>
  absl::Status DivideDevice(std::string_view key, PerEpoch<T>& section, Take&& take) {
    if (section.mixes_presence()) {
      return context_.Refuse({key}, "mixes records with and without run_epoch");
    }
    for (auto& [epoch, group] : section.groups()) {
      if (!epoch && runs_.size() > 1) {
        return context_.Refuse(
            {key}, fmt::format("has no run_epoch although the file holds {} runs", runs_.size()));
      }
      take(RunOf(epoch), std::move(group));
    }
    return absl::OkStatus();
  }

  // As above for records that may lack an epoch; those go to the first run.
  template <typename T, typename Take>
  void DivideLenient(PerEpoch<T>& section, Take&& take) {
    for (auto& [epoch, group] : section.groups()) {
      if (!epoch && runs_.size() > 1) unassigned_ += group.size();
      take(RunOf(epoch), std::move(group));
    }
  }

  void WarnAboutUnassigned() {
    if (unassigned_ == 0) return;
    context_.AddWarning({"run_unknown",
                         "host or lifecycle records without run_epoch in a file of several runs "
                         "were counted to the first run",
                         unassigned_});
  }

 private:
  Run& RunOf(Epoch epoch) { return epoch ? runs_[run_of_epoch_.at(*epoch)] : runs_.front(); }

  ReadContext& context_;
  std::vector<Run>& runs_;
  std::map<int64_t, size_t> run_of_epoch_;
  uint64_t unassigned_ = 0;
};

template <typename T>
void AppendTo(std::vector<T>& list, std::vector<T>&& more) {
  list.insert(list.end(), std::make_move_iterator(more.begin()),
              std::make_move_iterator(more.end()));
}

absl::Status DivideTasks(Sections& sections, Divider& divider, std::vector<Run>& runs) {
  auto status = divider.DivideDevice(
      "aicore_tasks", sections.aicore,
      [](Run& run, AicoreRows&& rows) { run.aicore_tasks = std::move(rows.blocks).Take(); });
  if (!status.ok() || !sections.scheduler_tasks) return status;
  for (Run& run : runs) run.has_scheduler_tasks = true;
  return divider.DivideDevice(
      "scheduler_tasks", sections.scheduler_tasks->rows,
      [](Run& run, SchedulerRows&& rows) { run.scheduler_tasks = std::move(rows.blocks).Take(); });
}

absl::Status DivideStreams(std::vector<StreamDraft>& streams, Divider& divider,
                           std::vector<Run>& runs) {
  for (Run& run : runs) run.has_scheduler_streams = true;
  for (size_t i = 0; i < streams.size(); ++i) {
    for (Run& run : runs) run.scheduler_streams.push_back(streams[i].header);
    auto status = divider.DivideDevice(fmt::format("scheduler_records.streams[{}]", i),
                                       streams[i].records.blocks(), [i](Run& run, auto&& blocks) {
                                         run.scheduler_streams[i].blocks = std::move(blocks).Take();
                                       });
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

absl::Status DivideDeviceLanes(std::vector<DeviceLane>& lanes, Divider& divider,
                               std::vector<Run>& runs) {
  for (Run& run : runs) run.orchestrator_lanes.resize(lanes.size());
  for (size_t i = 0; i < lanes.size(); ++i) {
    auto status = divider.DivideDevice(
        "aicpu_orchestrator_phases", lanes[i],
        [i](Run& run, auto&& blocks) { run.orchestrator_lanes[i] = std::move(blocks).Take(); });
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

void DivideHostAndLifecycle(Sections& sections, Divider& divider, std::vector<Run>& runs) {
  for (Run& run : runs) run.host_submit_lanes.resize(sections.host_lanes.size());
  for (size_t i = 0; i < sections.host_lanes.size(); ++i) {
    divider.DivideLenient(sections.host_lanes[i], [i](Run& run, auto&& submits) {
      AppendTo(run.host_submit_lanes[i], std::move(submits));
    });
  }
  divider.DivideLenient(sections.host_uploads, [](Run& run, auto&& uploads) {
    AppendTo(run.host_uploads, std::move(uploads));
  });
  divider.DivideLenient(sections.lifecycle, [](Run& run, auto&& records) {
    AppendTo(run.lifecycle, std::move(records));
  });
  divider.WarnAboutUnassigned();
}

}  // namespace

absl::Status DivideIntoRuns(Sections& sections, ReadContext& context, std::vector<Run>& runs) {
  const std::set<int64_t> epochs = AllEpochs(sections);
  if (epochs.size() > kMaxRuns) {
    return context.Refuse({"run_epoch"}, fmt::format("more than {} runs in one file", kMaxRuns),
                          "record fewer rounds per file");
  }
  Divider divider(epochs, context, runs);
  if (auto status = DivideTasks(sections, divider, runs); !status.ok()) return status;
  if (sections.scheduler_streams) {
    auto status = DivideStreams(*sections.scheduler_streams, divider, runs);
    if (!status.ok()) return status;
  }
  if (auto status = DivideDeviceLanes(sections.device_lanes, divider, runs); !status.ok()) {
    return status;
  }
  DivideHostAndLifecycle(sections, divider, runs);
  return absl::OkStatus();
}

}  // namespace simpler::formats::records
