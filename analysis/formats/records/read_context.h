// What every section reader shares: how a refusal is worded, and what was accepted with a warning.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "analysis/capture/warning.h"
#include "simdjson.h"

namespace simpler::formats::records {

inline constexpr const char* kDamaged =
    "the file is damaged or its writer is not supported; record again or copy the original again";

// A place in the document: a key, and a row of the list below it. Costs nothing until it is
// printed, so loops over rows can carry one.
struct Place {
  static constexpr size_t kNoRow = SIZE_MAX;

  std::string_view key;
  size_t row = kNoRow;

  std::string Text() const;
};

class ReadContext {
 public:
  explicit ReadContext(std::string file_name) : file_name_(std::move(file_name)) {}

  // InvalidArgument "<file>: <place>: <reason>; <remedy>".
  absl::Status Refuse(Place place, const std::string& reason,
                      const std::string& remedy = kDamaged) const;
  // The document breaks JSON syntax at `place`.
  absl::Status RefuseSyntax(Place place, simdjson::error_code error) const;
  // The value of `field` is not `expected` ("an integer", …). `value` must be unread.
  absl::Status RefuseValue(Place place, std::string_view field, simdjson::ondemand::value value,
                           const std::string& expected) const;

  // A field that is neither used nor carried through.
  void CountIgnoredField(const std::string& path) { ++ignored_fields_[path]; }
  // A scheduler phase of a kind that is kept but not interpreted.
  void CountUnknownKind(const std::string& kind) { ++unknown_kinds_[kind]; }
  // An orchestrator record that is left out because its kind is unknown.
  void CountUnknownOrchestratorKind(const std::string& kind) { ++dropped_kinds_[kind]; }
  void AddWarning(capture::Warning warning) { warnings_.push_back(std::move(warning)); }

  // Everything that was accepted with a warning, one entry per kind of finding.
  std::vector<capture::Warning> Warnings() const;

 private:
  std::string file_name_;
  std::map<std::string, uint64_t> ignored_fields_;
  std::map<std::string, uint64_t> unknown_kinds_;
  std::map<std::string, uint64_t> dropped_kinds_;
  std::vector<capture::Warning> warnings_;
};

}  // namespace simpler::formats::records
