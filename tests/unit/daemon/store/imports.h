// Imports of small captures, for the tests of the store.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "daemon/store/capture_store.h"
#include "tests/support/generated_archive.h"

namespace simpler::daemon {

// A small archive; different seeds give different captures.
inline std::string SmallArchive(uint64_t seed = 1, uint32_t tasks = 20) {
  return support::ToArchive(
      support::GenerateBundle({.tasks = tasks, .seed = seed, .clusters = 1, .threads = 1}));
}

// Imports `archive` in pieces, as a call does.
inline absl::StatusOr<CaptureStore::Import::Result> ImportArchive(CaptureStore& store,
                                                                  std::string_view archive,
                                                                  const ImportLabels& labels = {}) {
  constexpr size_t kPiece = 1000;
  absl::StatusOr<std::unique_ptr<CaptureStore::Import>> import = store.BeginImport(labels);
  if (!import.ok()) return import.status();
  for (size_t at = 0; at < archive.size(); at += kPiece) {
    absl::Status status = (*import)->Feed(archive.substr(at, kPiece));
    if (!status.ok()) return status;
  }
  return (*import)->Finish();
}

inline std::unique_ptr<CaptureStore> OpenStore(const std::string& directory,
                                               uint64_t budget_bytes = uint64_t{1} << 30) {
  absl::StatusOr<std::unique_ptr<CaptureStore>> store = CaptureStore::Open(
      {.budget_bytes = budget_bytes, .directory = directory, .now_unix_ms = {}, .new_id = {}});
  return store.ok() ? *std::move(store) : nullptr;
}

}  // namespace simpler::daemon
