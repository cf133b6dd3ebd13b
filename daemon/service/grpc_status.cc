#include "daemon/service/grpc_status.h"

#include <string>

namespace simpler::daemon {
namespace {

constexpr const char* kCutMark = " [...]";

bool IsUtf8Continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

std::string Shortened(std::string message) {
  if (message.size() <= kMaxStatusMessageBytes) return message;
  size_t end = kMaxStatusMessageBytes - std::string(kCutMark).size();
  while (end > 0 && IsUtf8Continuation(message[end])) --end;
  return message.substr(0, end) + kCutMark;
}

}  // namespace

grpc::Status ToGrpcStatus(const absl::Status& status) {
  if (status.ok()) return grpc::Status::OK;
  return grpc::Status(static_cast<grpc::StatusCode>(status.code()),
                      Shortened(std::string(status.message())));
}

}  // namespace simpler::daemon
