#include "analysis/formats/dispatch_identity_writer.h"

#include <gtest/gtest.h>

#include "analysis/formats/dispatch_identity_reader.h"

namespace simpler::formats {
namespace {

using capture::DispatchIdentity;

// The identity after writing and reading, as text.
std::string Rewritten(const DispatchIdentity& identity) {
  const auto read = ParseDispatchIdentity(
      JsonFile::FromText(WriteDispatchIdentity(identity), "x/rank5/d6/dispatch_identity.json"));
  return read.ok() ? WriteDispatchIdentity(*read) : std::string(read.status().message());
}

TEST(DispatchIdentityWriter, WritesWhatTheReaderReads) {
  const DispatchIdentity identity{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, std::string(64, 'a')};
  EXPECT_EQ(Rewritten(identity), WriteDispatchIdentity(identity));
}

TEST(DispatchIdentityWriter, LeavesOutAnUnknownProcess) {
  const DispatchIdentity identity{1, 0, 0, 1, 5, 6, 7, 0, 9, {}, std::string(64, '0')};
  EXPECT_EQ(WriteDispatchIdentity(identity).find("host_pid"), std::string::npos);
  EXPECT_EQ(Rewritten(identity), WriteDispatchIdentity(identity));
}

}  // namespace
}  // namespace simpler::formats
