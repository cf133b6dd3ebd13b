// The host's half of the protocol, one step at a time, so that a test decides when each happens.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "collector/device/aicpu_launch.h"
#include "collector/device/aicpu_writer.h"
#include "collector/protocol/architecture.h"
#include "collector/protocol/records.h"
#include "collector/protocol/region.h"

namespace simpler::support {

// Small buffers, so that a test fills them.
inline constexpr protocol::BufferCapacities kSmallBuffers{.records = {4, 4, 4, 4}};

// Not thread-safe, except that one device thread may wait meanwhile.
class ScriptedHost {
 public:
  struct Options {
    const protocol::Architecture* architecture = &protocol::kA2a3;
    protocol::BufferCapacities capacities = kSmallBuffers;
    uint32_t num_cores = 3;
    uint32_t level = 4;
    uint32_t buffers = 2;  // in the free queue of every lane
    uint64_t bytes = 2 << 20;
  };
  explicit ScriptedHost(const Options& options);
  ScriptedHost() : ScriptedHost(Options{}) {}

  // A launch over this host's memory, with a clock that ticks once per turn of a wait.
  device::LaunchConfig Config(
      const device::BackPressure& back_pressure = device::BackPressure::Drop());

  protocol::PoolState& Pool(protocol::BufferKind kind, uint32_t instance = 0);
  // A new buffer, full of what an earlier use might have left in it.
  uint64_t NewBuffer(protocol::BufferKind kind);
  // Into a lane's free queue, which has room.
  void Give(protocol::BufferKind kind, uint32_t instance, uint64_t buffer);
  void GiveNew(protocol::BufferKind kind, uint32_t instance = 0) {
    Give(kind, instance, NewBuffer(kind));
  }

  // The oldest entry of a ready queue.
  std::optional<protocol::ReadyEntry> Pop(uint32_t queue);
  std::vector<protocol::ReadyEntry> PopAll(uint32_t queue);
  uint32_t CountOf(const protocol::ReadyEntry& entry);
  // The valid records of a buffer.
  template <typename Record>
  std::vector<Record> RecordsOf(const protocol::ReadyEntry& entry) {
    const auto* records = memory_.FindAs<Record>(entry.buffer_ptr);
    return {records, records + CountOf(entry)};
  }

  // Makes a ready queue look full, and back.
  void FillQueue(uint32_t queue);
  void EmptyQueue(uint32_t queue);

  uint32_t& HeaderWord(uint64_t offset);
  const protocol::RegionLayout& layout() const { return layout_; }
  const device::DeviceMemory& memory() const { return memory_; }
  uint64_t region() const { return region_; }
  uint64_t rotation_table() const { return rotation_table_; }

  uint64_t now = 1'000;
  std::function<void()> on_relax;
  std::atomic<bool> lease_expired = false;

 private:
  uint64_t Carve(uint64_t bytes);

  const Options options_;
  const protocol::RegionLayout layout_;
  std::vector<std::byte> storage_;
  device::DeviceMemory memory_;
  uint64_t next_ = 0;
  uint64_t region_ = 0;
  uint64_t rotation_table_ = 0;
};

}  // namespace simpler::support
