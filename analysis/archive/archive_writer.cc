#include "analysis/archive/archive_writer.h"

#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "analysis/archive/format.h"
#include "analysis/archive/graph_codec.h"
#include "analysis/archive/header_codec.h"
#include "analysis/archive/host_records.h"
#include "analysis/archive/phase_blocks.h"
#include "analysis/archive/section_writer.h"
#include "analysis/archive/task_blocks.h"
#include "analysis/archive/text_codec.h"
#include "fmt/format.h"
#include "proto/simpler/archive/v1/archive.pb.h"

namespace simpler::archive {
namespace {

using capture::CaptureBundle;
using capture::DependencyGraph;
using capture::NameMap;
using capture::OpaqueField;
using capture::Run;
using capture::SchedulerPhaseBlock;
using capture::SchedulerStream;

// A lifecycle record has up to 19 stamps, which share one column.
constexpr size_t kLifecyclePerSection = kRowsPerBlock / 4;
static_assert(kLifecyclePerSection * capture::kLifecycleStampCount <= kMaxColumnValues);

// Calls `emit(first, count)` for consecutive batches of at most `max_count` entries whose
// `bytes(i)` do not exceed kTextBytesPerSection together, unless a single entry does.
template <typename Bytes, typename Emit>
absl::Status ForEachBatch(size_t size, size_t max_count, Bytes bytes, Emit emit) {
  size_t first = 0;
  while (first < size) {
    size_t end = first;
    size_t sum = 0;
    do {
      sum += bytes(end++);
    } while (end < size && end - first < max_count && sum + bytes(end) <= kTextBytesPerSection);
    if (absl::Status status = emit(first, end - first); !status.ok()) return status;
    first = end;
  }
  return absl::OkStatus();
}

size_t NoText(size_t) { return 0; }

bool EntriesInBlock(const SchedulerPhaseBlock& block) {
  const auto inside = [&](const auto& entry) { return entry.row < block.size(); };
  return std::all_of(block.extra.begin(), block.extra.end(), inside) &&
         std::all_of(block.unknown_kinds.begin(), block.unknown_kinds.end(), inside);
}

bool EntriesInRowOrder(const SchedulerPhaseBlock& block) {
  const auto by_row = [](const auto& a, const auto& b) { return a.row < b.row; };
  return std::is_sorted(block.extra.begin(), block.extra.end(), by_row) &&
         std::is_sorted(block.unknown_kinds.begin(), block.unknown_kinds.end(), by_row);
}

std::shared_ptr<const SchedulerPhaseBlock> WithEntriesInRowOrder(SchedulerPhaseBlock block) {
  const auto by_row = [](const auto& a, const auto& b) { return a.row < b.row; };
  std::stable_sort(block.extra.begin(), block.extra.end(), by_row);
  std::stable_sort(block.unknown_kinds.begin(), block.unknown_kinds.end(), by_row);
  return std::make_shared<const SchedulerPhaseBlock>(std::move(block));
}

// Bytes of the texts that every row of a block carries. The entries' rows lie in the block.
std::vector<size_t> TextBytesByRow(const SchedulerPhaseBlock& block) {
  std::vector<size_t> bytes(block.size());
  for (const auto& field : block.extra) bytes[field.row] += field.key.size() + field.json.size();
  for (const auto& kind : block.unknown_kinds) bytes[kind.row] += kind.name.size();
  return bytes;
}

class ArchiveWriter {
 public:
  ArchiveWriter(const CaptureBundle& bundle, timeline::ByteSink* sink)
      : bundle_(bundle), sections_(sink) {}

  absl::Status Write() {
    absl::Status status = sections_.WriteFileHeader();
    if (status.ok()) status = WriteMessage(SectionType::kHeader, EncodeHeader(bundle_));
    if (status.ok()) status = WriteOpaque(bundle_.capture.metadata.opaque, true);
    if (status.ok()) status = WriteOpaque(bundle_.capture.opaque, false);
    if (status.ok()) status = WriteWarnings();
    for (const Run& run : bundle_.capture.runs) {
      if (status.ok()) status = WriteRun(run);
    }
    if (status.ok() && bundle_.graph) status = WriteGraph(*bundle_.graph);
    if (status.ok() && bundle_.names) status = WriteNames(*bundle_.names);
    if (status.ok() && bundle_.dispatch_identity) {
      status =
          WriteMessage(SectionType::kDispatchIdentity, EncodeIdentity(*bundle_.dispatch_identity));
    }
    if (status.ok()) status = WriteEnd();
    return status;
  }

 private:
  template <typename Message>
  absl::Status WriteMessage(SectionType type, const Message& message) {
    message.SerializeToString(&payload_);
    return sections_.WriteSection(type, payload_);
  }

  // Encodes `rows` of a block or list into `message`, which is kept for its memory, and writes it.
  template <typename Block, typename... Rows, typename Message>
  absl::Status WriteRows(SectionType type, Message& message, const Block& block, Rows... rows) {
    absl::Status status = Encode(block, rows..., &message);
    if (!status.ok()) {
      return absl::Status(
          status.code(),
          fmt::format("the capture cannot be archived: {} of run {}: {}", SectionTypeName(type),
                      end_.runs() - 1, std::string(status.message())));
    }
    return WriteMessage(type, message);
  }

  absl::Status WriteOpaque(const std::vector<OpaqueField>& fields, bool in_metadata) {
    const std::vector<OpaquePiece> pieces = CutOpaque(fields, in_metadata, kTextBytesPerSection);
    const auto bytes = [&](size_t i) { return pieces[i].key.size() + pieces[i].json.size(); };
    return ForEachBatch(pieces.size(), kRowsPerBlock, bytes, [&](size_t first, size_t count) {
      v1::OpaqueText message;
      Encode(std::span(pieces).subspan(first, count), &message);
      return WriteMessage(SectionType::kOpaqueText, message);
    });
  }

  absl::Status WriteWarnings() {
    std::vector<ScopedWarning> warnings;
    for (const auto& warning : bundle_.capture.warnings) warnings.push_back({&warning, true});
    for (const auto& warning : bundle_.warnings) warnings.push_back({&warning, false});
    const auto bytes = [&](size_t i) {
      return warnings[i].warning->code.size() + warnings[i].warning->text.size();
    };
    return ForEachBatch(warnings.size(), kRowsPerBlock, bytes, [&](size_t first, size_t count) {
      v1::Warnings message;
      Encode(std::span<const ScopedWarning>(warnings).subspan(first, count), &message);
      return WriteMessage(SectionType::kWarnings, message);
    });
  }

  absl::Status WriteRun(const Run& run) {
    absl::StatusOr<v1::Run> message = EncodeRun(run);
    if (!message.ok()) return message.status();
    absl::Status status = WriteMessage(SectionType::kRun, *message);
    end_.set_runs(end_.runs() + 1);
    for (const SchedulerStream& stream : run.scheduler_streams) {
      if (!status.ok()) return status;
      status = WriteMessage(SectionType::kSchedulerStream, EncodeStream(stream));
    }
    if (status.ok()) status = WriteTaskRows(run);
    if (status.ok()) status = WritePhases(run);
    if (status.ok()) status = WriteOrchestratorLanes(run);
    if (status.ok()) status = WriteHostRecords(run);
    if (status.ok()) status = WriteLifecycle(run);
    return status;
  }

  // Writes every block of a stream, large ones in several sections.
  template <typename Blocks, typename Message>
  absl::Status WriteBlocks(SectionType type, const Blocks& blocks, Message& message) {
    for (const auto& block : blocks) {
      absl::Status status =
          ForEachBatch(block->size(), kRowsPerBlock, NoText, [&](size_t first, size_t count) {
            return WriteRows(type, message, *block, RowRange{first, first + count});
          });
      if (!status.ok()) return status;
    }
    return absl::OkStatus();
  }

  absl::Status WriteTaskRows(const Run& run) {
    absl::Status status = WriteBlocks(SectionType::kAicoreTasks, run.aicore_tasks, aicore_tasks_);
    if (!status.ok()) return status;
    end_.set_aicore_rows(end_.aicore_rows() + run.aicore_row_count());
    end_.set_scheduler_rows(end_.scheduler_rows() + run.scheduler_row_count());
    return WriteBlocks(SectionType::kSchedulerTasks, run.scheduler_tasks, scheduler_tasks_);
  }

  absl::Status WritePhases(const Run& run) {
    for (size_t stream = 0; stream < run.scheduler_streams.size(); ++stream) {
      phases_.set_stream(static_cast<uint32_t>(stream));
      for (const auto& block : run.scheduler_streams[stream].blocks) {
        absl::Status status = EntriesInRowOrder(*block)
                                  ? WritePhaseBlock(*block)
                                  : WritePhaseBlock(*WithEntriesInRowOrder(*block));
        if (!status.ok()) return status;
      }
      end_.set_phase_records(end_.phase_records() + run.scheduler_streams[stream].size());
    }
    return absl::OkStatus();
  }

  absl::Status WritePhaseBlock(const SchedulerPhaseBlock& block) {
    if (!EntriesInBlock(block)) {
      return absl::InternalError("a phase block has a field of a row that it does not have");
    }
    const std::vector<size_t> text_bytes = TextBytesByRow(block);
    return ForEachBatch(
        block.size(), kRowsPerBlock, [&](size_t row) { return text_bytes[row]; },
        [&](size_t first, size_t count) {
          return WriteRows(SectionType::kSchedulerPhases, phases_, block,
                           RowRange{first, first + count});
        });
  }

  absl::Status WriteOrchestratorLanes(const Run& run) {
    for (size_t lane = 0; lane < run.orchestrator_lanes.size(); ++lane) {
      orchestrator_.set_lane(static_cast<uint32_t>(lane));
      absl::Status status = WriteBlocks(SectionType::kOrchestratorPhases,
                                        run.orchestrator_lanes[lane], orchestrator_);
      if (!status.ok()) return status;
      for (const auto& block : run.orchestrator_lanes[lane]) {
        end_.set_orchestrator_records(end_.orchestrator_records() + block->size());
      }
    }
    return absl::OkStatus();
  }

  absl::Status WriteHostRecords(const Run& run) {
    v1::HostSubmits submits;
    for (size_t lane = 0; lane < run.host_submit_lanes.size(); ++lane) {
      submits.set_lane(static_cast<uint32_t>(lane));
      absl::Status status =
          WriteList(SectionType::kHostSubmits, run.host_submit_lanes[lane], NoText, submits);
      if (!status.ok()) return status;
      end_.set_host_submits(end_.host_submits() + run.host_submit_lanes[lane].size());
    }
    v1::HostUploads uploads;
    end_.set_host_uploads(end_.host_uploads() + run.host_uploads.size());
    return WriteList(
        SectionType::kHostUploads, run.host_uploads,
        [&](size_t i) { return run.host_uploads[i].phase.size(); }, uploads);
  }

  template <typename Record, typename Bytes, typename Message>
  absl::Status WriteList(SectionType type, const std::vector<Record>& records, Bytes bytes,
                         Message& message) {
    return ForEachBatch(records.size(), kRowsPerBlock, bytes, [&](size_t first, size_t count) {
      return WriteRows(type, message, std::span(records).subspan(first, count));
    });
  }

  absl::Status WriteLifecycle(const Run& run) {
    v1::Lifecycle message;
    end_.set_lifecycle_records(end_.lifecycle_records() + run.lifecycle.size());
    return ForEachBatch(run.lifecycle.size(), kLifecyclePerSection, NoText,
                        [&](size_t first, size_t count) {
                          return WriteRows(SectionType::kLifecycle, message,
                                           std::span(run.lifecycle).subspan(first, count));
                        });
  }

  absl::Status WriteGraph(const DependencyGraph& graph) {
    v1::Graph message;
    message.set_nodes(graph.nodes().size());
    message.set_edges(graph.edges().size());
    message.set_repeated_edges(graph.repeated_edge_count());
    end_.set_graph_nodes(graph.nodes().size());
    end_.set_graph_edges(graph.edges().size());
    absl::Status status = WriteMessage(SectionType::kGraph, message);
    v1::GraphNodes nodes;
    if (status.ok()) status = WriteEntries(SectionType::kGraphNodes, graph.nodes(), nodes);
    v1::GraphEdges edges;
    if (status.ok()) status = WriteEntries(SectionType::kGraphEdges, graph.edges(), edges);
    return status;
  }

  template <typename Entry, typename Message>
  absl::Status WriteEntries(SectionType type, std::span<const Entry> entries, Message& message) {
    return ForEachBatch(entries.size(), kRowsPerBlock, NoText, [&](size_t first, size_t count) {
      Encode(entries.subspan(first, count), &message);
      return WriteMessage(type, message);
    });
  }

  absl::Status WriteNames(const NameMap& map) {
    v1::NameMap message;
    if (map.level) message.set_level(*map.level);
    if (map.orchestrator_name) message.set_orchestrator_name(*map.orchestrator_name);
    absl::Status status = WriteMessage(SectionType::kNameMap, message);
    if (!status.ok()) return status;
    const std::vector<FunctionName> names(map.names.begin(), map.names.end());
    end_.set_functions(names.size());
    return ForEachBatch(
        names.size(), kRowsPerBlock, [&](size_t i) { return names[i].second.size(); },
        [&](size_t first, size_t count) {
          v1::FunctionNames batch;
          Encode(std::span<const FunctionName>(names).subspan(first, count), &batch);
          return WriteMessage(SectionType::kFunctionNames, batch);
        });
  }

  absl::Status WriteEnd() {
    end_.set_sections(sections_.section_count());
    end_.set_checksum(sections_.checksum());
    return WriteMessage(SectionType::kEnd, end_);
  }

  const CaptureBundle& bundle_;
  SectionWriter sections_;
  std::string payload_;
  v1::End end_;  // counts what has been written

  // Messages of many blocks; reused for the memory of their columns.
  v1::AicoreTasks aicore_tasks_;
  v1::SchedulerTasks scheduler_tasks_;
  v1::SchedulerPhases phases_;
  v1::OrchestratorPhases orchestrator_;
};

}  // namespace

absl::Status WriteArchive(const CaptureBundle& bundle, timeline::ByteSink* sink) {
  return ArchiveWriter(bundle, sink).Write();
}

}  // namespace simpler::archive
