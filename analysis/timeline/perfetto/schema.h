// Field numbers and enumerators of the Perfetto trace format, as published in the .proto files
// under protos/perfetto of the Perfetto project; proto/perfetto/perfetto_subset.proto declares and
// explains the same ones. One namespace per message.
#pragma once

#include <cstdint>

namespace simpler::timeline::schema {

namespace trace {
inline constexpr uint32_t kPacket = 1;
}

namespace packet {
inline constexpr uint32_t kClockSnapshot = 6;
inline constexpr uint32_t kTimestamp = 8;
inline constexpr uint32_t kSequenceId = 10;
inline constexpr uint32_t kTrackEvent = 11;
inline constexpr uint32_t kInternedData = 12;
inline constexpr uint32_t kSequenceFlags = 13;
inline constexpr uint32_t kDefaults = 59;
inline constexpr uint32_t kTrackDescriptor = 60;
inline constexpr uint32_t kFirstPacketOnSequence = 87;

inline constexpr uint64_t kIncrementalStateCleared = 1;
inline constexpr uint64_t kNeedsIncrementalState = 2;
}  // namespace packet

namespace packet_defaults {
inline constexpr uint32_t kTrackEventDefaults = 11;
inline constexpr uint32_t kTimestampClockId = 58;
}  // namespace packet_defaults

namespace track_event_defaults {
inline constexpr uint32_t kTrackUuid = 11;
}

namespace clock_snapshot {
inline constexpr uint32_t kClocks = 1;
}

namespace clock {
inline constexpr uint32_t kClockId = 1;
inline constexpr uint32_t kTimestamp = 2;
inline constexpr uint32_t kIsIncremental = 3;

inline constexpr uint64_t kBootTime = 6;
inline constexpr uint64_t kFirstOfSequence = 64;
}  // namespace clock

namespace track_descriptor {
inline constexpr uint32_t kUuid = 1;
inline constexpr uint32_t kName = 2;
inline constexpr uint32_t kProcess = 3;
inline constexpr uint32_t kThread = 4;
inline constexpr uint32_t kParentUuid = 5;
inline constexpr uint32_t kCounter = 8;
inline constexpr uint32_t kChildOrdering = 11;
inline constexpr uint32_t kSiblingOrderRank = 12;
inline constexpr uint32_t kSiblingMergeBehavior = 15;
inline constexpr uint32_t kProcessOrdering = 19;
inline constexpr uint32_t kThreadOrdering = 20;

inline constexpr uint64_t kRootUuid = 0;
inline constexpr uint64_t kChildrenExplicit = 3;
inline constexpr uint64_t kMergeNone = 2;
inline constexpr uint64_t kProcessesExplicit = 1;
inline constexpr uint64_t kThreadsExplicit = 1;
}  // namespace track_descriptor

namespace process {
inline constexpr uint32_t kPid = 1;
inline constexpr uint32_t kName = 6;
}  // namespace process

namespace thread {
inline constexpr uint32_t kPid = 1;
inline constexpr uint32_t kTid = 2;
inline constexpr uint32_t kName = 5;
}  // namespace thread

namespace counter {
inline constexpr uint32_t kUnit = 3;
inline constexpr uint32_t kUnitName = 6;
}  // namespace counter

namespace track_event {
inline constexpr uint32_t kDebugAnnotations = 4;
inline constexpr uint32_t kType = 9;
inline constexpr uint32_t kNameIid = 10;
inline constexpr uint32_t kName = 23;
inline constexpr uint32_t kCounterValue = 30;
inline constexpr uint32_t kDoubleCounterValue = 44;
inline constexpr uint32_t kFlowIds = 47;
inline constexpr uint32_t kTerminatingFlowIds = 48;

inline constexpr uint8_t kSliceBegin = 1;
inline constexpr uint8_t kSliceEnd = 2;
inline constexpr uint8_t kInstant = 3;
inline constexpr uint8_t kCounter = 4;
}  // namespace track_event

namespace debug_annotation {
inline constexpr uint32_t kNameIid = 1;
inline constexpr uint32_t kBoolValue = 2;
inline constexpr uint32_t kUintValue = 3;
inline constexpr uint32_t kIntValue = 4;
inline constexpr uint32_t kDoubleValue = 5;
inline constexpr uint32_t kStringValue = 6;
}  // namespace debug_annotation

namespace interned_data {
inline constexpr uint32_t kEventNames = 2;
inline constexpr uint32_t kDebugAnnotationNames = 3;
}  // namespace interned_data

namespace interned_string {
inline constexpr uint32_t kIid = 1;
inline constexpr uint32_t kName = 2;
}  // namespace interned_string

}  // namespace simpler::timeline::schema
