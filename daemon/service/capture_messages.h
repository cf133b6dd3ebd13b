// What the store knows, as messages of the contract.
#pragma once

#include <vector>

#include "analysis/capture/warning.h"
#include "daemon/store/capture_store.h"
#include "proto/simpler/profiler/v1/profiler.pb.h"

namespace simpler::daemon {

// The header of an import as the store takes it. The store checks the sizes.
ImportLabels ToImportLabels(const profiler::v1::ImportHeader& header);

void FillCapture(const CaptureInfo& info, profiler::v1::Capture* message);
void FillEviction(const EvictionInfo& info, profiler::v1::Eviction* message);
void FillWarnings(const std::vector<capture::Warning>& warnings,
                  google::protobuf::RepeatedPtrField<profiler::v1::Warning>* messages);

}  // namespace simpler::daemon
