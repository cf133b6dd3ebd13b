#include "analysis/report/ledger.h"

#include <algorithm>
#include <utility>

#include "fmt/format.h"

namespace simpler::report {
namespace {

using capture::Capture;
using capture::HostCaptureStatus;
using capture::JoinedRun;
using capture::Run;

std::vector<Loss> LossOf(const char* cause, uint64_t count) {
  if (count == 0) return {};
  return {{cause, count}};
}

LedgerEntry JoinedEntry(const char* lane, const char* kind, uint64_t stored, uint64_t missing) {
  return {.lane = lane,
          .kind = kind,
          .produced = stored + missing,
          .stored = stored,
          .lost = LossOf("no_partner", missing)};
}

LedgerEntry StreamEntry(const capture::SchedulerStream& stream) {
  LedgerEntry entry{.lane = fmt::format("scheduler {}", stream.scheduler_id),
                    .kind = "scheduler_records",
                    .produced = stream.size(),
                    .stored = stream.size(),
                    .lost = {}};
  if (stream.counts) {
    entry.produced = stream.counts->committed + stream.counts->dropped;
    entry.lost = LossOf("device_buffer", stream.counts->dropped);
  }
  return entry;
}

LedgerEntry HostEntry(const Run& run, const HostCaptureStatus& status) {
  const auto count_of = [](const std::optional<int64_t>& value) {
    return static_cast<uint64_t>(std::max<int64_t>(value.value_or(0), 0));
  };
  LedgerEntry entry{.lane = "host",
                    .kind = "host_orchestrator_phases",
                    .produced = 0,
                    .stored = 0,
                    .lost = LossOf("host_pool", count_of(status.dropped_records))};
  for (const auto& lane : run.host_submit_lanes) entry.stored += lane.size();
  entry.produced = status.expected_records ? count_of(status.expected_records)
                                           : entry.stored + entry.lost_count();
  return entry;
}

std::string Describe(const LedgerEntry& entry) {
  std::string text = fmt::format("{} {}: ", entry.lane, entry.kind);
  if (!entry.Balanced()) {
    text += fmt::format("{} produced, {} stored", entry.produced, entry.stored);
    if (entry.lost_count() > 0) text += fmt::format(", {} lost", entry.lost_count());
    return text;
  }
  std::vector<std::string> causes;
  for (const Loss& loss : entry.lost) {
    causes.push_back(fmt::format("{} lost ({})", loss.count, loss.cause));
  }
  return text + fmt::format("{}", fmt::join(causes, ", "));
}

}  // namespace

uint64_t LedgerEntry::lost_count() const {
  uint64_t sum = 0;
  for (const Loss& loss : lost) sum += loss.count;
  return sum;
}

uint64_t Ledger::lost_count() const {
  uint64_t sum = 0;
  for (const LedgerEntry& entry : entries) sum += entry.lost_count();
  return sum;
}

bool Ledger::Balanced() const {
  return std::all_of(entries.begin(), entries.end(),
                     [](const LedgerEntry& entry) { return entry.Balanced(); });
}

Ledger BuildLedger(const JoinedRun& rows) {
  const Capture& capture = rows.capture();
  const Run& run = rows.run();
  Ledger ledger;
  ledger.entries.push_back(JoinedEntry("aicore", "aicore_tasks", run.aicore_row_count(),
                                       rows.report().scheduler_rows_without_aicore));
  if (run.has_scheduler_tasks && capture.level >= 2) {
    ledger.entries.push_back(JoinedEntry("scheduler", "scheduler_tasks", run.scheduler_row_count(),
                                         rows.report().aicore_rows_without_scheduler));
  }
  for (const auto& stream : run.scheduler_streams) {
    // Old layouts list idle schedulers, new ones leave them out.
    const bool counted = stream.counts && stream.counts->committed + stream.counts->dropped > 0;
    if (stream.size() > 0 || counted) ledger.entries.push_back(StreamEntry(stream));
  }
  if (capture.metadata.host_capture) {
    ledger.entries.push_back(HostEntry(run, *capture.metadata.host_capture));
  }
  return ledger;
}

std::string LedgerLine(const Ledger& ledger) {
  uint64_t stored = 0;
  std::vector<std::string> problems;
  for (const LedgerEntry& entry : ledger.entries) {
    stored += entry.stored;
    if (!entry.Balanced() || entry.lost_count() > 0) problems.push_back(Describe(entry));
  }
  const char* state = ledger.Balanced() ? "balanced" : "NOT BALANCED";
  if (problems.empty())
    return fmt::format("Ledger: {}, {} records stored, none lost", state, stored);
  return fmt::format("Ledger: {}, {} records stored, {} lost; {}", state, stored,
                     ledger.lost_count(), fmt::join(problems, "; "));
}

}  // namespace simpler::report
