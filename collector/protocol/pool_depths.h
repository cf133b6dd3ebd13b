// How many buffers a pool gets, and the sizes of the host's rings that follow from it.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "collector/protocol/architecture.h"
#include "collector/protocol/records.h"
#include "collector/protocol/region.h"

namespace simpler::protocol {

// Buffers per lane at the start of a run: the first four go into the free queue, the rest into the
// host's recycled lanes.
struct PoolDepths {
  std::array<uint32_t, kBufferKinds> buffers = {8, 6, 8, 4};

  constexpr uint32_t Buffers(BufferKind kind) const { return buffers[static_cast<uint32_t>(kind)]; }
  // What does not fit into the free queue, at least 1.
  constexpr uint32_t BatchSize(BufferKind kind) const {
    return std::max(1U, Buffers(kind) - std::min(Buffers(kind), kFreeQueueSlots));
  }
};

// Of one shard's ring of buffers whose records were stored.
constexpr uint32_t DoneRingSize(const Architecture& architecture) {
  constexpr PoolDepths kDepths;
  return architecture.max_cores *
             (kDepths.Buffers(BufferKind::kAicpuTask) + kDepths.Buffers(BufferKind::kAicoreTask)) +
         architecture.max_threads *
             (kDepths.Buffers(BufferKind::kSchedPhase) + kDepths.Buffers(BufferKind::kOrchPhase));
}
static_assert(DoneRingSize(kA2a3) == 920 && DoneRingSize(kA5) == 1366);

// Of one shard's lane of empty buffers of one kind.
constexpr uint32_t RecycledRingSize(const Architecture& architecture) {
  constexpr PoolDepths kDepths;
  return std::max(architecture.max_cores * kDepths.Buffers(BufferKind::kAicpuTask),
                  2 * std::max(kDepths.Buffers(BufferKind::kSchedPhase),
                               kDepths.Buffers(BufferKind::kOrchPhase)));
}
static_assert(RecycledRingSize(kA2a3) == 576 && RecycledRingSize(kA5) == 864);

// Empty buffers that a shard's lane should hold, with `shards` shards alive. Phase lanes get back
// what they gave and never more.
constexpr uint32_t WarmTarget(const Architecture& architecture, BufferKind kind, uint32_t shards) {
  if (kind == BufferKind::kAicoreTask) return 1;
  if (kind != BufferKind::kAicpuTask) return 0;
  const uint32_t cores_per_shard = (architecture.max_cores + shards - 1) / shards;
  return (PoolDepths().BatchSize(kind) * cores_per_shard + 1) / 2;
}
static_assert(WarmTarget(kA2a3, BufferKind::kAicpuTask, 4) == 36);
static_assert(WarmTarget(kA5, BufferKind::kAicpuTask, 5) == 44);

}  // namespace simpler::protocol
