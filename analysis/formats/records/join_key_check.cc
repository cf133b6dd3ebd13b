#include "analysis/formats/records/join_key_check.h"

#include <algorithm>
#include <tuple>

namespace simpler::formats::records {

std::optional<JoinKeyCheck::Duplicate> JoinKeyCheck::FindIn(std::vector<Entry>& entries) {
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return std::tie(a.key, a.row) < std::tie(b.key, b.row);
  });
  std::optional<Duplicate> earliest;
  for (size_t i = 1; i < entries.size(); ++i) {
    const Entry& first = entries[i - 1];
    const Entry& second = entries[i];
    if (first.key != second.key) continue;
    if (earliest && earliest->second_row < second.row) continue;
    earliest = Duplicate{static_cast<capture::CoreId>(second.key >> 32),
                         static_cast<uint32_t>(second.key), first.row, second.row};
  }
  return earliest;
}

}  // namespace simpler::formats::records
