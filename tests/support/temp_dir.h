// A directory that lives as long as one test.
#pragma once

#include <filesystem>
#include <string>

namespace simpler::support {

// Created empty below the system's directory for temporary files; removed with all its contents by
// the destructor. Failures throw std::filesystem::filesystem_error, which fails the test.
class TempDir {
 public:
  TempDir();
  ~TempDir();
  TempDir(const TempDir&) = delete;
  TempDir& operator=(const TempDir&) = delete;

  const std::filesystem::path& path() const { return path_; }

  // Writes a file, creating the directories of `name`. Returns its full path.
  std::string Write(const std::filesystem::path& name, const std::string& text) const;

 private:
  std::filesystem::path path_;
};

}  // namespace simpler::support
