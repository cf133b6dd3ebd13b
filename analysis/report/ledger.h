// What a run recorded and what is known to be lost, per lane and kind of record. Loss is data: it
// is counted here, stands in every report and decides how far the numbers can be trusted.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analysis/capture/capture.h"
#include "analysis/capture/joined_run.h"

namespace simpler::report {

struct Loss {
  std::string cause;  // "device_buffer", "no_partner", "host_pool"
  uint64_t count = 0;
};

struct LedgerEntry {
  std::string lane;  // "aicore", "scheduler", "scheduler 2", "host"
  std::string kind;  // section of the records file
  // Records known to have been made: the writer's count, else what is stored or known to be lost.
  uint64_t produced = 0;
  uint64_t stored = 0;
  std::vector<Loss> lost;  // causes with a count above zero

  uint64_t lost_count() const;
  // produced == stored + lost.
  bool Balanced() const { return produced == stored + lost_count(); }
};

struct Ledger {
  std::vector<LedgerEntry> entries;

  uint64_t lost_count() const;
  bool Balanced() const;
};

// Reads the counts that the writers left in the capture. A record without the partner it is joined
// with proves that the partner was produced and lost.
Ledger BuildLedger(const capture::JoinedRun& rows);

// "Ledger: balanced - 1240 records stored, none lost", or what is missing and where; without a
// line end.
std::string LedgerLine(const Ledger& ledger);

}  // namespace simpler::report
