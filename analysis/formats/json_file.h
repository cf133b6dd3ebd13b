// The bytes of one JSON document, padded the way simdjson needs them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "simdjson.h"

namespace simpler::formats {

// Largest document a reader accepts: simdjson counts bytes in 32 bits.
inline constexpr uint64_t kMaxJsonBytes = UINT32_MAX;

// Owns the bytes; move-only. Safe for concurrent readers.
class JsonFile {
 public:
  // Reads a whole regular file. The bytes are copied, not mapped: a file that another process
  // truncates later cannot fault a running analysis. Errors name the file, the reason and a remedy:
  // NotFound, PermissionDenied, FailedPrecondition (directory, pipe or device), InvalidArgument
  // (empty, has holes, larger than kMaxJsonBytes), Aborted (shrank while it was read).
  static absl::StatusOr<JsonFile> Open(const std::string& path);

  // Copies a document that is already in memory. `name` stands for the file in messages.
  static JsonFile FromText(std::string_view text, std::string name);

  JsonFile(JsonFile&& other) noexcept;
  JsonFile& operator=(JsonFile&& other) noexcept;
  JsonFile(const JsonFile&) = delete;
  JsonFile& operator=(const JsonFile&) = delete;
  ~JsonFile();

  // At least SIMDJSON_PADDING zero bytes follow the document.
  simdjson::padded_string_view bytes() const {
    return simdjson::padded_string_view(data_, size_, capacity_);
  }
  size_t size() const { return size_; }
  // Path or label for messages.
  const std::string& name() const { return name_; }

 private:
  JsonFile(size_t size, std::string name);

  char* data_ = nullptr;  // anonymous mapping of capacity_ bytes
  size_t size_ = 0;
  size_t capacity_ = 0;
  std::string name_;
};

}  // namespace simpler::formats
