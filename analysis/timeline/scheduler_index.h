// Scheduler phase records of a run as a trace shows them: by position, by start, and which of them
// covers an instant.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "analysis/capture/capture.h"
#include "analysis/capture/joined_run.h"
#include "analysis/capture/task_table.h"
#include "analysis/timeline/phase_style.h"
#include "analysis/timeline/record_index.h"

namespace simpler::timeline {

// A phase record: its stream and its position in it.
struct PhaseId {
  uint32_t stream = 0;
  uint32_t record = 0;
  friend bool operator==(const PhaseId&, const PhaseId&) = default;
};

class SchedulerIndex {
 public:
  using Ref = RecordIndex<capture::SchedulerPhaseBlock>::Ref;

  SchedulerIndex(const capture::JoinedRun& rows, const std::vector<capture::Task>& tasks);

  const std::vector<capture::SchedulerStream>& streams() const { return *streams_; }
  size_t size(size_t stream) const { return index_[stream].records.size(); }
  Ref At(PhaseId id) const { return index_[id.stream].records.At(id.record); }
  capture::DeviceCycles Start(PhaseId id) const;
  capture::DeviceCycles End(PhaseId id) const;

  // Number of a record among all records of the run, for identities.
  uint64_t Ordinal(PhaseId id) const { return index_[id.stream].first_ordinal + id.record; }
  uint64_t record_count() const { return record_count_; }

  PhaseRole Role(PhaseId id) const;
  // A `resolve` that is part of another bar, so that it needs a lane of its own.
  bool IsNestedResolve(PhaseId id) const { return index_[id.stream].nested[id.record]; }
  bool HasNestedResolve(size_t stream) const { return index_[stream].has_nested; }
  // The stream is a thread that only resolves dependencies.
  bool IsResolver(size_t stream) const { return index_[stream].is_resolver; }

  // A ready-queue depth sample was taken at the end of the record and counts.
  bool HasQueueSample(PhaseId id) const;

 private:
  struct Stream {
    RecordIndex<capture::SchedulerPhaseBlock> records;
    uint64_t first_ordinal = 0;
    std::vector<bool> nested;
    bool has_nested = false;
    bool is_resolver = false;
  };

  void FindResolvers(const capture::JoinedRun& rows, const std::vector<capture::Task>& tasks);

  const std::vector<capture::SchedulerStream>* streams_;
  std::vector<Stream> index_;
  uint64_t record_count_ = 0;
};

// Some records of one stream, ordered by start: the search structure behind arrows that end at
// "the phase that covers this instant". Twelve bytes per record.
class PhaseSearch {
 public:
  PhaseSearch(const SchedulerIndex& phases, uint32_t stream, std::vector<uint32_t> records);

  // Of the records that start at or before the instant the last one, if it has not ended before it
  // (both ends belong to a record). O(log records).
  std::optional<PhaseId> Covering(capture::DeviceCycles at) const;
  // The covering record, else the next one to start.
  std::optional<PhaseId> CoveringOrNext(capture::DeviceCycles at) const;

  const std::vector<uint32_t>& records() const { return records_; }

 private:
  // Index in records_ of the first record that starts behind the instant.
  size_t FirstAfter(capture::DeviceCycles at) const;
  PhaseId At(size_t index) const { return {stream_, records_[index]}; }

  const SchedulerIndex* phases_;
  uint32_t stream_;
  std::vector<uint32_t> records_;
  std::vector<capture::DeviceCycles> starts_;  // of records_, for searches that touch nothing else
};

// Records of one kind, by start.
PhaseSearch PhasesOfKind(const SchedulerIndex& phases, uint32_t stream, capture::PhaseKind kind);
// Records that are bars of the stream's main lane and not inside another bar, by start.
PhaseSearch OuterBars(const SchedulerIndex& phases, uint32_t stream);

}  // namespace simpler::timeline
