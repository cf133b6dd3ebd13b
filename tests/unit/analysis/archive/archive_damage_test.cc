// No archive that was damaged, cut, or put together by someone else is read as a different capture.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analysis/archive/archive_reader.h"
#include "analysis/archive/column_codec.h"
#include "analysis/archive/crc32c.h"
#include "analysis/archive/format.h"
#include "analysis/archive/header_codec.h"
#include "analysis/archive/little_endian.h"
#include "analysis/archive/section_writer.h"
#include "proto/simpler/archive/v1/archive.pb.h"
#include "tests/unit/analysis/archive/sample_bundle.h"

namespace simpler::archive {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

absl::StatusOr<capture::CaptureBundle> Read(std::string_view bytes, const ReadLimits& limits = {}) {
  ArchiveDecoder decoder("test.simpler", limits);
  if (absl::Status status = decoder.Feed(bytes); !status.ok()) return status;
  return decoder.Finish();
}

std::string Refusal(std::string_view bytes) { return std::string(Read(bytes).status().message()); }

// The sections of an archive, with their headers.
std::vector<std::string> SplitSections(std::string_view archive) {
  std::vector<std::string> sections;
  archive.remove_prefix(kFileHeaderSize);
  while (!archive.empty()) {
    const size_t size = kSectionHeaderSize + LoadLittleEndian<uint32_t>(archive.data() + 4);
    sections.emplace_back(archive.substr(0, size));
    archive.remove_prefix(size);
  }
  return sections;
}

std::string JoinSections(std::string_view archive, const std::vector<std::string>& sections) {
  std::string joined(archive.substr(0, kFileHeaderSize));
  for (const std::string& section : sections) joined += section;
  return joined;
}

// Replaces the checksum of a file or section header for the bytes as they now are.
void Reseal(std::string& item) {
  const std::string_view all = item;
  const uint32_t crc =
      item.size() == kFileHeaderSize && all.substr(0, 8) == kMagic
          ? Crc32c(all.substr(0, kChecksumOffset))
          : Crc32c(all.substr(kSectionHeaderSize), Crc32c(all.substr(0, kChecksumOffset)));
  std::memcpy(item.data() + kChecksumOffset, &crc, sizeof(crc));
}

// Puts archives together from messages, with right checksums and, unless told otherwise, a right
// end section.
class Forger {
 public:
  Forger() : sink_(&bytes_), sections_(&sink_) {
    EXPECT_TRUE(sections_.WriteFileHeader().ok());
    header_ = EncodeHeader(EmptyBundle());
  }

  v1::Header& header() { return header_; }
  v1::End& end() { return end_; }

  template <typename Message>
  Forger& Add(SectionType type, const Message& message) {
    return AddBytes(type, message.SerializeAsString());
  }
  Forger& AddBytes(SectionType type, const std::string& payload) {
    if (std::exchange(header_written_, true) == false) {
      EXPECT_TRUE(sections_.WriteSection(SectionType::kHeader, header_.SerializeAsString()).ok());
    }
    EXPECT_TRUE(sections_.WriteSection(type, payload).ok());
    return *this;
  }
  Forger& AddRun() {
    end_.set_runs(end_.runs() + 1);
    return Add(SectionType::kRun, v1::Run());
  }
  std::string Finish() {
    if (!header_written_) AddRun();
    end_.set_sections(sections_.section_count());
    end_.set_checksum(sections_.checksum());
    Add(SectionType::kEnd, end_);
    return bytes_;
  }

 private:
  std::string bytes_;
  timeline::StringSink sink_;
  SectionWriter sections_;
  v1::Header header_;
  v1::End end_;
  bool header_written_ = false;
};

v1::AicoreTasks TaskRows(int64_t start, int64_t duration, uint32_t rows = 1) {
  v1::AicoreTasks message;
  for (v1::Column* column :
       {message.mutable_core_id(), message.mutable_task_id(), message.mutable_reg_task_id(),
        message.mutable_start(), message.mutable_duration()}) {
    column->set_count(rows);
  }
  message.mutable_start()->set_base(static_cast<uint64_t>(start));
  message.mutable_duration()->set_base(static_cast<uint64_t>(duration));
  return message;
}

TEST(ArchiveDamageTest, EveryFlippedByteIsRefused) {
  const std::string bytes = Archive(FullBundle());
  for (const char mask : {'\x01', '\x80', '\xFF'}) {
    for (size_t i = 0; i < bytes.size(); ++i) {
      std::string damaged = bytes;
      damaged[i] = static_cast<char>(damaged[i] ^ mask);
      const auto read = Read(damaged);
      ASSERT_FALSE(read.ok()) << "byte " << i;
      ASSERT_THAT(std::string(read.status().message()),
                  AllOf(HasSubstr("test.simpler: "), HasSubstr("byte "), HasSubstr("; ")));
    }
  }
}

TEST(ArchiveDamageTest, EveryTruncationIsRefused) {
  const std::string bytes = Archive(FullBundle());
  for (size_t size = 0; size < bytes.size(); ++size) {
    const auto read = Read(std::string_view(bytes).substr(0, size));
    ASSERT_FALSE(read.ok()) << "size " << size;
    ASSERT_THAT(std::string(read.status().message()), HasSubstr("the archive ends")) << size;
  }
}

TEST(ArchiveDamageTest, NamesTheSectionAndItsOffset) {
  const std::string bytes = Archive(FullBundle());
  const std::vector<std::string> sections = SplitSections(bytes);
  std::string damaged = bytes;
  const size_t second = kFileHeaderSize + sections[0].size();
  damaged[second + kSectionHeaderSize] ^= 1;
  EXPECT_EQ(Refusal(damaged),
            "test.simpler: section 1 (opaque text) at byte " + std::to_string(second) +
                ": the checksum does not match; the archive is damaged; copy the original again or "
                "pack the capture again");
}

TEST(ArchiveDamageTest, BytesBehindTheEndAreRefused) {
  EXPECT_THAT(Refusal(Archive(EmptyBundle()) + "x"), HasSubstr("bytes follow the end section"));
}

TEST(ArchiveDamageTest, ErrorsStick) {
  ArchiveDecoder decoder("test.simpler");
  const absl::Status first = decoder.Feed("0123456789abcdef");
  EXPECT_FALSE(first.ok());
  EXPECT_EQ(decoder.Feed(Archive(EmptyBundle())), first);
  EXPECT_EQ(decoder.Finish().status(), first);
}

TEST(ArchiveDamageTest, MissingRepeatedAndExchangedSectionsAreRefused) {
  const std::string bytes = Archive(FullBundle());
  const std::vector<std::string> sections = SplitSections(bytes);
  for (size_t i = 0; i < sections.size(); ++i) {
    std::vector<std::string> changed = sections;
    changed.erase(changed.begin() + static_cast<ptrdiff_t>(i));
    EXPECT_FALSE(Read(JoinSections(bytes, changed)).ok()) << "without section " << i;
    changed = sections;
    changed.insert(changed.begin() + static_cast<ptrdiff_t>(i), sections[i]);
    EXPECT_FALSE(Read(JoinSections(bytes, changed)).ok()) << "section " << i << " twice";
    if (i == 0 || sections[i] == sections[i - 1]) continue;
    changed = sections;
    std::swap(changed[i], changed[i - 1]);
    EXPECT_FALSE(Read(JoinSections(bytes, changed)).ok()) << "sections exchanged at " << i;
  }
}

TEST(ArchiveVersionTest, ANewerMajorVersionIsRefusedWithBothNumbers) {
  std::string bytes = Archive(EmptyBundle());
  std::string header = bytes.substr(0, kFileHeaderSize);
  header[8] = 7;
  header[10] = 3;
  Reseal(header);
  const auto read = Read(header + bytes.substr(kFileHeaderSize));
  EXPECT_EQ(read.status().code(), absl::StatusCode::kUnimplemented);
  EXPECT_EQ(read.status().message(),
            "test.simpler: the archive has format version 7.3, this program reads up to version 1; "
            "update it, or unpack the archive with the version that wrote it");
}

TEST(ArchiveVersionTest, ANewerMinorVersionIsReadAndItsSectionsAreCounted) {
  std::string bytes = Forger()
                          .AddRun()
                          .AddBytes(static_cast<SectionType>(99), "from the future")
                          .AddBytes(static_cast<SectionType>(100), "")
                          .Finish();
  std::string header = bytes.substr(0, kFileHeaderSize);
  header[10] = 3;
  Reseal(header);
  const auto read = Read(header + bytes.substr(kFileHeaderSize));
  ASSERT_TRUE(read.ok()) << read.status();
  ASSERT_EQ(read->warnings.size(), 1u);
  EXPECT_EQ(read->warnings[0].code, "archive_sections_skipped");
  EXPECT_EQ(read->warnings[0].count, 2u);
  EXPECT_THAT(read->warnings[0].text, HasSubstr("format version 1.3"));
}

TEST(ArchiveVersionTest, VersionZeroIsRefused) {
  std::string header = Archive(EmptyBundle()).substr(0, kFileHeaderSize);
  header[8] = 0;
  Reseal(header);
  EXPECT_THAT(Refusal(header), HasSubstr("format version 0.0 was never published"));
}

// An archive that ends with one section header of these values.
std::string WithSection(uint8_t codec, uint32_t stored, uint32_t raw, const std::string& payload) {
  std::string section;
  AppendLittleEndian(uint16_t{1}, section);
  AppendLittleEndian(codec, section);
  AppendLittleEndian(uint8_t{0}, section);
  AppendLittleEndian(stored, section);
  AppendLittleEndian(raw, section);
  AppendLittleEndian(uint32_t{0}, section);
  section += payload;
  Reseal(section);
  return Archive(EmptyBundle()).substr(0, kFileHeaderSize) + section;
}

TEST(ArchiveLimitsTest, OversizedSectionsAreRefusedFromTheirHeader) {
  EXPECT_THAT(Refusal(WithSection(0, kMaxSectionBytes + 1, kMaxSectionBytes + 1, "")),
              HasSubstr("declares 16777217 bytes (16777217 stored), more than the allowed"));
  EXPECT_THAT(Refusal(WithSection(1, 10, UINT32_MAX, "")),
              HasSubstr("declares 4294967295 bytes (10 stored), more than the allowed"));
}

TEST(ArchiveLimitsTest, SizesMustFitTheCodec) {
  EXPECT_THAT(Refusal(WithSection(0, 3, 4, "abc")), HasSubstr("declares two sizes"));
  EXPECT_THAT(Refusal(WithSection(1, 3, 4, "abc")), HasSubstr("cannot be decompressed"));
  EXPECT_THAT(Refusal(WithSection(2, 3, 3, "abc")), HasSubstr("unknown coding"));
}

TEST(ArchiveLimitsTest, ADecompressedSizeMustBeTheDeclaredOne) {
  const std::string bytes = Archive(FullBundle());
  std::vector<std::string> sections = SplitSections(bytes);
  size_t changed = 0;
  for (std::string& section : sections) {
    if (section[2] != 1) continue;
    for (int difference : {-1, 1}) {
      std::string other = section;
      other[8] = static_cast<char>(other[8] + difference);
      Reseal(other);
      const std::string archive = bytes.substr(0, kFileHeaderSize) + other;
      EXPECT_THAT(Refusal(archive), HasSubstr("decompress"));
      ++changed;
    }
  }
  EXPECT_GT(changed, 0u);
}

TEST(ArchiveLimitsTest, ASmallArchiveCannotTakeMoreMemoryThanAllowed) {
  Forger forger;
  forger.AddRun();
  for (int i = 0; i < 100; ++i) {
    forger.Add(SectionType::kAicoreTasks, TaskRows(1, 1, kMaxColumnValues));
  }
  forger.end().set_aicore_rows(uint64_t{100} * kMaxColumnValues);
  const std::string bytes = forger.Finish();
  EXPECT_LT(bytes.size(), 10'000u);
  const auto read = Read(bytes, {.max_bundle_bytes = 100 << 20});
  EXPECT_EQ(read.status().code(), absl::StatusCode::kResourceExhausted);
  EXPECT_THAT(std::string(read.status().message()),
              AllOf(HasSubstr("takes 3565158"), HasSubstr("allowed 104857600")));
}

TEST(ArchiveLimitsTest, TheRefusalNamesTheLimitThatFits) {
  const std::string bytes = Archive(FullBundle());
  ArchiveDecoder decoder("the archive");
  ASSERT_TRUE(decoder.Feed(bytes).ok());
  ASSERT_TRUE(decoder.Finish().ok());
  const uint64_t needed = decoder.bundle_bytes();
  EXPECT_TRUE(Read(bytes, {.max_bundle_bytes = needed}).ok());
  for (const uint64_t limit : {needed - 1, needed / 2, uint64_t{1}, uint64_t{0}}) {
    const auto read = Read(bytes, {.max_bundle_bytes = limit});
    EXPECT_EQ(read.status().code(), absl::StatusCode::kResourceExhausted);
    EXPECT_THAT(std::string(read.status().message()),
                HasSubstr("raise the limit to at least " + std::to_string(needed)));
  }
}

TEST(ArchiveLimitsTest, AColumnCannotDeclareMoreValuesThanAllowed) {
  EXPECT_THAT(Refusal(Forger()
                          .AddRun()
                          .Add(SectionType::kAicoreTasks, TaskRows(1, 1, kMaxColumnValues + 1))
                          .Finish()),
              HasSubstr("declares 1048577 values"));
}

TEST(ArchiveLimitsTest, AnnouncedGraphsCostNothing) {
  v1::Graph graph;
  graph.set_nodes(UINT64_MAX);
  graph.set_edges(UINT64_MAX);
  const auto read = Read(Forger().AddRun().Add(SectionType::kGraph, graph).Finish());
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(read->graph->nodes().size(), 0u);
}

TEST(ArchiveContentTest, SectionsMustBeInAnOrderThatMakesSense) {
  EXPECT_THAT(Refusal(Forger().Add(SectionType::kAicoreTasks, TaskRows(1, 1)).Finish()),
              HasSubstr("no run has begun"));
  EXPECT_THAT(Refusal(Forger().AddRun().Add(SectionType::kHeader, v1::Header()).Finish()),
              HasSubstr("the header must be the first section, and only the first"));
  EXPECT_THAT(Refusal(Forger().Add(SectionType::kGraphNodes, v1::GraphNodes()).Finish()),
              HasSubstr("no graph has begun"));
  EXPECT_THAT(Refusal(Forger().Add(SectionType::kGraphEdges, v1::GraphEdges()).Finish()),
              HasSubstr("no graph has begun"));
  EXPECT_THAT(Refusal(Forger().Add(SectionType::kFunctionNames, v1::FunctionNames()).Finish()),
              HasSubstr("no name map has begun"));
  EXPECT_THAT(Refusal(Forger().Add(SectionType::kNameMap, v1::NameMap()).Finish()),
              HasSubstr("the capture has no run"));
}

TEST(ArchiveContentTest, PartsThatExistOnceMustNotComeTwice) {
  const auto twice = [](SectionType type) {
    return Refusal(Forger().AddRun().AddBytes(type, "").AddBytes(type, "").Finish());
  };
  EXPECT_THAT(twice(SectionType::kGraph), HasSubstr("occurs twice"));
  EXPECT_THAT(twice(SectionType::kNameMap), HasSubstr("occurs twice"));
  EXPECT_THAT(twice(SectionType::kDispatchIdentity), HasSubstr("occurs twice"));
}

TEST(ArchiveContentTest, ThePayloadMustBeAMessage) {
  EXPECT_THAT(Refusal(Forger().AddRun().AddBytes(SectionType::kAicoreTasks, "\xFF").Finish()),
              HasSubstr("is not a valid message"));
}

TEST(ArchiveContentTest, LanesMustExist) {
  v1::SchedulerPhases phases;
  phases.set_stream(3);
  EXPECT_THAT(Refusal(Forger().AddRun().Add(SectionType::kSchedulerPhases, phases).Finish()),
              HasSubstr("belongs to scheduler stream 3, but the run has 0"));
  v1::OrchestratorPhases orchestrator;
  EXPECT_THAT(
      Refusal(Forger().AddRun().Add(SectionType::kOrchestratorPhases, orchestrator).Finish()),
      HasSubstr("belongs to orchestrator lane 0, but the run has 0"));
  EXPECT_THAT(Refusal(Forger().AddRun().Add(SectionType::kHostSubmits, v1::HostSubmits()).Finish()),
              HasSubstr("belongs to host lane 0, but the run has 0"));
  v1::Run run;
  run.set_orchestrator_lanes(kMaxColumnValues + 1);
  EXPECT_THAT(Refusal(Forger().Add(SectionType::kRun, run).Finish()),
              HasSubstr("declares 1048577 and 0 lanes"));
}

TEST(ArchiveContentTest, StampsMustBeLegal) {
  const auto refusal = [](int64_t start, int64_t duration) {
    return Refusal(
        Forger().AddRun().Add(SectionType::kAicoreTasks, TaskRows(start, duration)).Finish());
  };
  EXPECT_THAT(refusal(5, -1), HasSubstr("row 0: the interval from 5 to 4"));
  EXPECT_THAT(refusal(-5, 10), HasSubstr("row 0: the interval from -5 to 5"));
  EXPECT_THAT(refusal(INT64_MAX, 1), HasSubstr("row 0: the interval from"));
  EXPECT_THAT(refusal(INT64_MIN, INT64_MIN), HasSubstr("row 0: the interval from"));
}

TEST(ArchiveContentTest, ColumnsMustHaveTheSameLength) {
  v1::AicoreTasks tasks = TaskRows(1, 1, 2);
  tasks.mutable_task_id()->set_count(1);
  EXPECT_THAT(Refusal(Forger().AddRun().Add(SectionType::kAicoreTasks, tasks).Finish()),
              HasSubstr("task_id: holds 1 values where the section has 2 rows"));
}

TEST(ArchiveContentTest, TheHeaderMustHoldLegalValues) {
  const auto refusal = [](const std::function<void(v1::Header&)>& change) {
    Forger forger;
    change(forger.header());
    return Refusal(forger.Finish());
  };
  EXPECT_THAT(refusal([](v1::Header& h) { h.set_level(5); }), HasSubstr("level is 5"));
  EXPECT_THAT(refusal([](v1::Header& h) { h.set_generation(9); }), HasSubstr("generation 9"));
  EXPECT_THAT(refusal([](v1::Header& h) { h.mutable_metadata()->set_clock_freq_hz(0); }),
              HasSubstr("clock_freq_hz is 0"));
  EXPECT_THAT(refusal([](v1::Header& h) { h.set_task_producer(static_cast<v1::Producer>(2)); }),
              HasSubstr("producer 2"));
  EXPECT_THAT(refusal([](v1::Header& h) {
                EncodeColumn(std::vector<uint8_t>{3}, h.mutable_metadata()->mutable_core_types());
              }),
              HasSubstr("core type 3"));
}

TEST(ArchiveContentTest, EnumerationsMustBeKnown) {
  v1::OrchestratorPhases phases;
  EncodeColumn(std::vector<uint8_t>{7}, phases.mutable_kind());
  v1::Run run;
  run.set_orchestrator_lanes(1);
  EXPECT_THAT(Refusal(Forger()
                          .Add(SectionType::kRun, run)
                          .Add(SectionType::kOrchestratorPhases, phases)
                          .Finish()),
              HasSubstr("kind: value 7 has no meaning in this version"));
}

TEST(ArchiveContentTest, LifecycleStampsMustMatchTheirBits) {
  const auto refusal = [](std::vector<uint32_t> present, std::vector<int64_t> stamps) {
    v1::Lifecycle message;
    EncodeColumn(std::vector<uint8_t>(present.size()), message.mutable_thread_known());
    EncodeColumn(std::vector<int32_t>(present.size()), message.mutable_thread_id());
    EncodeColumn(present, message.mutable_present());
    EncodeColumn(stamps, message.mutable_stamps());
    return Refusal(Forger().AddRun().Add(SectionType::kLifecycle, message).Finish());
  };
  EXPECT_THAT(refusal({3}, {1}), HasSubstr("1 values do not match the presence bits"));
  EXPECT_THAT(refusal({1u << 19}, {1}), HasSubstr("do not match the presence bits"));
  EXPECT_THAT(refusal({1}, {-1}), HasSubstr("handshake_start at -1 is negative"));
  EXPECT_THAT(refusal({3}, {5, 4}), HasSubstr("handshake_complete at 4 is negative or precedes"));
}

TEST(ArchiveContentTest, TextsMustBelongToSomething) {
  v1::OpaqueText opaque;
  EncodeColumn(std::vector<uint8_t>{2}, opaque.mutable_flags());
  EncodeTexts({""}, opaque.mutable_key());
  EncodeTexts({"1"}, opaque.mutable_json());
  EXPECT_THAT(Refusal(Forger().AddRun().Add(SectionType::kOpaqueText, opaque).Finish()),
              HasSubstr("row 0 continues a field, but none came before"));
  EncodeTexts({}, opaque.mutable_json());
  EXPECT_THAT(Refusal(Forger().AddRun().Add(SectionType::kOpaqueText, opaque).Finish()),
              HasSubstr("json: 0 texts for 1 rows"));
  v1::FunctionNames names;
  EncodeColumn(std::vector<int32_t>{4, 4}, names.mutable_func_id());
  EncodeTexts({"a", "b"}, names.mutable_name());
  EXPECT_THAT(Refusal(Forger()
                          .AddRun()
                          .Add(SectionType::kNameMap, v1::NameMap())
                          .Add(SectionType::kFunctionNames, names)
                          .Finish()),
              HasSubstr("function id 4 does not follow 4"));
}

// An archive with a graph of these nodes and edges.
std::string WithGraph(const std::vector<uint64_t>& ids, const std::vector<uint32_t>& pred,
                      const std::vector<uint32_t>& distance) {
  v1::GraphNodes nodes;
  EncodeColumn(ids, nodes.mutable_id());
  EncodeColumn(std::vector<uint8_t>(ids.size()), nodes.mutable_flags());
  for (v1::Column* column :
       {nodes.mutable_kernel_ids()->mutable_aic(), nodes.mutable_kernel_ids()->mutable_aiv0(),
        nodes.mutable_kernel_ids()->mutable_aiv1()}) {
    EncodeColumn(std::vector<int32_t>(ids.size(), -1), column);
  }
  EncodeColumn(std::vector<uint32_t>(ids.size(), 1), nodes.mutable_block_num());
  v1::GraphEdges edges;
  EncodeColumn(pred, edges.mutable_pred());
  EncodeColumn(distance, edges.mutable_distance());
  Forger forger;
  forger.end().set_graph_nodes(ids.size());
  forger.end().set_graph_edges(pred.size());
  return forger.AddRun()
      .Add(SectionType::kGraph, v1::Graph())
      .Add(SectionType::kGraphNodes, nodes)
      .Add(SectionType::kGraphEdges, edges)
      .Finish();
}

TEST(ArchiveContentTest, GraphsMustBeGraphs) {
  EXPECT_TRUE(Read(WithGraph({1, 2, 5}, {0, 0, 2}, {1, 2, 0})).ok());
  EXPECT_THAT(Refusal(WithGraph({1, 1}, {}, {})), HasSubstr("node 1 has task id 1"));
  EXPECT_THAT(Refusal(WithGraph({2, 1}, {}, {})), HasSubstr("ids must ascend"));
  EXPECT_THAT(Refusal(WithGraph({1, 2}, {1}, {1})),
              HasSubstr("edge 0 leads from node 1 to node 2, but there are only 2 nodes"));
  EXPECT_THAT(Refusal(WithGraph({1, 2}, {0, 0}, {1, 1})), HasSubstr("1 edges occur twice"));
}

TEST(ArchiveContentTest, TheEndMustCountWhatCame) {
  Forger forger;
  forger.end().set_aicore_rows(1);
  EXPECT_THAT(Refusal(forger.Finish()), HasSubstr("states 1 AICore rows, but 0 came before it"));
}

}  // namespace
}  // namespace simpler::archive
