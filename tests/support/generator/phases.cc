#include "tests/support/generator/phases.h"

#include <algorithm>
#include <cstdint>
#include <optional>

namespace simpler::support {
namespace {

using capture::PhaseKind;
using capture::Producer;
using capture::QueueDepths;
using capture::SchedulerPhaseBlock;
using capture::SchedulerStream;

struct PhaseRecord {
  PhaseKind kind = PhaseKind::kDispatch;
  int64_t start = 0;
  int64_t end = 0;
  uint32_t loop = 0;
  uint32_t tasks = 0;
  std::optional<uint64_t> task_id{};
  std::optional<uint32_t> pop_miss{};  // pop_hit equals tasks
  std::optional<QueueDepths> depths{};
};

class StreamWriter {
 public:
  void Add(const PhaseRecord& record) {
    SchedulerPhaseBlock& block = blocks_.open();
    uint8_t present = SchedulerPhaseBlock::kLoopIter | SchedulerPhaseBlock::kTasksProcessed;
    if (record.task_id) present |= SchedulerPhaseBlock::kTaskId;
    if (record.pop_miss) present |= SchedulerPhaseBlock::kPops;
    if (record.depths) {
      present |= SchedulerPhaseBlock::kDepthsAtStart | SchedulerPhaseBlock::kDepthsAtEnd;
    }
    block.start.push_back({record.start});
    block.end.push_back({record.end});
    block.kind.push_back(record.kind);
    block.present.push_back(present);
    block.loop_iter.push_back(record.loop);
    block.tasks_processed.push_back(record.tasks);
    block.task_id.push_back(record.task_id.value_or(0));
    block.pop_hit.push_back(record.pop_miss ? record.tasks : 0);
    block.pop_miss.push_back(record.pop_miss.value_or(0));
    block.depths_at_start.push_back(record.depths.value_or(QueueDepths{}));
    block.depths_at_end.push_back(record.depths.value_or(QueueDepths{}));
    ++count_;
  }

  // `header` completed with the records.
  SchedulerStream Finish(SchedulerStream header) {
    header.recorded = true;
    header.counts = SchedulerStream::CaptureCounts{count_, 0, false};
    blocks_.MoveTo(header.blocks);
    return header;
  }

 private:
  BlockList<SchedulerPhaseBlock> blocks_;
  uint64_t count_ = 0;
};

// Something the scheduler did for a task at one instant.
struct SchedulerEvent {
  int64_t at = 0;
  bool is_finish = false;
  uint64_t task = 0;
};

bool Earlier(const SchedulerEvent& a, const SchedulerEvent& b) {
  return a.at != b.at ? a.at < b.at : a.is_finish < b.is_finish;
}

// The events of all cores for which `belongs(core)` holds, by time.
template <typename Predicate>
std::vector<SchedulerEvent> CollectEvents(const Schedule& schedule, Predicate belongs) {
  std::vector<SchedulerEvent> events;
  for (uint32_t core = 0; core < schedule.cores.size(); ++core) {
    if (!belongs(core)) continue;
    size_t token = 0;
    for (const auto& block : schedule.cores[core].kernels.blocks()) {
      for (uint64_t task : block->task_id) {
        const DispatchStamps& stamps = schedule.cores[core].stamps[token++];
        events.push_back({stamps.dispatch, false, task});
        events.push_back({stamps.finish, true, task});
      }
    }
  }
  std::sort(events.begin(), events.end(), Earlier);
  return events;
}

QueueDepths RandomDepths(Random& random) {
  return {random.Below(6), random.Below(6), random.Below(3)};
}

// One scheduler thread: events close together share a phase; phases do not overlap.
class ThreadPhases {
 public:
  ThreadPhases(const TaskPlan& plan, const GeneratorOptions& options, const Chip& chip,
               Random& random, std::vector<RetirementMark> marks)
      : plan_(plan),
        chip_(chip),
        random_(random),
        nests_resolve_(options.runtime == SyntheticRuntime::kTensormap),
        marks_(std::move(marks)),
        last_end_(Chip::kBoot) {}

  SchedulerStream Play(const std::vector<SchedulerEvent>& events, SchedulerStream header) {
    const int64_t gap = chip_.Cycles(0.6);
    for (size_t i = 0; i < events.size();) {
      size_t last = i;
      while (last + 1 < events.size() && events[last + 1].is_finish == events[i].is_finish &&
             events[last + 1].at - events[last].at <= gap) {
        ++last;
      }
      const int64_t limit =
          last + 1 < events.size() ? events[last + 1].at - 1 : events[last].at + chip_.Cycles(1);
      AddPhase(events[i], events[last].at, limit, static_cast<uint32_t>(last - i + 1));
      i = last + 1;
    }
    AddMarksUntil(INT64_MAX);
    return writer_.Finish(std::move(header));
  }

 private:
  void AddPhase(const SchedulerEvent& first, int64_t last_at, int64_t limit, uint32_t count) {
    const int64_t start = std::max(last_end_, first.at - Cycles(0.05, 0.2));
    const int64_t end = std::max(last_at, std::min(limit, last_at + Cycles(0.05, 0.35)));
    loop_ += 1 + random_.Below(6);
    if (start >= end) return;
    PhaseRecord record;
    record.start = start;
    record.end = end;
    record.loop = loop_;
    record.tasks = count;
    record.depths = RandomDepths(random_);
    if (first.is_finish) {
      record.kind = PhaseKind::kComplete;
      AddNestedResolve(record);
      Add(record);
    } else {
      record.pop_miss = random_.Below(4);
      Add(record);
      if (random_.Chance(0.02)) AddRareWork(end, std::min(limit, end + chip_.Cycles(0.4)));
    }
  }

  void AddNestedResolve(const PhaseRecord& complete) {
    const int64_t length = complete.end - complete.start;
    if (!nests_resolve_ || length < 4) return;
    PhaseRecord resolve = complete;
    resolve.kind = PhaseKind::kResolve;
    resolve.start += length / 4;
    resolve.end = resolve.start + length / 2;
    resolve.depths.reset();
    Add(resolve);
  }

  void AddRareWork(int64_t start, int64_t end) {
    if (end - start < 4) return;
    constexpr PhaseKind kKinds[] = {PhaseKind::kRelease, PhaseKind::kEarlyDispatch,
                                    PhaseKind::kAsyncPoll, PhaseKind::kDrain};
    PhaseRecord record;
    record.kind = random_.Choose(kKinds);
    record.start = start;
    record.end = end;
    record.loop = loop_;
    record.tasks = 1;
    if (record.kind == PhaseKind::kDrain) {
      const int64_t middle = start + (end - start) / 2;
      AddDrainPart(PhaseKind::kDrainPrepare, start + 1, middle);
      AddDrainPart(PhaseKind::kDrainPublish, middle, end - 1);
    }
    Add(record);
  }

  void AddDrainPart(PhaseKind kind, int64_t start, int64_t end) {
    PhaseRecord part;
    part.kind = kind;
    part.start = start;
    part.end = end;
    part.loop = loop_;
    part.tasks = 1;
    Add(part);
  }

  void Add(const PhaseRecord& record) {
    AddMarksUntil(record.end);
    writer_.Add(record);
    last_end_ = std::max(last_end_, record.end);
  }

  void AddMarksUntil(int64_t end) {
    for (; next_mark_ < marks_.size() && marks_[next_mark_].at <= end; ++next_mark_) {
      const RetirementMark& mark = marks_[next_mark_];
      const PlannedTask& task = plan_.tasks()[mark.task];
      PhaseRecord record;
      record.kind =
          task.kind == TaskKind::kDummy ? PhaseKind::kDummyTask : PhaseKind::kPredicatedSkip;
      record.start = record.end = mark.at;
      record.loop = loop_;
      record.tasks = 1;
      record.task_id = task.id;
      writer_.Add(record);
    }
  }

  int64_t Cycles(double low, double high) { return chip_.Cycles(random_.Between(low, high)); }

  const TaskPlan& plan_;
  const Chip& chip_;
  Random& random_;
  bool nests_resolve_;
  std::vector<RetirementMark> marks_;  // of this thread, by time
  size_t next_mark_ = 0;
  int64_t last_end_;
  uint32_t loop_ = 0;
  StreamWriter writer_;
};

SchedulerStream ThreadHeader(size_t index, const char* platform, const char* runtime) {
  SchedulerStream header;
  header.platform = platform;
  header.runtime = runtime;
  header.producer = Producer::kAicpu;
  header.scheduler_id = header.worker_id = static_cast<int>(index);
  header.core_type = "aicpu";
  return header;
}

// The thread that only resolves dependencies, with now and then a poll in between.
SchedulerStream ResolvingThread(const Chip& chip, const Schedule& schedule, Random& random,
                                SchedulerStream header) {
  std::vector<int64_t> retired = schedule.retired;
  std::sort(retired.begin(), retired.end());
  StreamWriter writer;
  int64_t now = Chip::kBoot;
  uint32_t loop = 0;
  const auto add = [&](PhaseKind kind, int64_t start, double micros, uint32_t tasks) {
    PhaseRecord record;
    record.kind = kind;
    record.start = start;
    record.end = now = start + chip.Cycles(micros);
    record.loop = loop;
    record.tasks = tasks;
    record.depths = RandomDepths(random);
    writer.Add(record);
  };
  for (int64_t at : retired) {
    loop += 3;
    add(PhaseKind::kResolveStandalone, std::max(now, at), random.Between(0.05, 0.15), 1);
    if (random.Chance(0.2)) add(PhaseKind::kAsyncPoll, now, 0.1, 0);
  }
  return writer.Finish(std::move(header));
}

// The scheduler of one cluster: every event gives two phases that name the task.
SchedulerStream ClusterScheduler(const Chip& chip, const std::vector<SchedulerEvent>& events,
                                 Random& random, SchedulerStream header) {
  constexpr PhaseKind kDispatchKinds[] = {PhaseKind::kDispatch, PhaseKind::kWorksteal,
                                          PhaseKind::kRefill};
  StreamWriter writer;
  int64_t now = Chip::kBoot;
  uint32_t loop = 0;
  const auto add = [&](PhaseKind kind, int64_t at, double micros, std::optional<uint64_t> task) {
    PhaseRecord record;
    record.kind = kind;
    record.start = std::max(now, at);
    record.end = now = record.start + chip.Cycles(micros);
    record.loop = loop;
    record.tasks = 1;
    record.task_id = task;
    writer.Add(record);
  };
  add(PhaseKind::kBootstrap, now, 3, std::nullopt);
  for (const SchedulerEvent& event : events) {
    if (event.at > now + chip.Cycles(1)) {
      add(PhaseKind::kIdle, now, 1, std::nullopt);
    }
    add(event.is_finish ? PhaseKind::kComplete : PhaseKind::kStateProbe, event.at,
        random.Between(0.02, 0.06), event.task);
    add(event.is_finish ? PhaseKind::kResolve : random.Choose(kDispatchKinds), event.at,
        random.Between(0.02, 0.08), event.task);
    ++loop;
  }
  return writer.Finish(std::move(header));
}

std::vector<SchedulerStream> ClusterSchedulers(const Chip& chip, const Schedule& schedule,
                                               Random& random) {
  std::vector<SchedulerStream> streams;
  for (uint32_t cluster = 0; cluster < chip.clusters(); ++cluster) {
    SchedulerStream header;
    header.platform = "a5";
    header.runtime = "host_build_graph";
    header.producer = Producer::kAicore;
    header.scheduler_id = static_cast<int>(cluster);
    header.worker_id = static_cast<int>(chip.FirstAivOf(cluster));
    header.core_type = "aiv";
    header.physical_core_id = header.worker_id;
    const auto events =
        CollectEvents(schedule, [&](uint32_t core) { return chip.ClusterOf(core) == cluster; });
    streams.push_back(ClusterScheduler(chip, events, random, std::move(header)));
  }
  return streams;
}

std::vector<RetirementMark> MarksOf(const Schedule& schedule, uint32_t thread) {
  std::vector<RetirementMark> marks;
  for (const RetirementMark& mark : schedule.marks) {
    if (mark.thread == thread) marks.push_back(mark);
  }
  std::sort(marks.begin(), marks.end());
  return marks;
}

}  // namespace

std::vector<SchedulerStream> SchedulerPhases(const TaskPlan& plan, const GeneratorOptions& options,
                                             const Chip& chip, const Schedule& schedule,
                                             Random& random) {
  if (options.runtime == SyntheticRuntime::kHostAicore) {
    return ClusterSchedulers(chip, schedule, random);
  }
  const bool host = options.runtime == SyntheticRuntime::kHostAicpu;
  const char* runtime = host ? "host_build_graph" : "tensormap_and_ringbuffer";
  std::vector<SchedulerStream> streams;
  for (uint32_t thread = 0; thread < options.threads; ++thread) {
    const auto events =
        CollectEvents(schedule, [&](uint32_t core) { return chip.ThreadOf(core) == thread; });
    ThreadPhases phases(plan, options, chip, random, MarksOf(schedule, thread));
    streams.push_back(phases.Play(events, ThreadHeader(thread, "a2a3", runtime)));
  }
  if (host) {
    streams.push_back(
        ResolvingThread(chip, schedule, random, ThreadHeader(options.threads, "a2a3", runtime)));
  }
  return streams;
}

}  // namespace simpler::support
