// What both transports promise.
#include "collector/transport/transport.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <memory>
#include <string>

#include "collector/transport/copy_engine.h"
#include "collector/transport/host_shadow.h"
#include "collector/transport/shared_mapping.h"

namespace simpler::transport {
namespace {

constexpr uint64_t kBytes = 64 << 10;

struct Kind {
  std::string name;
  std::function<std::unique_ptr<Transport>()> create;
};

class TransportTest : public testing::TestWithParam<Kind> {
 protected:
  // The device's view, as another process would have it.
  std::byte* At(uint64_t address) { return device.data() + (address - kDeviceBase); }
  uint32_t* Word(uint64_t address) { return reinterpret_cast<uint32_t*>(At(address)); }

  const std::unique_ptr<Transport> transport = GetParam().create();
  const Mapping device = Mapping::Create(transport->memory()).value();
};

TEST_P(TransportTest, BothSidesSeeTheSameWords) {
  const uint64_t address = transport->Allocate(64).value();
  ASSERT_TRUE(transport->Store(address, uint32_t{7}).ok());
  ASSERT_TRUE(transport->Store(address + 8, uint64_t{1} << 40).ok());
  EXPECT_EQ(*Word(address), 7u);
  EXPECT_EQ(*reinterpret_cast<uint64_t*>(At(address + 8)), uint64_t{1} << 40);
  *Word(address) = 9;
  uint32_t word = 0;
  ASSERT_TRUE(transport->Load(address, &word).ok());
  EXPECT_EQ(word, 9u);
  uint64_t wide = 0;
  ASSERT_TRUE(transport->Load(address + 8, &wide).ok());
  EXPECT_EQ(wide, uint64_t{1} << 40);
}

TEST_P(TransportTest, ManyWordsMoveAtOnce) {
  const uint64_t address = transport->Allocate(256).value();
  std::array<std::byte, 100> bytes{};
  for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(i);
  for (const uint64_t offset : {0U, 4U, 8U}) {
    ASSERT_TRUE(transport->Write(address + offset, bytes).ok());
    EXPECT_TRUE(std::equal(bytes.begin(), bytes.end(), At(address + offset)));
    std::array<std::byte, 101> back{};
    ASSERT_TRUE(
        transport->Read(address + offset, std::span(back).subspan(1)).ok());  // unaligned here
    EXPECT_TRUE(std::equal(bytes.begin(), bytes.end(), back.begin() + 1));
    std::array<std::byte, 100> scratch{};
    const absl::StatusOr<const std::byte*> view = transport->View(address + offset, scratch);
    ASSERT_TRUE(view.ok()) << view.status();
    EXPECT_TRUE(std::equal(bytes.begin(), bytes.end(), *view));
  }
}

TEST_P(TransportTest, AccessesOutsideOrMisalignedTransferNothing) {
  uint32_t word = 5;
  uint64_t wide = 5;
  std::array<std::byte, 8> bytes{};
  const uint64_t end = kDeviceBase + transport->memory().size();
  for (const uint64_t address :
       {uint64_t{0}, uint64_t{64}, kDeviceBase - 4, end, end - 2, ~uint64_t{0}, ~uint64_t{3}}) {
    EXPECT_EQ(transport->Load(address, &word).code(), absl::StatusCode::kOutOfRange) << address;
    EXPECT_EQ(transport->Load(address, &wide).code(), absl::StatusCode::kOutOfRange);
    EXPECT_EQ(transport->Store(address, word).code(), absl::StatusCode::kOutOfRange);
    EXPECT_EQ(transport->Read(address, bytes).code(), absl::StatusCode::kOutOfRange);
    EXPECT_EQ(transport->Write(address, bytes).code(), absl::StatusCode::kOutOfRange);
    EXPECT_EQ(transport->View(address, bytes).status().code(), absl::StatusCode::kOutOfRange);
  }
  EXPECT_EQ(transport->Load(kDeviceBase + 2, &word).code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(transport->Load(kDeviceBase + 4, &wide).code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(transport->Read(kDeviceBase, std::span(bytes).first(3)).code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(word, 5u);
  EXPECT_EQ(wide, 5u);
}

// an address that is used as a pointer must fault, on either side.
TEST_P(TransportTest, A4_DeviceAddressesAreNoPointers) {
  const uint64_t address = transport->Allocate(64).value();
  EXPECT_NE(reinterpret_cast<uint64_t>(device.data()), address);
  // Beyond what a process can have: 47 bits, 56 with five-level tables.
  EXPECT_GT(address, uint64_t{1} << 57);
}

// H-6, H-10
TEST_P(TransportTest, BlocksAreFreedOnceAndUsedAgain) {
  const uint64_t whole = transport->memory().size();
  const uint64_t address = transport->Allocate(whole).value();
  EXPECT_EQ(transport->used_bytes(), whole);
  EXPECT_EQ(transport->Allocate(64).status().code(), absl::StatusCode::kResourceExhausted);
  EXPECT_TRUE(transport->Free(address).ok());
  EXPECT_EQ(transport->Free(address).code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(transport->used_bytes(), 0u);
  EXPECT_EQ(transport->Allocate(64).value(), address);
}

INSTANTIATE_TEST_SUITE_P(
    All, TransportTest,
    testing::Values(Kind{"SharedMapping",
                         [] { return std::unique_ptr<Transport>(*SharedMapping::Create(kBytes)); }},
                    Kind{"HostShadow",
                         [] { return std::unique_ptr<Transport>(*HostShadow::Create(kBytes)); }}),
    [](const auto& kind) { return kind.param.name; });

TEST(SharedMappingTest, ViewsAreInPlace) {
  const std::unique_ptr<SharedMapping> transport = *SharedMapping::Create(kBytes);
  std::array<std::byte, 64> scratch{};
  EXPECT_EQ(transport->View(kDeviceBase + 64, scratch).value(), transport->mapped() + 64);
}

class BrokenEngine final : public CopyEngine {
 public:
  absl::Status FromDevice(std::span<std::byte>, uint64_t) override {
    return absl::UnavailableError("the bus is down");
  }
  absl::Status ToDevice(uint64_t, std::span<const std::byte>) override {
    return absl::UnavailableError("the bus is down");
  }
};

TEST(HostShadowTest, FailuresOfTheCopyEngineAreReported) {
  HostShadow transport(MemoryObject::Create(kBytes).value(), std::make_unique<BrokenEngine>());
  uint32_t word = 0;
  std::array<std::byte, 64> bytes{};
  EXPECT_EQ(transport.Load(kDeviceBase, &word).code(), absl::StatusCode::kUnavailable);
  EXPECT_EQ(transport.Store(kDeviceBase, word).code(), absl::StatusCode::kUnavailable);
  EXPECT_EQ(transport.View(kDeviceBase, bytes).status().code(), absl::StatusCode::kUnavailable);
  EXPECT_EQ(transport.Write(kDeviceBase, bytes).code(), absl::StatusCode::kUnavailable);
}

}  // namespace
}  // namespace simpler::transport
