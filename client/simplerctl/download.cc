#include "client/simplerctl/download.h"

#include <memory>
#include <utility>

#include "client/simplerctl/partial_file.h"
#include "fmt/format.h"

namespace simpler::simplerctl {
namespace {

namespace v1 = profiler::v1;

// The same failure, saying what is left of the fetch.
absl::Status WithPart(const absl::Status& status, const PartialFile* part) {
  if (part == nullptr) return status;
  return {status.code(),
          fmt::format("{}; the first {} bytes are in {}: the same command goes on from there",
                      std::string(status.message()), part->size(), part->path())};
}

// The daemon's bytes are not those of the part, or it cannot have had so many.
bool IsOutdated(const absl::Status& status) {
  return absl::IsFailedPrecondition(status) || absl::IsOutOfRange(status);
}

// Fetches behind what `part` holds; null: from the start. Creates it with the first chunk.
absl::StatusOr<profiler::FetchedTrace> FetchRest(v1::FetchTraceRequest request,
                                                 const std::string& path,
                                                 profiler::ProfilerClient* client,
                                                 std::unique_ptr<PartialFile>* part) {
  if (*part != nullptr) {
    request.set_offset((*part)->size());
    request.set_etag((*part)->tag());
  }
  return client->FetchTrace(request, [&](const v1::TraceChunk& chunk) -> absl::Status {
    if (*part == nullptr) {
      absl::StatusOr<std::unique_ptr<PartialFile>> created =
          PartialFile::Create(path, chunk.etag());
      if (!created.ok()) return created.status();
      *part = *std::move(created);
    }
    return (*part)->Append(chunk.data());
  });
}

}  // namespace

absl::StatusOr<profiler::FetchedTrace> Download(const v1::FetchTraceRequest& request,
                                                const std::string& path,
                                                profiler::ProfilerClient* client) {
  while (true) {
    absl::StatusOr<std::unique_ptr<PartialFile>> part = PartialFile::Find(path);
    if (!part.ok()) return part.status();
    const bool resumed = *part != nullptr;
    const uint64_t before = resumed ? (*part)->size() : 0;
    absl::StatusOr<profiler::FetchedTrace> trace = FetchRest(request, path, client, &*part);
    if (trace.ok()) {
      if (absl::Status status = (*part)->Complete(); !status.ok()) return status;
      return trace;
    }
    const bool outdated = resumed && (*part)->size() == before && IsOutdated(trace.status());
    if (!outdated) return WithPart(trace.status(), part->get());
    if (absl::Status status = (*part)->Discard(); !status.ok()) return status;
  }
}

}  // namespace simpler::simplerctl
