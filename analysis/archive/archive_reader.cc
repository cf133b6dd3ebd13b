#include "analysis/archive/archive_reader.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>
#include <vector>

#include "analysis/archive/format.h"
#include "analysis/archive/graph_codec.h"
#include "analysis/archive/header_codec.h"
#include "analysis/archive/host_records.h"
#include "analysis/archive/memory_budget.h"
#include "analysis/archive/phase_blocks.h"
#include "analysis/archive/section_memory.h"
#include "analysis/archive/section_reader.h"
#include "analysis/archive/task_blocks.h"
#include "analysis/archive/text_codec.h"
#include "fmt/format.h"
#include "proto/simpler/archive/v1/archive.pb.h"

namespace simpler::archive {
namespace {

using capture::CaptureBundle;
using capture::DependencyGraph;
using capture::NameMap;
using capture::Run;

// Entries for which memory is reserved because an archive announces them. Beyond, lists grow as
// entries arrive: an announcement costs its writer nothing.
constexpr uint64_t kMaxReservedEntries = uint64_t{1} << 22;

std::string ErrnoText(int error) { return std::strerror(error); }

absl::Status OpenError(const std::string& path, int error) {
  const std::string text = fmt::format("{}: cannot be opened: {}", path, ErrnoText(error));
  if (error == ENOENT || error == ENOTDIR) return absl::NotFoundError(text);
  if (error == EACCES || error == EPERM) return absl::PermissionDeniedError(text);
  return absl::UnknownError(text);
}

class FileDescriptor {
 public:
  explicit FileDescriptor(const std::string& path)
      : fd_(open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}
  ~FileDescriptor() {
    if (fd_ >= 0) close(fd_);
  }
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;

  bool ok() const { return fd_ >= 0; }
  // Bytes read, 0 at the end, -1 with errno on failure.
  ssize_t Read(char* buffer, size_t size) const {
    ssize_t got;
    do {
      got = read(fd_, buffer, size);
    } while (got < 0 && errno == EINTR);
    return got;
  }

 private:
  int fd_;
};

}  // namespace

// Takes sections in order and fills the bundle.
class ArchiveDecoder::State {
 public:
  State(std::string name, const ReadLimits& limits)
      : name_(name),
        budget_(limits.max_bundle_bytes),
        sections_(std::move(name), [this](const Section& section) { return Accept(section); }) {}

  absl::Status Feed(std::string_view bytes) { return sections_.Feed(bytes); }

  absl::StatusOr<CaptureBundle> Finish() {
    if (absl::Status status = sections_.Finish(); !status.ok()) return status;
    if (budget_.exceeded()) return TooLarge();
    if (skipped_ > 0) {
      bundle_.warnings.push_back(
          {"archive_sections_skipped",
           fmt::format("{}: {} section(s) of format version {}.{} are unknown to this program and "
                       "were left out; update it to see them",
                       name_, skipped_, kMajorVersion, sections_.minor_version()),
           skipped_});
    }
    return std::move(bundle_);
  }

  uint64_t bundle_bytes() const { return budget_.taken(); }

 private:
  absl::Status TooLarge() const {
    return absl::ResourceExhaustedError(
        fmt::format("{}: the capture takes {} bytes of memory, more than the allowed {}; raise the "
                    "limit to at least {}, or record fewer tasks",
                    name_, budget_.taken(), budget_.total(), budget_.taken()));
  }

  // Once a capture is known to be too large, its sections are only measured, so that the refusal
  // can say how much it would take.
  absl::Status Accept(const Section& section) {
    const bool measure_only = budget_.exceeded();
    if (measure_only) {
      const absl::StatusOr<uint64_t> bytes = MemoryOfSection(section);
      if (!bytes.ok()) return bytes.status();
      budget_.Take(*bytes);
      return absl::OkStatus();
    }
    absl::Status status = Take(section);
    if (!budget_.exceeded()) return status;
    Release();
    return absl::OkStatus();
  }

  // Gives up what was read.
  void Release() {
    bundle_ = CaptureBundle();
    nodes_ = {};
    edges_ = {};
  }

  // Counts the memory of a message that is about to be decoded.
  template <typename Message>
  absl::Status TakeMemory(const Message& message) {
    return budget_.Take(MemoryOf(message)) ? absl::OkStatus() : TooLarge();
  }

  absl::Status Take(const Section& section) {
    if ((section.index == 0) != (section.type == SectionType::kHeader)) {
      return absl::InvalidArgumentError("the header must be the first section, and only the first");
    }
    switch (section.type) {
      case SectionType::kHeader:
        return TakeHeader(section);
      case SectionType::kOpaqueText:
        return TakeOpaqueText(section);
      case SectionType::kRun:
        return TakeRun(section);
      case SectionType::kSchedulerStream:
        return TakeSchedulerStream(section);
      case SectionType::kAicoreTasks:
        return TakeAicoreTasks(section);
      case SectionType::kSchedulerTasks:
        return TakeSchedulerTasks(section);
      case SectionType::kSchedulerPhases:
        return TakeSchedulerPhases(section);
      case SectionType::kOrchestratorPhases:
        return TakeOrchestratorPhases(section);
      case SectionType::kHostSubmits:
        return TakeHostSubmits(section);
      case SectionType::kHostUploads:
        return TakeHostUploads(section);
      case SectionType::kLifecycle:
        return TakeLifecycle(section);
      case SectionType::kWarnings:
        return TakeWarnings(section);
      case SectionType::kGraph:
        return TakeGraph(section);
      case SectionType::kGraphNodes:
        return TakeGraphNodes(section);
      case SectionType::kGraphEdges:
        return TakeGraphEdges(section);
      case SectionType::kNameMap:
        return TakeNameMap(section);
      case SectionType::kFunctionNames:
        return TakeFunctionNames(section);
      case SectionType::kDispatchIdentity:
        return TakeDispatchIdentity(section);
      case SectionType::kEnd:
        return TakeEnd(section);
    }
    ++skipped_;
    return absl::OkStatus();
  }

  template <typename Message>
  static absl::Status Parse(const Section& section, Message& message) {
    const std::string_view payload = section.payload;
    if (message.ParseFromArray(payload.data(), static_cast<int>(payload.size()))) {
      return absl::OkStatus();
    }
    return absl::InvalidArgumentError("is not a valid message");
  }

  // The run that sections of streams belong to; null when none has begun.
  Run* CurrentRun() {
    return bundle_.capture.runs.empty() ? nullptr : &bundle_.capture.runs.back();
  }

  // Parses a section that belongs to a run.
  template <typename Message>
  absl::Status ParseInRun(const Section& section, Message& message) {
    if (CurrentRun() == nullptr) return absl::InvalidArgumentError("no run has begun");
    return Parse(section, message);
  }

  // Decodes a message of rows after checking that they fit the budget.
  template <typename Message>
  auto DecodeRows(const Message& message) -> decltype(Decode(message)) {
    if (absl::Status status = TakeMemory(message); !status.ok()) return status;
    return Decode(message);
  }

  static absl::Status CheckLane(const char* what, size_t lane, size_t lanes) {
    if (lane < lanes) return absl::OkStatus();
    return absl::InvalidArgumentError(
        fmt::format("belongs to {} {}, but the run has {}", what, lane, lanes));
  }

  static absl::Status CheckOnce(bool seen) {
    return seen ? absl::InvalidArgumentError("occurs twice") : absl::OkStatus();
  }

  absl::Status TakeHeader(const Section& section) {
    v1::Header message;
    absl::Status status = Parse(section, message);
    return status.ok() ? DecodeHeader(message, bundle_) : status;
  }

  absl::Status TakeOpaqueText(const Section& section) {
    v1::OpaqueText message;
    absl::Status status = Parse(section, message);
    if (status.ok()) status = TakeMemory(message);
    return status.ok() ? Decode(message, bundle_.capture) : status;
  }

  absl::Status TakeRun(const Section& section) {
    v1::Run message;
    absl::Status status = Parse(section, message);
    if (!status.ok()) return status;
    if (status = TakeMemory(message); !status.ok()) return status;
    absl::StatusOr<Run> run = DecodeRun(message);
    if (!run.ok()) return run.status();
    bundle_.capture.runs.push_back(*std::move(run));
    return absl::OkStatus();
  }

  absl::Status TakeSchedulerStream(const Section& section) {
    v1::SchedulerStream message;
    absl::Status status = ParseInRun(section, message);
    if (status.ok()) status = TakeMemory(message);
    if (!status.ok()) return status;
    absl::StatusOr<capture::SchedulerStream> stream = DecodeStream(message);
    if (!stream.ok()) return stream.status();
    CurrentRun()->scheduler_streams.push_back(*std::move(stream));
    return absl::OkStatus();
  }

  absl::Status TakeAicoreTasks(const Section& section) {
    absl::Status status = ParseInRun(section, aicore_tasks_);
    if (!status.ok()) return status;
    auto block = DecodeRows(aicore_tasks_);
    if (!block.ok()) return block.status();
    aicore_rows_ += (*block)->size();
    CurrentRun()->aicore_tasks.push_back(*std::move(block));
    return absl::OkStatus();
  }

  absl::Status TakeSchedulerTasks(const Section& section) {
    absl::Status status = ParseInRun(section, scheduler_tasks_);
    if (!status.ok()) return status;
    auto block = DecodeRows(scheduler_tasks_);
    if (!block.ok()) return block.status();
    scheduler_rows_ += (*block)->size();
    CurrentRun()->scheduler_tasks.push_back(*std::move(block));
    return absl::OkStatus();
  }

  absl::Status TakeSchedulerPhases(const Section& section) {
    absl::Status status = ParseInRun(section, phases_);
    if (!status.ok()) return status;
    auto& streams = CurrentRun()->scheduler_streams;
    status = CheckLane("scheduler stream", phases_.stream(), streams.size());
    if (!status.ok()) return status;
    auto block = DecodeRows(phases_);
    if (!block.ok()) return block.status();
    phase_records_ += (*block)->size();
    streams[phases_.stream()].blocks.push_back(*std::move(block));
    return absl::OkStatus();
  }

  absl::Status TakeOrchestratorPhases(const Section& section) {
    absl::Status status = ParseInRun(section, orchestrator_);
    if (!status.ok()) return status;
    auto& lanes = CurrentRun()->orchestrator_lanes;
    status = CheckLane("orchestrator lane", orchestrator_.lane(), lanes.size());
    if (!status.ok()) return status;
    auto block = DecodeRows(orchestrator_);
    if (!block.ok()) return block.status();
    orchestrator_records_ += (*block)->size();
    lanes[orchestrator_.lane()].push_back(*std::move(block));
    return absl::OkStatus();
  }

  // Decodes a message of records and appends them to `list`.
  template <typename Message, typename Record>
  absl::Status AppendRecords(const Message& message, uint64_t& total, std::vector<Record>& list) {
    auto records = DecodeRows(message);
    if (!records.ok()) return records.status();
    total += records->size();
    list.insert(list.end(), std::make_move_iterator(records->begin()),
                std::make_move_iterator(records->end()));
    return absl::OkStatus();
  }

  absl::Status TakeHostSubmits(const Section& section) {
    v1::HostSubmits message;
    absl::Status status = ParseInRun(section, message);
    if (!status.ok()) return status;
    auto& lanes = CurrentRun()->host_submit_lanes;
    status = CheckLane("host lane", message.lane(), lanes.size());
    if (!status.ok()) return status;
    return AppendRecords(message, host_submits_, lanes[message.lane()]);
  }

  absl::Status TakeHostUploads(const Section& section) {
    v1::HostUploads message;
    absl::Status status = ParseInRun(section, message);
    if (!status.ok()) return status;
    return AppendRecords(message, host_uploads_, CurrentRun()->host_uploads);
  }

  absl::Status TakeLifecycle(const Section& section) {
    v1::Lifecycle message;
    absl::Status status = ParseInRun(section, message);
    if (!status.ok()) return status;
    return AppendRecords(message, lifecycle_records_, CurrentRun()->lifecycle);
  }

  absl::Status TakeWarnings(const Section& section) {
    v1::Warnings message;
    absl::Status status = Parse(section, message);
    if (status.ok()) status = TakeMemory(message);
    return status.ok() ? Decode(message, bundle_) : status;
  }

  absl::Status TakeGraph(const Section& section) {
    v1::Graph message;
    absl::Status status = CheckOnce(has_graph_);
    if (status.ok()) status = Parse(section, message);
    if (!status.ok()) return status;
    has_graph_ = true;
    repeated_edges_ = message.repeated_edges();
    nodes_.reserve(std::min(message.nodes(), kMaxReservedEntries));
    edges_.reserve(std::min(message.edges(), kMaxReservedEntries));
    return absl::OkStatus();
  }

  absl::Status TakeGraphNodes(const Section& section) {
    absl::Status status = Parse(section, graph_nodes_);
    if (!status.ok()) return status;
    if (!has_graph_) return absl::InvalidArgumentError("no graph has begun");
    status = TakeMemory(graph_nodes_);
    return status.ok() ? Decode(graph_nodes_, nodes_) : status;
  }

  absl::Status TakeGraphEdges(const Section& section) {
    absl::Status status = Parse(section, graph_edges_);
    if (!status.ok()) return status;
    if (!has_graph_) return absl::InvalidArgumentError("no graph has begun");
    status = TakeMemory(graph_edges_);
    return status.ok() ? Decode(graph_edges_, edges_) : status;
  }

  absl::Status TakeNameMap(const Section& section) {
    v1::NameMap message;
    absl::Status status = CheckOnce(bundle_.names.has_value());
    if (status.ok()) status = Parse(section, message);
    if (!status.ok()) return status;
    NameMap& names = bundle_.names.emplace();
    if (message.has_level()) names.level = message.level();
    if (message.has_orchestrator_name()) names.orchestrator_name = message.orchestrator_name();
    return absl::OkStatus();
  }

  absl::Status TakeFunctionNames(const Section& section) {
    v1::FunctionNames message;
    absl::Status status = Parse(section, message);
    if (!status.ok()) return status;
    if (!bundle_.names) return absl::InvalidArgumentError("no name map has begun");
    status = TakeMemory(message);
    return status.ok() ? Decode(message, bundle_.names->names) : status;
  }

  absl::Status TakeDispatchIdentity(const Section& section) {
    v1::DispatchIdentity message;
    absl::Status status = CheckOnce(bundle_.dispatch_identity.has_value());
    if (status.ok()) status = Parse(section, message);
    if (!status.ok()) return status;
    bundle_.dispatch_identity = DecodeIdentity(message);
    return absl::OkStatus();
  }

  absl::Status TakeEnd(const Section& section) {
    v1::End message;
    absl::Status status = Parse(section, message);
    if (status.ok()) status = CheckEnd(section, message);
    if (status.ok() && has_graph_) status = BuildGraph();
    return status;
  }

  // Whether everything that was written has come, once and in order.
  absl::Status CheckEnd(const Section& section, const v1::End& end) const {
    const uint64_t functions = bundle_.names ? bundle_.names->names.size() : 0;
    const struct {
      const char* what;
      uint64_t written;
      uint64_t read;
    } counts[] = {
        {"sections", end.sections(), section.index},
        {"runs", end.runs(), bundle_.capture.runs.size()},
        {"AICore rows", end.aicore_rows(), aicore_rows_},
        {"scheduler rows", end.scheduler_rows(), scheduler_rows_},
        {"phase records", end.phase_records(), phase_records_},
        {"orchestrator records", end.orchestrator_records(), orchestrator_records_},
        {"host submits", end.host_submits(), host_submits_},
        {"host uploads", end.host_uploads(), host_uploads_},
        {"lifecycle records", end.lifecycle_records(), lifecycle_records_},
        {"graph nodes", end.graph_nodes(), nodes_.size()},
        {"graph edges", end.graph_edges(), edges_.size()},
        {"functions", end.functions(), functions},
    };
    for (const auto& count : counts) {
      if (count.written == count.read) continue;
      return absl::InvalidArgumentError(fmt::format("states {} {}, but {} came before it",
                                                    count.written, count.what, count.read));
    }
    if (end.checksum() != section.preceding_checksum) {
      return absl::InvalidArgumentError("sections were exchanged or replaced");
    }
    if (end.runs() == 0) return absl::InvalidArgumentError("the capture has no run");
    return absl::OkStatus();
  }

  absl::Status BuildGraph() {
    absl::StatusOr<DependencyGraph> graph =
        DependencyGraph::FromParts(std::move(nodes_), std::move(edges_), repeated_edges_);
    if (!graph.ok()) return graph.status();
    bundle_.graph = *std::move(graph);
    return absl::OkStatus();
  }

  const std::string name_;
  MemoryBudget budget_;
  CaptureBundle bundle_;
  uint64_t skipped_ = 0;

  // The graph's parts until the end section confirms them.
  bool has_graph_ = false;
  uint64_t repeated_edges_ = 0;
  std::vector<DependencyGraph::Node> nodes_;
  std::vector<DependencyGraph::Edge> edges_;

  // Records read so far, over all runs.
  uint64_t aicore_rows_ = 0;
  uint64_t scheduler_rows_ = 0;
  uint64_t phase_records_ = 0;
  uint64_t orchestrator_records_ = 0;
  uint64_t host_submits_ = 0;
  uint64_t host_uploads_ = 0;
  uint64_t lifecycle_records_ = 0;

  // Messages of many blocks; reused for the memory of their columns.
  v1::AicoreTasks aicore_tasks_;
  v1::SchedulerTasks scheduler_tasks_;
  v1::SchedulerPhases phases_;
  v1::OrchestratorPhases orchestrator_;
  v1::GraphNodes graph_nodes_;
  v1::GraphEdges graph_edges_;

  SectionReader sections_;
};

ArchiveDecoder::ArchiveDecoder(std::string name, const ReadLimits& limits)
    : state_(std::make_unique<State>(std::move(name), limits)) {}

ArchiveDecoder::~ArchiveDecoder() = default;
ArchiveDecoder::ArchiveDecoder(ArchiveDecoder&&) noexcept = default;
ArchiveDecoder& ArchiveDecoder::operator=(ArchiveDecoder&&) noexcept = default;

absl::Status ArchiveDecoder::Feed(std::string_view bytes) { return state_->Feed(bytes); }

absl::StatusOr<CaptureBundle> ArchiveDecoder::Finish() { return state_->Finish(); }

uint64_t ArchiveDecoder::bundle_bytes() const { return state_->bundle_bytes(); }

absl::StatusOr<CaptureBundle> ReadArchive(const std::string& path, const ReadLimits& limits) {
  constexpr size_t kReadSize = size_t{1} << 20;
  const FileDescriptor file(path);
  if (!file.ok()) return OpenError(path, errno);
  ArchiveDecoder decoder(path, limits);
  std::string buffer(kReadSize, '\0');
  for (;;) {
    const ssize_t got = file.Read(buffer.data(), buffer.size());
    if (got < 0) {
      return absl::UnknownError(fmt::format("{}: cannot be read: {}", path, ErrnoText(errno)));
    }
    if (got == 0) return decoder.Finish();
    absl::Status status =
        decoder.Feed(std::string_view(buffer).substr(0, static_cast<size_t>(got)));
    if (!status.ok()) return status;
  }
}

bool LooksLikeArchive(std::string_view bytes) { return bytes.substr(0, kMagic.size()) == kMagic; }

bool IsArchiveFile(const std::string& path) {
  const FileDescriptor file(path);
  if (!file.ok()) return false;
  char begin[kMagic.size()];
  const ssize_t got = file.Read(begin, sizeof(begin));
  return got > 0 && LooksLikeArchive({begin, static_cast<size_t>(got)});
}

}  // namespace simpler::archive
