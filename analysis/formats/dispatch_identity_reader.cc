#include "analysis/formats/dispatch_identity_reader.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <limits>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "fmt/format.h"

namespace simpler::formats {
namespace {

namespace dom = simdjson::dom;

constexpr int64_t kSchemaVersion = 1;
constexpr size_t kDigestLength = 64;
constexpr int64_t kUnbounded = std::numeric_limits<int64_t>::max();

// "<prefix><decimal number>", as in rank3 or d0.
std::optional<int64_t> NumberAfter(std::string_view prefix, const std::string& directory) {
  if (directory.compare(0, prefix.size(), prefix) != 0) return std::nullopt;
  int64_t number = 0;
  const char* const end = directory.data() + directory.size();
  const auto parsed = std::from_chars(directory.data() + prefix.size(), end, number);
  if (parsed.ec != std::errc() || parsed.ptr != end || number < 0) return std::nullopt;
  return number;
}

bool IsLowerHex(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); }

class IdentityParser {
 public:
  explicit IdentityParser(const JsonFile& file) : file_(file) {}

  absl::StatusOr<DispatchIdentity> Parse() {
    dom::parser parser;
    dom::element document;
    const simdjson::padded_string_view bytes = file_.bytes();
    if (auto error =
            parser.parse(bytes.data(), bytes.size(), /*realloc_if_needed=*/false).get(document)) {
      return Invalid(
          fmt::format("is not a complete JSON document ({})", simdjson::error_message(error)));
    }
    if (document.get(top_)) return Invalid("the top level must be an object");
    if (absl::Status status = ParseMembers(); !status.ok()) return status;
    if (absl::Status status = CheckPath(); !status.ok()) return status;
    return std::move(identity_);
  }

 private:
  absl::Status ParseMembers() {
    int64_t schema_version = 0;
    const absl::Status results[] = {
        Integer("schema_version", kSchemaVersion, kSchemaVersion, schema_version),
        Integer("run_id", 1, kUnbounded, identity_.run_id),
        Integer("task_slot", 0, kUnbounded, identity_.task_slot),
        Integer("group_size", 1, kUnbounded, identity_.group_size),
        Integer("group_index", 0, identity_.group_size - 1, identity_.group_index),
        Integer("chip_rank", 0, kUnbounded, identity_.chip_rank),
        Integer("local_capture_index", 0, kUnbounded, identity_.local_capture_index),
        Integer("endpoint_dispatch_id", 1, kUnbounded, identity_.endpoint_dispatch_id),
        Integer("pipeline_slot", 0, kUnbounded, identity_.pipeline_slot),
        Integer("pipeline_generation", 1, kUnbounded, identity_.pipeline_generation),
        HostPid(),
        Digest(),
    };
    for (const absl::Status& status : results) {
      if (!status.ok()) return status;
    }
    return absl::OkStatus();
  }

  absl::Status Integer(const char* key, int64_t min, int64_t max, int64_t& out) {
    dom::element value;
    if (top_.at_key(key).get(value)) return Invalid(fmt::format("{} is missing", key));
    if (value.get(out) || out < min || out > max) {
      const std::string range = min == max          ? fmt::format("{}", min)
                                : max == kUnbounded ? fmt::format("an integer of at least {}", min)
                                                    : fmt::format("an integer in {}..{}", min, max);
      return Invalid(fmt::format("{} must be {}", key, range));
    }
    return absl::OkStatus();
  }

  absl::Status HostPid() {
    if (top_.at_key("host_pid").error()) return absl::OkStatus();
    int64_t pid = 0;
    absl::Status status = Integer("host_pid", 1, kUnbounded, pid);
    if (status.ok()) identity_.host_pid = pid;
    return status;
  }

  absl::Status Digest() {
    std::string_view digest;
    if (top_.at_key("callable_digest").get(digest) || digest.size() != kDigestLength ||
        !std::all_of(digest.begin(), digest.end(), IsLowerHex)) {
      return Invalid("callable_digest must be 64 lower-case hexadecimal digits");
    }
    identity_.callable_digest = std::string(digest);
    return absl::OkStatus();
  }

  absl::Status CheckPath() const {
    const std::filesystem::path directory = std::filesystem::path(file_.name()).parent_path();
    const std::optional<int64_t> rank =
        NumberAfter("rank", directory.parent_path().filename().string());
    const std::optional<int64_t> index = NumberAfter("d", directory.filename().string());
    if (!rank || !index) return Invalid("must lie in a directory rankN/dN");
    if (*rank != identity_.chip_rank) {
      return Invalid(fmt::format("chip_rank {} disagrees with its directory rank{}",
                                 identity_.chip_rank, *rank));
    }
    if (*index != identity_.local_capture_index) {
      return Invalid(fmt::format("local_capture_index {} disagrees with its directory d{}",
                                 identity_.local_capture_index, *index));
    }
    return absl::OkStatus();
  }

  absl::Status Invalid(const std::string& reason) const {
    return absl::InvalidArgumentError(fmt::format(
        "{}: {}; copy the capture directory again as the runtime wrote it", file_.name(), reason));
  }

  const JsonFile& file_;
  dom::object top_;
  DispatchIdentity identity_;
};

}  // namespace

absl::StatusOr<DispatchIdentity> ParseDispatchIdentity(const JsonFile& file) {
  return IdentityParser(file).Parse();
}

absl::StatusOr<DispatchIdentity> ReadDispatchIdentity(const std::string& path) {
  std::error_code error;
  const std::filesystem::path absolute = std::filesystem::absolute(path, error);
  absl::StatusOr<JsonFile> file =
      JsonFile::Open(error ? path : absolute.lexically_normal().string());
  if (!file.ok()) return file.status();
  return ParseDispatchIdentity(*file);
}

}  // namespace simpler::formats
