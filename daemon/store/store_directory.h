// The files of a store: archives and what is known of them (docs/store-directory.md). An archive
// appears under its name only when it is complete and on the disk.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "daemon/store/capture_info.h"

namespace simpler::daemon {

// An archive that is being written. Destroyed before Commit, it leaves nothing behind. Belongs to
// one call at a time.
class IncomingArchive {
 public:
  IncomingArchive(std::string directory, std::string id, int fd);
  ~IncomingArchive();
  IncomingArchive(const IncomingArchive&) = delete;
  IncomingArchive& operator=(const IncomingArchive&) = delete;

  // ResourceExhausted, naming the directory, when the disk is full. Errors are sticky.
  absl::Status Append(std::string_view bytes);

  // Makes archive and entry durable under their names. On failure neither is there.
  absl::Status Commit(const CaptureInfo& info);

 private:
  absl::Status Flush();

  const std::string directory_;
  const std::string id_;
  int fd_;
  std::string buffer_;
  absl::Status status_;
};

// Any thread; functions about different ids do not disturb each other.
class StoreDirectory {
 public:
  // Makes the directory if it is missing and removes what interrupted imports left.
  // FailedPrecondition when another process uses it; the directory is this process's until the
  // object is destroyed.
  static absl::StatusOr<std::unique_ptr<StoreDirectory>> Open(const std::string& path);
  ~StoreDirectory();
  StoreDirectory(const StoreDirectory&) = delete;
  StoreDirectory& operator=(const StoreDirectory&) = delete;

  const std::string& path() const { return path_; }
  std::string ArchivePath(const std::string& id) const;

  // Every archive here, in any order. Where the entry is missing or does not belong to the archive,
  // the archive is read to make it anew. Archives that do not read are logged and left out.
  std::vector<CaptureInfo> Scan() const;

  absl::StatusOr<std::unique_ptr<IncomingArchive>> NewArchive(const std::string& id) const;

  // Internal when a file cannot be removed.
  absl::Status Remove(const std::string& id) const;

 private:
  StoreDirectory(std::string path, int lock_fd) : path_(std::move(path)), lock_fd_(lock_fd) {}
  void RemoveLeftovers() const;

  const std::string path_;
  const int lock_fd_;
};

}  // namespace simpler::daemon
