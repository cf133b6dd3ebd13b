#include "collector/blocks/record_block.h"

#include <array>
#include <numeric>

namespace simpler::blocks {

using protocol::BufferKind;

namespace {

constexpr uint8_t kDepths = sizeof(protocol::QueueDepths);
constexpr std::array<uint8_t, 3> kAicpuTask = {8, 8, 4};
constexpr std::array<uint8_t, 5> kAicoreTask = {8, 8, 8, 4, 4};
constexpr std::array<uint8_t, 9> kSchedPhase = {8, 8, 4, 4, 4, 4, 4, kDepths, kDepths};
constexpr std::array<uint8_t, 4> kOrchPhase = {8, 8, 8, 4};

}  // namespace

std::span<const uint8_t> ColumnWidths(BufferKind kind) {
  switch (kind) {
    case BufferKind::kAicpuTask:
      return kAicpuTask;
    case BufferKind::kSchedPhase:
      return kSchedPhase;
    case BufferKind::kOrchPhase:
      return kOrchPhase;
    case BufferKind::kAicoreTask:
      return kAicoreTask;
  }
  return {};
}

uint64_t BlockBytes(BufferKind kind, uint32_t records) {
  const std::span<const uint8_t> widths = ColumnWidths(kind);
  const uint64_t row = std::accumulate(widths.begin(), widths.end(), uint64_t{0});
  return (row * records + 63) / 64 * 64;
}

uint64_t RecordBlock::ColumnOffset(uint32_t index) const {
  const std::span<const uint8_t> widths = ColumnWidths(kind_).first(index);
  return capacity_ * std::accumulate(widths.begin(), widths.end(), uint64_t{0});
}

}  // namespace simpler::blocks
