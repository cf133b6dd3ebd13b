#include "tests/support/bundle_difference.h"

#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

#include "fmt/format.h"

namespace simpler::support {
namespace {

using capture::AicoreTaskBlock;
using capture::CaptureBundle;
using capture::DependencyGraph;
using capture::HostCaptureStatus;
using capture::HostSubmit;
using capture::HostUpload;
using capture::LifecycleRecord;
using capture::Metadata;
using capture::NameMap;
using capture::OpaqueField;
using capture::OrchestratorPhaseBlock;
using capture::Run;
using capture::SchedulerPhaseBlock;
using capture::SchedulerStream;
using capture::SchedulerTaskBlock;
using capture::Warning;

// Every member of a record as one comparable value.
auto Members(const OpaqueField& f) { return std::tie(f.key, f.json); }
auto Members(const Warning& w) { return std::tie(w.code, w.text, w.count); }
auto Members(const HostSubmit& s) { return std::tie(s.submit_idx, s.task_id, s.start, s.end); }
auto Members(const HostUpload& u) { return std::tie(u.phase, u.start, u.end, u.detail); }
auto Members(const LifecycleRecord& r) { return std::tie(r.thread_id, r.stamps); }
auto Members(const DependencyGraph::Edge& e) { return std::tie(e.pred, e.succ); }
auto Members(const DependencyGraph::Node& n) {
  return std::tie(n.id, n.is_task, n.early_dispatch, n.has_kernels, n.has_block_num, n.kernel_ids,
                  n.block_num);
}
auto Members(const HostCaptureStatus& s) {
  return std::tie(s.status, s.expected_records, s.recorded_records, s.pool_records,
                  s.dropped_records, s.error);
}
auto Members(const SchedulerStream::CaptureCounts& c) {
  return std::tie(c.committed, c.dropped, c.truncated);
}
auto Members(const capture::SourceNames& s) {
  return std::tie(s.records, s.deps, s.name_map, s.dispatch_identity);
}
auto Members(const capture::DispatchIdentity& i) {
  return std::tie(i.run_id, i.task_slot, i.group_index, i.group_size, i.chip_rank,
                  i.local_capture_index, i.endpoint_dispatch_id, i.pipeline_slot,
                  i.pipeline_generation, i.host_pid, i.callable_digest);
}

template <typename T>
bool Same(const T& a, const T& b) {
  return Members(a) == Members(b);
}

template <typename T>
bool SameOptional(const std::optional<T>& a, const std::optional<T>& b) {
  return a.has_value() == b.has_value() && (!a || Same(*a, *b));
}

// One row of a block as a value.
auto RowOf(const AicoreTaskBlock& b, size_t i) {
  return std::tuple(b.core_id[i], b.task_id[i], b.reg_task_id[i], b.start[i], b.end[i],
                    b.has_receive, b.has_receive ? b.receive_to_start[i] : 0);
}
auto RowOf(const SchedulerTaskBlock& b, size_t i) {
  return std::tuple(b.core_id[i], b.reg_task_id[i], b.dispatch[i], b.finish[i]);
}
auto RowOf(const OrchestratorPhaseBlock& b, size_t i) {
  return std::tuple(b.kind[i], b.present[i], b.submit_idx[i], b.task_id[i], b.start[i], b.end[i]);
}

// The texts of a row in the order of the block's list.
using RowTexts = std::vector<std::pair<std::string, std::string>>;

std::vector<RowTexts> ExtraByRow(const SchedulerPhaseBlock& block) {
  std::vector<RowTexts> rows(block.size());
  for (const auto& field : block.extra) rows.at(field.row).emplace_back(field.key, field.json);
  return rows;
}

std::vector<RowTexts> UnknownByRow(const SchedulerPhaseBlock& block) {
  std::vector<RowTexts> rows(block.size());
  for (const auto& kind : block.unknown_kinds) rows.at(kind.row).emplace_back(kind.name, "");
  return rows;
}

template <typename Block>
auto Flatten(const std::vector<std::shared_ptr<const Block>>& blocks) {
  std::vector<decltype(RowOf(std::declval<Block>(), 0))> rows;
  for (const auto& block : blocks) {
    for (size_t i = 0; i < block->size(); ++i) rows.push_back(RowOf(*block, i));
  }
  return rows;
}

auto Flatten(const std::vector<std::shared_ptr<const SchedulerPhaseBlock>>& blocks) {
  const auto row_of = [](const SchedulerPhaseBlock& b, size_t i, RowTexts extra, RowTexts unknown) {
    return std::tuple(b.start[i], b.end[i], b.kind[i], b.present[i], b.loop_iter[i],
                      b.tasks_processed[i], b.task_id[i], b.pop_hit[i], b.pop_miss[i],
                      b.depths_at_start[i], b.depths_at_end[i], std::move(extra),
                      std::move(unknown));
  };
  std::vector<decltype(row_of(*blocks[0], 0, {}, {}))> rows;
  for (const auto& block : blocks) {
    std::vector<RowTexts> extra = ExtraByRow(*block);
    std::vector<RowTexts> unknown = UnknownByRow(*block);
    for (size_t i = 0; i < block->size(); ++i) {
      rows.push_back(row_of(*block, i, std::move(extra[i]), std::move(unknown[i])));
    }
  }
  return rows;
}

template <size_t Member = 0, typename Row>
size_t FirstDifferentMember(const Row& a, const Row& b) {
  if constexpr (Member == std::tuple_size_v<Row>) {
    return Member;
  } else {
    if (std::get<Member>(a) != std::get<Member>(b)) return Member;
    return FirstDifferentMember<Member + 1>(a, b);
  }
}

class Comparison {
 public:
  std::string Run(const CaptureBundle& a, const CaptureBundle& b) {
    CompareHeader(a, b);
    CompareMetadata(a.capture.metadata, b.capture.metadata);
    List("opaque", a.capture.opaque, b.capture.opaque);
    List("capture warnings", a.capture.warnings, b.capture.warnings);
    List("warnings", a.warnings, b.warnings);
    Check("number of runs", a.capture.runs.size() == b.capture.runs.size());
    for (size_t i = 0; found_.empty() && i < a.capture.runs.size(); ++i) {
      prefix_ = fmt::format("runs[{}].", i);
      CompareRun(a.capture.runs[i], b.capture.runs[i]);
    }
    prefix_.clear();
    CompareGraphs(a.graph, b.graph);
    CompareNames(a.names, b.names);
    Check("dispatch_identity", SameOptional(a.dispatch_identity, b.dispatch_identity));
    return found_;
  }

 private:
  void Check(const std::string& what, bool same) {
    if (!same && found_.empty()) found_ = prefix_ + what;
  }

  template <typename T>
  void List(const std::string& what, const T& a, const T& b) {
    const auto same = [](const auto& x, const auto& y) { return Same(x, y); };
    const auto [end, other] = std::mismatch(a.begin(), a.end(), b.begin(), b.end(), same);
    Check(fmt::format("{}[{}]", what, end - a.begin()), end == a.end() && other == b.end());
  }

  template <typename Blocks>
  void Rows(const std::string& what, const Blocks& a, const Blocks& b) {
    if (!found_.empty()) return;
    const auto left = Flatten(a);
    const auto right = Flatten(b);
    Check(what + " length", left.size() == right.size());
    for (size_t i = 0; found_.empty() && i < left.size(); ++i) {
      if (left[i] == right[i]) continue;
      Check(fmt::format("{} row {}: member {}", what, i, FirstDifferentMember(left[i], right[i])),
            false);
    }
  }

  void CompareHeader(const CaptureBundle& a, const CaptureBundle& b) {
    Check("level", a.capture.level == b.capture.level);
    Check("generation", a.capture.generation == b.capture.generation);
    Check("task_producer", a.capture.task_producer == b.capture.task_producer);
    Check("sources", Same(a.sources, b.sources));
  }

  void CompareMetadata(const Metadata& a, const Metadata& b) {
    Check("clock_freq_hz", a.clock_freq_hz == b.clock_freq_hz);
    Check("num_cores", a.num_cores == b.num_cores);
    Check("core_types", a.core_types == b.core_types);
    Check("core_to_thread", a.core_to_thread == b.core_to_thread);
    Check("runtime", a.runtime == b.runtime);
    Check("host_orchestrated", a.host_orchestrated == b.host_orchestrated);
    Check("host_orchestration_origin", a.host_orchestration_origin == b.host_orchestration_origin);
    Check("host_timeline_origin", a.host_timeline_origin == b.host_timeline_origin);
    Check("host_capture", SameOptional(a.host_capture, b.host_capture));
    Check("host_clock_domain_id", a.host_clock_domain_id == b.host_clock_domain_id);
    List("metadata.opaque", a.opaque, b.opaque);
  }

  void CompareRun(const capture::Run& a, const capture::Run& b) {
    Check("epoch", a.epoch == b.epoch);
    Check("has_scheduler_tasks", a.has_scheduler_tasks == b.has_scheduler_tasks);
    Check("has_scheduler_streams", a.has_scheduler_streams == b.has_scheduler_streams);
    Rows("aicore_tasks", a.aicore_tasks, b.aicore_tasks);
    Rows("scheduler_tasks", a.scheduler_tasks, b.scheduler_tasks);
    CompareStreams(a, b);
    Check("orchestrator lanes", a.orchestrator_lanes.size() == b.orchestrator_lanes.size());
    for (size_t i = 0; found_.empty() && i < a.orchestrator_lanes.size(); ++i) {
      Rows(fmt::format("orchestrator_lanes[{}]", i), a.orchestrator_lanes[i],
           b.orchestrator_lanes[i]);
    }
    Check("host lanes", a.host_submit_lanes.size() == b.host_submit_lanes.size());
    for (size_t i = 0; found_.empty() && i < a.host_submit_lanes.size(); ++i) {
      List(fmt::format("host_submit_lanes[{}]", i), a.host_submit_lanes[i], b.host_submit_lanes[i]);
    }
    List("host_uploads", a.host_uploads, b.host_uploads);
    List("lifecycle", a.lifecycle, b.lifecycle);
  }

  void CompareStreams(const capture::Run& a, const capture::Run& b) {
    Check("scheduler streams", a.scheduler_streams.size() == b.scheduler_streams.size());
    for (size_t i = 0; found_.empty() && i < a.scheduler_streams.size(); ++i) {
      const SchedulerStream& x = a.scheduler_streams[i];
      const SchedulerStream& y = b.scheduler_streams[i];
      const auto header = [](const SchedulerStream& s) {
        return std::tie(s.recorded, s.platform, s.runtime, s.producer, s.scheduler_id, s.worker_id,
                        s.core_type, s.physical_core_id);
      };
      Check(fmt::format("scheduler_streams[{}]", i),
            header(x) == header(y) && SameOptional(x.counts, y.counts));
      Rows(fmt::format("scheduler_streams[{}]", i), x.blocks, y.blocks);
    }
  }

  void CompareGraphs(const std::optional<DependencyGraph>& a,
                     const std::optional<DependencyGraph>& b) {
    Check("graph", a.has_value() == b.has_value());
    if (!found_.empty() || !a) return;
    List("graph nodes", a->nodes(), b->nodes());
    List("graph edges", a->edges(), b->edges());
    Check("task_count", a->task_count() == b->task_count());
    Check("self_edge_count", a->self_edge_count() == b->self_edge_count());
    Check("repeated_edge_count", a->repeated_edge_count() == b->repeated_edge_count());
    for (uint32_t node = 0; found_.empty() && node < a->nodes().size(); ++node) {
      Check(fmt::format("successors of node {}", node),
            std::ranges::equal(a->Successors(node), b->Successors(node)));
      Check(fmt::format("predecessors of node {}", node),
            std::ranges::equal(a->Predecessors(node), b->Predecessors(node)));
    }
  }

  void CompareNames(const std::optional<NameMap>& a, const std::optional<NameMap>& b) {
    Check("names", a.has_value() == b.has_value());
    if (!found_.empty() || !a) return;
    Check("names.level", a->level == b->level);
    Check("names.orchestrator_name", a->orchestrator_name == b->orchestrator_name);
    Check("names.names", a->names == b->names);
  }

  std::string prefix_;
  std::string found_;
};

}  // namespace

std::string FirstDifference(const CaptureBundle& a, const CaptureBundle& b) {
  return Comparison().Run(a, b);
}

}  // namespace simpler::support
