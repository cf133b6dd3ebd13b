// Reads a Perfetto trace the way a viewer does, for tests, and refuses everything that a viewer
// would count as an import error: unknown fields, events of a sequence that was not started,
// strings that were not defined, times that go back within a track, an end without a begin, a
// flow that does not join two events in order of time.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "absl/status/statusor.h"

namespace simpler::support {

struct DecodedTrack {
  enum class Kind { kRoot, kProcess, kThread, kNamed, kCounter };

  Kind kind = Kind::kNamed;
  uint64_t uuid = 0;
  uint64_t parent_uuid = 0;  // 0: none
  std::string name;          // of the process, thread, counter or track
  int32_t pid = 0;           // processes and threads
  int32_t tid = 0;           // threads
  std::optional<int32_t> rank;
  bool merges_siblings = true;  // may be drawn together with siblings of the same name
  bool orders_processes = false;
  bool orders_threads = false;
  bool orders_children = false;
  std::string unit;  // counters: "ns", "count", "bytes" or the unit's own name
};

using AnnotationValue = std::variant<bool, uint64_t, int64_t, double, std::string>;

// A slice, or an instant (then end == start and depth counts the slices around it).
struct DecodedEvent {
  uint64_t track_uuid = 0;
  std::string name;
  bool name_is_interned = false;
  bool is_instant = false;
  uint64_t start = 0;  // ns
  uint64_t end = 0;    // ns
  size_t depth = 0;    // slices of the track that are open around it
  std::map<std::string, AnnotationValue> annotations;
  std::vector<uint64_t> outgoing_flows;
  std::vector<uint64_t> incoming_flows;
};

struct DecodedCounterValue {
  uint64_t track_uuid = 0;
  uint64_t time = 0;  // ns
  std::variant<int64_t, double> value;
};

struct DecodedFlow {
  size_t source = 0;  // indices into DecodedTrace::events
  size_t target = 0;
};

struct DecodedTrace {
  std::vector<DecodedTrack> tracks;  // in the order of the file
  std::vector<DecodedEvent> events;  // in the order of their begin packets
  std::vector<DecodedCounterValue> counter_values;
  std::map<uint64_t, DecodedFlow> flows;  // by flow id
  size_t interned_strings = 0;            // definitions, summed over sequences

  // The track of that name, or nullptr.
  const DecodedTrack* FindTrack(const std::string& name) const;
  // The events of one track in the order of the file.
  std::vector<const DecodedEvent*> EventsOf(uint64_t track_uuid) const;
};

// Decodes a whole trace file. An error names the packet by its index.
absl::StatusOr<DecodedTrace> DecodeTrace(const std::string& bytes);

}  // namespace simpler::support
