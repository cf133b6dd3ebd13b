#include "client/simplerctl/output.h"

#include <unistd.h>

#include <cstdio>

namespace simpler::simplerctl {

absl::StatusOr<std::unique_ptr<timeline::ByteSink>> OpenOutput(const std::string& path) {
  if (path == kStandardOutput) {
    return std::make_unique<timeline::FdSink>(STDOUT_FILENO, "standard output");
  }
  absl::StatusOr<std::unique_ptr<timeline::FileSink>> file = timeline::FileSink::Create(path);
  if (!file.ok()) return file.status();
  return *std::move(file);
}

absl::Status WriteOutput(const std::optional<std::string>& path, const std::string& text) {
  absl::StatusOr<std::unique_ptr<timeline::ByteSink>> sink =
      OpenOutput(path.value_or(kStandardOutput));
  if (!sink.ok()) return sink.status();
  if (absl::Status status = (*sink)->Append(text); !status.ok()) return status;
  return (*sink)->Commit();
}

void Note(std::string text) {
  if (!text.ends_with('\n')) text += '\n';
  std::fputs(text.c_str(), stderr);
}

}  // namespace simpler::simplerctl
