#include "collector/transport/memory_object.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

namespace simpler::transport {
namespace {

using testing::HasSubstr;

TEST(MemoryObjectTest, HoldsWholePagesOfZerosThatTakeNoMemory) {
  const absl::StatusOr<MemoryObject> object = MemoryObject::Create(uint64_t{1} << 36);
  ASSERT_TRUE(object.ok()) << object.status();
  const absl::StatusOr<Mapping> mapping = Mapping::Create(*object);
  ASSERT_TRUE(mapping.ok()) << mapping.status();
  EXPECT_EQ(mapping->data()[(uint64_t{1} << 36) - 1], std::byte{0});
  struct stat status {};
  ASSERT_EQ(fstat(object->fd(), &status), 0);
  EXPECT_LT(status.st_blocks * 512, 1 << 22);
}

// A peer that could shrink it would kill whoever has it mapped.
TEST(MemoryObjectTest, NobodyCanChangeItsSizeOrItsSeals) {
  const MemoryObject object = MemoryObject::Create(100).value();
  EXPECT_EQ(object.size() % static_cast<uint64_t>(sysconf(_SC_PAGESIZE)), 0u);
  for (const off_t size : {off_t{0}, off_t{1} << 30}) {
    EXPECT_EQ(ftruncate(object.fd(), size), -1);
    EXPECT_EQ(errno, EPERM);
  }
  EXPECT_EQ(fcntl(object.fd(), F_ADD_SEALS, F_SEAL_WRITE), -1);
}

TEST(MemoryObjectTest, TheOtherSideSeesTheSameBytes) {
  const MemoryObject object = MemoryObject::Create(4096).value();
  const absl::StatusOr<MemoryObject> other = MemoryObject::Adopt(dup(object.fd()));
  ASSERT_TRUE(other.ok()) << other.status();
  EXPECT_EQ(other->size(), object.size());
  const Mapping here = Mapping::Create(object).value();
  const Mapping there = Mapping::Create(*other).value();
  EXPECT_NE(here.data(), there.data());
  here.data()[7] = std::byte{42};
  EXPECT_EQ(there.data()[7], std::byte{42});
}

TEST(MemoryObjectTest, UnusableSizesAreRefused) {
  for (const uint64_t bytes : {uint64_t{0}, ~uint64_t{0}}) {
    EXPECT_EQ(MemoryObject::Create(bytes).status().code(), absl::StatusCode::kInvalidArgument);
  }
}

TEST(MemoryObjectTest, DescriptorsThatCouldShrinkAreRefusedAndClosed) {
  int pipe_ends[2];
  ASSERT_EQ(pipe(pipe_ends), 0);
  close(pipe_ends[1]);
  const int unsealed = memfd_create("unsealed", MFD_ALLOW_SEALING);
  for (const int fd : {pipe_ends[0], unsealed}) {
    const absl::Status status = MemoryObject::Adopt(fd).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(std::string(status.message()), HasSubstr("sealed"));
    EXPECT_EQ(fcntl(fd, F_GETFD), -1) << "still open";
  }
  EXPECT_FALSE(MemoryObject::Adopt(-1).ok());
}

}  // namespace
}  // namespace simpler::transport
