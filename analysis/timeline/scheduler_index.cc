#include "analysis/timeline/scheduler_index.h"

#include <algorithm>

#include "analysis/overhead/resolve_nesting.h"
#include "analysis/overhead/scheduler_budget.h"

namespace simpler::timeline {
namespace {

using capture::DeviceCycles;
using capture::PhaseKind;
using capture::SchedulerPhaseBlock;

template <typename Predicate>
std::vector<uint32_t> SelectRecords(const SchedulerIndex& phases, uint32_t stream,
                                    Predicate&& predicate) {
  std::vector<uint32_t> selected;
  for (uint32_t record = 0; record < phases.size(stream); ++record) {
    if (predicate(PhaseId{stream, record})) selected.push_back(record);
  }
  return selected;
}

// False for a stream that dispatches or completes tasks, without measuring anything.
bool MayBeResolver(const capture::SchedulerStream& stream) {
  bool schedules = false;
  for (const auto& block : stream.blocks) {
    schedules |= std::any_of(block->kind.begin(), block->kind.end(), [](PhaseKind kind) {
      return kind == PhaseKind::kDispatch || kind == PhaseKind::kComplete;
    });
  }
  return !schedules && stream.size() > 0;
}

}  // namespace

SchedulerIndex::SchedulerIndex(const capture::JoinedRun& rows,
                               const std::vector<capture::Task>& tasks)
    : streams_(&rows.run().scheduler_streams) {
  const bool marked = overhead::MarksStandaloneResolves(rows.run());
  for (const capture::SchedulerStream& stream : *streams_) {
    Stream& entry = index_.emplace_back();
    entry.records = RecordIndex<SchedulerPhaseBlock>(stream.blocks);
    entry.first_ordinal = record_count_;
    record_count_ += entry.records.size();
    entry.nested = overhead::NestedResolves(stream, marked);
    entry.has_nested =
        std::find(entry.nested.begin(), entry.nested.end(), true) != entry.nested.end();
  }
  if (std::any_of(streams_->begin(), streams_->end(), MayBeResolver)) FindResolvers(rows, tasks);
}

void SchedulerIndex::FindResolvers(const capture::JoinedRun& rows,
                                   const std::vector<capture::Task>& tasks) {
  const auto budget = overhead::MeasureScheduler(rows, tasks, nullptr, nullptr);
  if (!budget) return;
  for (const overhead::SchedulerThread& thread : budget->threads) {
    index_[thread.id].is_resolver = thread.role == overhead::SchedulerRole::kResolver;
  }
}

DeviceCycles SchedulerIndex::Start(PhaseId id) const {
  const Ref ref = At(id);
  return ref.block->start[ref.row];
}

DeviceCycles SchedulerIndex::End(PhaseId id) const {
  const Ref ref = At(id);
  return ref.block->end[ref.row];
}

PhaseRole SchedulerIndex::Role(PhaseId id) const {
  const Ref ref = At(id);
  return RoleOf(ref.block->kind[ref.row], (*streams_)[id.stream].producer);
}

bool SchedulerIndex::HasQueueSample(PhaseId id) const {
  const Ref ref = At(id);
  if (!ref.block->Has(ref.row, SchedulerPhaseBlock::kDepthsAtStart) ||
      !ref.block->Has(ref.row, SchedulerPhaseBlock::kDepthsAtEnd)) {
    return false;
  }
  switch (ref.block->kind[ref.row]) {
    case PhaseKind::kComplete:
    case PhaseKind::kDispatch:
      return true;
    case PhaseKind::kResolve:
    case PhaseKind::kResolveStandalone:
    case PhaseKind::kAsyncPoll:
    case PhaseKind::kDummy:
      return IsResolver(id.stream);
    default:
      return false;
  }
}

PhaseSearch::PhaseSearch(const SchedulerIndex& phases, uint32_t stream,
                         std::vector<uint32_t> records)
    : phases_(&phases), stream_(stream), records_(std::move(records)) {
  const auto earlier = [&](uint32_t a, uint32_t b) {
    return phases.Start({stream, a}) < phases.Start({stream, b});
  };
  if (!std::is_sorted(records_.begin(), records_.end(), earlier)) {
    std::stable_sort(records_.begin(), records_.end(), earlier);
  }
  starts_.reserve(records_.size());
  for (uint32_t record : records_) starts_.push_back(phases.Start({stream, record}));
}

size_t PhaseSearch::FirstAfter(DeviceCycles at) const {
  return static_cast<size_t>(std::upper_bound(starts_.begin(), starts_.end(), at) -
                             starts_.begin());
}

std::optional<PhaseId> PhaseSearch::Covering(DeviceCycles at) const {
  const size_t after = FirstAfter(at);
  if (after == 0 || phases_->End(At(after - 1)) < at) return std::nullopt;
  return At(after - 1);
}

std::optional<PhaseId> PhaseSearch::CoveringOrNext(DeviceCycles at) const {
  const size_t after = FirstAfter(at);
  if (after > 0 && phases_->End(At(after - 1)) >= at) return At(after - 1);
  if (after < records_.size()) return At(after);
  return std::nullopt;
}

PhaseSearch PhasesOfKind(const SchedulerIndex& phases, uint32_t stream, PhaseKind kind) {
  return {phases, stream, SelectRecords(phases, stream, [&](PhaseId id) {
            const SchedulerIndex::Ref ref = phases.At(id);
            return ref.block->kind[ref.row] == kind;
          })};
}

PhaseSearch OuterBars(const SchedulerIndex& phases, uint32_t stream) {
  return {phases, stream, SelectRecords(phases, stream, [&](PhaseId id) {
            const PhaseRole role = phases.Role(id);
            return role == PhaseRole::kBar ||
                   (role == PhaseRole::kResolveBar && !phases.IsNestedResolve(id));
          })};
}

}  // namespace simpler::timeline
