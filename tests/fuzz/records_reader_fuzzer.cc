// Any bytes are either refused with a message or give a capture whose runs join, and which is the
// same after it was written and read again.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "analysis/capture/joined_run.h"
#include "analysis/formats/records_reader.h"
#include "analysis/formats/records_writer.h"
#include "tests/support/capture_dump.h"

namespace simpler::formats {
namespace {

using capture::Capture;
using support::DumpCapture;

void Require(bool condition, const std::string& what) {
  if (condition) return;
  std::fprintf(stderr, "%s\n", what.c_str());
  std::abort();
}

absl::StatusOr<Capture> Parse(std::string_view text) {
  return ParseRecords(JsonFile::FromText(text, "fuzz"));
}

Capture Rewrite(const Capture& capture) {
  const std::string text = WriteRecords(capture);
  absl::StatusOr<Capture> again = Parse(text);
  Require(again.ok(), again.status().ToString() + "\n" + text);
  return *std::move(again);
}

void Check(std::string_view text) {
  const absl::StatusOr<Capture> capture = Parse(text);
  if (!capture.ok()) {
    Require(!capture.status().message().empty(), "refused without a message");
    return;
  }
  for (size_t run = 0; run < capture->runs.size(); ++run) {
    const auto joined = capture::JoinedRun::Join(*capture, run);
    Require(joined.ok(), joined.status().ToString());
  }
  // The first rewriting may settle what the archived layout leaves open.
  const Capture settled = Rewrite(*capture);
  const std::string before = DumpCapture(settled);
  const std::string after = DumpCapture(Rewrite(settled));
  Require(before == after, "changed by rewriting:\n" + before + "\nto\n" + after);
}

}  // namespace
}  // namespace simpler::formats

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  simpler::formats::Check({reinterpret_cast<const char*>(data), size});
  return 0;
}
