// One packet sequence of a trace: the frame of its event packets and its clock of differences.
//
// An event packet reads, field by field:
//
//   packet length | timestamp delta | sequence id | flags | event length | event type | …
//
// From the sequence id to the event type all packets of a sequence are alike, so these bytes are
// made once and copied.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "analysis/timeline/perfetto/schema.h"
#include "analysis/timeline/perfetto/wire.h"

namespace simpler::timeline {

class PacketSequence {
 public:
  // Room that a packet needs besides the fields that the caller adds. Some of it is scribbled over
  // and not used.
  static constexpr size_t kMaxFrameBytes = 48;
  // The longest slice end: tags, length and timestamp, then at most 12 bytes that are copied.
  static constexpr size_t kMaxSliceEndBytes = 25;

  // A packet under construction: where its lengths go, and where the next field goes.
  struct OpenPacket {
    uint8_t* packet_length;
    uint8_t* event_length;
    uint8_t* next;
  };

  // `id` is unique in the trace and not 0.
  explicit PacketSequence(uint32_t id) : id_(id) {
    uint8_t* out = wire::PutVarintField<schema::packet::kSequenceId>(common_, id);
    out = wire::PutVarintField<schema::packet::kSequenceFlags>(
        out, schema::packet::kNeedsIncrementalState);
    out = wire::PutTag<wire::Tag(schema::packet::kTrackEvent, wire::Type::kBytes)>(out);
    *out++ = kTypeFieldBytes;  // what a slice end has for its event length
    out = wire::PutVarintField<schema::track_event::kType>(out, schema::track_event::kSliceEnd);
    common_size_ = static_cast<size_t>(out - common_);
    wire::PutTag<kNameTag>(out);  // copied along with the rest, for PutInternedName
  }

  uint32_t id() const { return id_; }

  // The time of the last packet, ns.
  uint64_t clock_ns() const { return clock_ns_; }

  // Starts a packet at `out`; the caller puts further fields of the event at `next`. `time_ns` is
  // not before clock_ns().
  OpenPacket BeginEvent(uint8_t type, uint64_t time_ns, uint8_t* out) {
    OpenPacket packet = PutCommon(time_ns, out);
    packet.next[-1] = type;
    return packet;
  }

  // The first field of an event with an interned name, at the `next` of BeginEvent; returns the
  // place of the next one.
  static uint8_t* PutInternedName(uint8_t* next, uint32_t number) {
    return wire::PutVarint(next + 1, number);  // behind the tag, which BeginEvent has put there
  }

  // Puts in the lengths; returns the end of the packet.
  static uint8_t* EndEvent(const OpenPacket& packet) {
    const size_t size = static_cast<size_t>(packet.next - packet.packet_length) - 1;
    if (size < 0x80) [[likely]] {  // then the event inside it is shorter still
      *packet.packet_length = static_cast<uint8_t>(size);
      *packet.event_length = static_cast<uint8_t>(packet.next - packet.event_length - 1);
      return packet.next;
    }
    uint8_t* end = wire::CloseMessage(packet.event_length, packet.next);
    return wire::CloseMessage(packet.packet_length, end);
  }

  // Room that PutInternedString needs besides the text.
  static constexpr size_t kMaxStringFrameBytes = 48;

  // A whole packet that gives a string its number in this sequence, in the list `kField` of
  // InternedData; returns its end.
  template <uint32_t kField>
  uint8_t* PutInternedString(uint32_t number, std::string_view text, uint8_t* out) const {
    out = wire::PutTag<wire::Tag(schema::trace::kPacket, wire::Type::kBytes)>(out);
    uint8_t* packet_length = out++;
    out = wire::PutVarintField<schema::packet::kSequenceId>(out, id_);
    out = wire::PutVarintField<schema::packet::kSequenceFlags>(
        out, schema::packet::kNeedsIncrementalState);
    out = wire::PutTag<wire::Tag(schema::packet::kInternedData, wire::Type::kBytes)>(out);
    uint8_t* data_length = out++;
    out = wire::PutTag<wire::Tag(kField, wire::Type::kBytes)>(out);
    uint8_t* entry_length = out++;
    out = wire::PutVarintField<schema::interned_string::kIid>(out, number);
    out = wire::PutBytesField<schema::interned_string::kName>(out, text);
    out = wire::CloseMessage(entry_length, out);
    out = wire::CloseMessage(data_length, out);
    return wire::CloseMessage(packet_length, out);
  }

  // A whole packet that ends the innermost open slice of the track; returns its end.
  uint8_t* PutSliceEnd(uint64_t time_ns, uint8_t* out) {
    const OpenPacket packet = PutCommon(time_ns, out);
    *packet.packet_length = static_cast<uint8_t>(packet.next - packet.packet_length - 1);
    return packet.next;
  }

 private:
  static constexpr uint8_t kTypeFieldBytes = 2;
  static constexpr uint32_t kNameTag =
      wire::Tag(schema::track_event::kNameIid, wire::Type::kVarint);

  OpenPacket PutCommon(uint64_t time_ns, uint8_t* out) {
    // The tag of the packet, its length to come, and the tag of the timestamp in one store; the
    // timestamp overwrites the fourth byte.
    constexpr uint8_t kHead[4] = {wire::Tag(schema::trace::kPacket, wire::Type::kBytes), 0,
                                  wire::Tag(schema::packet::kTimestamp, wire::Type::kVarint), 0};
    std::memcpy(out, kHead, sizeof(kHead));
    OpenPacket packet;
    packet.packet_length = out + 1;
    out = wire::PutTimeVarint(out + 3, time_ns - clock_ns_);
    clock_ns_ = time_ns;
    // Always the whole array: a copy of constant size is two instructions.
    std::memcpy(out, common_, sizeof(common_));
    packet.next = out + common_size_;
    packet.event_length = packet.next - kTypeFieldBytes - 1;
    return packet;
  }

  uint32_t id_;
  uint64_t clock_ns_ = 0;
  size_t common_size_ = 0;
  uint8_t common_[16] = {};
};

}  // namespace simpler::timeline
