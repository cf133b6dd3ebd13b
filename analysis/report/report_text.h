#pragma once

#include <string>

#include "analysis/report/analysis.h"

namespace simpler::report {

// The whole analysis for people: the verdict in three lines, the numbers behind it in six parts,
// warnings, and the ledger as the last line. Scripts that look for the part titles and for lines
// such as "Pop: hit=3, miss=1" keep working; new scripts should read the JSON.
std::string ReportText(const Analysis& analysis);

}  // namespace simpler::report
