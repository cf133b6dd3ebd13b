#include "analysis/timeline/perfetto/wire.h"

#include <google/protobuf/io/coded_stream.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>

namespace simpler::timeline::wire {
namespace {

using google::protobuf::io::CodedInputStream;
using google::protobuf::io::CodedOutputStream;

std::string ByProtobuf(uint64_t value) {
  uint8_t bytes[kMaxVarintBytes];
  const uint8_t* end = CodedOutputStream::WriteVarint64ToArray(value, bytes);
  return std::string(bytes, const_cast<uint8_t*>(end));
}

std::string ByUs(uint64_t value) {
  uint8_t bytes[64] = {};
  return std::string(bytes, PutVarint(bytes, value));
}

TEST(WireTest, VarintsMatchProtobufAtEveryLengthBoundary) {
  EXPECT_EQ(ByUs(0), ByProtobuf(0));
  for (int bit = 0; bit < 64; ++bit) {
    const uint64_t power = uint64_t{1} << bit;
    for (uint64_t value : {power - 1, power, power + 1, power | 0x55}) {
      EXPECT_EQ(ByUs(value), ByProtobuf(value)) << value;
    }
  }
  const uint64_t largest = std::numeric_limits<uint64_t>::max();
  EXPECT_EQ(ByUs(largest), ByProtobuf(largest));
  EXPECT_EQ(ByUs(largest).size(), kMaxVarintBytes);
}

TEST(WireTest, TimesAreEncodedLikeAnyVarint) {
  for (uint64_t value = 0; value < 1 << 22; ++value) {
    uint8_t bytes[16] = {};
    const std::string encoded(bytes, PutTimeVarint(bytes, value));
    ASSERT_EQ(encoded, ByUs(value)) << value;
  }
  for (uint64_t value : {uint64_t{1} << 28, uint64_t{1} << 42, ~uint64_t{0}}) {
    uint8_t bytes[16] = {};
    EXPECT_EQ(std::string(bytes, PutTimeVarint(bytes, value)), ByUs(value));
  }
}

TEST(WireTest, Fixed64IsLittleEndian) {
  uint8_t bytes[8];
  EXPECT_EQ(PutFixed64(bytes, 0x0102030405060708), bytes + 8);
  EXPECT_EQ(std::string(bytes, bytes + 8), "\x08\x07\x06\x05\x04\x03\x02\x01");
}

TEST(WireTest, FieldsAboveFifteenHaveTagsOfTwoBytes) {
  uint8_t bytes[16];
  EXPECT_EQ((PutTag<Tag(15, Type::kBytes)>(bytes)), bytes + 1);
  EXPECT_EQ(bytes[0], 15 << 3 | 2);
  EXPECT_EQ((PutTag<Tag(48, Type::kFixed64)>(bytes)), bytes + 2);
  uint32_t tag = 0;
  CodedInputStream(bytes, 2).ReadVarint32(&tag);
  EXPECT_EQ(tag, 48u << 3 | 1u);
}

// A message of `size` bytes, closed with something in front of it and read back.
void ExpectClosedMessage(size_t size) {
  std::string memory(size + 32, '\0');
  auto* begin = reinterpret_cast<uint8_t*>(memory.data());
  *begin = 0x7a;
  uint8_t* length = begin + 1;
  uint8_t* out = length + 1;
  std::string body;
  for (size_t i = 0; i < size; ++i) body.push_back(static_cast<char>(i * 7));
  std::memcpy(out, body.data(), size);
  const uint8_t* end = CloseMessage(length, out + size);

  EXPECT_EQ(*begin, 0x7a);
  CodedInputStream input(length, static_cast<int>(end - length));
  uint32_t read_size = 0;
  std::string read_body;
  ASSERT_TRUE(input.ReadVarint32(&read_size));
  EXPECT_EQ(read_size, size);
  ASSERT_TRUE(input.ReadString(&read_body, static_cast<int>(read_size)));
  EXPECT_EQ(read_body, body);
  EXPECT_EQ(input.BytesUntilTotalBytesLimit(), -1);
  EXPECT_EQ(static_cast<size_t>(end - length), ByProtobuf(size).size() + size);
}

TEST(WireTest, MessageLengthsGrowInPlace) {
  for (size_t size : {0, 1, 126, 127, 128, 129, 16383, 16384, 16385, 2097151, 2097152}) {
    SCOPED_TRACE(size);
    ExpectClosedMessage(size);
  }
}

}  // namespace
}  // namespace simpler::timeline::wire
