// Texts of a bundle as archive messages: opaque fields, warnings, function names.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "analysis/capture/bundle.h"
#include "proto/simpler/archive/v1/archive.pb.h"

namespace simpler::archive {

// An opaque field or a part of its text, so that fields of any length fit into sections.
struct OpaquePiece {
  bool in_metadata = false;  // else at the top level
  bool continues = false;    // continues the piece before; `key` is empty
  std::string_view key;
  std::string_view json;
};

// The fields cut into pieces of at most `max_bytes` of JSON. Views into `fields`.
std::vector<OpaquePiece> CutOpaque(const std::vector<capture::OpaqueField>& fields,
                                   bool in_metadata, size_t max_bytes);

// A warning and whether it is about the records file (else about other files).
struct ScopedWarning {
  const capture::Warning* warning;
  bool of_capture;
};

using FunctionName = std::pair<int32_t, std::string_view>;

// Replace `message`. At most kMaxColumnValues entries.
void Encode(std::span<const OpaquePiece> pieces, v1::OpaqueText* message);
void Encode(std::span<const ScopedWarning> warnings, v1::Warnings* message);
void Encode(std::span<const FunctionName> names, v1::FunctionNames* message);

// Append to the capture's and its metadata's opaque fields. InvalidArgument when columns do not fit
// together or a continuation has nothing to continue.
absl::Status Decode(const v1::OpaqueText& message, capture::Capture& capture);
// Append to the capture's and the bundle's warnings.
absl::Status Decode(const v1::Warnings& message, capture::CaptureBundle& bundle);
// Append to the map. InvalidArgument also when ids do not ascend, within and across messages.
absl::Status Decode(const v1::FunctionNames& message, std::map<int32_t, std::string>& names);

}  // namespace simpler::archive
