#include "client/simplerctl/capture_id.h"

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <system_error>

namespace simpler::simplerctl {
namespace {

constexpr std::string_view kPrefix = "cap-";
constexpr size_t kDigits = 12;

bool IsHexDigit(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); }

}  // namespace

bool IsCaptureId(const std::string& path) {
  if (path.size() != kPrefix.size() + kDigits || !path.starts_with(kPrefix)) return false;
  if (!std::all_of(path.begin() + kPrefix.size(), path.end(), IsHexDigit)) return false;
  std::error_code error;
  return !std::filesystem::exists(path, error);
}

}  // namespace simpler::simplerctl
