// A progress bar on standard error for work that takes long enough to make a person wonder.
#pragma once

#include <cstdint>
#include <string>

namespace simpler::simplerctl {

// Draws only when standard error is a terminal and the expected work is long; otherwise every call
// does nothing. Work is counted in abstract units, input bytes as a rule. Belongs to one thread.
class Progress {
 public:
  // Inputs below this size are done before a bar could be read.
  static constexpr uint64_t kShortWork = 32 << 20;

  explicit Progress(uint64_t total_units);
  ~Progress() { Finish(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // Everything up to now is done; `units` more begin under this name.
  void Begin(const std::string& stage, uint64_t units);
  // Wipes the bar, so that what is printed next starts on an empty line.
  void Finish();

 private:
  void Draw(const std::string& stage) const;

  bool visible_;
  uint64_t total_;
  uint64_t done_ = 0;
  uint64_t current_ = 0;
};

}  // namespace simpler::simplerctl
