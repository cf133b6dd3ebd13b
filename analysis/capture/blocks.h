// Immutable column blocks: the only form in which records are stored. A stream is a list of
// blocks; live capture appends one per drained buffer, an import makes large ones. Every column of
// a block has the same length. Code iterates blocks and never assumes their size.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/capture/clock.h"

namespace simpler::capture {

// Physical core index. Readers refuse larger values.
using CoreId = uint16_t;

// AICore execution records: one row per kernel execution on one core.
struct AicoreTaskBlock {
  bool has_receive = false;  // false: the writer did not record the receive stamp
  std::vector<CoreId> core_id;
  std::vector<uint64_t> task_id;      // logical task (task_token_raw)
  std::vector<uint32_t> reg_task_id;  // dispatch token, unique per core within a run
  std::vector<DeviceCycles> start;
  std::vector<DeviceCycles> end;
  std::vector<uint32_t> receive_to_start;  // cycles; empty unless has_receive

  size_t size() const { return core_id.size(); }
};

// Scheduler stamps of one dispatch: publication completed, completion processing began.
struct SchedulerTaskBlock {
  std::vector<CoreId> core_id;
  std::vector<uint32_t> reg_task_id;
  std::vector<DeviceCycles> dispatch;
  std::vector<DeviceCycles> finish;

  size_t size() const { return core_id.size(); }
};

// Scheduler phase kinds. Legacy spellings are mapped on reading: fanout -> kResolve,
// prestage -> kEarlyDispatch.
enum class PhaseKind : uint8_t {
  kComplete,
  kAsyncPoll,
  kDispatch,
  kRelease,
  kDummy,
  kEarlyDispatch,
  kDrain,
  kGraphPrepare,
  kDrainPrepare,
  kDrainPublish,
  kResolve,
  kResolveStandalone,
  kBootstrap,
  kStateProbe,
  kWorksteal,
  kRefill,
  kIdle,
  kFanin,
  kReadyClaim,
  kReadySteal,
  kDirectRefill,
  kDummyTask,
  kPredicatedSkip,
  kScan,
  kPoll,
  kUnknown,  // the spelling is kept in SchedulerPhaseBlock::unknown_kinds
};

// The on-disk spelling ("complete", …); "unknown" for kUnknown. Static storage.
const char* PhaseKindName(PhaseKind kind);
// Inverse of PhaseKindName, with the legacy spellings; kUnknown for anything else.
PhaseKind ParsePhaseKind(std::string_view name);

using QueueDepths = std::array<uint32_t, 3>;  // ready-queue depth per AIC, AIV, MIX

// One scheduler stream's phase records, in emission order (not sorted by start).
struct SchedulerPhaseBlock {
  enum Field : uint8_t {
    kLoopIter = 1,
    kTasksProcessed = 2,
    kTaskId = 4,
    kPops = 8,
    kDepthsAtStart = 16,
    kDepthsAtEnd = 32,
  };
  std::vector<DeviceCycles> start;
  std::vector<DeviceCycles> end;
  std::vector<PhaseKind> kind;
  std::vector<uint8_t> present;  // bit set of Field: which of the columns below hold a value
  std::vector<uint32_t> loop_iter;
  std::vector<uint32_t> tasks_processed;
  std::vector<uint64_t> task_id;
  std::vector<uint32_t> pop_hit;
  std::vector<uint32_t> pop_miss;
  std::vector<QueueDepths> depths_at_start;
  std::vector<QueueDepths> depths_at_end;

  // Fields of a record that this project does not interpret: JSON text, carried through.
  struct ExtraField {
    uint32_t row;
    std::string key;
    std::string json;
  };
  std::vector<ExtraField> extra;
  struct UnknownKind {
    uint32_t row;
    std::string name;
  };
  std::vector<UnknownKind> unknown_kinds;

  size_t size() const { return start.size(); }
  bool Has(size_t row, Field field) const { return (present[row] & field) != 0; }
};

// Orchestrator record kinds; everything but kSubmit occurs in old captures only.
enum class OrchestratorPhaseKind : uint8_t {
  kSubmit,
  kSync,
  kAlloc,
  kParams,
  kLookup,
  kInsert,
  kFanin,
};

// "orch_submit", … Static storage.
const char* OrchestratorPhaseKindName(OrchestratorPhaseKind kind);
// Inverse of OrchestratorPhaseKindName; absent for anything else.
std::optional<OrchestratorPhaseKind> ParseOrchestratorPhaseKind(std::string_view name);

struct OrchestratorPhaseBlock {
  enum Field : uint8_t { kSubmitIdx = 1, kTaskId = 2 };
  std::vector<OrchestratorPhaseKind> kind;
  std::vector<uint8_t> present;
  std::vector<uint32_t> submit_idx;
  std::vector<uint64_t> task_id;
  std::vector<DeviceCycles> start;
  std::vector<DeviceCycles> end;

  size_t size() const { return kind.size(); }
  bool Has(size_t row, Field field) const { return (present[row] & field) != 0; }
};

}  // namespace simpler::capture
