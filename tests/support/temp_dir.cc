#include "tests/support/temp_dir.h"

#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <system_error>

namespace simpler::support {

TempDir::TempDir() {
  std::string pattern = std::filesystem::temp_directory_path() / "simpler_test_XXXXXX";
  if (mkdtemp(pattern.data()) == nullptr) {
    throw std::filesystem::filesystem_error("cannot create a temporary directory", pattern,
                                            std::error_code(errno, std::generic_category()));
  }
  path_ = pattern;
}

TempDir::~TempDir() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::string TempDir::Write(const std::filesystem::path& name, const std::string& text) const {
  const std::filesystem::path path = path_ / name;
  std::filesystem::create_directories(path.parent_path());
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (!file) {
    throw std::filesystem::filesystem_error("cannot write a test file", path,
                                            std::make_error_code(std::errc::io_error));
  }
  return path;
}

}  // namespace simpler::support
