// Where client and daemon meet when nobody says otherwise; part of the contract.
#pragma once

#include <string>

namespace simpler::profiler {

// Path of the Unix socket: /run/simplerd/simplerd.sock for root, else simplerd.sock below
// $XDG_RUNTIME_DIR, else /tmp/simplerd-<uid>/simplerd.sock.
std::string DefaultSocketPath();

}  // namespace simpler::profiler
