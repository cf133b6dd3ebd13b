#include "analysis/timeline/perfetto/perfetto_writer.h"

#include <bit>
#include <cstring>
#include <limits>
#include <utility>

#include "analysis/timeline/perfetto/schema.h"
#include "analysis/timeline/perfetto/wire.h"
#include "fmt/format.h"

namespace simpler::timeline {
namespace {

constexpr uint64_t kMaxTimeNs = std::numeric_limits<int64_t>::max();

// Upper bounds of what the encoder writes. An event packet without its text, annotations and
// flows: two tags and lengths, the timestamp, the sequence's prefix, the type and the name's tag
// and length.
constexpr size_t kMaxBareEventBytes = 64;
constexpr size_t kMaxAnnotationBytes = 24;  // without its text
constexpr size_t kFlowBytes = 10;

size_t MaxEventBytes(const Event& event) {
  size_t size = kMaxBareEventBytes + event.text.size();
  for (const Annotation& annotation : event.annotations) {
    size += kMaxAnnotationBytes + annotation.text().size();
  }
  return size + kFlowBytes * (event.outgoing_flows.size() + event.incoming_flows.size());
}

absl::Status CheckSize(size_t size) {
  if (size <= PerfettoWriter::kMaxPacketBytes) [[likely]] {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(
      fmt::format("an event or a name needs a packet of up to {} bytes, the limit is {}: shorten "
                  "its texts or leave flows out",
                  size, PerfettoWriter::kMaxPacketBytes));
}

uint8_t* PutAnnotation(const Annotation& annotation, uint8_t* out) {
  using namespace schema::debug_annotation;
  out = wire::PutTag<wire::Tag(schema::track_event::kDebugAnnotations, wire::Type::kBytes)>(out);
  uint8_t* length = out++;
  out = wire::PutVarintField<kNameIid>(out, static_cast<uint32_t>(annotation.key()));
  switch (annotation.kind()) {
    case Annotation::Kind::kBool:
      out = wire::PutVarintField<kBoolValue>(out, annotation.bits());
      break;
    case Annotation::Kind::kUint:
      out = wire::PutVarintField<kUintValue>(out, annotation.bits());
      break;
    case Annotation::Kind::kInt:
      out = wire::PutVarintField<kIntValue>(out, annotation.bits());
      break;
    case Annotation::Kind::kDouble:
      out = wire::PutFixed64Field<kDoubleValue>(out, annotation.bits());
      break;
    case Annotation::Kind::kText:
      out = wire::PutBytesField<kStringValue>(out, annotation.text());
      break;
  }
  return wire::CloseMessage(length, out);
}

uint8_t* PutEventBody(const Event& event, uint8_t* out) {
  using namespace schema::track_event;
  if (event.name != NameId::kInline) [[likely]] {
    out = wire::PutVarintField<kNameIid>(out, static_cast<uint32_t>(event.name));
  } else {
    out = wire::PutBytesField<kName>(out, event.text);
  }
  for (const Annotation& annotation : event.annotations) out = PutAnnotation(annotation, out);
  for (uint64_t flow : event.outgoing_flows) out = wire::PutFixed64Field<kFlowIds>(out, flow);
  for (uint64_t flow : event.incoming_flows) {
    out = wire::PutFixed64Field<kTerminatingFlowIds>(out, flow);
  }
  return out;
}

MessageBuilder RootDescriptor() {
  using namespace schema::track_descriptor;
  MessageBuilder descriptor;
  descriptor.AddVarint(kUuid, kRootUuid)
      .AddVarint(kChildOrdering, kChildrenExplicit)
      .AddVarint(kProcessOrdering, kProcessesExplicit)
      .AddVarint(kThreadOrdering, kThreadsExplicit);
  return descriptor;
}

MessageBuilder DescriptorPacket(const MessageBuilder& descriptor) {
  MessageBuilder packet;
  packet.AddMessage(schema::packet::kTrackDescriptor, descriptor);
  return packet;
}

MessageBuilder ClockReading(uint64_t clock_id, bool is_incremental) {
  using namespace schema::clock;
  MessageBuilder reading;
  reading.AddVarint(kClockId, clock_id).AddVarint(kTimestamp, 0);
  if (is_incremental) reading.AddVarint(kIsIncremental, 1);
  return reading;
}

// Ties the sequence's clock of differences to the clock of the trace: both read zero.
MessageBuilder ClockSnapshot() {
  using namespace schema::clock;
  MessageBuilder snapshot;
  snapshot.AddMessage(schema::clock_snapshot::kClocks, ClockReading(kFirstOfSequence, true))
      .AddMessage(schema::clock_snapshot::kClocks, ClockReading(kBootTime, false));
  return snapshot;
}

MessageBuilder SequenceStart(uint32_t sequence_id, uint64_t track_uuid) {
  using namespace schema::packet;
  MessageBuilder track_event_defaults;
  track_event_defaults.AddVarint(schema::track_event_defaults::kTrackUuid, track_uuid);
  MessageBuilder defaults;
  defaults.AddVarint(schema::packet_defaults::kTimestampClockId, schema::clock::kFirstOfSequence)
      .AddMessage(schema::packet_defaults::kTrackEventDefaults, track_event_defaults);
  MessageBuilder packet;
  packet.AddVarint(kSequenceId, sequence_id)
      .AddVarint(kSequenceFlags, kIncrementalStateCleared)
      .AddVarint(kFirstPacketOnSequence, 1)
      .AddMessage(kDefaults, defaults)
      .AddMessage(kClockSnapshot, ClockSnapshot());
  return packet;
}

// What every event packet of the sequence has between its timestamp and the length of its event.
uint8_t* PutSequencePrefix(uint32_t sequence_id, uint8_t* out) {
  using namespace schema::packet;
  out = wire::PutVarintField<kSequenceId>(out, sequence_id);
  out = wire::PutVarintField<kSequenceFlags>(out, kNeedsIncrementalState);
  return wire::PutTag<wire::Tag(kTrackEvent, wire::Type::kBytes)>(out);
}

absl::Status UnknownStringError(const std::string& lane, std::string_view what, uint32_t id) {
  return absl::InvalidArgumentError(fmt::format(
      "lane '{}': event {} {} is unknown, intern it in this writer first", lane, what, id));
}

uint64_t SignExtend(int32_t value) { return static_cast<uint64_t>(int64_t{value}); }

uint64_t ThreadKey(int32_t pid, int32_t tid) {
  return static_cast<uint64_t>(pid) << 32 | static_cast<uint64_t>(tid);
}

}  // namespace

PerfettoWriter::PerfettoWriter(ByteSink* sink, size_t buffer_bytes) : buffer_(sink, buffer_bytes) {
  // A sink that fails this early fails every later call too.
  WritePacket(DescriptorPacket(RootDescriptor())).IgnoreError();
}

NameId PerfettoWriter::InternName(std::string_view name) { return NameId{names_.Intern(name)}; }

KeyId PerfettoWriter::InternKey(std::string_view key) { return KeyId{keys_.Intern(key)}; }

absl::StatusOr<ProcessId> PerfettoWriter::AddProcess(const ProcessSpec& spec) {
  using namespace schema::track_descriptor;
  if (spec.pid <= 0 || claimed_ids_.count(ThreadKey(spec.pid, 0)) != 0) {
    return absl::InvalidArgumentError(fmt::format(
        "process '{}': pid {} is not positive or is taken, choose another", spec.name, spec.pid));
  }
  MessageBuilder process;
  process.AddVarint(schema::process::kPid, SignExtend(spec.pid))
      .AddString(schema::process::kName, spec.name);
  const uint64_t uuid = last_uuid_ + 1;
  MessageBuilder descriptor;
  descriptor.AddVarint(kUuid, uuid)
      .AddMessage(kProcess, process)
      .AddVarint(kChildOrdering, kChildrenExplicit)
      .AddVarint(kSiblingOrderRank, SignExtend(spec.rank));
  if (absl::Status status = WritePacket(DescriptorPacket(descriptor)); !status.ok()) return status;
  last_uuid_ = uuid;
  claimed_ids_.insert(ThreadKey(spec.pid, 0));
  processes_.push_back({spec.pid, uuid});
  return ProcessId{static_cast<uint32_t>(processes_.size() - 1)};
}

absl::StatusOr<LaneId> PerfettoWriter::AddLane(const LaneSpec& spec) {
  if (absl::Status status = CheckProcess(spec.process, spec.name); !status.ok()) return status;
  absl::StatusOr<Sequence> sequence =
      spec.tid.has_value() ? StartThread(spec) : StartNamedTrack(spec);
  if (!sequence.ok()) return sequence.status();
  Lane& lane = lanes_.emplace_back();
  lane.name = spec.name;
  lane.sequence = *sequence;
  return LaneId{static_cast<uint32_t>(lanes_.size() - 1)};
}

absl::StatusOr<CounterId> PerfettoWriter::AddCounter(const CounterSpec& spec) {
  using namespace schema::track_descriptor;
  if (absl::Status status = CheckProcess(spec.process, spec.name); !status.ok()) return status;
  MessageBuilder counter;
  if (spec.unit != CounterUnit::kNone) {
    counter.AddVarint(schema::counter::kUnit, static_cast<uint64_t>(spec.unit));
  } else if (!spec.unit_name.empty()) {
    counter.AddString(schema::counter::kUnitName, spec.unit_name);
  }
  MessageBuilder descriptor;
  descriptor.AddString(kName, spec.name)
      .AddMessage(kCounter, counter)
      .AddVarint(kSiblingMergeBehavior, kMergeNone);
  absl::StatusOr<Sequence> sequence = StartTrack(std::move(descriptor), spec.process, spec.rank);
  if (!sequence.ok()) return sequence.status();
  counters_.push_back({spec.name, *sequence});
  return CounterId{static_cast<uint32_t>(counters_.size() - 1)};
}

absl::Status PerfettoWriter::WriteSlice(LaneId id, uint64_t start_ns, uint64_t end_ns,
                                        const Event& event) {
  Lane* lane = FindOpenLane(id);
  if (lane == nullptr) return NoOpenLaneError(id);
  if (absl::Status status = CheckSpan(*lane, start_ns, end_ns); !status.ok()) return status;
  if (absl::Status status = WriteEvent(*lane, schema::track_event::kSliceBegin, start_ns, event);
      !status.ok()) {
    return status;
  }
  lane->open_ends.push_back(end_ns);
  return absl::OkStatus();
}

absl::Status PerfettoWriter::WriteInstant(LaneId id, uint64_t time_ns, const Event& event) {
  Lane* lane = FindOpenLane(id);
  if (lane == nullptr) return NoOpenLaneError(id);
  if (absl::Status status = CheckTime(lane->name, lane->sequence, time_ns); !status.ok()) {
    return status;
  }
  return WriteEvent(*lane, schema::track_event::kInstant, time_ns, event);
}

absl::Status PerfettoWriter::WriteCounter(CounterId id, uint64_t time_ns, int64_t value) {
  absl::StatusOr<OpenPacket> packet = BeginCounterPacket(id, time_ns);
  if (!packet.ok()) return packet.status();
  packet->next = wire::PutVarintField<schema::track_event::kCounterValue>(
      packet->next, static_cast<uint64_t>(value));
  EndEventPacket(*packet);
  return absl::OkStatus();
}

absl::Status PerfettoWriter::WriteDoubleCounter(CounterId id, uint64_t time_ns, double value) {
  absl::StatusOr<OpenPacket> packet = BeginCounterPacket(id, time_ns);
  if (!packet.ok()) return packet.status();
  packet->next = wire::PutFixed64Field<schema::track_event::kDoubleCounterValue>(
      packet->next, std::bit_cast<uint64_t>(value));
  EndEventPacket(*packet);
  return absl::OkStatus();
}

absl::Status PerfettoWriter::EndLane(LaneId id) {
  Lane* lane = FindOpenLane(id);
  if (lane == nullptr) return NoOpenLaneError(id);
  return EndLane(*lane);
}

absl::Status PerfettoWriter::Finish() {
  for (Lane& lane : lanes_) {
    if (lane.ended) continue;
    if (absl::Status status = EndLane(lane); !status.ok()) return status;
  }
  return buffer_.Flush();
}

PerfettoWriter::Lane* PerfettoWriter::FindOpenLane(LaneId id) {
  const auto index = static_cast<uint32_t>(id);
  if (index >= lanes_.size() || lanes_[index].ended) return nullptr;
  return &lanes_[index];
}

absl::Status PerfettoWriter::NoOpenLaneError(LaneId id) const {
  const auto index = static_cast<uint32_t>(id);
  if (index >= lanes_.size()) {
    return absl::InvalidArgumentError(
        fmt::format("lane {} is unknown: use an id from AddLane of this writer", index));
  }
  return absl::FailedPreconditionError(
      fmt::format("lane '{}' has ended: write its events before EndLane", lanes_[index].name));
}

absl::Status PerfettoWriter::CheckProcess(const std::optional<ProcessId>& process,
                                          const std::string& track) const {
  if (!process.has_value() || static_cast<uint32_t>(*process) < processes_.size()) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(
      fmt::format("track '{}': process {} is unknown, use an id from AddProcess of this writer",
                  track, static_cast<uint32_t>(*process)));
}

absl::Status PerfettoWriter::CheckTime(const std::string& track, const Sequence& sequence,
                                       uint64_t time_ns) {
  if (time_ns < sequence.clock_ns) {
    return absl::InvalidArgumentError(
        fmt::format("track '{}': an event at {} ns follows one at {} ns, sort the events by time",
                    track, time_ns, sequence.clock_ns));
  }
  if (time_ns > kMaxTimeNs) {
    return absl::InvalidArgumentError(fmt::format(
        "track '{}': an event at {} ns is beyond the format's {} ns, shift the origin of time",
        track, time_ns, kMaxTimeNs));
  }
  return absl::OkStatus();
}

absl::Status PerfettoWriter::CheckSpan(const Lane& lane, uint64_t start_ns, uint64_t end_ns) {
  if (absl::Status status = CheckTime(lane.name, lane.sequence, start_ns); !status.ok()) {
    return status;
  }
  if (end_ns < start_ns || end_ns > kMaxTimeNs) {
    return absl::InvalidArgumentError(
        fmt::format("lane '{}': slice [{}, {}] ns ends before it starts or beyond {} ns", lane.name,
                    start_ns, end_ns, kMaxTimeNs));
  }
  size_t open = lane.open_ends.size();
  while (open > 0 && lane.open_ends[open - 1] <= start_ns) --open;
  if (open > 0 && end_ns > lane.open_ends[open - 1]) {
    return absl::InvalidArgumentError(fmt::format(
        "lane '{}': slice [{}, {}] ns starts inside a slice that ends at {} ns and outlives it, "
        "put it on another lane",
        lane.name, start_ns, end_ns, lane.open_ends[open - 1]));
  }
  return absl::OkStatus();
}

absl::Status PerfettoWriter::EndLane(Lane& lane) {
  if (absl::Status status = EndSlicesUntil(lane, kMaxTimeNs); !status.ok()) return status;
  lane.open_ends = {};
  lane.defined_names = {};
  lane.defined_keys = {};
  lane.ended = true;
  return absl::OkStatus();
}

absl::Status PerfettoWriter::DefineStrings(Lane& lane, const Event& event) {
  bool all_defined = event.name == NameId::kInline ||
                     lane.defined_names.Contains(static_cast<uint32_t>(event.name));
  for (const Annotation& annotation : event.annotations) {
    all_defined &= lane.defined_keys.Contains(static_cast<uint32_t>(annotation.key()));
  }
  if (all_defined) [[likely]] {
    return absl::OkStatus();
  }
  return DefineNewStrings(lane, event);
}

absl::Status PerfettoWriter::DefineNewStrings(Lane& lane, const Event& event) {
  using namespace schema::interned_data;
  if (absl::Status status = CheckStrings(lane, event); !status.ok()) return status;
  if (event.name != NameId::kInline) {
    absl::Status status = DefineString(lane.sequence, kEventNames, names_,
                                       static_cast<uint32_t>(event.name), &lane.defined_names);
    if (!status.ok()) return status;
  }
  for (const Annotation& annotation : event.annotations) {
    absl::Status status = DefineString(lane.sequence, kDebugAnnotationNames, keys_,
                                       static_cast<uint32_t>(annotation.key()), &lane.defined_keys);
    if (!status.ok()) return status;
  }
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

absl::Status PerfettoWriter::DefineString(const Sequence& sequence, uint32_t field,
                                          const StringPool& pool, uint32_t id, IdSet* defined) {
  if (defined->Contains(id)) return absl::OkStatus();
  MessageBuilder entry;
  entry.AddVarint(schema::interned_string::kIid, id)
      .AddString(schema::interned_string::kName, pool.text(id));
  MessageBuilder strings;
  strings.AddMessage(field, entry);
  MessageBuilder packet;
  packet.AddVarint(schema::packet::kSequenceId, sequence.id)
      .AddVarint(schema::packet::kSequenceFlags, schema::packet::kNeedsIncrementalState)
      .AddMessage(schema::packet::kInternedData, strings);
  absl::Status status = WritePacket(packet);
  if (status.ok()) defined->Insert(id);
  return status;
}

absl::Status PerfettoWriter::EndSlicesUntil(Lane& lane, uint64_t time_ns) {
  while (!lane.open_ends.empty() && lane.open_ends.back() <= time_ns) {
    uint8_t* out = buffer_.Reserve(kMaxBareEventBytes);
    if (out == nullptr) return buffer_.status();
    EndEventPacket(BeginEventPacket(lane.sequence, schema::track_event::kSliceEnd,
                                    lane.open_ends.back(), out));
    lane.open_ends.pop_back();
  }
  return absl::OkStatus();
}

absl::Status PerfettoWriter::WriteEvent(Lane& lane, uint8_t type, uint64_t time_ns,
                                        const Event& event) {
  const size_t max_size = MaxEventBytes(event);
  if (absl::Status status = CheckSize(max_size); !status.ok()) return status;
  if (absl::Status status = DefineStrings(lane, event); !status.ok()) return status;
  if (absl::Status status = EndSlicesUntil(lane, time_ns); !status.ok()) return status;
  uint8_t* out = buffer_.Reserve(max_size);
  if (out == nullptr) return buffer_.status();
  OpenPacket packet = BeginEventPacket(lane.sequence, type, time_ns, out);
  packet.next = PutEventBody(event, packet.next);
  EndEventPacket(packet);
  return absl::OkStatus();
}

absl::StatusOr<PerfettoWriter::OpenPacket> PerfettoWriter::BeginCounterPacket(CounterId id,
                                                                              uint64_t time_ns) {
  const auto index = static_cast<uint32_t>(id);
  if (index >= counters_.size()) {
    return absl::InvalidArgumentError(
        fmt::format("counter {} is unknown: use an id from AddCounter of this writer", index));
  }
  Counter& counter = counters_[index];
  if (absl::Status status = CheckTime(counter.name, counter.sequence, time_ns); !status.ok()) {
    return status;
  }
  uint8_t* out = buffer_.Reserve(kMaxBareEventBytes);
  if (out == nullptr) return buffer_.status();
  return BeginEventPacket(counter.sequence, schema::track_event::kCounter, time_ns, out);
}

absl::StatusOr<PerfettoWriter::Sequence> PerfettoWriter::StartThread(const LaneSpec& spec) {
  const int32_t tid = *spec.tid;
  if (!spec.process.has_value() || tid <= 0) {
    return absl::InvalidArgumentError(
        fmt::format("lane '{}': tid {} needs a process and must be positive", spec.name, tid));
  }
  const int32_t pid = processes_[static_cast<uint32_t>(*spec.process)].pid;
  if (claimed_ids_.count(ThreadKey(pid, tid)) != 0) {
    return absl::InvalidArgumentError(fmt::format(
        "lane '{}': tid {} of process {} is taken, choose another", spec.name, tid, pid));
  }
  MessageBuilder thread;
  thread.AddVarint(schema::thread::kPid, SignExtend(pid))
      .AddVarint(schema::thread::kTid, SignExtend(tid))
      .AddString(schema::thread::kName, spec.name);
  MessageBuilder descriptor;
  descriptor.AddMessage(schema::track_descriptor::kThread, thread);
  absl::StatusOr<Sequence> sequence = StartTrack(std::move(descriptor), spec.process, spec.rank);
  if (sequence.ok()) claimed_ids_.insert(ThreadKey(pid, tid));
  return sequence;
}

absl::StatusOr<PerfettoWriter::Sequence> PerfettoWriter::StartNamedTrack(const LaneSpec& spec) {
  using namespace schema::track_descriptor;
  MessageBuilder descriptor;
  descriptor.AddString(kName, spec.name).AddVarint(kSiblingMergeBehavior, kMergeNone);
  return StartTrack(std::move(descriptor), spec.process, spec.rank);
}

absl::StatusOr<PerfettoWriter::Sequence> PerfettoWriter::StartTrack(
    MessageBuilder descriptor, const std::optional<ProcessId>& process, int32_t rank) {
  using namespace schema::track_descriptor;
  const uint64_t uuid = ++last_uuid_;
  descriptor.AddVarint(kUuid, uuid).AddVarint(kSiblingOrderRank, SignExtend(rank));
  if (process.has_value()) {
    descriptor.AddVarint(kParentUuid, processes_[static_cast<uint32_t>(*process)].uuid);
  }
  if (absl::Status status = WritePacket(DescriptorPacket(descriptor)); !status.ok()) return status;
  Sequence sequence;
  sequence.id = ++last_sequence_id_;
  sequence.prefix_size =
      static_cast<uint8_t>(PutSequencePrefix(sequence.id, sequence.prefix) - sequence.prefix);
  if (absl::Status status = WritePacket(SequenceStart(sequence.id, uuid)); !status.ok()) {
    return status;
  }
  return sequence;
}

absl::Status PerfettoWriter::WritePacket(const MessageBuilder& packet) {
  const size_t max_size = packet.bytes().size() + kMaxBareEventBytes;
  if (absl::Status status = CheckSize(max_size); !status.ok()) return status;
  uint8_t* out = buffer_.Reserve(max_size);
  if (out == nullptr) return buffer_.status();
  buffer_.CommitTo(wire::PutBytesField<schema::trace::kPacket>(out, packet.bytes()));
  return absl::OkStatus();
}

PerfettoWriter::OpenPacket PerfettoWriter::BeginEventPacket(Sequence& sequence, uint8_t type,
                                                            uint64_t time_ns, uint8_t* out) {
  OpenPacket packet;
  out = wire::PutTag<wire::Tag(schema::trace::kPacket, wire::Type::kBytes)>(out);
  packet.packet_length = out++;
  out = wire::PutVarintField<schema::packet::kTimestamp>(out, time_ns - sequence.clock_ns);
  sequence.clock_ns = time_ns;
  // Always the whole array: a copy of constant size is two instructions.
  std::memcpy(out, sequence.prefix, sizeof(sequence.prefix));
  out += sequence.prefix_size;
  packet.event_length = out++;
  packet.next = wire::PutVarintField<schema::track_event::kType>(out, type);
  return packet;
}

void PerfettoWriter::EndEventPacket(const OpenPacket& packet) {
  uint8_t* end = wire::CloseMessage(packet.event_length, packet.next);
  buffer_.CommitTo(wire::CloseMessage(packet.packet_length, end));
}

}  // namespace simpler::timeline
