#include "analysis/report/json_writer.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>

#include "gtest/gtest.h"

namespace simpler::report {
namespace {

template <typename T>
std::string Written(const T& value) {
  JsonWriter json;
  json.Value(value);
  std::string text = json.Take();
  text.pop_back();  // the line end
  return text;
}

TEST(JsonWriterTest, NestsObjectsAndArraysInCallOrder) {
  JsonWriter json;
  json.BeginObject();
  json.Member("z", 1);
  json.Key("a");
  json.BeginArray();
  json.Value("x");
  json.BeginObject();
  json.EndObject();
  json.EndArray();
  json.NullMember("n");
  json.EndObject();
  EXPECT_EQ(json.Take(), R"({
  "z": 1,
  "a": [
    "x",
    {}
  ],
  "n": null
}
)");
}

TEST(JsonWriterTest, DoublesHaveTheirShortestSpelling) {
  EXPECT_EQ(Written(0.1), "0.1");
  EXPECT_EQ(Written(20.900000000000002), "20.900000000000002");
  EXPECT_EQ(Written(3.0), "3");
  EXPECT_EQ(Written(1e300), "1e+300");
}

TEST(JsonWriterTest, WhatIsNoNumberIsNull) {
  EXPECT_EQ(Written(std::nan("")), "null");
  EXPECT_EQ(Written(std::numeric_limits<double>::infinity()), "null");
  EXPECT_EQ(Written(std::optional<double>()), "null");
}

TEST(JsonWriterTest, IntegersAreExact) {
  EXPECT_EQ(Written(UINT64_MAX), "18446744073709551615");
  EXPECT_EQ(Written(INT64_MIN), "-9223372036854775808");
  JsonWriter json;
  json.Id(UINT64_MAX);
  EXPECT_EQ(json.Take(), "\"18446744073709551615\"\n");
}

TEST(JsonWriterTest, BooleansAreNotIntegers) { EXPECT_EQ(Written(true), "true"); }

TEST(JsonWriterTest, EscapesWhatJsonDoesNotAllowInText) {
  EXPECT_EQ(Written("a\"b\\c\n\t\x01"), R"("a\"b\\c\n\t\u0001")");
  EXPECT_EQ(Written("µs"), "\"µs\"");
}

}  // namespace
}  // namespace simpler::report
