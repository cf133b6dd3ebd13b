#include "client/simplerctl/output.h"

#include <unistd.h>

#include <cstdio>
#include <memory>

#include "absl/status/statusor.h"
#include "analysis/timeline/byte_sink.h"

namespace simpler::simplerctl {
namespace {

absl::Status WriteAll(const std::string& text, timeline::ByteSink* sink) {
  if (absl::Status status = sink->Append(text); !status.ok()) return status;
  return sink->Commit();
}

}  // namespace

absl::Status WriteOutput(const std::optional<std::string>& path, const std::string& text) {
  if (!path || *path == "-") {
    timeline::FdSink sink(STDOUT_FILENO, "standard output");
    return WriteAll(text, &sink);
  }
  absl::StatusOr<std::unique_ptr<timeline::FileSink>> sink = timeline::FileSink::Create(*path);
  if (!sink.ok()) return sink.status();
  return WriteAll(text, sink->get());
}

void Note(std::string text) {
  if (!text.ends_with('\n')) text += '\n';
  std::fputs(text.c_str(), stderr);
}

}  // namespace simpler::simplerctl
