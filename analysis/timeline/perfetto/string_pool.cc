#include "analysis/timeline/perfetto/string_pool.h"

namespace simpler::timeline {

uint32_t StringPool::Intern(std::string_view text) {
  if (const auto known = ids_.find(text); known != ids_.end()) return known->second;
  const auto id = static_cast<uint32_t>(texts_.size() + 1);
  const auto [entry, inserted] = ids_.emplace(std::string(text), id);
  texts_.push_back(&entry->first);
  return id;
}

}  // namespace simpler::timeline
