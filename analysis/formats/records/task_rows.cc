#include "analysis/formats/records/task_rows.h"

#include <array>
#include <limits>
#include <string>

#include "analysis/formats/json_value.h"
#include "analysis/formats/records/fields.h"
#include "fmt/format.h"

namespace simpler::formats::records {
namespace {

using capture::AicoreTaskBlock;
using capture::CoreId;
using capture::SchedulerTaskBlock;
using simdjson::ondemand::value;

constexpr size_t kMaxColumns = 7;
constexpr uint64_t kMaxCore = std::numeric_limits<CoreId>::max();
constexpr uint64_t kMaxUint32 = std::numeric_limits<uint32_t>::max();
constexpr uint64_t kMaxStamp = std::numeric_limits<int64_t>::max();

// What a column holds: its name, the largest value it may have, and whether an id is accepted,
// which may also be a negative number or a decimal string.
struct Column {
  const char* name;
  uint64_t max;
  bool is_id = false;
};

struct Layout {
  std::array<Column, kMaxColumns> columns;
  size_t min_width;
  size_t max_width;
  const char* width_rule;
};

constexpr Layout kAicoreLayout = {{{{"core_id", kMaxCore},
                                    {"task_token_raw", UINT64_MAX, true},
                                    {"reg_task_id", kMaxUint32},
                                    {"start_cycles", kMaxStamp},
                                    {"end_cycles", kMaxStamp},
                                    {"receive_to_start_cycles", kMaxUint32},
                                    {"run_epoch", kMaxStamp}}},
                                  5,
                                  7,
                                  "must contain five, six or seven columns"};

constexpr Layout kSchedulerLayout = {{{{"core_id", kMaxCore},
                                       {"reg_task_id", kMaxUint32},
                                       {"dispatch_cycles", kMaxStamp},
                                       {"finish_cycles", kMaxStamp},
                                       {"run_epoch", kMaxStamp}}},
                                     4,
                                     5,
                                     "must contain four-column arrays (or five-column with "
                                     "run_epoch)"};

struct Row {
  std::array<uint64_t, kMaxColumns> cell;
  size_t width;
};

absl::Status ReadRow(value item, const Layout& layout, Place place, const ReadContext& context,
                     Row& row) {
  simdjson::ondemand::array cells;
  if (item.get_array().get(cells)) return context.Refuse(place, layout.width_rule);
  row.width = 0;
  for (auto next : cells) {
    value cell;
    if (const auto error = std::move(next).get(cell)) return context.RefuseSyntax(place, error);
    if (row.width == layout.max_width) return context.Refuse(place, layout.width_rule);
    const Column& column = layout.columns[row.width];
    uint64_t& out = row.cell[row.width++];
    if (ReadUint(cell, column.max, out)) continue;
    if (column.is_id && ReadId(cell, out)) continue;
    return context.RefuseValue(place, column.name, cell,
                               fmt::format("an integer from 0 to {}", column.max));
  }
  if (row.width < layout.min_width) return context.Refuse(place, layout.width_rule);
  return absl::OkStatus();
}

// Calls `append(row, place)` for every row of a section.
template <typename Append>
absl::Status ForEachRow(value section, std::string_view key, const Layout& layout,
                        const ReadContext& context, Append&& append) {
  simdjson::ondemand::array items;
  if (section.get_array().get(items)) {
    return context.RefuseValue({key}, key, section, "a list of rows");
  }
  Place place{key, 0};
  Row row;
  for (auto next : items) {
    value item;
    if (const auto error = std::move(next).get(item)) return context.RefuseSyntax(place, error);
    if (auto status = ReadRow(item, layout, place, context, row); !status.ok()) return status;
    if (auto status = append(row, place); !status.ok()) return status;
    ++place.row;
  }
  return absl::OkStatus();
}

template <typename Rows>
absl::Status CheckKeys(std::string_view key, const char* complaint, PerEpoch<Rows>& sections,
                       const ReadContext& context) {
  for (auto& [epoch, rows] : sections.groups()) {
    const auto duplicate = rows.keys.Find(rows.blocks);
    if (!duplicate) continue;
    return context.Refuse(
        {key},
        fmt::format("{}: core_id {} reg_task_id {} in rows {} and {}{}", complaint, duplicate->core,
                    duplicate->reg_task_id, duplicate->first_row, duplicate->second_row,
                    epoch ? fmt::format(" of run_epoch {}", *epoch) : std::string()),
        "the file mixes runs or is damaged; record each run into its own file");
  }
  return absl::OkStatus();
}

absl::Status CheckAicoreTimes(const Row& row, Place place, const ReadContext& context) {
  const uint64_t start = row.cell[3];
  const uint64_t end = row.cell[4];
  if (start == 0 || start > end) {
    return context.Refuse(
        place, fmt::format("has invalid timing: expected 0 < start_cycles <= end_cycles, got {} "
                           "and {}",
                           start, end));
  }
  if (row.width >= 6 && row.cell[5] >= start) {
    return context.Refuse(place, fmt::format("has invalid timing: expected 0 <= "
                                             "receive_to_start_cycles < start_cycles, got {} and "
                                             "{}",
                                             row.cell[5], start));
  }
  return absl::OkStatus();
}

void AppendAicore(const Row& row, AicoreRows& rows) {
  const bool has_receive = row.width >= 6;
  AicoreTaskBlock* block = &rows.blocks.Next();
  if (block->has_receive != has_receive && block->size() > 0) {
    rows.blocks.StartBlock();
    block = &rows.blocks.Next();
  }
  block->has_receive = has_receive;
  const auto core = static_cast<CoreId>(row.cell[0]);
  const auto token = static_cast<uint32_t>(row.cell[2]);
  block->core_id.push_back(core);
  block->task_id.push_back(row.cell[1]);
  block->reg_task_id.push_back(token);
  block->start.push_back({static_cast<int64_t>(row.cell[3])});
  block->end.push_back({static_cast<int64_t>(row.cell[4])});
  if (has_receive) block->receive_to_start.push_back(static_cast<uint32_t>(row.cell[5]));
  rows.keys.Add(core, token);
}

absl::Status CheckSchedulerTimes(const Row& row, Place place, const ReadContext& context) {
  const uint64_t dispatch = row.cell[2];
  const uint64_t finish = row.cell[3];
  if (dispatch != 0 && dispatch <= finish) return absl::OkStatus();
  return context.Refuse(place, fmt::format("has invalid timing: expected 0 < dispatch_cycles <= "
                                           "finish_cycles, got {} and {}",
                                           dispatch, finish));
}

void AppendScheduler(const Row& row, SchedulerRows& rows) {
  SchedulerTaskBlock& block = rows.blocks.Next();
  const auto core = static_cast<CoreId>(row.cell[0]);
  const auto token = static_cast<uint32_t>(row.cell[1]);
  block.core_id.push_back(core);
  block.reg_task_id.push_back(token);
  block.dispatch.push_back({static_cast<int64_t>(row.cell[2])});
  block.finish.push_back({static_cast<int64_t>(row.cell[3])});
  rows.keys.Add(core, token);
}

Epoch EpochOf(const Row& row, size_t column) {
  return row.width > column ? Epoch(static_cast<int64_t>(row.cell[column])) : std::nullopt;
}

absl::Status ReadSchedulerRows(value section, std::string_view key, ReadContext& context,
                               PerEpoch<SchedulerRows>& rows) {
  size_t first_width = 0;
  const auto append = [&](const Row& row, Place place) -> absl::Status {
    if (first_width == 0) first_width = row.width;
    if (row.width != first_width) return context.Refuse(place, "mixes row widths [4, 5]");
    if (auto status = CheckSchedulerTimes(row, place, context); !status.ok()) return status;
    AppendScheduler(row, rows[EpochOf(row, 4)]);
    return absl::OkStatus();
  };
  if (auto status = ForEachRow(section, key, kSchedulerLayout, context, append); !status.ok()) {
    return status;
  }
  return CheckKeys(key, "contains duplicate scheduler join keys", rows, context);
}

}  // namespace

absl::Status ReadAicoreTasks(value section, ReadContext& context, PerEpoch<AicoreRows>& rows) {
  constexpr std::string_view kKey = "aicore_tasks";
  const auto append = [&](const Row& row, Place place) -> absl::Status {
    if (auto status = CheckAicoreTimes(row, place, context); !status.ok()) return status;
    AppendAicore(row, rows[EpochOf(row, 6)]);
    return absl::OkStatus();
  };
  if (auto status = ForEachRow(section, kKey, kAicoreLayout, context, append); !status.ok()) {
    return status;
  }
  return CheckKeys(kKey, "duplicate aicore_tasks join key", rows, context);
}

absl::Status ReadSchedulerTasks(value section, ReadContext& context, SchedulerTasks& tasks) {
  constexpr std::string_view kKey = "scheduler_tasks";
  bool has_records = false;
  const auto read_field = [&](std::string_view key, value field) -> absl::Status {
    if (key == "schema_version") {
      tasks.has_schema_version = true;
      return ReadSchemaVersion(field, {kKey}, context);
    }
    if (key == "producer") return ReadProducer(field, {kKey}, context, tasks.producer);
    if (key == "records") {
      has_records = true;
      return ReadSchedulerRows(field, "scheduler_tasks.records", context, tasks.rows);
    }
    context.CountIgnoredField("scheduler_tasks." + std::string(key));
    return absl::OkStatus();
  };
  if (auto status = ForEachField(section, {kKey}, context, read_field); !status.ok()) return status;
  if (!has_records) return context.Refuse({kKey}, "records is missing");
  return absl::OkStatus();
}

absl::Status ReadAicpuTasks(value section, ReadContext& context, SchedulerTasks& tasks) {
  return ReadSchedulerRows(section, "aicpu_tasks", context, tasks.rows);
}

}  // namespace simpler::formats::records
