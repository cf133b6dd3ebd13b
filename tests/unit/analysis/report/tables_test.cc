#include "analysis/report/csv_writer.h"
#include "analysis/report/text_table.h"
#include "gtest/gtest.h"

namespace simpler::report {
namespace {

TEST(TextTableTest, AlignsColumnsAndEndsLinesAtTheirText) {
  TextTable table({{"Name", TextTable::Align::kLeft}, {"n"}, {"Note", TextTable::Align::kLeft}});
  table.AddRow({"a", "100", ""});
  table.AddRule();
  table.AddRow({"longer", "7", "x"});
  EXPECT_EQ(table.Render(1),
            " Name      n  Note\n"
            " -----------------\n"
            " a       100\n"
            " -----------------\n"
            " longer    7  x\n");
}

TEST(TextTableTest, CountsCodePointsNotBytes) {
  TextTable table({{"µ"}, {"b"}});
  table.AddRow({"µµµ", "1"});
  EXPECT_EQ(table.Render(0),
            "  µ  b\n"
            "------\n"
            "µµµ  1\n");
}

TEST(TextTableTest, WithoutRowsThereIsNothing) { EXPECT_EQ(TextTable({{"a"}}).Render(2), ""); }

TEST(CsvWriterTest, QuotesOnlyWhatNeedsIt) {
  EXPECT_EQ(CsvLine({"plain", "a,b", "say \"hi\"", "two\nlines", ""}),
            "plain,\"a,b\",\"say \"\"hi\"\"\",\"two\nlines\",\n");
}

TEST(CsvWriterTest, NumbersReadBackAsTheSameDouble) {
  EXPECT_EQ(CsvNumber(0.1 + 0.2), "0.30000000000000004");
  EXPECT_EQ(CsvNumber(5), "5");
}

}  // namespace
}  // namespace simpler::report
