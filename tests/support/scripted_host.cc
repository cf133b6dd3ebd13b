#include "tests/support/scripted_host.h"

#include <cstring>

#include "collector/protocol/shared_word.h"

namespace simpler::support {

using protocol::BufferKind;
using protocol::LoadAcquire;
using protocol::ReadyEntry;
using protocol::StoreRelease;

namespace {

constexpr uint64_t kBase = 0x7000'0000'0000;

}  // namespace

ScriptedHost::ScriptedHost(const Options& options)
    : options_(options),
      layout_(*options.architecture, options.num_cores),
      storage_(options.bytes + 64) {
  auto* mapped = storage_.data();
  mapped += (64 - reinterpret_cast<uintptr_t>(mapped) % 64) % 64;
  memory_ = device::DeviceMemory(kBase, mapped, options.bytes);
  region_ = Carve(layout_.size());
  rotation_table_ = Carve(uint64_t{options.num_cores} * 8);
  HeaderWord(layout_.NumCores()) = options.num_cores;
  HeaderWord(layout_.Level()) = options.level;
  std::memset(memory_.Find(region_ + layout_.CoreToThread(0), layout_.max_cores(), 1), 0xFF,
              layout_.max_cores());
  for (uint32_t kind = 0; kind < protocol::kBufferKinds; ++kind) {
    for (uint32_t i = 0; i < layout_.Pools(BufferKind{kind}); ++i) {
      for (uint32_t buffer = 0; buffer < options.buffers; ++buffer) GiveNew(BufferKind{kind}, i);
    }
  }
}

device::LaunchConfig ScriptedHost::Config(const device::BackPressure& back_pressure) {
  return {.architecture = options_.architecture,
          .capacities = options_.capacities,
          .memory = memory_,
          .region = region_,
          .rotation_table = rotation_table_,
          .num_cores = options_.num_cores,
          .back_pressure = back_pressure,
          .waiting = {.now = [](void* self) { return static_cast<ScriptedHost*>(self)->now; },
                      .relax =
                          [](void* self) {
                            auto* host = static_cast<ScriptedHost*>(self);
                            ++host->now;
                            if (host->on_relax) host->on_relax();
                          },
                      .context = this,
                      .lease_expired = &lease_expired}};
}

protocol::PoolState& ScriptedHost::Pool(BufferKind kind, uint32_t instance) {
  return *memory_.FindAs<protocol::PoolState>(region_ + layout_.Pool(kind, instance));
}

uint64_t ScriptedHost::NewBuffer(BufferKind kind) {
  const uint64_t size = options_.capacities.BufferSize(kind);
  const uint64_t buffer = Carve(size);
  std::memset(memory_.Find(buffer, size, 64), 0x5A, size);
  return buffer;
}

void ScriptedHost::Give(BufferKind kind, uint32_t instance, uint64_t buffer) {
  protocol::FreeQueue& queue = Pool(kind, instance).free_queue;
  const uint32_t tail = queue.tail;
  protocol::StoreRelaxed(queue.buffer_ptrs[tail % protocol::kFreeQueueSlots], buffer);
  StoreRelease(queue.tail, tail + 1);
}

std::optional<ReadyEntry> ScriptedHost::Pop(uint32_t queue) {
  uint32_t& head = HeaderWord(layout_.QueueHead(queue));
  if (head == LoadAcquire(HeaderWord(layout_.QueueTail(queue)))) return std::nullopt;
  const ReadyEntry entry = *memory_.FindAs<ReadyEntry>(region_ + layout_.ReadyEntryAt(queue, head));
  StoreRelease(head, (head + 1) % layout_.ready_queue_size());
  return entry;
}

std::vector<ReadyEntry> ScriptedHost::PopAll(uint32_t queue) {
  std::vector<ReadyEntry> entries;
  while (const std::optional<ReadyEntry> entry = Pop(queue)) entries.push_back(*entry);
  return entries;
}

uint32_t ScriptedHost::CountOf(const ReadyEntry& entry) {
  return *memory_.FindAs<uint32_t>(entry.buffer_ptr +
                                   options_.capacities.CountOffset(BufferKind{entry.kind}));
}

void ScriptedHost::FillQueue(uint32_t queue) {
  const uint32_t tail = HeaderWord(layout_.QueueTail(queue));
  StoreRelease(HeaderWord(layout_.QueueHead(queue)), (tail + 1) % layout_.ready_queue_size());
}

void ScriptedHost::EmptyQueue(uint32_t queue) {
  StoreRelease(HeaderWord(layout_.QueueHead(queue)), HeaderWord(layout_.QueueTail(queue)));
}

uint32_t& ScriptedHost::HeaderWord(uint64_t offset) {
  return *memory_.FindAs<uint32_t>(region_ + offset);
}

uint64_t ScriptedHost::Carve(uint64_t bytes) {
  const uint64_t address = kBase + next_;
  next_ += (bytes + 63) / 64 * 64;
  return address;
}

}  // namespace simpler::support
