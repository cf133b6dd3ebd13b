// Writes Perfetto traces (protobuf, ui.perfetto.dev) as a stream: processes, lanes of slices and
// instants, flows between them, counters.
//
// What makes the files small and the encoder fast:
//
// * Every lane and every counter is a packet sequence of its own. The sequence's defaults name its
//   track and a clock whose timestamps are differences, so that an event carries neither.
// * A slice is a begin packet and an end packet of about 15 bytes each. The end is kept in a stack
//   per lane and written before the first event of the lane that is not inside the slice.
// * Names of events and of their arguments are numbers; a lane defines each on first use.
//
// Memory: the buffer, the interned strings, and per lane one bit per string and the ends of its
// open slices. Nothing is allocated per slice.
//
// Lanes may be interleaved in any way. Viewers load a trace faster when each lane is written in
// one go, because they look up the clock of a sequence at every change of sequence.
//
// Times are nanoseconds from an origin of the caller's choice, at most 2^63 - 1. Strings are UTF-8
// and are written as they are.
//
// One thread uses a writer. Every call that can fail returns a status; a rejected call
// (INVALID_ARGUMENT, FAILED_PRECONDITION) leaves the trace as it was. When the sink fails, the call
// that notices it and all later ones return the sink's status.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "analysis/timeline/byte_sink.h"
#include "analysis/timeline/perfetto/annotation.h"
#include "analysis/timeline/perfetto/declaration_packets.h"
#include "analysis/timeline/perfetto/packet_buffer.h"
#include "analysis/timeline/perfetto/packet_sequence.h"
#include "analysis/timeline/perfetto/string_pool.h"

namespace simpler::timeline {

enum class ProcessId : uint32_t {};
enum class LaneId : uint32_t {};
enum class CounterId : uint32_t {};

struct ProcessSpec {
  int32_t pid = 0;  // unique in the trace, > 0: viewers give 0 a meaning of its own
  std::string name = {};
  // Position among the processes, smallest first. Viewers before 2026 order by pid instead, so
  // let pids ascend in the same order.
  int32_t rank = 0;
};

struct LaneSpec {
  // Without a process the lane stands by itself above all processes.
  std::optional<ProcessId> process = {};
  // With a tid the lane is a thread of its process: unique in it, > 0. Threads are the lanes that
  // every viewer orders: by rank where it can, else by tid, so let tids ascend with ranks. Without
  // a tid it is a named track, never merged with another of the same name.
  std::optional<int32_t> tid = {};
  std::string name = {};
  int32_t rank = 0;  // position among the lanes of the process, smallest first
};

// The unit that a viewer prints behind a counter's values.
enum class CounterUnit : uint8_t { kNone = 0, kNanoseconds = 1, kCount = 2, kBytes = 3 };

struct CounterSpec {
  std::optional<ProcessId> process = {};
  std::string name = {};
  CounterUnit unit = CounterUnit::kNone;
  std::string unit_name = {};  // for a unit that CounterUnit lacks; not together with `unit`
  int32_t rank = 0;
};

// What a slice or an instant says besides its time. Views need to live during the call only.
struct Event {
  // An interned name, or, with kInline, `text` written out in the event: for names that hardly
  // recur.
  NameId name = NameId::kInline;
  std::string_view text = {};
  std::span<const Annotation> annotations = {};
  // Flows that start here, and flows that end here. An id joins exactly two events of the trace,
  // and the one where it ends must not have the earlier time: viewers drop such an arrow.
  std::span<const uint64_t> outgoing_flows = {};
  std::span<const uint64_t> incoming_flows = {};
};

class PerfettoWriter {
 public:
  static constexpr size_t kDefaultBufferBytes = size_t{64} * 1024;
  // No packet may be longer; an event with more text or flows than this is refused.
  static constexpr size_t kMaxPacketBytes = size_t{64} * 1024 * 1024;

  // The sink belongs to the caller, outlives the writer and gets the trace in pieces of about
  // `buffer_bytes`. The caller commits it after Finish.
  explicit PerfettoWriter(ByteSink* sink, size_t buffer_bytes = kDefaultBufferBytes);

  // Numbers for strings used in events; the same string has the same number. Numbers below 128
  // take one byte in each event, so intern the most frequent strings first.
  NameId InternName(std::string_view name);
  KeyId InternKey(std::string_view key);

  // Declare tracks, in any order relative to events of other tracks. Each refuses ids (pid, or tid
  // within its process) that are not positive or already taken.
  absl::StatusOr<ProcessId> AddProcess(const ProcessSpec& spec);
  absl::StatusOr<LaneId> AddLane(const LaneSpec& spec);
  absl::StatusOr<CounterId> AddCounter(const CounterSpec& spec);

  // Writes a slice [start_ns, end_ns]. Slices and instants of a lane come ordered by start, of
  // equal starts the longer slice first, and are properly nested: a slice that starts inside
  // another ends with it or earlier. Intervals are half open in this respect: what starts where a
  // slice ends lies behind it, also when it has no length. A slice that breaks the rules is
  // refused.
  absl::Status WriteSlice(LaneId lane, uint64_t start_ns, uint64_t end_ns, const Event& event);

  // Writes an event without duration, in order with the slices of the lane.
  absl::Status WriteInstant(LaneId lane, uint64_t time_ns, const Event& event);

  // Writes the counter's value from `time_ns` on. Times of a counter do not decrease.
  absl::Status WriteCounter(CounterId counter, uint64_t time_ns, int64_t value);
  absl::Status WriteDoubleCounter(CounterId counter, uint64_t time_ns, double value);

  // Ends the open slices of the lane and frees its memory. The lane takes no more events.
  absl::Status EndLane(LaneId lane);

  // Ends all lanes and hands the rest of the buffer to the sink. No other call may follow.
  absl::Status Finish();

  // Bytes of the trace so far. Open slices will add at most 25 bytes each.
  uint64_t bytes_written() const { return buffer_.bytes_written(); }

 private:
  struct Process {
    int32_t pid = 0;
    uint64_t uuid = 0;
  };
  struct Lane {
    std::string name;
    PacketSequence sequence;
    std::vector<uint64_t> open_ends = {};  // of slices begun and not ended, outermost first
    IdSet defined_names = {};
    IdSet defined_keys = {};
    bool ended = false;
  };
  struct Counter {
    std::string name;
    PacketSequence sequence;
  };

  // The next free place for a track of that process.
  absl::StatusOr<TrackPlace> NextPlace(const std::optional<ProcessId>& process, int32_t rank,
                                       const std::string& track);
  absl::Status CheckThread(const LaneSpec& spec) const;
  absl::StatusOr<PacketSequence> StartSequence(uint64_t track_uuid,
                                               const std::string& track_packet);
  absl::Status WritePacket(const std::string& packet);

  Lane* FindOpenLane(LaneId id);
  // `open`: how many of the lane's open slices stay open, for all others end before the event.
  absl::Status WriteEvent(Lane& lane, uint8_t type, uint64_t time_ns, size_t open,
                          const Event& event);
  static uint8_t* PutSliceEnds(Lane& lane, size_t open, uint8_t* out);
  absl::Status DefineStrings(Lane& lane, const Event& event);
  template <uint32_t kField>
  absl::Status DefineString(const PacketSequence& sequence, const StringPool& pool, uint32_t id,
                            IdSet* defined);
  absl::Status EndLane(Lane& lane);
  absl::StatusOr<PacketSequence::OpenPacket> BeginCounterPacket(CounterId id, uint64_t time_ns);

  absl::Status CheckStrings(const Lane& lane, const Event& event) const;
  absl::Status NoOpenLaneError(LaneId id) const;
  static absl::Status SliceError(const Lane& lane, uint64_t start_ns, uint64_t end_ns);

  PacketBuffer buffer_;
  StringPool names_;
  StringPool keys_;
  std::vector<Process> processes_;            // by ProcessId
  std::vector<std::unique_ptr<Lane>> lanes_;  // by LaneId
  std::vector<Counter> counters_;             // by CounterId
  std::unordered_set<uint64_t> claimed_ids_;  // pid << 32 | tid; tid 0 stands for the process
  uint64_t last_uuid_ = 0;
  uint32_t last_sequence_id_ = 0;
};

}  // namespace simpler::timeline
