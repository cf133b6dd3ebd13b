#include "analysis/formats/records/phase_records.h"

#include <cstring>
#include <limits>
#include <utility>

#include "analysis/formats/json_value.h"
#include "analysis/formats/records/fields.h"
#include "fmt/format.h"

namespace simpler::formats::records {
namespace {

using capture::PhaseKind;
using capture::QueueDepths;
using capture::SchedulerPhaseBlock;
using simdjson::ondemand::value;

enum class Key : uint8_t {
  kStart,
  kEnd,
  kLoopIter,
  kKind,
  kTasksProcessed,
  kTaskId,
  kRunEpoch,
  kPopHit,
  kPopMiss,
  kDepthsAtStart,
  kDepthsAtEnd,
  kRecordIndex,
  kOther,
};

constexpr unsigned Bit(Key key) { return 1u << static_cast<unsigned>(key); }

constexpr unsigned kFixedKeys = Bit(Key::kStart) | Bit(Key::kEnd) | Bit(Key::kLoopIter) |
                                Bit(Key::kKind) | Bit(Key::kTasksProcessed) | Bit(Key::kTaskId);

constexpr const char* kKeyRule =
    "must contain exactly [end_cycles, kind, loop_iter, start_cycles, task_id, tasks_processed] "
    "(and run_epoch)";

// `raw` points behind the opening quote; the padding of the document makes any read legal.
template <size_t N>
bool Equals(const char* raw, const char (&name)[N]) {
  return std::memcmp(raw, name, N - 1) == 0 && raw[N - 1] == '"';
}

Key IdentifyKey(const char* raw) {
  switch (raw[0]) {
    case 's':
      if (Equals(raw, "start_cycles")) return Key::kStart;
      if (Equals(raw, "shared_at_start")) return Key::kDepthsAtStart;
      if (Equals(raw, "shared_at_end")) return Key::kDepthsAtEnd;
      return Key::kOther;
    case 'e':
      return Equals(raw, "end_cycles") ? Key::kEnd : Key::kOther;
    case 'l':
      return Equals(raw, "loop_iter") ? Key::kLoopIter : Key::kOther;
    case 'k':
      return Equals(raw, "kind") ? Key::kKind : Key::kOther;
    case 't':
      if (Equals(raw, "task_id")) return Key::kTaskId;
      return Equals(raw, "tasks_processed") ? Key::kTasksProcessed : Key::kOther;
    case 'p':
      if (Equals(raw, "pop_hit")) return Key::kPopHit;
      return Equals(raw, "pop_miss") ? Key::kPopMiss : Key::kOther;
    case 'r':
      if (Equals(raw, "record_index")) return Key::kRecordIndex;
      return Equals(raw, "run_epoch") ? Key::kRunEpoch : Key::kOther;
    default:
      return Key::kOther;
  }
}

const char* KeyName(Key key) {
  static constexpr const char* kNames[] = {
      "start_cycles",    "end_cycles",      "loop_iter",     "kind",
      "tasks_processed", "task_id",         "run_epoch",     "pop_hit",
      "pop_miss",        "shared_at_start", "shared_at_end", "record_index"};
  return kNames[static_cast<size_t>(key)];
}

const char* Expected(Key key) {
  switch (key) {
    case Key::kStart:
    case Key::kEnd:
    case Key::kRunEpoch:
      return "an integer from 0 to 9223372036854775807";
    case Key::kKind:
      return "a string";
    case Key::kTaskId:
      return "a 64-bit integer, its decimal string, or null";
    case Key::kDepthsAtStart:
    case Key::kDepthsAtEnd:
      return "a list of integers from 0 to 4294967295";
    default:
      return "an integer from 0 to 4294967295";
  }
}

// Reads a list of queue depths. Lists of another length than three are legal but mean nothing
// here: `other_length` receives their text.
bool ReadDepths(value& field, QueueDepths& depths, std::string& other_length) {
  simdjson::ondemand::array items;
  if (field.get_array().get(items)) return false;
  std::vector<uint32_t> surplus;
  size_t count = 0;
  for (auto next : items) {
    value item;
    uint32_t depth = 0;
    if (std::move(next).get(item) || !ReadUint32(item, depth)) return false;
    if (count < depths.size()) {
      depths[count] = depth;
    } else {
      surplus.push_back(depth);
    }
    ++count;
  }
  if (count == depths.size()) return true;
  surplus.insert(surplus.begin(), depths.begin(),
                 depths.begin() + static_cast<ptrdiff_t>(std::min(count, depths.size())));
  other_length = fmt::format("[{}]", fmt::join(surplus, ","));
  return true;
}

// The text of a kind. Only spellings with escapes need the parser's string buffer.
bool ReadKindName(value& field, std::string_view& name) {
  simdjson::ondemand::raw_json_string raw;
  if (field.get_raw_json_string().get(raw)) return false;
  const char* begin = raw.raw();
  const char* end = begin;
  while (*end != '"' && *end != '\\') ++end;
  if (*end == '"') {
    name = {begin, static_cast<size_t>(end - begin)};
    return true;
  }
  return field.get_string().get(name) == simdjson::SUCCESS;
}

}  // namespace

// One record or one entry of the metrics, with whatever fields it holds.
struct PhaseRecord {
  unsigned keys = 0;  // Bit()s of the keys seen
  uint8_t present = 0;
  PhaseKind kind = PhaseKind::kUnknown;
  int64_t start = 0;
  int64_t end = 0;
  uint32_t loop_iter = 0;
  uint32_t tasks_processed = 0;
  uint64_t task_id = 0;
  uint32_t pop_hit = 0;
  uint32_t pop_miss = 0;
  QueueDepths depths_at_start{};
  QueueDepths depths_at_end{};
  Epoch epoch;
  uint32_t record_index = 0;
  std::string_view unknown_kind;  // empty: the kind is known, missing, or literally "unknown"
  std::vector<SchedulerPhaseBlock::ExtraField> extra;

  bool ReadKind(value& field) {
    std::string_view name;
    if (!ReadKindName(field, name)) return false;
    kind = capture::ParsePhaseKind(name);
    if (kind == PhaseKind::kUnknown && name != PhaseKindName(kind)) unknown_kind = name;
    return true;
  }

  bool ReadTaskId(value& field) {
    if (ReadNull(field)) return true;
    present |= SchedulerPhaseBlock::kTaskId;
    return ReadId(field, task_id);
  }

  bool ReadEpoch(value& field) {
    int64_t number = 0;
    if (!ReadStamp(field, number)) return false;
    epoch = number;
    return true;
  }

  bool ReadDepthsField(value& field, Key key, SchedulerPhaseBlock::Field bit, QueueDepths& depths) {
    std::string other_length;
    if (!ReadDepths(field, depths, other_length)) return false;
    if (other_length.empty()) {
      present |= bit;
    } else {
      extra.push_back({0, KeyName(key), std::move(other_length)});
    }
    return true;
  }

  // False when the value has the wrong type or range.
  bool Read(Key key, value& field) {
    switch (key) {
      case Key::kStart:
        return ReadStamp(field, start);
      case Key::kEnd:
        return ReadStamp(field, end);
      case Key::kLoopIter:
        present |= SchedulerPhaseBlock::kLoopIter;
        return ReadUint32(field, loop_iter);
      case Key::kKind:
        return ReadKind(field);
      case Key::kTasksProcessed:
        present |= SchedulerPhaseBlock::kTasksProcessed;
        return ReadUint32(field, tasks_processed);
      case Key::kTaskId:
        return ReadTaskId(field);
      case Key::kRunEpoch:
        return ReadEpoch(field);
      case Key::kPopHit:
        present |= SchedulerPhaseBlock::kPops;
        return ReadUint32(field, pop_hit);
      case Key::kPopMiss:
        present |= SchedulerPhaseBlock::kPops;
        return ReadUint32(field, pop_miss);
      case Key::kDepthsAtStart:
        return ReadDepthsField(field, key, SchedulerPhaseBlock::kDepthsAtStart, depths_at_start);
      case Key::kDepthsAtEnd:
        return ReadDepthsField(field, key, SchedulerPhaseBlock::kDepthsAtEnd, depths_at_end);
      case Key::kRecordIndex:
        return ReadUint32(field, record_index);
      case Key::kOther:
        break;
    }
    return false;
  }
};

namespace {

// How a record is written.
struct Form {
  unsigned allowed_keys;
  bool keeps_other_keys;
  const char* other_key_rule;  // why a known key is refused here; and an unknown one, if not kept
};

constexpr unsigned kMetricKeys =
    Bit(Key::kPopHit) | Bit(Key::kPopMiss) | Bit(Key::kDepthsAtStart) | Bit(Key::kDepthsAtEnd);

constexpr Form kFixedForm = {kFixedKeys | Bit(Key::kRunEpoch), false, kKeyRule};
constexpr Form kInlineForm = {kFixedKeys | Bit(Key::kRunEpoch) | kMetricKeys, true,
                              "has a key that belongs to another layout"};
constexpr Form kMetricForm = {kMetricKeys | Bit(Key::kRecordIndex), true,
                              "metric overwrites fixed record fields"};

bool IsKnownKey(std::string_view key) {
  for (unsigned i = 0; i < static_cast<unsigned>(Key::kOther); ++i) {
    if (key == KeyName(static_cast<Key>(i))) return true;
  }
  return false;
}

// A key that the form does not interpret: kept as text where that is allowed.
absl::Status ReadOtherField(simdjson::ondemand::field& field, Place place, const Form& form,
                            const ReadContext& context, PhaseRecord& record) {
  std::string_view key;
  if (const auto error = field.unescaped_key().get(key)) return context.RefuseSyntax(place, error);
  if (!form.keeps_other_keys || IsKnownKey(key)) {
    return context.Refuse(place, fmt::format("{}: [{}]", form.other_key_rule, key));
  }
  std::string text;
  if (const auto error = ReadJsonText(field.value(), text)) {
    return context.RefuseSyntax(place, error);
  }
  record.extra.push_back({0, std::string(key), std::move(text)});
  return absl::OkStatus();
}

absl::Status ReadFields(value item, Place place, const Form& form, const ReadContext& context,
                        PhaseRecord& record) {
  simdjson::ondemand::object fields;
  if (item.get_object().get(fields)) return context.Refuse(place, "must be an object");
  for (auto next : fields) {
    simdjson::ondemand::field field;
    if (const auto error = std::move(next).get(field)) return context.RefuseSyntax(place, error);
    const Key key = IdentifyKey(field.key().raw());
    if ((form.allowed_keys & Bit(key)) == 0) {
      auto status = ReadOtherField(field, place, form, context, record);
      if (!status.ok()) return status;
      continue;
    }
    if ((record.keys & Bit(key)) != 0) {
      return context.Refuse(place, fmt::format("{} occurs twice", KeyName(key)));
    }
    record.keys |= Bit(key);
    if (!record.Read(key, field.value())) {
      return context.RefuseValue(place, KeyName(key), field.value(), Expected(key));
    }
  }
  return absl::OkStatus();
}

absl::Status CheckTimes(const PhaseRecord& record, Place place, const ReadContext& context) {
  if (record.start <= record.end) return absl::OkStatus();
  return context.Refuse(place, fmt::format("has a negative interval: start_cycles {} > end_cycles "
                                           "{}",
                                           record.start, record.end));
}

void AppendExtra(std::vector<SchedulerPhaseBlock::ExtraField>& extra, uint32_t row,
                 SchedulerPhaseBlock& block) {
  for (auto& field : extra) {
    field.row = row;
    block.extra.push_back(std::move(field));
  }
}

void AppendRecord(PhaseRecord& record, SchedulerPhaseBlock& block) {
  const auto row = static_cast<uint32_t>(block.size());
  block.start.push_back({record.start});
  block.end.push_back({record.end});
  block.kind.push_back(record.kind);
  block.present.push_back(record.present);
  block.loop_iter.push_back(record.loop_iter);
  block.tasks_processed.push_back(record.tasks_processed);
  block.task_id.push_back(record.task_id);
  block.pop_hit.push_back(record.pop_hit);
  block.pop_miss.push_back(record.pop_miss);
  block.depths_at_start.push_back(record.depths_at_start);
  block.depths_at_end.push_back(record.depths_at_end);
  if (!record.unknown_kind.empty()) {
    block.unknown_kinds.push_back({row, std::string(record.unknown_kind)});
  }
  AppendExtra(record.extra, row, block);
}

// Overwrites what the entry holds and leaves the rest.
void ApplyMetric(PhaseRecord& metric, SchedulerPhaseBlock& block, uint32_t row) {
  block.present[row] |= metric.present;
  if ((metric.keys & Bit(Key::kPopHit)) != 0) block.pop_hit[row] = metric.pop_hit;
  if ((metric.keys & Bit(Key::kPopMiss)) != 0) block.pop_miss[row] = metric.pop_miss;
  if ((metric.present & SchedulerPhaseBlock::kDepthsAtStart) != 0) {
    block.depths_at_start[row] = metric.depths_at_start;
  }
  if ((metric.present & SchedulerPhaseBlock::kDepthsAtEnd) != 0) {
    block.depths_at_end[row] = metric.depths_at_end;
  }
  AppendExtra(metric.extra, row, block);
}

}  // namespace

absl::Status PhaseStream::ReadFixedRecords(value list, std::string_view key, size_t stream,
                                           ReadContext& context) {
  return ForEachItem(list, key, context, [&](value item, size_t row) -> absl::Status {
    const Place place{key, row};
    PhaseRecord record;
    auto status = ReadFields(item, place, kFixedForm, context, record);
    if (!status.ok()) return status;
    if ((record.keys & kFixedKeys) != kFixedKeys) {
      return context.Refuse(place,
                            fmt::format("scheduler stream {} record {} {}", stream, row, kKeyRule));
    }
    return Append(record, place, context);
  });
}

absl::Status PhaseStream::ReadInlineRecords(value list, std::string_view key,
                                            ReadContext& context) {
  constexpr unsigned kRequired = Bit(Key::kStart) | Bit(Key::kEnd);
  return ForEachItem(list, key, context, [&](value item, size_t row) -> absl::Status {
    const Place place{key, row};
    PhaseRecord record;
    auto status = ReadFields(item, place, kInlineForm, context, record);
    if (!status.ok()) return status;
    if ((record.keys & kRequired) != kRequired) {
      return context.Refuse(place, "must contain start_cycles and end_cycles");
    }
    return Append(record, place, context);
  });
}

absl::Status PhaseStream::ReadMetrics(value list, std::string_view key,
                                      const ReadContext& context) {
  return ForEachItem(list, key, context, [&](value item, size_t row) -> absl::Status {
    const Place place{key, row};
    PhaseRecord metric;
    auto status = ReadFields(item, place, kMetricForm, context, metric);
    if (!status.ok()) return status;
    if ((metric.keys & Bit(Key::kRecordIndex)) == 0) {
      return context.Refuse(place, "has malformed metrics: record_index is missing");
    }
    if (metric.record_index >= count_) {
      return context.Refuse(place,
                            fmt::format("metric record_index {} is out of range (the stream has {} "
                                        "records)",
                                        metric.record_index, count_));
    }
    const Location location = Find(metric.record_index);
    ApplyMetric(metric, *location.block, location.row);
    return absl::OkStatus();
  });
}

absl::Status PhaseStream::Append(PhaseRecord& record, Place place, ReadContext& context) {
  auto status = CheckTimes(record, place, context);
  if (!status.ok()) return status;
  if (record.kind == PhaseKind::kUnknown) {
    context.CountUnknownKind(
        std::string(record.unknown_kind.empty() ? "unknown" : record.unknown_kind));
  }
  if (count_ > 0 && record.epoch.has_value() == locations_.empty()) {
    return context.Refuse(place, "mixes records with and without run_epoch");
  }
  SchedulerPhaseBlock& block = blocks_[record.epoch].Next();
  if (record.epoch.has_value()) {
    locations_.push_back({&block, static_cast<uint32_t>(block.size())});
  }
  AppendRecord(record, block);
  ++count_;
  return absl::OkStatus();
}

PhaseStream::Location PhaseStream::Find(uint64_t index) {
  if (!locations_.empty()) return locations_[index];
  return {&blocks_[std::nullopt].block(index / kRecordsPerBlock),
          static_cast<uint32_t>(index % kRecordsPerBlock)};
}

}  // namespace simpler::formats::records
