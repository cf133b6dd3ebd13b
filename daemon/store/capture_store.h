// The captures that the daemon holds: in memory within a byte budget, and, if it was given a
// directory, as archives on disk that survive a restart.
//
// Captures enter through an Import: bytes of an archive are decoded as they arrive and, with a
// directory, written to a temporary file; only a complete and checked archive becomes a capture.
// When memory runs short the least recently used captures leave it. With a directory they are read
// back on demand; without one they are gone. Every eviction is logged and remembered with its
// reason.
//
// All functions may be called from any thread. Load and Import do the work of reading and decoding
// on the calling thread, so call them from a query thread; the others are quick.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "analysis/capture/bundle.h"
#include "daemon/store/capture_info.h"

namespace simpler::daemon {

struct EvictionInfo {
  std::string capture_id;
  std::string name;
  std::string reason;
  int64_t time_unix_ms = 0;
  uint64_t memory_bytes = 0;
  bool still_on_disk = false;
};

struct StoreUsage {
  uint64_t used_bytes = 0;  // memory of loaded captures
  uint64_t budget_bytes = 0;
  uint64_t captures = 0;
};

struct StoreOptions {
  uint64_t budget_bytes = uint64_t{4} << 30;
  // Imports under way at the same time; each may take up to a budget's worth of memory of its own.
  // Others are refused.
  uint32_t max_imports = 4;
  std::string directory{};  // empty: memory only; created when missing

  // Injected for tests: milliseconds since the Unix epoch, and unique ids ("cap-" and 12
  // hexadecimal digits).
  std::function<int64_t()> now_unix_ms{};
  std::function<std::string()> new_id{};
};

class CaptureStore {
 public:
  // Opens the directory, if any: takes its lock (FailedPrecondition when another process holds it),
  // removes what interrupted imports left, and lists the archives in it. An archive that does not
  // read is kept where it is, skipped and logged.
  static absl::StatusOr<std::unique_ptr<CaptureStore>> Open(const StoreOptions& options);
  ~CaptureStore();

  // One import. Belongs to one call at a time; destroying it before Finish leaves nothing behind.
  class Import {
   public:
    virtual ~Import() = default;
    // As archive::ArchiveDecoder::Feed; ResourceExhausted also when the disk is full or the capture
    // is larger than the whole budget, naming the number that would fit.
    virtual absl::Status Feed(std::string_view bytes) = 0;

    struct Result {
      CaptureInfo capture;
      bool already_stored = false;
      std::vector<EvictionInfo> evictions;
    };
    // Checks the archive's end and makes the capture visible, on disk first. Call once, last.
    virtual absl::StatusOr<Result> Finish() = 0;
  };

  // InvalidArgument: a name, label or key is too long. ResourceExhausted: too many imports at once.
  absl::StatusOr<std::unique_ptr<Import>> BeginImport(const ImportLabels& labels);

  // The capture that an earlier import with this key stored; absent: none.
  std::optional<CaptureInfo> FindByKey(const std::string& idempotency_key) const;

  // Captures that have all of `labels`, oldest import first.
  std::vector<CaptureInfo> List(const std::map<std::string, std::string>& labels) const;

  // NotFound names the id.
  absl::StatusOr<CaptureInfo> Get(const std::string& id) const;

  // The capture itself, read from disk when it is not in memory. It stays valid for the holder when
  // the store drops it. NotFound; DataLoss when the stored archive no longer reads.
  absl::StatusOr<std::shared_ptr<const capture::CaptureBundle>> Load(const std::string& id);

  // NotFound; Internal when the file cannot be removed (the capture then stays listed).
  absl::Status Delete(const std::string& id);

  // Called with the id of every capture that leaves memory by eviction, on the thread that caused
  // it, so that others let go of it too. It must be quick and must not call the store. Empty: none.
  using UnloadListener = std::function<void(const std::string& id)>;
  void OnUnload(UnloadListener listener);

  StoreUsage usage() const;
  // At most the last 100, newest last.
  std::vector<EvictionInfo> evictions() const;
  const std::string& directory() const;

  class State;  // inside capture_store.cc only

 private:
  explicit CaptureStore(std::shared_ptr<State> state);
  std::shared_ptr<State> state_;
};

}  // namespace simpler::daemon
