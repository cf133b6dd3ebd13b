#include "daemon/service/call_log.h"

#include <utility>

#include "spdlog/spdlog.h"

namespace simpler::daemon {
namespace {

spdlog::level::level_enum LevelOf(const absl::Status& status) {
  switch (status.code()) {
    case absl::StatusCode::kInternal:
    case absl::StatusCode::kUnknown:
    case absl::StatusCode::kDataLoss:
      return spdlog::level::warn;
    case absl::StatusCode::kResourceExhausted:
      return spdlog::level::info;
    default:
      return spdlog::level::debug;
  }
}

}  // namespace

std::string OnOneLine(std::string text) {
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = ' ';
  }
  return text;
}

CallLog::CallLog(const char* method, std::string peer) : method_(method), peer_(std::move(peer)) {}

void CallLog::Ended(const absl::Status& status) const {
  const auto level = LevelOf(status);
  if (!spdlog::should_log(level)) return;
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - began_;
  spdlog::log(level, "{} from {}: {} after {:.1f} ms{}{}", method_, peer_,
              absl::StatusCodeToString(status.code()), took.count(), status.ok() ? "" : ": ",
              OnOneLine(std::string(status.message())));
}

}  // namespace simpler::daemon
