// A scratch directory and the real simplerctl, for tests of whole commands.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tests/support/run_program.h"
#include "tests/support/temp_dir.h"

namespace simpler::integration {

// A valid capture of two dependent tasks at level 4, in the current layout. Tests break it by
// replacing parts of the text.
std::string SmallRecords();
// Its task graph: 1 -> 2.
std::string SmallDeps();

// `text` with the first occurrence of `from` replaced; fails the test when there is none.
std::string Replace(std::string text, const std::string& from, const std::string& to);

// A capture below tests/data/captures.
std::string DataDirectory(const std::string& capture);

// The names of all captures there, sorted.
std::vector<std::string> DataCaptures();

class SimplerctlTest : public ::testing::Test {
 protected:
  // Runs simplerctl with the scratch directory as working directory.
  support::ProgramResult Run(const std::vector<std::string>& arguments) const;

  // Writes a file below the scratch directory, creating its folders. Returns its path.
  std::string Write(const std::string& name, const std::string& content) const {
    return scratch_.Write(name, content);
  }
  std::string Path(const std::string& name) const { return scratch_.path() / name; }
  std::string Read(const std::string& name) const;
  bool Exists(const std::string& name) const { return std::filesystem::exists(Path(name)); }
  // All files below the scratch directory, relative to it and sorted.
  std::vector<std::string> Files() const { return FilesBelow(""); }
  // The same for a directory in it.
  std::vector<std::string> FilesBelow(const std::string& directory) const;

 private:
  support::TempDir scratch_;
};

}  // namespace simpler::integration
