// The memory that the content of a section takes in a bundle, in bytes, known before it is decoded.
// These figures add up to the size of a capture: what limits compare and stores account for.
#pragma once

#include <cstdint>

#include "absl/status/statusor.h"
#include "analysis/archive/section_reader.h"
#include "proto/simpler/archive/v1/archive.pb.h"

namespace simpler::archive {

uint64_t MemoryOf(const v1::OpaqueText& message);
uint64_t MemoryOf(const v1::Run& message);
uint64_t MemoryOf(const v1::SchedulerStream& message);
uint64_t MemoryOf(const v1::AicoreTasks& message);
uint64_t MemoryOf(const v1::SchedulerTasks& message);
uint64_t MemoryOf(const v1::SchedulerPhases& message);
uint64_t MemoryOf(const v1::OrchestratorPhases& message);
uint64_t MemoryOf(const v1::HostSubmits& message);
uint64_t MemoryOf(const v1::HostUploads& message);
uint64_t MemoryOf(const v1::Lifecycle& message);
uint64_t MemoryOf(const v1::Warnings& message);
uint64_t MemoryOf(const v1::GraphNodes& message);
uint64_t MemoryOf(const v1::GraphEdges& message);
uint64_t MemoryOf(const v1::FunctionNames& message);

// The same for a section of any type; 0 for types whose content is small or unknown.
// InvalidArgument when the payload is not the section's message.
absl::StatusOr<uint64_t> MemoryOfSection(const Section& section);

}  // namespace simpler::archive
