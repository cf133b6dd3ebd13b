#include "analysis/timeline/perfetto/perfetto_writer.h"

#include <bit>
#include <cstring>
#include <limits>

#include "analysis/timeline/perfetto/declaration_packets.h"
#include "analysis/timeline/perfetto/schema.h"
#include "analysis/timeline/perfetto/wire.h"
#include "fmt/format.h"

namespace simpler::timeline {
namespace {

constexpr uint64_t kMaxTimeNs = std::numeric_limits<int64_t>::max();

// Upper bounds of what an event adds to the frame of its packet: the name's tag and length, an
// annotation without its text, a number, a flow.
constexpr size_t kMaxNameBytes = wire::kMaxTagBytes + wire::kMaxLengthBytes;
constexpr size_t kMaxAnnotationBytes = 24;
constexpr size_t kMaxValueFieldBytes = wire::kMaxTagBytes + wire::kMaxVarintBytes;
constexpr size_t kFlowBytes = wire::kMaxTagBytes + sizeof(uint64_t);

absl::Status PacketSizeError(size_t size) {
  return absl::InvalidArgumentError(
      fmt::format("an event or a name needs a packet of up to {} bytes, the limit is {}: shorten "
                  "its texts or leave flows out",
                  size, PerfettoWriter::kMaxPacketBytes));
}

bool IsInTime(const PacketSequence& sequence, uint64_t time_ns) {
  return time_ns >= sequence.clock_ns() && time_ns <= kMaxTimeNs;
}

absl::Status TimeError(const std::string& track, const PacketSequence& sequence, uint64_t time_ns) {
  if (time_ns > kMaxTimeNs) {
    return absl::InvalidArgumentError(fmt::format(
        "track '{}': an event at {} ns is beyond the format's {} ns, shift the origin of time",
        track, time_ns, kMaxTimeNs));
  }
  return absl::InvalidArgumentError(
      fmt::format("track '{}': an event at {} ns follows one at {} ns, sort the events by time",
                  track, time_ns, sequence.clock_ns()));
}

// How many of the slices that end at `open_ends`, outermost first, are still open at `time_ns`.
inline size_t OpenAt(const std::vector<uint64_t>& open_ends, uint64_t time_ns) {
  size_t open = open_ends.size();
  while (open > 0 && open_ends[open - 1] <= time_ns) --open;
  return open;
}

// Where a slice must end at the latest that starts inside the first `open` ones.
inline uint64_t LatestEnd(const std::vector<uint64_t>& open_ends, size_t open) {
  return open == 0 ? kMaxTimeNs : open_ends[open - 1];
}

uint8_t* PutTextAnnotation(const Annotation& annotation, uint8_t* out) {
  using namespace schema::debug_annotation;
  out = wire::PutTag<wire::Tag(schema::track_event::kDebugAnnotations, wire::Type::kBytes)>(out);
  uint8_t* length = out++;
  out = wire::PutVarintField<kNameIid>(out, static_cast<uint32_t>(annotation.key()));
  out = wire::PutBytesField<kStringValue>(out, annotation.text());
  return wire::CloseMessage(length, out);
}

// Numbers are short enough for a length of one byte.
inline uint8_t* PutNumberAnnotation(const Annotation& annotation, uint8_t* out) {
  using namespace schema::debug_annotation;
  out = wire::PutTag<wire::Tag(schema::track_event::kDebugAnnotations, wire::Type::kBytes)>(out);
  uint8_t* length = out++;
  out = wire::PutVarintField<kNameIid>(out, static_cast<uint32_t>(annotation.key()));
  if (annotation.kind() == Annotation::Kind::kDouble) {
    out = wire::PutFixed64Field<kDoubleValue>(out, annotation.bits());
  } else {
    *out++ = static_cast<uint8_t>(
        wire::Tag(static_cast<uint32_t>(annotation.kind()), wire::Type::kVarint));
    out = wire::PutTimeVarint(out, annotation.bits());
  }
  *length = static_cast<uint8_t>(out - length - 1);
  return out;
}

[[gnu::always_inline]] inline uint8_t* PutEventBody(const Event& event, uint8_t* out) {
  using namespace schema::track_event;
  if (event.name != NameId::kInline) [[likely]] {
    out = PacketSequence::PutInternedName(out, static_cast<uint32_t>(event.name));
  } else {
    out = wire::PutBytesField<kName>(out, event.text);
  }
  for (const Annotation& annotation : event.annotations) {
    out = annotation.kind() == Annotation::Kind::kText ? PutTextAnnotation(annotation, out)
                                                       : PutNumberAnnotation(annotation, out);
  }
  for (uint64_t flow : event.outgoing_flows) out = wire::PutFixed64Field<kFlowIds>(out, flow);
  for (uint64_t flow : event.incoming_flows) {
    out = wire::PutFixed64Field<kTerminatingFlowIds>(out, flow);
  }
  return out;
}

absl::Status UnknownStringError(const std::string& lane, std::string_view what, uint32_t id) {
  return absl::InvalidArgumentError(fmt::format(
      "lane '{}': event {} {} is unknown, intern it in this writer first", lane, what, id));
}

uint64_t ThreadKey(int32_t pid, int32_t tid) {
  return static_cast<uint64_t>(pid) << 32 | static_cast<uint64_t>(tid);
}

}  // namespace

PerfettoWriter::PerfettoWriter(ByteSink* sink, size_t buffer_bytes) : buffer_(sink, buffer_bytes) {
  // A sink that fails this early fails every later call too.
  WritePacket(RootTrackPacket()).IgnoreError();
}

NameId PerfettoWriter::InternName(std::string_view name) { return NameId{names_.Intern(name)}; }

KeyId PerfettoWriter::InternKey(std::string_view key) { return KeyId{keys_.Intern(key)}; }

absl::StatusOr<ProcessId> PerfettoWriter::AddProcess(const ProcessSpec& spec) {
  if (spec.pid <= 0 || claimed_ids_.count(ThreadKey(spec.pid, 0)) != 0) {
    return absl::InvalidArgumentError(fmt::format(
        "process '{}': pid {} is not positive or is taken, choose another", spec.name, spec.pid));
  }
  const TrackPlace place = {.uuid = ++last_uuid_, .parent_uuid = {}, .rank = spec.rank};
  absl::Status status = WritePacket(ProcessTrackPacket(place, spec.pid, spec.name));
  if (!status.ok()) return status;
  claimed_ids_.insert(ThreadKey(spec.pid, 0));
  processes_.push_back({spec.pid, place.uuid});
  return ProcessId{static_cast<uint32_t>(processes_.size() - 1)};
}

absl::StatusOr<LaneId> PerfettoWriter::AddLane(const LaneSpec& spec) {
  const absl::StatusOr<TrackPlace> place = NextPlace(spec.process, spec.rank, spec.name);
  if (!place.ok()) return place.status();
  uint64_t thread_key = 0;
  std::string track;
  if (spec.tid.has_value()) {
    if (absl::Status status = CheckThread(spec); !status.ok()) return status;
    const int32_t pid = processes_[static_cast<uint32_t>(*spec.process)].pid;
    thread_key = ThreadKey(pid, *spec.tid);
    track = ThreadTrackPacket(*place, pid, *spec.tid, spec.name);
  } else {
    track = NamedTrackPacket(*place, spec.name);
  }
  const absl::StatusOr<PacketSequence> sequence = StartSequence(place->uuid, track);
  if (!sequence.ok()) return sequence.status();
  if (spec.tid.has_value()) claimed_ids_.insert(thread_key);
  lanes_.push_back(std::make_unique<Lane>(Lane{.name = spec.name, .sequence = *sequence}));
  return LaneId{static_cast<uint32_t>(lanes_.size() - 1)};
}

absl::StatusOr<CounterId> PerfettoWriter::AddCounter(const CounterSpec& spec) {
  const absl::StatusOr<TrackPlace> place = NextPlace(spec.process, spec.rank, spec.name);
  if (!place.ok()) return place.status();
  const absl::StatusOr<PacketSequence> sequence = StartSequence(
      place->uuid,
      CounterTrackPacket(*place, spec.name, static_cast<uint64_t>(spec.unit), spec.unit_name));
  if (!sequence.ok()) return sequence.status();
  counters_.push_back({spec.name, *sequence});
  return CounterId{static_cast<uint32_t>(counters_.size() - 1)};
}

inline PerfettoWriter::Lane* PerfettoWriter::FindOpenLane(LaneId id) {
  const auto index = static_cast<uint32_t>(id);
  if (index >= lanes_.size() || lanes_[index]->ended) return nullptr;
  return lanes_[index].get();
}

// Writing a slice takes a few dozen nanoseconds, and calls between its parts would be a quarter of
// it, hence the forced inlining here and above.
[[gnu::always_inline]] inline uint8_t* PerfettoWriter::PutSliceEnds(Lane& lane, size_t open,
                                                                    uint8_t* out) {
  while (lane.open_ends.size() > open) {
    out = lane.sequence.PutSliceEnd(lane.open_ends.back(), out);
    lane.open_ends.pop_back();
  }
  return out;
}

[[gnu::always_inline]] inline absl::Status PerfettoWriter::WriteEvent(Lane& lane, uint8_t type,
                                                                      uint64_t time_ns, size_t open,
                                                                      const Event& event) {
  size_t max_size = PacketSequence::kMaxFrameBytes + kMaxNameBytes + event.text.size() +
                    kFlowBytes * (event.outgoing_flows.size() + event.incoming_flows.size());
  bool strings_defined = event.name == NameId::kInline ||
                         lane.defined_names.Contains(static_cast<uint32_t>(event.name));
  for (const Annotation& annotation : event.annotations) {
    max_size += kMaxAnnotationBytes + annotation.text().size();
    strings_defined &= lane.defined_keys.Contains(static_cast<uint32_t>(annotation.key()));
  }
  if (max_size > kMaxPacketBytes) [[unlikely]] {
    return PacketSizeError(max_size);
  }
  if (!strings_defined) [[unlikely]] {
    if (absl::Status status = DefineStrings(lane, event); !status.ok()) return status;
  }
  const size_t ending = lane.open_ends.size() - open;
  if (!buffer_.EnsureRoom(ending * PacketSequence::kMaxFrameBytes + max_size)) [[unlikely]] {
    return buffer_.status();
  }
  uint8_t* out = PutSliceEnds(lane, open, buffer_.next());
  PacketSequence::OpenPacket packet = lane.sequence.BeginEvent(type, time_ns, out);
  packet.next = PutEventBody(event, packet.next);
  buffer_.CommitTo(PacketSequence::EndEvent(packet));
  return absl::OkStatus();
}

absl::Status PerfettoWriter::WriteSlice(LaneId id, uint64_t start_ns, uint64_t end_ns,
                                        const Event& event) {
  Lane* lane = FindOpenLane(id);
  if (lane == nullptr) [[unlikely]] {
    return NoOpenLaneError(id);
  }
  const size_t open = OpenAt(lane->open_ends, start_ns);
  if (start_ns < lane->sequence.clock_ns() || end_ns < start_ns ||
      end_ns > LatestEnd(lane->open_ends, open)) [[unlikely]] {
    return SliceError(*lane, start_ns, end_ns);
  }
  absl::Status status = WriteEvent(*lane, schema::track_event::kSliceBegin, start_ns, open, event);
  if (status.ok()) lane->open_ends.push_back(end_ns);
  return status;
}

absl::Status PerfettoWriter::WriteInstant(LaneId id, uint64_t time_ns, const Event& event) {
  Lane* lane = FindOpenLane(id);
  if (lane == nullptr) [[unlikely]] {
    return NoOpenLaneError(id);
  }
  if (!IsInTime(lane->sequence, time_ns)) [[unlikely]] {
    return TimeError(lane->name, lane->sequence, time_ns);
  }
  return WriteEvent(*lane, schema::track_event::kInstant, time_ns, OpenAt(lane->open_ends, time_ns),
                    event);
}

absl::Status PerfettoWriter::WriteCounter(CounterId id, uint64_t time_ns, int64_t value) {
  absl::StatusOr<PacketSequence::OpenPacket> packet = BeginCounterPacket(id, time_ns);
  if (!packet.ok()) return packet.status();
  packet->next = wire::PutVarintField<schema::track_event::kCounterValue>(
      packet->next, static_cast<uint64_t>(value));
  buffer_.CommitTo(PacketSequence::EndEvent(*packet));
  return absl::OkStatus();
}

absl::Status PerfettoWriter::WriteDoubleCounter(CounterId id, uint64_t time_ns, double value) {
  absl::StatusOr<PacketSequence::OpenPacket> packet = BeginCounterPacket(id, time_ns);
  if (!packet.ok()) return packet.status();
  packet->next = wire::PutFixed64Field<schema::track_event::kDoubleCounterValue>(
      packet->next, std::bit_cast<uint64_t>(value));
  buffer_.CommitTo(PacketSequence::EndEvent(*packet));
  return absl::OkStatus();
}

absl::Status PerfettoWriter::EndLane(LaneId id) {
  Lane* lane = FindOpenLane(id);
  if (lane == nullptr) return NoOpenLaneError(id);
  return EndLane(*lane);
}

absl::Status PerfettoWriter::Finish() {
  for (const std::unique_ptr<Lane>& lane : lanes_) {
    if (lane->ended) continue;
    if (absl::Status status = EndLane(*lane); !status.ok()) return status;
  }
  return buffer_.Flush();
}

absl::Status PerfettoWriter::NoOpenLaneError(LaneId id) const {
  const auto index = static_cast<uint32_t>(id);
  if (index >= lanes_.size()) {
    return absl::InvalidArgumentError(
        fmt::format("lane {} is unknown: use an id from AddLane of this writer", index));
  }
  return absl::FailedPreconditionError(
      fmt::format("lane '{}' has ended: write its events before EndLane", lanes_[index]->name));
}

absl::Status PerfettoWriter::SliceError(const Lane& lane, uint64_t start_ns, uint64_t end_ns) {
  if (!IsInTime(lane.sequence, start_ns)) return TimeError(lane.name, lane.sequence, start_ns);
  if (end_ns < start_ns || end_ns > kMaxTimeNs) {
    return absl::InvalidArgumentError(
        fmt::format("lane '{}': slice [{}, {}] ns ends before it starts or beyond {} ns", lane.name,
                    start_ns, end_ns, kMaxTimeNs));
  }
  return absl::InvalidArgumentError(fmt::format(
      "lane '{}': slice [{}, {}] ns starts inside a slice that ends at {} ns and "
      "outlives it, put it on another lane",
      lane.name, start_ns, end_ns, LatestEnd(lane.open_ends, OpenAt(lane.open_ends, start_ns))));
}

absl::Status PerfettoWriter::EndLane(Lane& lane) {
  if (!buffer_.EnsureRoom(lane.open_ends.size() * PacketSequence::kMaxFrameBytes)) {
    return buffer_.status();
  }
  buffer_.CommitTo(PutSliceEnds(lane, 0, buffer_.next()));
  lane.open_ends = {};
  lane.defined_names = {};
  lane.defined_keys = {};
  lane.ended = true;
  return absl::OkStatus();
}

absl::Status PerfettoWriter::DefineStrings(Lane& lane, const Event& event) {
  using namespace schema::interned_data;
  if (absl::Status status = CheckStrings(lane, event); !status.ok()) return status;
  if (event.name != NameId::kInline) {
    absl::Status status = DefineString<kEventNames>(
        lane.sequence, names_, static_cast<uint32_t>(event.name), &lane.defined_names);
    if (!status.ok()) return status;
  }
  for (const Annotation& annotation : event.annotations) {
    absl::Status status = DefineString<kDebugAnnotationNames>(
        lane.sequence, keys_, static_cast<uint32_t>(annotation.key()), &lane.defined_keys);
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

template <uint32_t kField>
absl::Status PerfettoWriter::DefineString(const PacketSequence& sequence, const StringPool& pool,
                                          uint32_t id, IdSet* defined) {
  if (defined->Contains(id)) return absl::OkStatus();
  const std::string_view text = pool.text(id);
  const size_t max_size = PacketSequence::kMaxStringFrameBytes + text.size();
  if (max_size > kMaxPacketBytes) return PacketSizeError(max_size);
  if (!buffer_.EnsureRoom(max_size)) return buffer_.status();
  buffer_.CommitTo(sequence.PutInternedString<kField>(id, text, buffer_.next()));
  defined->Insert(id);
  return absl::OkStatus();
}

absl::Status PerfettoWriter::CheckStrings(const Lane& lane, const Event& event) const {
  const auto name = static_cast<uint32_t>(event.name);
  if (event.name != NameId::kInline && !names_.Contains(name)) {
    return UnknownStringError(lane.name, "name", name);
  }
  for (const Annotation& annotation : event.annotations) {
    const auto key = static_cast<uint32_t>(annotation.key());
    if (!keys_.Contains(key)) return UnknownStringError(lane.name, "key", key);
  }
  return absl::OkStatus();
}

absl::StatusOr<PacketSequence::OpenPacket> PerfettoWriter::BeginCounterPacket(CounterId id,
                                                                              uint64_t time_ns) {
  const auto index = static_cast<uint32_t>(id);
  if (index >= counters_.size()) {
    return absl::InvalidArgumentError(
        fmt::format("counter {} is unknown: use an id from AddCounter of this writer", index));
  }
  Counter& counter = counters_[index];
  if (!IsInTime(counter.sequence, time_ns)) {
    return TimeError(counter.name, counter.sequence, time_ns);
  }
  if (!buffer_.EnsureRoom(PacketSequence::kMaxFrameBytes + kMaxValueFieldBytes)) {
    return buffer_.status();
  }
  return counter.sequence.BeginEvent(schema::track_event::kCounter, time_ns, buffer_.next());
}

absl::StatusOr<TrackPlace> PerfettoWriter::NextPlace(const std::optional<ProcessId>& process,
                                                     int32_t rank, const std::string& track) {
  TrackPlace place = {.uuid = last_uuid_ + 1, .parent_uuid = {}, .rank = rank};
  if (process.has_value()) {
    const auto index = static_cast<uint32_t>(*process);
    if (index >= processes_.size()) {
      return absl::InvalidArgumentError(
          fmt::format("track '{}': process {} is unknown, use an id from AddProcess of this writer",
                      track, index));
    }
    place.parent_uuid = processes_[index].uuid;
  }
  ++last_uuid_;
  return place;
}

absl::Status PerfettoWriter::CheckThread(const LaneSpec& spec) const {
  const int32_t tid = *spec.tid;
  if (!spec.process.has_value() || tid <= 0) {
    return absl::InvalidArgumentError(
        fmt::format("lane '{}': tid {} needs a process and must be positive", spec.name, tid));
  }
  const int32_t pid = processes_[static_cast<uint32_t>(*spec.process)].pid;
  if (claimed_ids_.count(ThreadKey(pid, tid)) == 0) return absl::OkStatus();
  return absl::InvalidArgumentError(
      fmt::format("lane '{}': tid {} of process {} is taken, choose another", spec.name, tid, pid));
}

absl::StatusOr<PacketSequence> PerfettoWriter::StartSequence(uint64_t track_uuid,
                                                             const std::string& track_packet) {
  if (absl::Status status = WritePacket(track_packet); !status.ok()) return status;
  const PacketSequence sequence(++last_sequence_id_);
  absl::Status status = WritePacket(SequenceStartPacket(sequence.id(), track_uuid));
  if (!status.ok()) return status;
  return sequence;
}

absl::Status PerfettoWriter::WritePacket(const std::string& packet) {
  const size_t max_size = wire::kMaxTagBytes + wire::kMaxLengthBytes + packet.size();
  if (max_size > kMaxPacketBytes) return PacketSizeError(max_size);
  if (!buffer_.EnsureRoom(max_size)) return buffer_.status();
  buffer_.CommitTo(wire::PutBytesField<schema::trace::kPacket>(buffer_.next(), packet));
  return absl::OkStatus();
}

}  // namespace simpler::timeline
