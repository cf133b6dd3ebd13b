#include "analysis/formats/input_discovery.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "fmt/ranges.h"

namespace simpler::formats {
namespace {

namespace fs = std::filesystem;

// Newest layout first; the last one is only found to be refused by name.
constexpr std::array kRecordsNames = {"chip_swimlane_records.json", "l2_swimlane_records.json",
                                      "l2_perf_records.json"};

bool Exists(const fs::path& path) {
  std::error_code error;
  return fs::exists(path, error);
}

bool IsDirectory(const fs::path& path) {
  std::error_code error;
  return fs::is_directory(path, error);
}

bool IsRecordsName(const std::string& name) {
  return std::find(kRecordsNames.begin(), kRecordsNames.end(), name) != kRecordsNames.end();
}

bool IsNameMapName(const std::string& name) {
  return name.rfind("name_map", 0) == 0 && fs::path(name).extension() == ".json";
}

absl::StatusOr<std::string> RecordsIn(const fs::path& directory) {
  for (const char* name : kRecordsNames) {
    if (Exists(directory / name)) return (directory / name).string();
  }
  return absl::NotFoundError(
      fmt::format("{}: holds no {}; name the directory of one capture or its records file",
                  directory.string(), kRecordsNames.front()));
}

// Directories that cannot be entered are passed over.
absl::StatusOr<std::string> NewestRecordsBelow(const std::string& outputs) {
  std::optional<std::pair<fs::file_time_type, std::string>> newest;
  std::error_code error;
  fs::recursive_directory_iterator it(outputs, fs::directory_options::skip_permission_denied,
                                      error);
  for (; !error && it != fs::recursive_directory_iterator(); it.increment(error)) {
    if (!IsRecordsName(it->path().filename().string())) continue;
    std::error_code vanished;
    const fs::file_time_type time = it->last_write_time(vanished);
    if (vanished) continue;
    std::pair candidate(time, it->path().string());
    if (!newest || candidate > *newest) newest = std::move(candidate);
  }
  if (newest) return newest->second;
  return absl::NotFoundError(
      fmt::format("no {} below {}; record a capture there or name a records file",
                  kRecordsNames.front(), outputs));
}

absl::StatusOr<std::string> FindRecords(const InputRequest& request) {
  if (!request.path) return NewestRecordsBelow(request.outputs);
  if (IsDirectory(*request.path)) return RecordsIn(*request.path);
  if (Exists(*request.path)) return *request.path;
  return absl::NotFoundError(fmt::format(
      "{}: does not exist; name a records file or the directory of a capture", *request.path));
}

absl::Status CheckNamed(const std::optional<std::string>& path, const char* what,
                        const char* sibling) {
  if (!path || Exists(*path)) return absl::OkStatus();
  return absl::NotFoundError(
      fmt::format("{}: the {} does not exist; correct the path or leave it out to use the {} "
                  "beside the records",
                  *path, what, sibling));
}

std::optional<std::string> Sibling(const fs::path& directory, const char* name) {
  if (!Exists(directory / name)) return std::nullopt;
  return (directory / name).string();
}

// Ascending file names.
std::vector<std::string> NameMapsIn(const fs::path& directory) {
  std::vector<std::string> names;
  std::error_code error;
  fs::directory_iterator it(directory.empty() ? fs::path(".") : directory, error);
  for (; !error && it != fs::directory_iterator(); it.increment(error)) {
    std::string name = it->path().filename().string();
    if (IsNameMapName(name)) names.push_back(std::move(name));
  }
  std::sort(names.begin(), names.end());
  return names;
}

void ChooseNameMap(const fs::path& directory, InputPaths& paths) {
  const std::vector<std::string> names = NameMapsIn(directory);
  if (names.size() == 1) {
    paths.name_map = (directory / names.front()).string();
  } else if (names.size() > 1) {
    paths.warnings.push_back(
        {"name_map_ambiguous",
         fmt::format("{}: several name maps ({}), none is used; name one of them to see function "
                     "names",
                     directory.empty() ? "." : directory.string(), fmt::join(names, ", ")),
         names.size()});
  }
}

}  // namespace

absl::StatusOr<InputPaths> DiscoverInputs(const InputRequest& request) {
  absl::StatusOr<std::string> records = FindRecords(request);
  if (!records.ok()) return records.status();
  if (absl::Status status = CheckNamed(request.deps, "task graph", "deps.json"); !status.ok()) {
    return status;
  }
  if (absl::Status status = CheckNamed(request.name_map, "name map", "name_map*.json");
      !status.ok()) {
    return status;
  }

  InputPaths paths;
  paths.records = *records;
  const fs::path directory = fs::path(paths.records).parent_path();
  paths.deps = request.deps ? request.deps : Sibling(directory, "deps.json");
  paths.identity = Sibling(directory, "dispatch_identity.json");
  if (request.name_map) {
    paths.name_map = request.name_map;
  } else {
    ChooseNameMap(directory, paths);
  }
  return paths;
}

}  // namespace simpler::formats
