#include "tests/integration/simplerctl_fixture.h"

#include <algorithm>
#include <fstream>
#include <iterator>

#include "tests/support/test_data.h"

namespace simpler::integration {

namespace fs = std::filesystem;

std::string SmallRecords() {
  return R"({
  "chip_swimlane_level": 4,
  "metadata": {"clock_freq_hz": 1000000, "num_cores": 2, "core_types": ["aic", "aiv"],
               "core_to_thread": [0, 0]},
  "aicore_tasks": [[0, 1, 1, 1010, 1100, 2], [1, 2, 1, 1210, 1300, 2]],
  "scheduler_tasks": {"schema_version": 1, "producer": "aicpu",
                      "records": [[0, 1, 1000, 1110], [1, 1, 1200, 1310]]},
  "scheduler_records": {"schema_version": 1, "streams": [
    {"platform": "a2a3", "runtime": "tensormap_and_ringbuffer", "producer": "aicpu",
     "scheduler_id": 0, "worker_id": 0, "core_type": "aicpu", "physical_core_id": null,
     "capture": {"committed": 1, "dropped": 0, "truncated": false},
     "records": [{"start_cycles": 1190, "end_cycles": 1200, "loop_iter": 3, "kind": "dispatch",
                  "tasks_processed": 1, "task_id": null}],
     "metrics": [{"record_index": 0, "pop_hit": 1, "pop_miss": 2}]}]},
  "aicpu_orchestrator_phases": [[
    {"submit_idx": 0, "task_id": 1, "start_cycles": 990, "end_cycles": 995},
    {"submit_idx": 1, "task_id": 2, "start_cycles": 995, "end_cycles": 998}]]
})";
}

std::string SmallDeps() {
  return R"({"tasks": [{"task_id": "1", "kernel_ids": [0, -1, -1], "block_num": 1},
           {"task_id": "2", "kernel_ids": [-1, 1, -1], "block_num": 1}],
 "edges": [{"pred": "1", "succ": "2"}]})";
}

std::string Replace(std::string text, const std::string& from, const std::string& to) {
  const size_t at = text.find(from);
  if (at == std::string::npos) {
    ADD_FAILURE() << "the text holds no " << from;
    return text;
  }
  return text.replace(at, from.size(), to);
}

std::string DataDirectory(const std::string& capture) {
  return support::TestDataPath("captures/" + capture);
}

std::vector<std::string> DataCaptures() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(support::TestDataPath("captures"))) {
    names.push_back(entry.path().filename());
  }
  std::sort(names.begin(), names.end());
  return names;
}

support::ProgramResult SimplerctlTest::Run(const std::vector<std::string>& arguments) const {
  std::vector<std::string> argv = {SIMPLERCTL_PATH};
  argv.insert(argv.end(), arguments.begin(), arguments.end());
  return support::RunProgram(argv, {.working_directory = scratch_.path()});
}

std::string SimplerctlTest::Read(const std::string& name) const {
  std::ifstream file(Path(name), std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<std::string> SimplerctlTest::FilesBelow(const std::string& directory) const {
  const fs::path root = scratch_.path() / directory;
  std::vector<std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    if (!entry.is_directory()) files.push_back(entry.path().lexically_relative(root));
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace simpler::integration
