#include "client/simplerctl/labels.h"

namespace simpler::simplerctl {
namespace {

std::string CheckLabel(const std::string& label) {
  const size_t equals = label.find('=');
  if (equals != std::string::npos && equals > 0) return {};
  return '\'' + label + "': a label is KEY=VALUE";
}

}  // namespace

void AddLabelOption(CLI::App* command, const std::string& description,
                    std::vector<std::string>* labels) {
  command->add_option("--label", *labels, description)
      ->check(CheckLabel)
      ->allow_extra_args(false)  // each takes one: what follows is not a label
      ->take_all();
}

google::protobuf::Map<std::string, std::string> LabelsOf(const std::vector<std::string>& labels) {
  google::protobuf::Map<std::string, std::string> map;
  for (const std::string& label : labels) {
    const size_t equals = label.find('=');
    map[label.substr(0, equals)] = label.substr(equals + 1);
  }
  return map;
}

}  // namespace simpler::simplerctl
