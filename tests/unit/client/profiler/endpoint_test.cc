#include "client/profiler/endpoint.h"

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "proto/simpler/profiler/v1/default_endpoint.h"

namespace simpler::profiler {
namespace {

using ::testing::HasSubstr;

std::string ErrorOf(const Endpoint& endpoint) {
  const absl::Status status = CheckEndpoint(endpoint);
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  return std::string(status.message());
}

Endpoint WithSocket(const std::string& socket) {
  Endpoint endpoint;
  endpoint.socket = socket;
  return endpoint;
}

Endpoint WithAddress(const std::string& address) {
  Endpoint endpoint;
  endpoint.address = address;
  return endpoint;
}

TEST(Endpoint, WithoutAnythingIsTheDefaultSocket) {
  EXPECT_EQ(TargetOf({}), "unix:" + DefaultSocketPath());
  EXPECT_TRUE(CheckEndpoint({}).ok());
}

TEST(Endpoint, NamesItsSocketOrAddress) {
  EXPECT_EQ(TargetOf(WithSocket("/run/x.sock")), "unix:/run/x.sock");
  EXPECT_EQ(DisplayName(WithSocket("/run/x.sock")), "unix:/run/x.sock");
  Endpoint both = WithAddress("host:7001");
  both.socket = "/run/x.sock";
  EXPECT_EQ(TargetOf(both), "dns:///host:7001");
  EXPECT_EQ(DisplayName(both), "host:7001");
}

TEST(Endpoint, RefusesSocketsThatNoSystemCallTakes) {
  EXPECT_TRUE(CheckEndpoint(WithSocket(std::string(107, 'x'))).ok());
  EXPECT_THAT(ErrorOf(WithSocket(std::string(108, 'x'))), HasSubstr("107 bytes"));
}

TEST(Endpoint, RefusesAddressesWithoutHostOrPort) {
  for (const std::string address : {"host", "host:", ":7001"}) {
    EXPECT_THAT(ErrorOf(WithAddress(address)), HasSubstr("HOST:PORT")) << address;
  }
  EXPECT_TRUE(CheckEndpoint(WithAddress("[::1]:7001")).ok());
}

TEST(Endpoint, RefusesTlsFilesThatAreOfNoUse) {
  Endpoint endpoint;
  endpoint.tls_ca = "ca.pem";
  EXPECT_THAT(ErrorOf(endpoint), HasSubstr("Unix socket"));
  endpoint.address = "host:7001";
  EXPECT_TRUE(CheckEndpoint(endpoint).ok());
  endpoint.tls_cert = "cert.pem";
  EXPECT_THAT(ErrorOf(endpoint), HasSubstr("key"));
  endpoint.tls_key = "key.pem";
  EXPECT_TRUE(CheckEndpoint(endpoint).ok());
  endpoint.tls_ca.clear();
  EXPECT_THAT(ErrorOf(endpoint), HasSubstr("authority"));
}

}  // namespace
}  // namespace simpler::profiler
