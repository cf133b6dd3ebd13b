// What the command line asks for, in the words of the contract.
#pragma once

#include <cstddef>
#include <string>

#include "analysis/timeline/trace_request.h"
#include "client/simplerctl/output_options.h"
#include "proto/simpler/profiler/v1/profiler.pb.h"

namespace simpler::simplerctl {

profiler::v1::DocumentFormat ToMessage(OutputForm form);
profiler::v1::TraceOptions ToMessage(const timeline::TraceRequest& request);
profiler::v1::RunSelector RunOf(const std::string& capture_id, size_t run, bool strict);

// The whole capture as an archive.
profiler::v1::FetchTraceRequest ArchiveRequest(const std::string& capture_id);

}  // namespace simpler::simplerctl
