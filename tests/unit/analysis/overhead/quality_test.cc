#include "analysis/overhead/quality.h"

#include <optional>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/capture_builder.h"
#include "tests/support/prepared_run.h"

namespace simpler::overhead {
namespace {

using capture::PhaseKind;
using support::CaptureBuilder;
using support::PreparedRun;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Quality QualityOf(const CaptureBuilder& builder) {
  const PreparedRun run(builder);
  return AssessQuality(run.inputs, AnalyzeOverhead(run.inputs));
}

CaptureBuilder CleanRun() {
  return CaptureBuilder()
      .Cores({"aic", "aic"})
      .Row(1, 0, {0, 0, 5, 6})
      .Row(2, 0, {7, 8, 9, 10})
      .Edge(1, 2);
}

void ExpectQuality(const CaptureBuilder& builder, QualityClass expected, const char* reason) {
  const Quality quality = QualityOf(builder);
  EXPECT_STREQ(QualityClassName(quality.quality), QualityClassName(expected));
  EXPECT_THAT(quality.reasons, ElementsAre(HasSubstr(reason)));
}

TEST(QualityTest, CleanRunIsOk) {
  const Quality quality = QualityOf(CleanRun());
  EXPECT_STREQ(QualityClassName(quality.quality), "OK");
  EXPECT_THAT(quality.reasons, IsEmpty());
}

TEST(QualityTest, RowsWithoutPartnerAreLosses) {
  CaptureBuilder lost_core = CleanRun();
  lost_core.SchedulerRow(1, 900, 1, 2);
  ExpectQuality(lost_core, QualityClass::kInvalid, "1 dispatched row without AICore record");
  CaptureBuilder lost_scheduler = CleanRun();
  lost_scheduler.Row(3, 1, {.start = 8, .end = 9});
  ExpectQuality(lost_scheduler, QualityClass::kInvalid,
                "1 of 3 AICore rows without scheduler record");
}

TEST(QualityTest, Level1HasNoPartnersToLose) {
  CaptureBuilder builder;
  builder.Level(1).Cores({"aic"}).Row(1, 0, {.start = 0, .end = 5});
  EXPECT_EQ(QualityOf(builder).quality, QualityClass::kOk);
}

TEST(QualityTest, DroppedPhaseRecordsAreLosses) {
  ExpectQuality(CleanRun()
                    .Stream(0, capture::Producer::kAicpu,
                            {.counts = capture::SchedulerStream::CaptureCounts{1, 4, true}})
                    .Phase(0, PhaseKind::kComplete, 5, 6),
                QualityClass::kInvalid, "4 phase records lost in 1 scheduler stream");
}

// One host record, and what the host says about it.
CaptureBuilder WithHostStatus(const std::string& status, std::optional<int64_t> expected,
                              std::optional<int64_t> dropped) {
  CaptureBuilder builder = CleanRun();
  builder.HostSubmit(0, 0, 1, 10, 20);
  capture::HostCaptureStatus& host = builder.metadata().host_capture.emplace();
  host.status = status;
  host.expected_records = expected;
  host.recorded_records = expected;
  host.pool_records = 99;
  host.dropped_records = dropped;
  return builder;
}

TEST(QualityTest, HostCaptureMustBeComplete) {
  EXPECT_EQ(QualityOf(WithHostStatus("complete", 1, 0)).quality, QualityClass::kOk);
  EXPECT_EQ(QualityOf(WithHostStatus("complete", std::nullopt, std::nullopt)).quality,
            QualityClass::kOk);
  ExpectQuality(WithHostStatus("complete", 1, 3), QualityClass::kInvalid, "dropped 3 records");
  ExpectQuality(WithHostStatus("incomplete", 1, 0), QualityClass::kInvalid, "as incomplete");
  ExpectQuality(WithHostStatus("complete", 2, 0), QualityClass::kInvalid,
                "claims 2 orchestration records, the file holds 1");
}

TEST(QualityTest, FewContradictionsAreOutliers) {
  const auto with_skewed_rows = [](int skewed) {
    CaptureBuilder builder(1'000'000'000, 1'000'000'000);
    builder.Cores({"aic"});
    for (int i = 0; i < 200; ++i) {
      const double start = 10.0 * i;
      const double dispatch = i < skewed ? start + 1 : start;
      builder.Row(static_cast<uint64_t>(i) + 1, 0, {dispatch, start, start + 5, start + 6});
    }
    return builder;
  };
  EXPECT_EQ(QualityOf(with_skewed_rows(2)).quality, QualityClass::kOk);
  ExpectQuality(with_skewed_rows(3), QualityClass::kPerturbed,
                "3 of 200 rows were stamped as dispatched after their kernel started (1.5 %)");
}

TEST(QualityTest, EveryKindOfContradictionPerturbs) {
  ExpectQuality(CaptureBuilder().Cores({"aic"}).Row(1, 0, {0, 1, 5, 4}), QualityClass::kPerturbed,
                "finished before their kernel ended");
  ExpectQuality(CaptureBuilder().Cores({"aic"}).Row(1, 0, {0, 1, 5, 6}).Row(2, 0, {0, 3, 8, 9}),
                QualityClass::kPerturbed, "another kernel ran on their core");
  ExpectQuality(CaptureBuilder()
                    .Cores({"aic", "aic"})
                    .Row(1, 0, {0, 1, 5, 6})
                    .Row(2, 1, {0, 3, 8, 9})
                    .Edge(1, 2),
                QualityClass::kPerturbed, "started before their producer ended");
}

TEST(QualityTest, LossesOutweighContradictions) {
  CaptureBuilder builder = CleanRun();
  builder.SchedulerRow(1, 900, 1, 2).Row(3, 1, {0, 1, 5, 4});
  const Quality quality = QualityOf(builder);
  EXPECT_EQ(quality.quality, QualityClass::kInvalid);
  EXPECT_THAT(quality.reasons,
              ElementsAre(HasSubstr("without AICore record"), HasSubstr("finished")));
}

}  // namespace
}  // namespace simpler::overhead
