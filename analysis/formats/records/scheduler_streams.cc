#include "analysis/formats/records/scheduler_streams.h"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "analysis/formats/json_value.h"
#include "analysis/formats/records/fields.h"
#include "fmt/format.h"

namespace simpler::formats::records {
namespace {

using capture::Producer;
using capture::SchedulerStream;
using simdjson::ondemand::value;

constexpr int64_t kMaxInt = std::numeric_limits<int>::max();
constexpr int64_t kMinInt = std::numeric_limits<int>::min();
constexpr size_t kMaxStreams = 1024;  // beyond any chip; bounds the memory of a hostile file
constexpr int kMaxPlacedId = 255;

// A stream as it stands in the file.
struct FileStream {
  StreamDraft draft;
  std::optional<int> id;  // absent: not an integer that names a position
  bool has_worker = false;
};

absl::Status ReadCounts(value field, Place place, ReadContext& context,
                        std::optional<SchedulerStream::CaptureCounts>& out) {
  if (ReadNull(field)) return absl::OkStatus();
  SchedulerStream::CaptureCounts counts;
  bool says_truncated = false;
  auto status =
      ForEachField(field, {"capture", place.row}, context, [&](std::string_view key, value item) {
        if (key == "truncated") {
          says_truncated = item.get_bool().get(counts.truncated) == simdjson::SUCCESS;
          if (says_truncated) return absl::OkStatus();
          return context.RefuseValue(place, "capture.truncated", item, "true or false");
        }
        if (key != "committed" && key != "dropped") {
          context.CountIgnoredField("scheduler_records.streams.capture." + std::string(key));
          return absl::OkStatus();
        }
        uint64_t& count = key == "committed" ? counts.committed : counts.dropped;
        if (ReadUint(item, UINT64_MAX, count)) return absl::OkStatus();
        return context.RefuseValue(place, "capture." + std::string(key), item,
                                   "a number of records");
      });
  if (!status.ok()) return status;
  if (!says_truncated) counts.truncated = counts.dropped != 0;
  out = counts;
  return absl::OkStatus();
}

absl::Status ReadInt(value field, Place place, std::string_view name, const ReadContext& context,
                     int& out) {
  int64_t wide = 0;
  auto status = ReadInteger(field, place, name, kMinInt, kMaxInt, context, wide);
  out = static_cast<int>(wide);
  return status;
}

void ReadSchedulerId(value field, FileStream& stream) {
  int64_t id = -1;
  if (field.get_int64().get(id)) return;
  if (0 <= id && id <= kMaxPlacedId) stream.id = static_cast<int>(id);
}

absl::Status ReadPhysicalCore(value field, Place place, const ReadContext& context,
                              SchedulerStream& header) {
  std::optional<int64_t> core;
  auto status =
      ReadOptionalInteger(field, place, "physical_core_id", kMinInt, kMaxInt, context, core);
  if (core) header.physical_core_id = static_cast<int>(*core);
  return status;
}

class StreamReader {
 public:
  StreamReader(size_t index, ReadContext& context)
      : index_(index),
        records_key_(fmt::format("scheduler_records.streams[{}].records", index)),
        metrics_key_(fmt::format("scheduler_records.streams[{}].metrics", index)),
        place_{"scheduler_records.streams", index},
        context_(context) {}

  absl::Status Read(value item) {
    stream_.draft.header.recorded = true;
    auto status = ForEachField(item, place_, context_, [this](std::string_view key, value field) {
      return ReadField(key, field);
    });
    if (!status.ok()) return status;
    if (!has_records_) {
      return context_.Refuse(place_,
                             fmt::format("scheduler stream {} has no list of records", index_));
    }
    if (metrics_before_records_) return ReadMetricsText(*metrics_before_records_);
    return absl::OkStatus();
  }

  FileStream Take() && { return std::move(stream_); }

 private:
  absl::Status ReadField(std::string_view key, value field) {
    SchedulerStream& header = stream_.draft.header;
    if (key == "records") {
      if (has_records_) return context_.Refuse(place_, "records occurs twice");
      has_records_ = true;
      return stream_.draft.records.ReadFixedRecords(field, records_key_, index_, context_);
    }
    if (key == "metrics") return ReadOrKeepMetrics(field);
    if (key == "platform") return ReadText(field, place_, key, context_, header.platform);
    if (key == "runtime") return ReadText(field, place_, key, context_, header.runtime);
    if (key == "core_type") return ReadText(field, place_, key, context_, header.core_type);
    if (key == "producer") return ReadProducer(field, place_, context_, header.producer);
    if (key == "physical_core_id") return ReadPhysicalCore(field, place_, context_, header);
    if (key == "capture") return ReadCounts(field, place_, context_, header.counts);
    if (key == "scheduler_id") {
      ReadSchedulerId(field, stream_);
      return absl::OkStatus();
    }
    if (key == "worker_id") {
      stream_.has_worker = true;
      return ReadInt(field, place_, key, context_, header.worker_id);
    }
    context_.CountIgnoredField("scheduler_records.streams." + std::string(key));
    return absl::OkStatus();
  }

  absl::Status ReadOrKeepMetrics(value field) {
    if (has_records_) return stream_.draft.records.ReadMetrics(field, metrics_key_, context_);
    std::string text;
    if (const auto error = ReadJsonText(field, text)) return context_.RefuseSyntax(place_, error);
    metrics_before_records_ = std::move(text);
    return absl::OkStatus();
  }

  absl::Status ReadMetricsText(const std::string& text) {
    const simdjson::padded_string padded(text);
    simdjson::ondemand::parser parser;
    simdjson::ondemand::document document;
    simdjson::ondemand::value metrics;
    simdjson::error_code error = parser.iterate(padded).get(document);
    if (!error) error = document.get_value().get(metrics);
    if (error) return context_.RefuseSyntax(place_, error);
    return stream_.draft.records.ReadMetrics(metrics, metrics_key_, context_);
  }

  size_t index_;
  std::string records_key_;
  std::string metrics_key_;
  Place place_;
  ReadContext& context_;
  FileStream stream_;
  bool has_records_ = false;
  std::optional<std::string> metrics_before_records_;
};

// True when every stream names a position of its own.
bool HavePositions(const std::vector<FileStream>& streams) {
  std::vector<bool> taken(kMaxPlacedId + 1);
  return std::all_of(streams.begin(), streams.end(), [&](const FileStream& stream) {
    if (!stream.id || taken[static_cast<size_t>(*stream.id)]) return false;
    taken[static_cast<size_t>(*stream.id)] = true;
    return true;
  });
}

// The producer all streams share, else the AICPU.
Producer CommonProducer(const std::vector<FileStream>& streams) {
  const auto is_aicore = [](const FileStream& s) {
    return s.draft.header.producer == Producer::kAicore;
  };
  const bool all = !streams.empty() && std::all_of(streams.begin(), streams.end(), is_aicore);
  return all ? Producer::kAicore : Producer::kAicpu;
}

StreamDraft Gap(Producer producer) {
  StreamDraft gap;
  gap.header.producer = producer;
  return gap;
}

std::vector<StreamDraft> PlaceStreams(std::vector<FileStream> streams, ReadContext& context) {
  const bool by_id = HavePositions(streams);
  if (!by_id) {
    context.AddWarning({"unplaced_streams",
                        "scheduler_records.streams: scheduler_id is missing, repeated or above 255 "
                        "in some stream; streams are numbered in file order",
                        streams.size()});
  }
  const Producer producer = CommonProducer(streams);
  std::vector<StreamDraft> placed;
  for (size_t i = 0; i < streams.size(); ++i) {
    const size_t position = by_id ? static_cast<size_t>(*streams[i].id) : i;
    while (placed.size() <= position) placed.push_back(Gap(producer));
    placed[position] = std::move(streams[i].draft);
    if (!streams[i].has_worker) {
      placed[position].header.worker_id = static_cast<int>(position);
    }
  }
  for (size_t i = 0; i < placed.size(); ++i) {
    placed[i].header.scheduler_id = static_cast<int>(i);
    if (!placed[i].header.recorded) placed[i].header.worker_id = static_cast<int>(i);
  }
  return placed;
}

absl::Status CheckStreamCount(size_t index, Place place, const ReadContext& context) {
  if (index < kMaxStreams) return absl::OkStatus();
  return context.Refuse(place, fmt::format("more than {} scheduler streams", kMaxStreams));
}

}  // namespace

absl::Status ReadSchedulerStreams(value section, ReadContext& context,
                                  std::vector<StreamDraft>& streams) {
  constexpr std::string_view kKey = "scheduler_records";
  constexpr std::string_view kStreamsKey = "scheduler_records.streams";
  std::vector<FileStream> in_file;
  bool has_streams = false;
  const auto read_stream = [&](value item, size_t index) -> absl::Status {
    auto status = CheckStreamCount(index, {kStreamsKey}, context);
    if (!status.ok()) return status;
    StreamReader reader(index, context);
    if (status = reader.Read(item); !status.ok()) return status;
    in_file.push_back(std::move(reader).Take());
    return absl::OkStatus();
  };
  const auto read_field = [&](std::string_view key, value field) -> absl::Status {
    if (key == "schema_version") return ReadSchemaVersion(field, {kKey}, context);
    if (key == "streams") {
      if (has_streams) return context.Refuse({kKey}, "streams occurs twice");
      has_streams = true;
      return ForEachItem(field, kStreamsKey, context, read_stream);
    }
    context.CountIgnoredField("scheduler_records." + std::string(key));
    return absl::OkStatus();
  };
  if (auto status = ForEachField(section, {kKey}, context, read_field); !status.ok()) return status;
  if (!has_streams) return context.Refuse({kKey}, "the list streams is missing");
  streams = PlaceStreams(std::move(in_file), context);
  return absl::OkStatus();
}

absl::Status ReadAicpuSchedulerPhases(value section, ReadContext& context,
                                      std::vector<StreamDraft>& streams) {
  constexpr std::string_view kKey = "aicpu_scheduler_phases";
  return ForEachItem(section, kKey, context, [&](value list, size_t index) -> absl::Status {
    auto status = CheckStreamCount(index, {kKey}, context);
    if (!status.ok()) return status;
    StreamDraft stream;
    stream.header.recorded = true;
    stream.header.scheduler_id = static_cast<int>(index);
    stream.header.worker_id = static_cast<int>(index);
    stream.header.core_type = "aicpu";
    const std::string key = fmt::format("{}[{}]", kKey, index);
    if (status = stream.records.ReadInlineRecords(list, key, context); !status.ok()) return status;
    streams.push_back(std::move(stream));
    return absl::OkStatus();
  });
}

}  // namespace simpler::formats::records
