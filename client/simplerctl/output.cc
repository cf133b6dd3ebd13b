#include "client/simplerctl/output.h"

#include <unistd.h>

#include <cstdio>

#include "fmt/format.h"

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

absl::StatusOr<ExitCode> WriteAnswer(const std::optional<std::string>& path,
                                     const absl::StatusOr<std::string>& document) {
  if (!document.ok()) return document.status();
  if (absl::Status status = WriteOutput(path, *document); !status.ok()) return status;
  return ExitCode::kOk;
}

void Note(std::string text) {
  if (!text.ends_with('\n')) text += '\n';
  std::fputs(text.c_str(), stderr);
}

void NoteArchive(const std::string& path, uint64_t bytes) {
  Note(fmt::format("Archive written to {} ({} bytes)",
                   path == kStandardOutput ? "standard output" : path, bytes));
}

}  // namespace simpler::simplerctl
