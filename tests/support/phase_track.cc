#include "tests/support/phase_track.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace simpler::support {
namespace {

using capture::DeviceCycles;
using capture::PhaseKind;
using capture::SchedulerPhaseBlock;

constexpr size_t kRowsPerBlock = 64 * 1024;

bool IsMarker(PhaseKind kind) {
  return kind == PhaseKind::kDummyTask || kind == PhaseKind::kPredicatedSkip;
}

// Appends records to blocks of bounded size.
class BlockWriter {
 public:
  void Add(PhaseKind kind, int64_t start, int64_t end, uint32_t loop, uint32_t tasks,
           const PhaseEvent* named) {
    if (!block_ || block_->size() == kRowsPerBlock) Open();
    uint8_t present = SchedulerPhaseBlock::kLoopIter | SchedulerPhaseBlock::kTasksProcessed |
                      SchedulerPhaseBlock::kDepthsAtStart | SchedulerPhaseBlock::kDepthsAtEnd;
    if (named != nullptr) present |= SchedulerPhaseBlock::kTaskId;
    const bool pops = kind == PhaseKind::kDispatch;
    if (pops) present |= SchedulerPhaseBlock::kPops;
    block_->start.push_back({start});
    block_->end.push_back({end});
    block_->kind.push_back(kind);
    block_->present.push_back(present);
    block_->loop_iter.push_back(loop);
    block_->tasks_processed.push_back(tasks);
    block_->task_id.push_back(named != nullptr ? named->task_id : 0);
    block_->pop_hit.push_back(pops ? tasks : 0);
    block_->pop_miss.push_back(pops ? loop % 5 : 0);
    const bool marker = IsMarker(kind);
    block_->depths_at_start.push_back(Depths(marker ? 0 : loop));
    block_->depths_at_end.push_back(Depths(marker ? 0 : loop + 1));
  }

  std::vector<std::shared_ptr<const SchedulerPhaseBlock>> Take() && { return std::move(blocks_); }

 private:
  // Any plausible queue: short, and different from one record to the next.
  static capture::QueueDepths Depths(uint32_t loop) { return {loop % 7, loop % 5, loop % 2}; }
  void Open() {
    block_ = std::make_shared<SchedulerPhaseBlock>();
    blocks_.push_back(block_);
  }

  std::shared_ptr<SchedulerPhaseBlock> block_;
  std::vector<std::shared_ptr<const SchedulerPhaseBlock>> blocks_;
};

}  // namespace

std::vector<std::shared_ptr<const SchedulerPhaseBlock>> LayOutPhases(std::vector<PhaseEvent> events,
                                                                     const PhaseShape& shape) {
  std::stable_sort(events.begin(), events.end(),
                   [](const PhaseEvent& a, const PhaseEvent& b) { return a.at < b.at; });
  BlockWriter writer;
  uint32_t loop = 0;
  int64_t free_from = 0;  // end of the last phase
  for (size_t first = 0; first < events.size();) {
    const PhaseEvent& event = events[first];
    loop += 1 + static_cast<uint32_t>(event.at % 3);
    if (IsMarker(event.kind)) {
      writer.Add(event.kind, event.at, event.at, loop, 1, &event);
      ++first;
      continue;
    }
    size_t last = first;
    while (!event.names_task && last + 1 < events.size() && events[last + 1].kind == event.kind &&
           events[last + 1].at - events[last].at <= shape.merge) {
      ++last;
    }
    const int64_t start = std::max(free_from, event.at - shape.lead);
    int64_t end = std::max(start, events[last].at + shape.trail);
    if (last + 1 < events.size()) end = std::max(start, std::min(end, events[last + 1].at));
    if (shape.nested_resolve && event.kind == PhaseKind::kComplete && events[last].at + 2 < end) {
      writer.Add(PhaseKind::kResolve, events[last].at + 1, end - 1, loop, 1, nullptr);
    }
    writer.Add(event.kind, start, end, loop, static_cast<uint32_t>(last - first + 1),
               event.names_task ? &event : nullptr);
    free_from = end;
    first = last + 1;
  }
  return std::move(writer).Take();
}

}  // namespace simpler::support
