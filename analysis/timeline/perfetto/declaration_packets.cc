#include "analysis/timeline/perfetto/declaration_packets.h"

#include "analysis/timeline/perfetto/message_builder.h"
#include "analysis/timeline/perfetto/schema.h"

namespace simpler::timeline {
namespace {

uint64_t SignExtend(int32_t value) { return static_cast<uint64_t>(int64_t{value}); }

MessageBuilder DescriptorAt(const TrackPlace& place) {
  using namespace schema::track_descriptor;
  MessageBuilder descriptor;
  descriptor.AddVarint(kUuid, place.uuid).AddVarint(kSiblingOrderRank, SignExtend(place.rank));
  if (place.parent_uuid.has_value()) descriptor.AddVarint(kParentUuid, *place.parent_uuid);
  return descriptor;
}

std::string DescriptorPacket(const MessageBuilder& descriptor) {
  MessageBuilder packet;
  packet.AddMessage(schema::packet::kTrackDescriptor, descriptor);
  return packet.bytes();
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

}  // namespace

std::string RootTrackPacket() {
  using namespace schema::track_descriptor;
  MessageBuilder descriptor;
  descriptor.AddVarint(kUuid, kRootUuid)
      .AddVarint(kChildOrdering, kChildrenExplicit)
      .AddVarint(kProcessOrdering, kProcessesExplicit)
      .AddVarint(kThreadOrdering, kThreadsExplicit);
  return DescriptorPacket(descriptor);
}

std::string ProcessTrackPacket(const TrackPlace& place, int32_t pid, std::string_view name) {
  using namespace schema::track_descriptor;
  MessageBuilder process;
  process.AddVarint(schema::process::kPid, SignExtend(pid)).AddString(schema::process::kName, name);
  MessageBuilder descriptor = DescriptorAt(place);
  descriptor.AddMessage(kProcess, process).AddVarint(kChildOrdering, kChildrenExplicit);
  return DescriptorPacket(descriptor);
}

std::string ThreadTrackPacket(const TrackPlace& place, int32_t pid, int32_t tid,
                              std::string_view name) {
  MessageBuilder thread;
  thread.AddVarint(schema::thread::kPid, SignExtend(pid))
      .AddVarint(schema::thread::kTid, SignExtend(tid))
      .AddString(schema::thread::kName, name);
  MessageBuilder descriptor = DescriptorAt(place);
  descriptor.AddMessage(schema::track_descriptor::kThread, thread);
  return DescriptorPacket(descriptor);
}

std::string NamedTrackPacket(const TrackPlace& place, std::string_view name) {
  using namespace schema::track_descriptor;
  MessageBuilder descriptor = DescriptorAt(place);
  descriptor.AddString(kName, name).AddVarint(kSiblingMergeBehavior, kMergeNone);
  return DescriptorPacket(descriptor);
}

std::string CounterTrackPacket(const TrackPlace& place, std::string_view name, uint64_t unit,
                               std::string_view unit_name) {
  using namespace schema::track_descriptor;
  MessageBuilder counter;
  if (unit != 0) {
    counter.AddVarint(schema::counter::kUnit, unit);
  } else if (!unit_name.empty()) {
    counter.AddString(schema::counter::kUnitName, unit_name);
  }
  MessageBuilder descriptor = DescriptorAt(place);
  descriptor.AddString(kName, name)
      .AddMessage(kCounter, counter)
      .AddVarint(kSiblingMergeBehavior, kMergeNone);
  return DescriptorPacket(descriptor);
}

std::string SequenceStartPacket(uint32_t sequence_id, uint64_t track_uuid) {
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
  return packet.bytes();
}

}  // namespace simpler::timeline
