#include "analysis/archive/section_memory.h"

#include <string_view>
#include <vector>

#include "analysis/capture/capture.h"
#include "analysis/capture/dependency_graph.h"

namespace simpler::archive {
namespace {

using capture::DependencyGraph;

// A row in the columns of its block.
constexpr uint64_t kAicoreRowBytes = 2 + 8 + 4 + 8 + 8 + 4;
constexpr uint64_t kSchedulerRowBytes = 2 + 4 + 8 + 8;
constexpr uint64_t kPhaseRowBytes = 8 + 8 + 1 + 1 + 4 + 4 + 8 + 4 + 4 + 12 + 12;
constexpr uint64_t kOrchestratorRowBytes = 1 + 1 + 4 + 8 + 8 + 8;
// An edge is in the list and in both adjacency lists, a node begins a list in both.
constexpr uint64_t kEdgeBytes = sizeof(DependencyGraph::Edge) + 2 * sizeof(uint32_t);
constexpr uint64_t kNodeBytes = sizeof(DependencyGraph::Node) + 2 * sizeof(uint32_t);
// A text's string object with its share of the allocator's overhead.
constexpr uint64_t kTextBytes = 64;

uint64_t TextBytes(const v1::TextColumn& column) {
  return column.lengths().count() * kTextBytes + column.text().size();
}

template <typename Message>
absl::StatusOr<uint64_t> MemoryOfPayload(std::string_view payload) {
  Message message;
  if (!message.ParseFromArray(payload.data(), static_cast<int>(payload.size()))) {
    return absl::InvalidArgumentError("is not a valid message");
  }
  return MemoryOf(message);
}

}  // namespace

uint64_t MemoryOf(const v1::OpaqueText& message) {
  return TextBytes(message.key()) + TextBytes(message.json());
}

uint64_t MemoryOf(const v1::Run& message) {
  const uint64_t lanes = uint64_t{message.orchestrator_lanes()} + message.host_submit_lanes();
  return sizeof(capture::Run) + lanes * sizeof(std::vector<void*>);
}

uint64_t MemoryOf(const v1::SchedulerStream& message) {
  return sizeof(capture::SchedulerStream) + message.ByteSizeLong();
}

uint64_t MemoryOf(const v1::AicoreTasks& message) {
  return message.core_id().count() * kAicoreRowBytes;
}

uint64_t MemoryOf(const v1::SchedulerTasks& message) {
  return message.core_id().count() * kSchedulerRowBytes;
}

uint64_t MemoryOf(const v1::SchedulerPhases& message) {
  return message.start().count() * kPhaseRowBytes + TextBytes(message.extra_key()) +
         TextBytes(message.extra_json()) + TextBytes(message.unknown_name());
}

uint64_t MemoryOf(const v1::OrchestratorPhases& message) {
  return message.kind().count() * kOrchestratorRowBytes;
}

uint64_t MemoryOf(const v1::HostSubmits& message) {
  return message.present().count() * sizeof(capture::HostSubmit);
}

uint64_t MemoryOf(const v1::HostUploads& message) {
  return message.phase().lengths().count() * sizeof(capture::HostUpload) +
         TextBytes(message.phase());
}

uint64_t MemoryOf(const v1::Lifecycle& message) {
  return message.present().count() * sizeof(capture::LifecycleRecord);
}

uint64_t MemoryOf(const v1::Warnings& message) {
  return TextBytes(message.code()) + TextBytes(message.text());
}

uint64_t MemoryOf(const v1::GraphNodes& message) { return message.id().count() * kNodeBytes; }

uint64_t MemoryOf(const v1::GraphEdges& message) { return message.pred().count() * kEdgeBytes; }

uint64_t MemoryOf(const v1::FunctionNames& message) { return TextBytes(message.name()); }

absl::StatusOr<uint64_t> MemoryOfSection(const Section& section) {
  switch (section.type) {
    case SectionType::kOpaqueText:
      return MemoryOfPayload<v1::OpaqueText>(section.payload);
    case SectionType::kRun:
      return MemoryOfPayload<v1::Run>(section.payload);
    case SectionType::kSchedulerStream:
      return MemoryOfPayload<v1::SchedulerStream>(section.payload);
    case SectionType::kAicoreTasks:
      return MemoryOfPayload<v1::AicoreTasks>(section.payload);
    case SectionType::kSchedulerTasks:
      return MemoryOfPayload<v1::SchedulerTasks>(section.payload);
    case SectionType::kSchedulerPhases:
      return MemoryOfPayload<v1::SchedulerPhases>(section.payload);
    case SectionType::kOrchestratorPhases:
      return MemoryOfPayload<v1::OrchestratorPhases>(section.payload);
    case SectionType::kHostSubmits:
      return MemoryOfPayload<v1::HostSubmits>(section.payload);
    case SectionType::kHostUploads:
      return MemoryOfPayload<v1::HostUploads>(section.payload);
    case SectionType::kLifecycle:
      return MemoryOfPayload<v1::Lifecycle>(section.payload);
    case SectionType::kWarnings:
      return MemoryOfPayload<v1::Warnings>(section.payload);
    case SectionType::kGraphNodes:
      return MemoryOfPayload<v1::GraphNodes>(section.payload);
    case SectionType::kGraphEdges:
      return MemoryOfPayload<v1::GraphEdges>(section.payload);
    case SectionType::kFunctionNames:
      return MemoryOfPayload<v1::FunctionNames>(section.payload);
    case SectionType::kHeader:
    case SectionType::kGraph:
    case SectionType::kNameMap:
    case SectionType::kDispatchIdentity:
    case SectionType::kEnd:
      break;
  }
  return 0;
}

}  // namespace simpler::archive
