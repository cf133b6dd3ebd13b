#include "analysis/formats/records_writer.h"

#include <algorithm>
#include <sstream>
#include <string_view>
#include <vector>

#include "analysis/formats/json_value.h"
#include "analysis/formats/records/metadata_writer.h"
#include "analysis/formats/records/text_writer.h"
#include "fmt/compile.h"
#include "fmt/format.h"

namespace simpler::formats {
namespace {

using capture::AicoreTaskBlock;
using capture::Capture;
using capture::HostSubmit;
using capture::LifecycleRecord;
using capture::LifecycleStamp;
using capture::OrchestratorPhaseBlock;
using capture::OrchestratorPhaseKind;
using capture::PhaseKind;
using capture::QueueDepths;
using capture::Run;
using capture::SchedulerPhaseBlock;
using capture::SchedulerStream;
using capture::SchedulerTaskBlock;
using records::LineList;
using records::TextWriter;

constexpr LifecycleStamp kLastPairedStamp = LifecycleStamp::kExitWaitEnd;

// Walks the extras or unknown kinds of a block in step with its rows. Readers append them in
// record order, metrics later, so they are put in row order first.
template <typename Item>
class RowItems {
 public:
  explicit RowItems(const std::vector<Item>& items) {
    for (const Item& item : items) items_.push_back(&item);
    std::stable_sort(items_.begin(), items_.end(),
                     [](const Item* a, const Item* b) { return a->row < b->row; });
  }

  // The next item of `row`, null when there is none. Rows are asked in ascending order.
  const Item* Take(size_t row) {
    if (next_ == items_.size() || items_[next_]->row != row) return nullptr;
    return items_[next_++];
  }

 private:
  std::vector<const Item*> items_;
  size_t next_ = 0;
};

class RecordsWriter {
 public:
  RecordsWriter(const Capture& capture, std::ostream& out) : capture_(capture), out_(out) {}

  void Write() {
    out_.Print(FMT_COMPILE("{{\n  \"chip_swimlane_level\": {}"), capture_.level);
    Key("metadata");
    records::WriteMetadata(capture_.metadata, out_);
    WriteAicoreTasks();
    if (Any([](const Run& run) { return run.has_scheduler_tasks; })) WriteSchedulerTasks();
    if (Any([](const Run& run) { return run.has_scheduler_streams; })) WriteSchedulerRecords();
    WriteOrchestratorLanes();
    WriteHostLanes();
    WriteUploads();
    WriteLifecycle();
    for (const capture::OpaqueField& field : capture_.opaque) {
      Key(field.key);
      out_.Put(field.json);
    }
    out_.Put("\n}\n");
    out_.Flush();
  }

 private:
  template <typename Predicate>
  bool Any(Predicate predicate) const {
    return std::any_of(capture_.runs.begin(), capture_.runs.end(), predicate);
  }

  // The largest number of lanes or streams in any run.
  template <typename Lanes>
  size_t LaneCount(Lanes Run::*lanes) const {
    size_t count = 0;
    for (const Run& run : capture_.runs) count = std::max(count, (run.*lanes).size());
    return count;
  }

  void Key(std::string_view key) { out_.Print(FMT_COMPILE(",\n  {}: "), JsonQuote(key)); }

  void EpochColumn(const Run& run) {
    if (run.epoch) out_.Print(FMT_COMPILE(", {}"), *run.epoch);
  }
  void EpochField(const Run& run) {
    if (run.epoch) out_.Print(FMT_COMPILE(", \"run_epoch\": {}"), *run.epoch);
  }

  void WriteAicoreTasks() {
    Key("aicore_tasks");
    LineList rows(out_, "    ", "  ");
    for (const Run& run : capture_.runs) {
      for (const auto& block : run.aicore_tasks) WriteAicoreBlock(run, *block, rows);
    }
    rows.Close();
  }

  void WriteAicoreBlock(const Run& run, const AicoreTaskBlock& block, LineList& rows) {
    for (size_t row = 0; row < block.size(); ++row) {
      rows.Next();
      out_.Print(FMT_COMPILE("[{}, {}, {}, {}, {}"), block.core_id[row], block.task_id[row],
                 block.reg_task_id[row], block.start[row].value, block.end[row].value);
      if (block.has_receive) {
        out_.Print(FMT_COMPILE(", {}"), block.receive_to_start[row]);
      } else if (run.epoch) {
        out_.Put(", 0");  // the column of the epoch is the seventh
      }
      EpochColumn(run);
      out_.Put("]");
    }
  }

  void WriteSchedulerTasks() {
    Key("scheduler_tasks");
    out_.Print(FMT_COMPILE("{{\n    \"schema_version\": 1,\n    \"producer\": \"{}\",\n    "
                           "\"records\": "),
               ProducerName(capture_.task_producer));
    LineList rows(out_, "    ", "    ");
    for (const Run& run : capture_.runs) {
      for (const auto& block : run.scheduler_tasks) WriteSchedulerBlock(run, *block, rows);
    }
    rows.Close();
    out_.Put("\n  }");
  }

  void WriteSchedulerBlock(const Run& run, const SchedulerTaskBlock& block, LineList& rows) {
    for (size_t row = 0; row < block.size(); ++row) {
      rows.Next();
      out_.Print(FMT_COMPILE("[{}, {}, {}, {}"), block.core_id[row], block.reg_task_id[row],
                 block.dispatch[row].value, block.finish[row].value);
      EpochColumn(run);
      out_.Put("]");
    }
  }

  void WriteSchedulerRecords() {
    Key("scheduler_records");
    out_.Put("{\n    \"schema_version\": 1,\n    \"streams\": ");
    LineList streams(out_, "      ", "    ");
    const size_t count = LaneCount(&Run::scheduler_streams);
    for (size_t i = 0; i < count; ++i) {
      const SchedulerStream* header = FindRecorded(i);
      if (header == nullptr) continue;
      streams.Next();
      WriteStream(*header, i);
    }
    streams.Close();
    out_.Put("\n  }");
  }

  // The stream in the first run that recorded it; null for a gap.
  const SchedulerStream* FindRecorded(size_t index) const {
    for (const Run& run : capture_.runs) {
      if (index >= run.scheduler_streams.size()) continue;
      if (run.scheduler_streams[index].recorded) return &run.scheduler_streams[index];
    }
    return nullptr;
  }

  void WriteStream(const SchedulerStream& header, size_t index) {
    WriteStreamHeader(header);
    out_.Put("\"records\": ");
    LineList records(out_, "        ", "      ");
    ForEachBlock(index, [&](const Run& run, const SchedulerPhaseBlock& block) {
      WritePhases(run, block, records);
    });
    records.Close();
    out_.Put(", \"metrics\": ");
    LineList metrics(out_, "        ", "      ");
    size_t first_record = 0;
    ForEachBlock(index, [&](const Run&, const SchedulerPhaseBlock& block) {
      WriteMetrics(block, first_record, metrics);
      first_record += block.size();
    });
    metrics.Close();
    out_.Put("}");
  }

  template <typename Visit>
  void ForEachBlock(size_t stream, Visit visit) const {
    for (const Run& run : capture_.runs) {
      if (stream >= run.scheduler_streams.size()) continue;
      for (const auto& block : run.scheduler_streams[stream].blocks) visit(run, *block);
    }
  }

  void WriteStreamHeader(const SchedulerStream& header) {
    out_.Put("{");
    if (!header.platform.empty()) {
      out_.Print(FMT_COMPILE("\"platform\": {}, "), JsonQuote(header.platform));
    }
    if (!header.runtime.empty()) {
      out_.Print(FMT_COMPILE("\"runtime\": {}, "), JsonQuote(header.runtime));
    }
    out_.Print(FMT_COMPILE("\"producer\": \"{}\", \"scheduler_id\": {}, \"worker_id\": {}, "
                           "\"core_type\": {}, "),
               ProducerName(header.producer), header.scheduler_id, header.worker_id,
               JsonQuote(header.core_type));
    if (header.physical_core_id) {
      out_.Print(FMT_COMPILE("\"physical_core_id\": {}, "), *header.physical_core_id);
    } else {
      out_.Put("\"physical_core_id\": null, ");
    }
    if (!header.counts) return;
    out_.Print(FMT_COMPILE("\"capture\": {{\"committed\": {}, \"dropped\": {}, \"truncated\": "
                           "{}}}, "),
               header.counts->committed, header.counts->dropped, header.counts->truncated);
  }

  void WritePhases(const Run& run, const SchedulerPhaseBlock& block, LineList& records) {
    RowItems<SchedulerPhaseBlock::UnknownKind> unknown(block.unknown_kinds);
    for (size_t row = 0; row < block.size(); ++row) {
      records.Next();
      out_.Print(FMT_COMPILE("{{\"start_cycles\": {}, \"end_cycles\": {}, \"loop_iter\": {}, "),
                 block.start[row].value, block.end[row].value, block.loop_iter[row]);
      const auto* name = unknown.Take(row);
      if (name != nullptr) {
        out_.Print(FMT_COMPILE("\"kind\": {}, "), JsonQuote(name->name));
      } else {
        out_.Print(FMT_COMPILE("\"kind\": \"{}\", "), PhaseKindName(block.kind[row]));
      }
      out_.Print(FMT_COMPILE("\"tasks_processed\": {}, "), block.tasks_processed[row]);
      if (block.Has(row, SchedulerPhaseBlock::kTaskId)) {
        out_.Print(FMT_COMPILE("\"task_id\": {}"), block.task_id[row]);
      } else {
        out_.Put("\"task_id\": null");
      }
      EpochField(run);
      out_.Put("}");
    }
  }

  void WriteMetrics(const SchedulerPhaseBlock& block, size_t first_record, LineList& metrics) {
    constexpr uint8_t kMetrics = SchedulerPhaseBlock::kPops | SchedulerPhaseBlock::kDepthsAtStart |
                                 SchedulerPhaseBlock::kDepthsAtEnd;
    RowItems<SchedulerPhaseBlock::ExtraField> extras(block.extra);
    for (size_t row = 0; row < block.size(); ++row) {
      const auto* extra = extras.Take(row);
      if ((block.present[row] & kMetrics) == 0 && extra == nullptr) continue;
      metrics.Next();
      out_.Print(FMT_COMPILE("{{\"record_index\": {}"), first_record + row);
      if (block.Has(row, SchedulerPhaseBlock::kPops)) {
        out_.Print(FMT_COMPILE(", \"pop_hit\": {}, \"pop_miss\": {}"), block.pop_hit[row],
                   block.pop_miss[row]);
      }
      if (block.Has(row, SchedulerPhaseBlock::kDepthsAtStart)) {
        WriteDepths("shared_at_start", block.depths_at_start[row]);
      }
      if (block.Has(row, SchedulerPhaseBlock::kDepthsAtEnd)) {
        WriteDepths("shared_at_end", block.depths_at_end[row]);
      }
      for (; extra != nullptr; extra = extras.Take(row)) {
        out_.Print(FMT_COMPILE(", {}: {}"), JsonQuote(extra->key), extra->json);
      }
      out_.Put("}");
    }
  }

  void WriteDepths(const char* key, const QueueDepths& depths) {
    out_.Print(FMT_COMPILE(", \"{}\": [{},{},{}]"), key, depths[0], depths[1], depths[2]);
  }

  // Lanes of records: `write_lane(run, lane, records)` for every run's part of a lane.
  template <typename Lanes, typename WriteLane>
  void WriteLanes(std::string_view key, Lanes Run::*member, WriteLane write_lane) {
    const size_t count = LaneCount(member);
    if (count == 0) return;
    Key(key);
    LineList lanes(out_, "    ", "  ");
    for (size_t i = 0; i < count; ++i) {
      lanes.Next();
      LineList records(out_, "      ", "    ");
      for (const Run& run : capture_.runs) {
        if (i < (run.*member).size()) write_lane(run, (run.*member)[i], records);
      }
      records.Close();
    }
    lanes.Close();
  }

  void WriteOrchestratorLanes() {
    WriteLanes("aicpu_orchestrator_phases", &Run::orchestrator_lanes,
               [this](const Run& run, const capture::OrchestratorLane& lane, LineList& records) {
                 ForEachPhase(lane, [&](const OrchestratorPhaseBlock& block, size_t row) {
                   records.Next();
                   WriteOrchestratorPhase(run, block, row);
                 });
               });
  }

  void WriteOrchestratorPhase(const Run& run, const OrchestratorPhaseBlock& block, size_t row) {
    out_.Put("{");
    if (block.Has(row, OrchestratorPhaseBlock::kSubmitIdx)) {
      out_.Print(FMT_COMPILE("\"submit_idx\": {}, "), block.submit_idx[row]);
    }
    if (block.Has(row, OrchestratorPhaseBlock::kTaskId)) {
      out_.Print(FMT_COMPILE("\"task_id\": {}, "), block.task_id[row]);
    }
    out_.Print(FMT_COMPILE("\"start_cycles\": {}, \"end_cycles\": {}"), block.start[row].value,
               block.end[row].value);
    if (block.kind[row] != OrchestratorPhaseKind::kSubmit) {
      out_.Print(FMT_COMPILE(", \"kind\": \"{}\""), OrchestratorPhaseKindName(block.kind[row]));
    }
    EpochField(run);
    out_.Put("}");
  }

  void WriteHostLanes() {
    WriteLanes("host_orchestrator_phases", &Run::host_submit_lanes,
               [this](const Run& run, const std::vector<HostSubmit>& lane, LineList& records) {
                 for (const HostSubmit& submit : lane) {
                   records.Next();
                   WriteHostSubmit(run, submit);
                 }
               });
  }

  void WriteHostSubmit(const Run& run, const HostSubmit& submit) {
    out_.Put("{");
    if (submit.submit_idx) out_.Print(FMT_COMPILE("\"submit_idx\": {}, "), *submit.submit_idx);
    if (submit.task_id) out_.Print(FMT_COMPILE("\"task_id\": {}, "), *submit.task_id);
    out_.Print(FMT_COMPILE("\"start_host_ns\": {}, \"end_host_ns\": {}"), submit.start.value,
               submit.end.value);
    EpochField(run);
    out_.Put("}");
  }

  void WriteUploads() {
    if (!Any([](const Run& run) { return !run.host_uploads.empty(); })) return;
    Key("host_device_uploads");
    LineList uploads(out_, "    ", "  ");
    for (const Run& run : capture_.runs) {
      for (const capture::HostUpload& upload : run.host_uploads) {
        uploads.Next();
        out_.Print(FMT_COMPILE("{{\"phase\": {}, \"start_host_ns\": {}, \"end_host_ns\": {}, "
                               "\"detail\": {}"),
                   JsonQuote(upload.phase), upload.start.value, upload.end.value, upload.detail);
        EpochField(run);
        out_.Put("}");
      }
    }
    uploads.Close();
  }

  void WriteLifecycle() {
    if (!Any([](const Run& run) { return !run.lifecycle.empty(); })) return;
    Key("aicpu_lifecycle_records");
    LineList lines(out_, "    ", "  ");
    for (const Run& run : capture_.runs) {
      for (const LifecycleRecord& record : run.lifecycle) {
        lines.Next();
        WriteLifecycleRecord(run, record);
      }
    }
    lines.Close();
  }

  // A stamp of a pair that was not recorded is 0; the older instants appear only when recorded.
  void WriteLifecycleRecord(const Run& run, const LifecycleRecord& record) {
    const char* separator = "{";
    if (record.thread_id) {
      out_.Print(FMT_COMPILE("{{\"aicpu_thread_id\": {}"), *record.thread_id);
      separator = ", ";
    }
    for (size_t i = 0; i < capture::kLifecycleStampCount; ++i) {
      const auto stamp = static_cast<LifecycleStamp>(i);
      const auto& cycles = record.at(stamp);
      if (!cycles && stamp > kLastPairedStamp) continue;
      out_.Print(FMT_COMPILE("{}\"{}_cycles\": {}"), separator, LifecycleStampName(stamp),
                 cycles ? cycles->value : 0);
      separator = ", ";
    }
    EpochField(run);
    out_.Put("}");
  }

  const Capture& capture_;
  TextWriter out_;
};

}  // namespace

absl::Status WriteRecords(const Capture& capture, std::ostream& out) {
  RecordsWriter(capture, out).Write();
  if (!out) {
    return absl::DataLossError(
        "records: the output stream failed, the document is incomplete; check the free space");
  }
  return absl::OkStatus();
}

std::string WriteRecords(const Capture& capture) {
  std::ostringstream out;
  RecordsWriter(capture, out).Write();
  return std::move(out).str();
}

}  // namespace simpler::formats
