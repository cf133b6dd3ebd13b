// Arguments of trace events.
#pragma once

#include <bit>
#include <cstdint>
#include <string_view>

#include "analysis/timeline/perfetto/schema.h"

namespace simpler::timeline {

// Numbers of strings interned in a PerfettoWriter; meaningless in another one.
enum class NameId : uint32_t { kInline = 0 };
enum class KeyId : uint32_t {};

// One argument: an interned key and a value. A text value is a view that the caller keeps alive.
class Annotation {
 public:
  // Named after the field of DebugAnnotation that holds such a value.
  enum class Kind : uint8_t {
    kBool = schema::debug_annotation::kBoolValue,
    kUint = schema::debug_annotation::kUintValue,
    kInt = schema::debug_annotation::kIntValue,
    kDouble = schema::debug_annotation::kDoubleValue,
    kText = schema::debug_annotation::kStringValue,
  };

  static Annotation Bool(KeyId key, bool value) { return {key, Kind::kBool, value, {}}; }
  static Annotation Uint(KeyId key, uint64_t value) { return {key, Kind::kUint, value, {}}; }
  static Annotation Int(KeyId key, int64_t value) {
    return {key, Kind::kInt, static_cast<uint64_t>(value), {}};
  }
  static Annotation Double(KeyId key, double value) {
    return {key, Kind::kDouble, std::bit_cast<uint64_t>(value), {}};
  }
  static Annotation Text(KeyId key, std::string_view value) { return {key, Kind::kText, 0, value}; }

  KeyId key() const { return key_; }
  Kind kind() const { return kind_; }
  uint64_t bits() const { return bits_; }          // of a value that is not text
  std::string_view text() const { return text_; }  // empty unless kText

 private:
  Annotation(KeyId key, Kind kind, uint64_t bits, std::string_view text)
      : key_(key), kind_(kind), bits_(bits), text_(text) {}

  KeyId key_;
  Kind kind_;
  uint64_t bits_;
  std::string_view text_;
};

}  // namespace simpler::timeline
