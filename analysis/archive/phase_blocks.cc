#include "analysis/archive/phase_blocks.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "analysis/archive/format.h"
#include "fmt/format.h"

namespace simpler::archive {
namespace {

using capture::OrchestratorPhaseBlock;
using capture::OrchestratorPhaseKind;
using capture::PhaseKind;
using capture::QueueDepths;
using capture::SchedulerPhaseBlock;

// The archive stores the enumerators' values.
static_assert(int{v1::PHASE_KIND_COMPLETE} == static_cast<int>(PhaseKind::kComplete));
static_assert(int{v1::PHASE_KIND_ASYNC_POLL} == static_cast<int>(PhaseKind::kAsyncPoll));
static_assert(int{v1::PHASE_KIND_DISPATCH} == static_cast<int>(PhaseKind::kDispatch));
static_assert(int{v1::PHASE_KIND_RELEASE} == static_cast<int>(PhaseKind::kRelease));
static_assert(int{v1::PHASE_KIND_DUMMY} == static_cast<int>(PhaseKind::kDummy));
static_assert(int{v1::PHASE_KIND_EARLY_DISPATCH} == static_cast<int>(PhaseKind::kEarlyDispatch));
static_assert(int{v1::PHASE_KIND_DRAIN} == static_cast<int>(PhaseKind::kDrain));
static_assert(int{v1::PHASE_KIND_GRAPH_PREPARE} == static_cast<int>(PhaseKind::kGraphPrepare));
static_assert(int{v1::PHASE_KIND_DRAIN_PREPARE} == static_cast<int>(PhaseKind::kDrainPrepare));
static_assert(int{v1::PHASE_KIND_DRAIN_PUBLISH} == static_cast<int>(PhaseKind::kDrainPublish));
static_assert(int{v1::PHASE_KIND_RESOLVE} == static_cast<int>(PhaseKind::kResolve));
static_assert(int{v1::PHASE_KIND_RESOLVE_STANDALONE} ==
              static_cast<int>(PhaseKind::kResolveStandalone));
static_assert(int{v1::PHASE_KIND_BOOTSTRAP} == static_cast<int>(PhaseKind::kBootstrap));
static_assert(int{v1::PHASE_KIND_STATE_PROBE} == static_cast<int>(PhaseKind::kStateProbe));
static_assert(int{v1::PHASE_KIND_WORKSTEAL} == static_cast<int>(PhaseKind::kWorksteal));
static_assert(int{v1::PHASE_KIND_REFILL} == static_cast<int>(PhaseKind::kRefill));
static_assert(int{v1::PHASE_KIND_IDLE} == static_cast<int>(PhaseKind::kIdle));
static_assert(int{v1::PHASE_KIND_FANIN} == static_cast<int>(PhaseKind::kFanin));
static_assert(int{v1::PHASE_KIND_READY_CLAIM} == static_cast<int>(PhaseKind::kReadyClaim));
static_assert(int{v1::PHASE_KIND_READY_STEAL} == static_cast<int>(PhaseKind::kReadySteal));
static_assert(int{v1::PHASE_KIND_DIRECT_REFILL} == static_cast<int>(PhaseKind::kDirectRefill));
static_assert(int{v1::PHASE_KIND_DUMMY_TASK} == static_cast<int>(PhaseKind::kDummyTask));
static_assert(int{v1::PHASE_KIND_PREDICATED_SKIP} == static_cast<int>(PhaseKind::kPredicatedSkip));
static_assert(int{v1::PHASE_KIND_SCAN} == static_cast<int>(PhaseKind::kScan));
static_assert(int{v1::PHASE_KIND_POLL} == static_cast<int>(PhaseKind::kPoll));
static_assert(int{v1::PHASE_KIND_UNKNOWN} == static_cast<int>(PhaseKind::kUnknown));
static_assert(static_cast<int>(OrchestratorPhaseKind::kSubmit) == 0);
static_assert(static_cast<int>(OrchestratorPhaseKind::kFanin) == 6);

void EncodeDepths(const std::vector<QueueDepths>& depths, RowRange rows, v1::QueueDepths* message) {
  std::vector<uint32_t> queue(rows.size());
  const auto encode = [&](size_t i, v1::Column* column) {
    for (size_t row = 0; row < rows.size(); ++row) queue[row] = depths[rows.begin + row][i];
    EncodeColumn(queue, column);
  };
  encode(0, message->mutable_aic());
  encode(1, message->mutable_aiv());
  encode(2, message->mutable_mix());
}

void DecodeDepths(const v1::QueueDepths& message, const char* name, RowColumns& columns,
                  std::vector<QueueDepths>& depths) {
  std::array<std::vector<uint32_t>, 3> queues;
  columns.Read(message.aic(), name, queues[0]);
  columns.Read(message.aiv(), name, queues[1]);
  columns.Read(message.mix(), name, queues[2]);
  if (!columns.status().ok()) return;
  depths.resize(queues[0].size());
  for (size_t row = 0; row < depths.size(); ++row) {
    depths[row] = {queues[0][row], queues[1][row], queues[2][row]};
  }
}

// The entries of a list in row order that belong to `rows`.
template <typename Entry>
std::span<const Entry> EntriesOf(const std::vector<Entry>& entries, RowRange rows) {
  const auto before = [](const Entry& entry, size_t row) { return entry.row < row; };
  const auto begin = std::lower_bound(entries.begin(), entries.end(), rows.begin, before);
  const auto end = std::lower_bound(begin, entries.end(), rows.end, before);
  return {begin, end};
}

template <typename Entry>
void EncodeRows(std::span<const Entry> entries, size_t first_row, v1::Column* column) {
  std::vector<uint32_t> rows;
  for (const Entry& entry : entries) rows.push_back(static_cast<uint32_t>(entry.row - first_row));
  EncodeColumn(rows, column);
}

template <typename Entry>
void EncodeEntryTexts(std::span<const Entry> entries, std::string Entry::*text,
                      v1::TextColumn* column) {
  std::vector<std::string> texts;
  for (const Entry& entry : entries) texts.push_back(entry.*text);
  EncodeTexts(texts, column);
}

// Rows of entries: ascending and below `row_count`.
absl::Status DecodeRows(const v1::Column& column, const char* name, size_t row_count,
                        std::vector<uint32_t>& rows) {
  if (absl::Status status = DecodeColumn(column, name, rows); !status.ok()) return status;
  if (std::is_sorted(rows.begin(), rows.end()) && (rows.empty() || rows.back() < row_count)) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(
      fmt::format("{}: rows must ascend and be less than {}", name, row_count));
}

absl::Status CheckTextCount(const char* name, size_t texts, size_t rows) {
  if (texts == rows) return absl::OkStatus();
  return absl::InvalidArgumentError(fmt::format("{}: {} texts for {} rows", name, texts, rows));
}

absl::Status DecodeExtra(const v1::SchedulerPhases& message, SchedulerPhaseBlock& block) {
  std::vector<uint32_t> rows;
  std::vector<std::string> keys;
  std::vector<std::string> values;
  absl::Status status = DecodeRows(message.extra_row(), "extra_row", block.size(), rows);
  if (status.ok()) status = DecodeTexts(message.extra_key(), "extra_key", keys);
  if (status.ok()) status = DecodeTexts(message.extra_json(), "extra_json", values);
  if (status.ok()) status = CheckTextCount("extra_key", keys.size(), rows.size());
  if (status.ok()) status = CheckTextCount("extra_json", values.size(), rows.size());
  if (!status.ok()) return status;
  block.extra.reserve(rows.size());
  for (size_t i = 0; i < rows.size(); ++i) {
    block.extra.push_back({rows[i], std::move(keys[i]), std::move(values[i])});
  }
  return absl::OkStatus();
}

absl::Status DecodeUnknownKinds(const v1::SchedulerPhases& message, SchedulerPhaseBlock& block) {
  std::vector<uint32_t> rows;
  std::vector<std::string> names;
  absl::Status status = DecodeRows(message.unknown_row(), "unknown_row", block.size(), rows);
  if (status.ok()) status = DecodeTexts(message.unknown_name(), "unknown_name", names);
  if (status.ok()) status = CheckTextCount("unknown_name", names.size(), rows.size());
  if (!status.ok()) return status;
  block.unknown_kinds.reserve(rows.size());
  for (size_t i = 0; i < rows.size(); ++i) {
    block.unknown_kinds.push_back({rows[i], std::move(names[i])});
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status Encode(const SchedulerPhaseBlock& block, RowRange rows, v1::SchedulerPhases* message) {
  absl::Status status = CheckColumnLengths(
      block.size(),
      {block.end.size(), block.kind.size(), block.present.size(), block.loop_iter.size(),
       block.tasks_processed.size(), block.task_id.size(), block.pop_hit.size(),
       block.pop_miss.size(), block.depths_at_start.size(), block.depths_at_end.size()});
  if (!status.ok()) return status;
  EncodeColumn(Rows(block.start, rows), message->mutable_start());
  EncodeColumn(Rows(block.kind, rows), message->mutable_kind());
  EncodeColumn(Rows(block.present, rows), message->mutable_present());
  EncodeColumn(Rows(block.loop_iter, rows), message->mutable_loop_iter());
  EncodeColumn(Rows(block.tasks_processed, rows), message->mutable_tasks_processed());
  EncodeColumn(Rows(block.task_id, rows), message->mutable_task_id());
  EncodeColumn(Rows(block.pop_hit, rows), message->mutable_pop_hit());
  EncodeColumn(Rows(block.pop_miss, rows), message->mutable_pop_miss());
  EncodeDepths(block.depths_at_start, rows, message->mutable_depths_at_start());
  EncodeDepths(block.depths_at_end, rows, message->mutable_depths_at_end());

  using ExtraField = SchedulerPhaseBlock::ExtraField;
  const auto extra = EntriesOf(block.extra, rows);
  if (extra.size() > kMaxColumnValues) {
    return absl::InvalidArgumentError(
        fmt::format("rows {} to {} have {} extra fields, more than "
                    "the allowed {}",
                    rows.begin, rows.end, extra.size(), kMaxColumnValues));
  }
  EncodeRows(extra, rows.begin, message->mutable_extra_row());
  EncodeEntryTexts(extra, &ExtraField::key, message->mutable_extra_key());
  EncodeEntryTexts(extra, &ExtraField::json, message->mutable_extra_json());
  const auto unknown = EntriesOf(block.unknown_kinds, rows);
  EncodeRows(unknown, rows.begin, message->mutable_unknown_row());
  EncodeEntryTexts(unknown, &SchedulerPhaseBlock::UnknownKind::name,
                   message->mutable_unknown_name());
  return EncodeDurations(Rows(block.start, rows), Rows(block.end, rows),
                         message->mutable_duration());
}

absl::Status Encode(const OrchestratorPhaseBlock& block, RowRange rows,
                    v1::OrchestratorPhases* message) {
  absl::Status status = CheckColumnLengths(
      block.size(), {block.present.size(), block.submit_idx.size(), block.task_id.size(),
                     block.start.size(), block.end.size()});
  if (!status.ok()) return status;
  EncodeColumn(Rows(block.kind, rows), message->mutable_kind());
  EncodeColumn(Rows(block.present, rows), message->mutable_present());
  EncodeColumn(Rows(block.submit_idx, rows), message->mutable_submit_idx());
  EncodeColumn(Rows(block.task_id, rows), message->mutable_task_id());
  EncodeColumn(Rows(block.start, rows), message->mutable_start());
  return EncodeDurations(Rows(block.start, rows), Rows(block.end, rows),
                         message->mutable_duration());
}

absl::StatusOr<std::shared_ptr<const SchedulerPhaseBlock>> Decode(
    const v1::SchedulerPhases& message) {
  auto block = std::make_shared<SchedulerPhaseBlock>();
  RowColumns columns(message.start().count());
  columns.ReadIntervals(message.start(), message.duration(), block->start, block->end);
  columns.ReadEnum(message.kind(), "kind", PhaseKind::kUnknown, block->kind);
  columns.Read(message.present(), "present", block->present);
  columns.Read(message.loop_iter(), "loop_iter", block->loop_iter);
  columns.Read(message.tasks_processed(), "tasks_processed", block->tasks_processed);
  columns.Read(message.task_id(), "task_id", block->task_id);
  columns.Read(message.pop_hit(), "pop_hit", block->pop_hit);
  columns.Read(message.pop_miss(), "pop_miss", block->pop_miss);
  DecodeDepths(message.depths_at_start(), "depths_at_start", columns, block->depths_at_start);
  DecodeDepths(message.depths_at_end(), "depths_at_end", columns, block->depths_at_end);
  if (columns.status().ok()) columns.Refuse(DecodeExtra(message, *block));
  if (columns.status().ok()) columns.Refuse(DecodeUnknownKinds(message, *block));
  if (!columns.status().ok()) return columns.status();
  return block;
}

absl::StatusOr<std::shared_ptr<const OrchestratorPhaseBlock>> Decode(
    const v1::OrchestratorPhases& message) {
  auto block = std::make_shared<OrchestratorPhaseBlock>();
  RowColumns columns(message.kind().count());
  columns.ReadEnum(message.kind(), "kind", OrchestratorPhaseKind::kFanin, block->kind);
  columns.Read(message.present(), "present", block->present);
  columns.Read(message.submit_idx(), "submit_idx", block->submit_idx);
  columns.Read(message.task_id(), "task_id", block->task_id);
  columns.ReadIntervals(message.start(), message.duration(), block->start, block->end);
  if (!columns.status().ok()) return columns.status();
  return block;
}

}  // namespace simpler::archive
