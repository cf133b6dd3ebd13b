#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "analysis/archive/archive_reader.h"
#include "analysis/formats/deps_writer.h"
#include "analysis/formats/dispatch_identity_writer.h"
#include "analysis/formats/name_map_writer.h"
#include "analysis/formats/records_writer.h"
#include "client/simplerctl/archive_name.h"
#include "client/simplerctl/commands.h"
#include "client/simplerctl/output.h"
#include "client/simplerctl/sink_buffer.h"
#include "fmt/format.h"
#include "fmt/ranges.h"

namespace simpler::simplerctl {
namespace {

namespace fs = std::filesystem;
using capture::CaptureBundle;
using timeline::FileSink;

struct UnpackOptions {
  std::string archive;
  std::optional<std::string> directory;
  bool force = false;
};

// A file of a capture and how to write it; without `write` the archive has no such part.
struct Part {
  const char* name;
  std::function<absl::Status(std::ostream&)> write;
};

absl::Status WriteText(const std::string& text, std::ostream& out) {
  out << text;
  return out.good() ? absl::OkStatus() : absl::DataLossError("cannot write the whole file");
}

std::vector<Part> PartsOf(const CaptureBundle& bundle) {
  std::vector<Part> parts = {
      {"chip_swimlane_records.json",
       [&bundle](std::ostream& out) { return formats::WriteRecords(bundle.capture, out); }},
      {"deps.json", nullptr},
      {"name_map.json", nullptr},
      {"dispatch_identity.json", nullptr}};
  if (bundle.graph) {
    parts[1].write = [&bundle](std::ostream& out) {
      return formats::WriteDeps(*bundle.graph, out);
    };
  }
  if (bundle.names) {
    parts[2].write = [&bundle](std::ostream& out) {
      return WriteText(formats::WriteNameMap(*bundle.names), out);
    };
  }
  if (bundle.dispatch_identity) {
    parts[3].write = [&bundle](std::ostream& out) {
      return WriteText(formats::WriteDispatchIdentity(*bundle.dispatch_identity), out);
    };
  }
  return parts;
}

// Without --force nothing in the directory may be mistaken for a part of the capture.
absl::Status CheckDirectory(const fs::path& directory, bool force) {
  std::error_code error;
  if (force || !fs::exists(directory, error) || fs::is_empty(directory, error)) {
    return absl::OkStatus();
  }
  return absl::AlreadyExistsError(
      fmt::format("{}: is not empty; choose another directory with -o, or replace the capture in "
                  "it with --force",
                  directory.string()));
}

absl::StatusOr<std::unique_ptr<FileSink>> WritePart(const Part& part, const fs::path& directory) {
  absl::StatusOr<std::unique_ptr<FileSink>> sink = FileSink::Create(directory / part.name);
  if (!sink.ok()) return sink;
  SinkBuffer buffer(sink->get());
  std::ostream stream(&buffer);
  const absl::Status written = part.write(stream);
  // The sink knows better than the stream why it failed.
  if (absl::Status status = (*sink)->Append(""); !status.ok()) return status;
  if (!written.ok()) return written;
  return sink;
}

// All parts or none: no file is committed before every file is complete. What an earlier capture
// left there and this one does not have is removed last.
absl::Status WriteParts(const std::vector<Part>& parts, const fs::path& directory) {
  std::vector<std::unique_ptr<FileSink>> sinks;
  for (const Part& part : parts) {
    if (!part.write) continue;
    absl::StatusOr<std::unique_ptr<FileSink>> sink = WritePart(part, directory);
    if (!sink.ok()) return sink.status();
    sinks.push_back(*std::move(sink));
  }
  for (const std::unique_ptr<FileSink>& sink : sinks) {
    if (absl::Status status = sink->Commit(); !status.ok()) return status;
  }
  for (const Part& part : parts) {
    std::error_code error;
    if (!part.write) fs::remove(directory / part.name, error);
    if (error) return absl::InternalError(fmt::format("{}: {}", part.name, error.message()));
  }
  return absl::OkStatus();
}

absl::Status CreateAndWrite(const std::vector<Part>& parts, const fs::path& directory) {
  std::error_code error;
  const bool created = fs::create_directories(directory, error);
  if (error) {
    return absl::FailedPreconditionError(
        fmt::format("{}: cannot create the directory: {}; choose another with -o",
                    directory.string(), error.message()));
  }
  absl::Status status = WriteParts(parts, directory);
  if (!status.ok() && created) fs::remove(directory, error);
  return status;
}

// Readers want a dispatch identity in the directories that it names.
void NotePlaceOfIdentity(const CaptureBundle& bundle, const fs::path& directory) {
  if (!bundle.dispatch_identity) return;
  const std::string place = fmt::format("rank{}/d{}", bundle.dispatch_identity->chip_rank,
                                        bundle.dispatch_identity->local_capture_index);
  std::error_code error;
  if (fs::weakly_canonical(directory, error).string().ends_with('/' + place)) return;
  Note(
      fmt::format("dispatch_identity.json belongs into a directory {}; move {} there before "
                  "packing it again",
                  place, directory.string()));
}

absl::StatusOr<ExitCode> Run(const UnpackOptions& options) {
  const fs::path directory = options.directory.value_or(ArchiveLabel(options.archive));
  if (absl::Status status = CheckDirectory(directory, options.force); !status.ok()) return status;
  absl::StatusOr<CaptureBundle> bundle = archive::ReadArchive(options.archive);
  if (!bundle.ok()) return bundle.status();
  const std::vector<Part> parts = PartsOf(*bundle);
  if (absl::Status status = CreateAndWrite(parts, directory); !status.ok()) return status;
  std::vector<std::string> names;
  for (const Part& part : parts) {
    if (part.write) names.push_back(part.name);
  }
  Note(fmt::format("Written to {}: {}", directory.string(), fmt::join(names, ", ")));
  NotePlaceOfIdentity(*bundle, directory);
  return ExitCode::kOk;
}

}  // namespace

void AddUnpackCommand(const CommandLine& line) {
  CLI::App* command =
      line.app->add_subcommand("unpack", "Turn an archive into the files of a capture");
  auto options = std::make_shared<UnpackOptions>();
  command->add_option("archive", options->archive, "Archive")->required();
  command
      ->add_option("-o,--output", options->directory,
                   "Directory, created when missing (default: the archive's name without .simpler, "
                   "in the current directory)")
      ->group("Output");
  command
      ->add_flag("--force", options->force, "Replace the capture that the directory holds already")
      ->group("Output");
  command->footer(
      "Examples:\n"
      "  simplerctl unpack run.simpler\n"
      "  simplerctl unpack run.simpler -o outputs/run");
  command->callback(
      [options, action = line.action] { *action = [options] { return Run(*options); }; });
}

}  // namespace simpler::simplerctl
