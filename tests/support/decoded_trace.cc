#include "tests/support/decoded_trace.h"

#include <google/protobuf/message.h>
#include <google/protobuf/unknown_field_set.h>

#include <set>
#include <unordered_map>
#include <utility>

#include "fmt/format.h"
#include "proto/perfetto/perfetto_subset.pb.h"

namespace simpler::support {
namespace {

namespace pb = ::simpler::perfetto_subset;

constexpr uint32_t kFirstSequenceClock = 64;
constexpr uint32_t kBootTimeClock = 6;

// True if the message or one inside it holds a field that the subset schema lacks.
bool HasUnknownFields(const google::protobuf::Message& message) {
  const google::protobuf::Reflection* reflection = message.GetReflection();
  if (!reflection->GetUnknownFields(message).empty()) return true;
  std::vector<const google::protobuf::FieldDescriptor*> fields;
  reflection->ListFields(message, &fields);
  for (const google::protobuf::FieldDescriptor* field : fields) {
    if (field->cpp_type() != google::protobuf::FieldDescriptor::CPPTYPE_MESSAGE) continue;
    if (!field->is_repeated()) {
      if (HasUnknownFields(reflection->GetMessage(message, field))) return true;
      continue;
    }
    for (int i = 0; i < reflection->FieldSize(message, field); ++i) {
      if (HasUnknownFields(reflection->GetRepeatedMessage(message, field, i))) return true;
    }
  }
  return false;
}

struct SequenceState {
  bool started = false;
  uint64_t track_uuid = 0;
  uint32_t clock_id = 0;
  uint64_t clock_value = 0;   // of the incremental clock, ns
  uint64_t clock_offset = 0;  // boot time minus the incremental clock at the snapshot
  std::unordered_map<uint64_t, std::string> names;
  std::unordered_map<uint64_t, std::string> keys;
};

class Decoder {
 public:
  absl::Status Decode(const pb::Trace& trace) {
    for (int i = 0; i < trace.packet_size(); ++i) {
      packet_index_ = i;
      if (absl::Status status = Read(trace.packet(i)); !status.ok()) return status;
    }
    for (const auto& [uuid, open] : open_slices_) {
      if (!open.empty()) return Error(fmt::format("a slice of track {} never ends", uuid));
    }
    return JoinFlows();
  }

  DecodedTrace&& result() && { return std::move(result_); }

 private:
  absl::Status Error(const std::string& what) const {
    return absl::InvalidArgumentError(fmt::format("packet {}: {}", packet_index_, what));
  }

  absl::Status Read(const pb::TracePacket& packet) {
    if (HasUnknownFields(packet)) return Error("unknown field");
    if (packet.has_track_descriptor()) return ReadDescriptor(packet.track_descriptor());
    if (packet.trusted_packet_sequence_id() == 0) return Error("no sequence");
    SequenceState& sequence = sequences_[packet.trusted_packet_sequence_id()];
    if (absl::Status status = ReadSequenceState(packet, &sequence); !status.ok()) return status;
    if (packet.has_clock_snapshot()) return ReadClocks(packet.clock_snapshot(), &sequence);
    if (packet.has_track_event()) return ReadEvent(packet, &sequence);
    return absl::OkStatus();
  }

  absl::Status ReadSequenceState(const pb::TracePacket& packet, SequenceState* sequence) {
    if (packet.first_packet_on_sequence() && sequence->started) return Error("started twice");
    if (packet.sequence_flags() & pb::TracePacket::SEQ_INCREMENTAL_STATE_CLEARED) {
      *sequence = {};
      sequence->started = true;
    } else if (packet.sequence_flags() != pb::TracePacket::SEQ_NEEDS_INCREMENTAL_STATE) {
      return Error("a packet that uses defaults does not say so");
    }
    if (!sequence->started) return Error("the sequence has not started");
    if (packet.has_trace_packet_defaults()) {
      sequence->track_uuid = packet.trace_packet_defaults().track_event_defaults().track_uuid();
      sequence->clock_id = packet.trace_packet_defaults().timestamp_clock_id();
    }
    for (const pb::EventName& name : packet.interned_data().event_names()) {
      if (absl::Status status = Define(name, &sequence->names); !status.ok()) return status;
    }
    for (const pb::DebugAnnotationName& key : packet.interned_data().debug_annotation_names()) {
      if (absl::Status status = Define(key, &sequence->keys); !status.ok()) return status;
    }
    return absl::OkStatus();
  }

  template <typename Entry>
  absl::Status Define(const Entry& entry, std::unordered_map<uint64_t, std::string>* strings) {
    if (entry.iid() == 0) return Error("a string has number 0");
    if (!strings->emplace(entry.iid(), entry.name()).second) {
      return Error(fmt::format("string {} is defined twice", entry.iid()));
    }
    ++result_.interned_strings;
    return absl::OkStatus();
  }

  absl::Status ReadClocks(const pb::ClockSnapshot& snapshot, SequenceState* sequence) {
    std::optional<uint64_t> boot_time;
    for (const pb::ClockSnapshot::Clock& clock : snapshot.clocks()) {
      if (clock.clock_id() == kBootTimeClock && !clock.is_incremental()) {
        boot_time = clock.timestamp();
      } else if (clock.clock_id() == kFirstSequenceClock && clock.is_incremental()) {
        sequence->clock_value = clock.timestamp();
      } else {
        return Error(fmt::format("unexpected clock {}", clock.clock_id()));
      }
    }
    if (!boot_time.has_value()) return Error("the clock snapshot lacks the trace's clock");
    sequence->clock_offset = *boot_time - sequence->clock_value;
    return absl::OkStatus();
  }

  absl::Status ReadDescriptor(const pb::TrackDescriptor& descriptor) {
    if (!descriptor.has_uuid()) return Error("a track has no uuid");
    if (!track_kinds_.emplace(descriptor.uuid(), KindOf(descriptor)).second) {
      return Error(fmt::format("track {} is declared twice", descriptor.uuid()));
    }
    if (descriptor.has_parent_uuid() && track_kinds_.count(descriptor.parent_uuid()) == 0) {
      return Error(fmt::format("track {} has an unknown parent", descriptor.uuid()));
    }
    DecodedTrack& track = result_.tracks.emplace_back();
    track.kind = KindOf(descriptor);
    track.uuid = descriptor.uuid();
    track.parent_uuid = descriptor.parent_uuid();
    track.name = NameOf(descriptor);
    track.pid = track.kind == DecodedTrack::Kind::kThread ? descriptor.thread().pid()
                                                          : descriptor.process().pid();
    track.tid = descriptor.thread().tid();
    if (descriptor.has_sibling_order_rank()) track.rank = descriptor.sibling_order_rank();
    track.merges_siblings =
        descriptor.sibling_merge_behavior() != pb::TrackDescriptor::SIBLING_MERGE_BEHAVIOR_NONE;
    track.orders_children = descriptor.child_ordering() == pb::TrackDescriptor::EXPLICIT;
    track.orders_processes =
        descriptor.process_ordering() == pb::TrackDescriptor::PROCESS_ORDERING_EXPLICIT;
    track.orders_threads =
        descriptor.thread_ordering() == pb::TrackDescriptor::THREAD_ORDERING_EXPLICIT;
    track.unit = UnitOf(descriptor.counter());
    return absl::OkStatus();
  }

  static DecodedTrack::Kind KindOf(const pb::TrackDescriptor& descriptor) {
    if (descriptor.uuid() == 0) return DecodedTrack::Kind::kRoot;
    if (descriptor.has_process()) return DecodedTrack::Kind::kProcess;
    if (descriptor.has_thread()) return DecodedTrack::Kind::kThread;
    if (descriptor.has_counter()) return DecodedTrack::Kind::kCounter;
    return DecodedTrack::Kind::kNamed;
  }

  static std::string NameOf(const pb::TrackDescriptor& descriptor) {
    if (descriptor.has_process()) return descriptor.process().process_name();
    if (descriptor.has_thread()) return descriptor.thread().thread_name();
    return descriptor.name();
  }

  static std::string UnitOf(const pb::CounterDescriptor& counter) {
    switch (counter.unit()) {
      case pb::CounterDescriptor::UNIT_TIME_NS:
        return "ns";
      case pb::CounterDescriptor::UNIT_COUNT:
        return "count";
      case pb::CounterDescriptor::UNIT_SIZE_BYTES:
        return "bytes";
      case pb::CounterDescriptor::UNIT_UNSPECIFIED:
        return counter.unit_name();
    }
    return "";
  }

  absl::Status ReadEvent(const pb::TracePacket& packet, SequenceState* sequence) {
    if (!packet.has_timestamp()) return Error("an event has no time");
    if (sequence->clock_id != kFirstSequenceClock) return Error("an event has no clock");
    sequence->clock_value += packet.timestamp();
    const uint64_t time = sequence->clock_value + sequence->clock_offset;
    const pb::TrackEvent& event = packet.track_event();
    const uint64_t track = event.has_track_uuid() ? event.track_uuid() : sequence->track_uuid;
    const auto kind = track_kinds_.find(track);
    if (kind == track_kinds_.end()) return Error(fmt::format("track {} is not declared", track));
    const bool is_counter = kind->second == DecodedTrack::Kind::kCounter;
    if (is_counter != (event.type() == pb::TrackEvent::TYPE_COUNTER)) {
      return Error(fmt::format("an event of type {} does not fit its track",
                               pb::TrackEvent::Type_Name(event.type())));
    }
    const auto [last, first] = last_times_.try_emplace(track, time);
    if (!first && time < last->second) return Error("the time goes back");
    last->second = time;
    switch (event.type()) {
      case pb::TrackEvent::TYPE_COUNTER:
        return ReadCounter(event, track, time);
      case pb::TrackEvent::TYPE_SLICE_END:
        return ReadSliceEnd(track, time);
      case pb::TrackEvent::TYPE_SLICE_BEGIN:
      case pb::TrackEvent::TYPE_INSTANT:
        return ReadBeginOrInstant(event, track, time, *sequence);
      case pb::TrackEvent::TYPE_UNSPECIFIED:
        break;
    }
    return Error("an event has no type");
  }

  absl::Status ReadCounter(const pb::TrackEvent& event, uint64_t track, uint64_t time) {
    DecodedCounterValue& value = result_.counter_values.emplace_back();
    value.track_uuid = track;
    value.time = time;
    switch (event.counter_value_field_case()) {
      case pb::TrackEvent::kCounterValue:
        value.value = int64_t{event.counter_value()};
        return absl::OkStatus();
      case pb::TrackEvent::kDoubleCounterValue:
        value.value = event.double_counter_value();
        return absl::OkStatus();
      case pb::TrackEvent::COUNTER_VALUE_FIELD_NOT_SET:
        break;
    }
    return Error("a counter event has no value");
  }

  absl::Status ReadSliceEnd(uint64_t track, uint64_t time) {
    std::vector<size_t>& open = open_slices_[track];
    if (open.empty()) return Error("a slice ends that did not begin");
    result_.events[open.back()].end = time;
    open.pop_back();
    return absl::OkStatus();
  }

  absl::Status ReadBeginOrInstant(const pb::TrackEvent& event, uint64_t track, uint64_t time,
                                  const SequenceState& sequence) {
    std::vector<size_t>& open = open_slices_[track];
    DecodedEvent decoded;
    decoded.track_uuid = track;
    decoded.start = time;
    decoded.end = time;
    decoded.depth = open.size();
    decoded.is_instant = event.type() == pb::TrackEvent::TYPE_INSTANT;
    decoded.name_is_interned = event.has_name_iid();
    decoded.name = event.name();
    if (event.has_name_iid()) {
      const auto name = sequence.names.find(event.name_iid());
      if (name == sequence.names.end()) return Error("an event name is not defined");
      decoded.name = name->second;
    }
    for (const pb::DebugAnnotation& annotation : event.debug_annotations()) {
      const auto key = sequence.keys.find(annotation.name_iid());
      if (key == sequence.keys.end()) return Error("an annotation key is not defined");
      decoded.annotations[key->second] = ValueOf(annotation);
    }
    decoded.outgoing_flows.assign(event.flow_ids().begin(), event.flow_ids().end());
    decoded.incoming_flows.assign(event.terminating_flow_ids().begin(),
                                  event.terminating_flow_ids().end());
    if (!decoded.is_instant) open.push_back(result_.events.size());
    result_.events.push_back(std::move(decoded));
    return absl::OkStatus();
  }

  static AnnotationValue ValueOf(const pb::DebugAnnotation& annotation) {
    switch (annotation.value_case()) {
      case pb::DebugAnnotation::kBoolValue:
        return annotation.bool_value();
      case pb::DebugAnnotation::kUintValue:
        return uint64_t{annotation.uint_value()};
      case pb::DebugAnnotation::kIntValue:
        return int64_t{annotation.int_value()};
      case pb::DebugAnnotation::kDoubleValue:
        return annotation.double_value();
      case pb::DebugAnnotation::kStringValue:
        return annotation.string_value();
      case pb::DebugAnnotation::VALUE_NOT_SET:
        break;
    }
    return std::string("no value");
  }

  absl::Status JoinFlows() {
    std::map<uint64_t, size_t> sources;
    for (size_t i = 0; i < result_.events.size(); ++i) {
      for (uint64_t id : result_.events[i].outgoing_flows) {
        if (!sources.emplace(id, i).second) return Error(fmt::format("flow {} starts twice", id));
      }
    }
    for (size_t i = 0; i < result_.events.size(); ++i) {
      for (uint64_t id : result_.events[i].incoming_flows) {
        const auto source = sources.find(id);
        if (source == sources.end()) return Error(fmt::format("flow {} does not start", id));
        if (result_.events[i].start < result_.events[source->second].start) {
          return Error(fmt::format("flow {} ends before it starts", id));
        }
        if (!result_.flows.emplace(id, DecodedFlow{source->second, i}).second) {
          return Error(fmt::format("flow {} ends twice", id));
        }
      }
    }
    if (result_.flows.size() != sources.size()) return Error("a flow does not end");
    return absl::OkStatus();
  }

  int packet_index_ = 0;
  DecodedTrace result_;
  std::unordered_map<uint32_t, SequenceState> sequences_;
  std::unordered_map<uint64_t, DecodedTrack::Kind> track_kinds_;
  std::unordered_map<uint64_t, uint64_t> last_times_;
  std::unordered_map<uint64_t, std::vector<size_t>> open_slices_;  // indices of events
};

}  // namespace

const DecodedTrack* DecodedTrace::FindTrack(const std::string& name) const {
  for (const DecodedTrack& track : tracks) {
    if (track.name == name) return &track;
  }
  return nullptr;
}

std::vector<const DecodedEvent*> DecodedTrace::EventsOf(uint64_t track_uuid) const {
  std::vector<const DecodedEvent*> found;
  for (const DecodedEvent& event : events) {
    if (event.track_uuid == track_uuid) found.push_back(&event);
  }
  return found;
}

absl::StatusOr<DecodedTrace> DecodeTrace(const std::string& bytes) {
  pb::Trace trace;
  if (!trace.ParseFromString(bytes)) return absl::InvalidArgumentError("not a protobuf Trace");
  if (!trace.GetReflection()->GetUnknownFields(trace).empty()) {
    return absl::InvalidArgumentError("the trace holds something that is not a packet");
  }
  Decoder decoder;
  if (absl::Status status = decoder.Decode(trace); !status.ok()) return status;
  return std::move(decoder).result();
}

}  // namespace simpler::support
