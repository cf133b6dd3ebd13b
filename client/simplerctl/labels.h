// Labels of captures on the command line.
#pragma once

#include <string>
#include <vector>

#include "CLI/App.hpp"
#include "google/protobuf/map.h"

namespace simpler::simplerctl {

// Adds --label KEY=VALUE, which may be repeated. `labels` must outlive the parse.
void AddLabelOption(CLI::App* command, const std::string& description,
                    std::vector<std::string>* labels);

// Of options that were checked by parsing.
google::protobuf::Map<std::string, std::string> LabelsOf(const std::vector<std::string>& labels);

}  // namespace simpler::simplerctl
