#pragma once

namespace simpler::profiler {

// For programs whose standard error belongs to their user: drops what gRPC logs there. Failures
// come as statuses, and what it logs beside them (timers that a process left behind when it ended)
// means nothing to anyone. Does nothing when the environment sets GRPC_VERBOSITY.
void DropGrpcLog();

}  // namespace simpler::profiler
