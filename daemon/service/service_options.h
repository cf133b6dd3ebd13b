// What the service is told by the server that runs it.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>

#include "daemon/query/query_engine.h"

namespace simpler::daemon {

using RunLater = std::function<void(std::chrono::milliseconds, std::function<void()>)>;

struct ServiceOptions {
  uint32_t max_fetches = 64;
  // Fetches whose client takes nothing, and imports whose client sends nothing, for longer are
  // ended.
  std::chrono::milliseconds client_patience{30'000};
  EngineOptions engine;  // shown by Describe
  // Runs a function on another thread after a delay, for as long as there are calls. Required.
  RunLater run_later;
};

}  // namespace simpler::daemon
