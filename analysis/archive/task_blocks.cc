#include "analysis/archive/task_blocks.h"

#include <utility>

#include "fmt/format.h"

namespace simpler::archive {
namespace {

using capture::AicoreTaskBlock;
using capture::SchedulerTaskBlock;

absl::Status CheckReceive(const AicoreTaskBlock& block, RowRange rows) {
  for (size_t row = rows.begin; row < rows.end; ++row) {
    if (block.start[row].value >= int64_t{block.receive_to_start[row]}) continue;
    return absl::InvalidArgumentError(
        fmt::format("row {}: received {} cycles before its start at {}, which is before 0", row,
                    block.receive_to_start[row], block.start[row].value));
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status Encode(const AicoreTaskBlock& block, RowRange rows, v1::AicoreTasks* message) {
  absl::Status status = CheckColumnLengths(
      block.size(),
      {block.task_id.size(), block.reg_task_id.size(), block.start.size(), block.end.size(),
       block.has_receive ? block.receive_to_start.size() : block.size()});
  if (!status.ok()) return status;
  EncodeColumn(Rows(block.core_id, rows), message->mutable_core_id());
  EncodeColumn(Rows(block.task_id, rows), message->mutable_task_id());
  EncodeColumn(Rows(block.reg_task_id, rows), message->mutable_reg_task_id());
  EncodeColumn(Rows(block.start, rows), message->mutable_start());
  message->clear_receive_to_start();
  if (block.has_receive) {
    if (status = CheckReceive(block, rows); !status.ok()) return status;
    EncodeColumn(Rows(block.receive_to_start, rows), message->mutable_receive_to_start());
  }
  return EncodeDurations(Rows(block.start, rows), Rows(block.end, rows),
                         message->mutable_duration());
}

absl::Status Encode(const SchedulerTaskBlock& block, RowRange rows, v1::SchedulerTasks* message) {
  absl::Status status = CheckColumnLengths(
      block.size(), {block.reg_task_id.size(), block.dispatch.size(), block.finish.size()});
  if (!status.ok()) return status;
  EncodeColumn(Rows(block.core_id, rows), message->mutable_core_id());
  EncodeColumn(Rows(block.reg_task_id, rows), message->mutable_reg_task_id());
  EncodeColumn(Rows(block.dispatch, rows), message->mutable_dispatch());
  return EncodeDurations(Rows(block.dispatch, rows), Rows(block.finish, rows),
                         message->mutable_duration());
}

absl::StatusOr<std::shared_ptr<const AicoreTaskBlock>> Decode(const v1::AicoreTasks& message) {
  auto block = std::make_shared<AicoreTaskBlock>();
  RowColumns columns(message.core_id().count());
  columns.Read(message.core_id(), "core_id", block->core_id);
  columns.Read(message.task_id(), "task_id", block->task_id);
  columns.Read(message.reg_task_id(), "reg_task_id", block->reg_task_id);
  columns.ReadIntervals(message.start(), message.duration(), block->start, block->end);
  block->has_receive = message.has_receive_to_start();
  if (block->has_receive) {
    columns.Read(message.receive_to_start(), "receive_to_start", block->receive_to_start);
    if (columns.status().ok()) columns.Refuse(CheckReceive(*block, {0, block->size()}));
  }
  if (!columns.status().ok()) return columns.status();
  return block;
}

absl::StatusOr<std::shared_ptr<const SchedulerTaskBlock>> Decode(
    const v1::SchedulerTasks& message) {
  auto block = std::make_shared<SchedulerTaskBlock>();
  RowColumns columns(message.core_id().count());
  columns.Read(message.core_id(), "core_id", block->core_id);
  columns.Read(message.reg_task_id(), "reg_task_id", block->reg_task_id);
  columns.ReadIntervals(message.dispatch(), message.duration(), block->dispatch, block->finish);
  if (!columns.status().ok()) return columns.status();
  return block;
}

}  // namespace simpler::archive
