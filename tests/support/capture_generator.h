// Makes synthetic captures of any size, for benchmarks and property tests. A list scheduler plays
// random tasks on clusters of one AIC and two AIV cores; every core has two dispatch slots, so a
// task may be dispatched while its predecessor on the core still runs.
#pragma once

#include <cstdint>
#include <iosfwd>

#include "analysis/capture/capture.h"
#include "analysis/capture/dependency_graph.h"
#include "analysis/capture/labels.h"

namespace simpler::support {

enum class SyntheticRuntime : uint8_t {
  kTensormap,   // tasks submitted by a device thread, `resolve` nested in `complete`
  kHostAicpu,   // graph built by the host, one more thread that only resolves
  kHostAicore,  // graph built by the host, one scheduler per cluster on an AIV core
};

struct GeneratorOptions {
  uint32_t tasks = 1000;  // nodes of the graph; multi-block and MIX tasks have several rows
  uint64_t seed = 1;
  int level = 4;
  SyntheticRuntime runtime = SyntheticRuntime::kTensormap;
  bool run_epoch = false;  // rows carry an epoch, as in files that separate runs
  uint32_t clusters = 16;
  uint32_t threads = 3;         // scheduler threads, at most 16
  uint32_t rings = 4;           // task id rings; host-built graphs use one
  uint32_t window = 96;         // predecessors are among this many previous tasks
  double submit_micros = 0.35;  // mean time of one submission
  // Shares of the tasks.
  double root_share = 0.02;
  double spmd_share = 0.06;
  double mix_share = 0.06;
  double dummy_share = 0.01;
  double skip_share = 0.005;
  double alloc_share = 0.01;
  uint32_t max_blocks = 24;  // of a multi-block task
};

struct GeneratedCapture {
  capture::Capture capture;
  capture::DependencyGraph graph;
  capture::NameMap names;
};

// A pure function of the options. Peak memory about 460 bytes per task at level 4;
// O(n log n) time.
GeneratedCapture GenerateCapture(const GeneratorOptions& options);

// Writes deps.json as a dependency-generation run does: with annotations, so that many pairs occur
// twice. (formats::WriteDeps writes every edge once.)
void WriteDeps(const capture::DependencyGraph& graph, std::ostream& out);

// Writes name_map.json.
void WriteNameMap(const capture::NameMap& names, std::ostream& out);

}  // namespace simpler::support
