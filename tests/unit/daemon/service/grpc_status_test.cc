#include "daemon/service/grpc_status.h"

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace simpler::daemon {
namespace {

TEST(GrpcStatusTest, CodesAndMessagesStay) {
  for (int code = 1; code <= 16; ++code) {
    const grpc::Status status = ToGrpcStatus(absl::Status(absl::StatusCode(code), "why"));
    EXPECT_EQ(static_cast<int>(status.error_code()), code);
    EXPECT_EQ(status.error_message(), "why");
  }
  EXPECT_TRUE(ToGrpcStatus(absl::OkStatus()).ok());
}

TEST(GrpcStatusTest, CodesHaveTheNamesOfTheirNumbers) {
  EXPECT_EQ(ToGrpcStatus(absl::InvalidArgumentError("")).error_code(),
            grpc::StatusCode::INVALID_ARGUMENT);
  EXPECT_EQ(ToGrpcStatus(absl::NotFoundError("")).error_code(), grpc::StatusCode::NOT_FOUND);
  EXPECT_EQ(ToGrpcStatus(absl::OutOfRangeError("")).error_code(), grpc::StatusCode::OUT_OF_RANGE);
  EXPECT_EQ(ToGrpcStatus(absl::DataLossError("")).error_code(), grpc::StatusCode::DATA_LOSS);
  EXPECT_EQ(ToGrpcStatus(absl::UnimplementedError("")).error_code(),
            grpc::StatusCode::UNIMPLEMENTED);
}

TEST(GrpcStatusTest, LongMessagesAreCutBetweenCharacters) {
  std::string text;
  while (text.size() < 2 * kMaxStatusMessageBytes) text += "µ";
  const std::string odd = ToGrpcStatus(absl::InternalError("x" + text)).error_message();
  const std::string even = ToGrpcStatus(absl::InternalError(text)).error_message();
  for (const std::string& message : {odd, even}) {
    EXPECT_LE(message.size(), kMaxStatusMessageBytes);
    EXPECT_GT(message.size(), kMaxStatusMessageBytes - 4);
    EXPECT_THAT(message, ::testing::EndsWith("\xB5 [...]"));  // the second byte of µ
  }
}

}  // namespace
}  // namespace simpler::daemon
