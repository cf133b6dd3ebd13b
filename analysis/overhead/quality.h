// Whether a run's figures can be believed.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analysis/overhead/analyze_overhead.h"
#include "analysis/overhead/overhead_report.h"

namespace simpler::overhead {

enum class QualityClass : uint8_t {
  kOk,
  kPerturbed,  // complete, but stamps contradict each other more than a few outliers would
  kInvalid,    // records are known to be missing
};
// "OK", "PERTURBED", "INVALID". Static storage.
const char* QualityClassName(QualityClass quality);

struct Quality {
  QualityClass quality = QualityClass::kOk;
  std::vector<std::string> reasons;  // losses first; empty iff kOk
};

// Contradictions up to this share of rows (or edges) are outliers.
inline constexpr double kToleratedPercent = 1.0;

// INVALID: AICore rows without scheduler row or the reverse; scheduler streams that report dropped
// records; a host capture that reports drops, an unfinished recording, or another number of records
// than the file holds.
// PERTURBED, each above kToleratedPercent: rows dispatched after they started or finished before
// they ended (the clocks of scheduler and core disagree); rows that start while another row of
// their core runs; edges whose consumer started before its producer ended.
Quality AssessQuality(const OverheadInputs& inputs, const OverheadReport& report);

}  // namespace simpler::overhead
