// A file that arrives in pieces and survives the process that fetches it: until it is complete it
// lies beside its destination as <destination>.<tag>.part, the tag saying which bytes it is a part
// of. A later process goes on with it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace simpler::simplerctl {

// Belongs to one thread. Holds a lock on the file, so that two processes never write the same one.
class PartialFile {
 public:
  // What an earlier process left of `destination`: its newest part. Null: nothing.
  // FailedPrecondition: another process is writing it.
  static absl::StatusOr<std::unique_ptr<PartialFile>> Find(const std::string& destination);

  // Begins a new one. InvalidArgument: the tag is no plain name of letters, digits, '_' and '-'.
  static absl::StatusOr<std::unique_ptr<PartialFile>> Create(const std::string& destination,
                                                             const std::string& tag);
  ~PartialFile();

  const std::string& path() const { return path_; }
  const std::string& tag() const { return tag_; }
  uint64_t size() const { return size_; }

  absl::Status Append(std::string_view bytes);
  // Gives it the destination's name. Call once, last.
  absl::Status Complete();
  // Removes it: its bytes are of no use any more.
  absl::Status Discard();

 private:
  static absl::StatusOr<std::unique_ptr<PartialFile>> Open(const std::string& destination,
                                                           const std::string& tag, int flags);
  PartialFile(int fd, std::string destination, std::string tag, uint64_t size);

  int fd_;
  std::string destination_;
  std::string path_;
  std::string tag_;
  uint64_t size_;
};

}  // namespace simpler::simplerctl
