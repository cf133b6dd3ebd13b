#include "analysis/archive/format.h"

namespace simpler::archive {

const char* SectionTypeName(SectionType type) {
  switch (type) {
    case SectionType::kHeader:
      return "header";
    case SectionType::kOpaqueText:
      return "opaque text";
    case SectionType::kRun:
      return "run";
    case SectionType::kSchedulerStream:
      return "scheduler stream";
    case SectionType::kAicoreTasks:
      return "AICore tasks";
    case SectionType::kSchedulerTasks:
      return "scheduler tasks";
    case SectionType::kSchedulerPhases:
      return "scheduler phases";
    case SectionType::kOrchestratorPhases:
      return "orchestrator phases";
    case SectionType::kHostSubmits:
      return "host submits";
    case SectionType::kHostUploads:
      return "host uploads";
    case SectionType::kLifecycle:
      return "lifecycle";
    case SectionType::kWarnings:
      return "warnings";
    case SectionType::kGraph:
      return "graph";
    case SectionType::kGraphNodes:
      return "graph nodes";
    case SectionType::kGraphEdges:
      return "graph edges";
    case SectionType::kNameMap:
      return "name map";
    case SectionType::kFunctionNames:
      return "function names";
    case SectionType::kDispatchIdentity:
      return "dispatch identity";
    case SectionType::kEnd:
      return "end";
  }
  return "unknown";
}

}  // namespace simpler::archive
