// Runs the tests, or plays the client that a test kills.
#include <gtest/gtest.h>

#include <string>

namespace simpler::integration {
int ImportAndHang(const std::string& socket, const std::string& file);
}  // namespace simpler::integration

int main(int argc, char** argv) {
  if (argc == 4 && std::string(argv[1]) == "--import-and-hang") {
    return simpler::integration::ImportAndHang(argv[2], argv[3]);
  }
  ::testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
