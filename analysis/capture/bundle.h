// Everything that is known about one capture: what a client needs to answer every question, in one
// value that is stored, moved and archived as a whole.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/capture/capture.h"
#include "analysis/capture/dependency_graph.h"
#include "analysis/capture/dispatch_identity.h"
#include "analysis/capture/labels.h"
#include "analysis/capture/warning.h"

namespace simpler::capture {

// The files the parts were read from, as messages name them; empty where there was none.
struct SourceNames {
  std::string records;
  std::string deps;
  std::string name_map;
  std::string dispatch_identity;
};

struct CaptureBundle {
  Capture capture;
  std::optional<DependencyGraph> graph;
  std::optional<NameMap> names;
  std::optional<DispatchIdentity> dispatch_identity;
  std::vector<Warning> warnings;  // of finding and reading the files; the capture has its own
  SourceNames sources;
};

}  // namespace simpler::capture
