#include "client/simplerctl/progress.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "fmt/format.h"

namespace simpler::simplerctl {
namespace {

constexpr int kBarWidth = 30;
constexpr const char* kEraseLine = "\r\033[K";

}  // namespace

Progress::Progress(uint64_t total_units)
    : visible_(total_units >= kShortWork && isatty(STDERR_FILENO) == 1), total_(total_units) {}

void Progress::Finish() {
  if (visible_) std::fputs(kEraseLine, stderr);
  visible_ = false;
}

void Progress::Begin(const std::string& stage, uint64_t units) {
  done_ += current_;
  current_ = units;
  if (visible_) Draw(stage);
}

void Progress::Draw(const std::string& stage) const {
  const double share = std::min(
      1.0, static_cast<double>(done_) / static_cast<double>(std::max<uint64_t>(total_, 1)));
  const int filled = static_cast<int>(share * kBarWidth);
  fmt::print(stderr, "{}[{:=<{}}{:{}}] {:3.0f} %  {}", kEraseLine, "", filled, "",
             kBarWidth - filled, share * 100, stage);
  std::fflush(stderr);
}

}  // namespace simpler::simplerctl
