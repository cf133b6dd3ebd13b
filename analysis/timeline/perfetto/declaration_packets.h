// The packets that declare tracks and sequences. There are few of them, so they are built for
// readability; packet_sequence.h encodes what there is much of.
//
// Each function returns one TracePacket without the frame that makes it part of a trace.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace simpler::timeline {

// Where a track stands among the others.
struct TrackPlace {
  uint64_t uuid = 0;                    // unique in the trace, not 0
  std::optional<uint64_t> parent_uuid;  // of the process
  int32_t rank = 0;                     // among its siblings, smallest first
};

// The root of all tracks: asks viewers to order processes and threads by rank.
std::string RootTrackPacket();

std::string ProcessTrackPacket(const TrackPlace& place, int32_t pid, std::string_view name);
std::string ThreadTrackPacket(const TrackPlace& place, int32_t pid, int32_t tid,
                              std::string_view name);

// A track that is no thread; never drawn together with a sibling of the same name.
std::string NamedTrackPacket(const TrackPlace& place, std::string_view name);

// `unit` is an enumerator of CounterDescriptor.Unit, or 0: then `unit_name` stands for the unit,
// unless it is empty too.
std::string CounterTrackPacket(const TrackPlace& place, std::string_view name, uint64_t unit,
                               std::string_view unit_name);

// Starts a packet sequence: its events belong to the track, and their timestamps are differences,
// the first one from time 0.
std::string SequenceStartPacket(uint32_t sequence_id, uint64_t track_uuid);

}  // namespace simpler::timeline
