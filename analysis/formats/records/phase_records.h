// Records of scheduler phases: as objects with inline metrics (archived layout), or as objects of
// exactly six or seven fields with a side list of metrics (current layout).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "analysis/capture/blocks.h"
#include "analysis/formats/records/block_writer.h"
#include "analysis/formats/records/per_epoch.h"
#include "analysis/formats/records/read_context.h"
#include "simdjson.h"

namespace simpler::formats::records {

struct PhaseRecord;

// The phase records of one stream while they are read. Metrics name records by their position in
// the stream, whatever run they belong to.
class PhaseStream {
 public:
  // Reads the list `records` of the current layout. `stream` is its position, for messages.
  absl::Status ReadFixedRecords(simdjson::ondemand::value list, std::string_view key, size_t stream,
                                ReadContext& context);
  // Reads the list `metrics` into the records, which must have been read.
  absl::Status ReadMetrics(simdjson::ondemand::value list, std::string_view key,
                           const ReadContext& context);
  // Reads one list of the archived layout.
  absl::Status ReadInlineRecords(simdjson::ondemand::value list, std::string_view key,
                                 ReadContext& context);

  PerEpoch<BlockWriter<capture::SchedulerPhaseBlock>>& blocks() { return blocks_; }

 private:
  struct Location {
    capture::SchedulerPhaseBlock* block;
    uint32_t row;
  };

  absl::Status Append(PhaseRecord& record, Place place, ReadContext& context);
  Location Find(uint64_t index);

  PerEpoch<BlockWriter<capture::SchedulerPhaseBlock>> blocks_;
  uint64_t count_ = 0;
  // Where each record went; kept only once an epoch was seen, else positions tell.
  std::vector<Location> locations_;
};

}  // namespace simpler::formats::records
