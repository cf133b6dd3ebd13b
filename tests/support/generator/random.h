// Deterministic random numbers: the same seed gives the same capture with every compiler.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>

namespace simpler::support {

class Random {
 public:
  explicit Random(uint64_t seed) : engine_(seed) {}

  // In [0, 1).
  double Uniform() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }
  double Between(double low, double high) { return low + (high - low) * Uniform(); }
  // In [0, bound); bound > 0.
  uint32_t Below(uint32_t bound) {
    return static_cast<uint32_t>((engine_() >> 32) * uint64_t{bound} >> 32);
  }
  bool Chance(double probability) { return Uniform() < probability; }
  template <typename T, size_t kSize>
  T Choose(const T (&values)[kSize]) {
    return values[Below(static_cast<uint32_t>(kSize))];
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace simpler::support
