#include "daemon/service/trace_messages.h"

#include <google/protobuf/io/coded_stream.h>
#include <grpcpp/impl/codegen/proto_utils.h>
#include <grpcpp/support/slice.h>

#include <array>
#include <memory>
#include <utility>

#include "analysis/report/trace_summary.h"
#include "fmt/format.h"

namespace simpler::daemon {
namespace {

namespace v1 = profiler::v1;
using google::protobuf::io::CodedOutputStream;

// A slice over the bytes of `chunk`, which it keeps.
grpc::Slice SliceOf(const SpooledTrace::Chunk& chunk) {
  using Owner = std::shared_ptr<const char[]>;
  // gRPC does not write to slices.
  return grpc::Slice(
      const_cast<char*>(chunk.buffer.get()), chunk.size,
      [](void* owner) { delete static_cast<Owner*>(owner); }, new Owner(chunk.buffer));
}

// Tag and length of a `data` field of that size.
std::string DataPrefix(size_t size) {
  constexpr uint32_t kLengthDelimited = 2;
  constexpr uint32_t kTag = (v1::TraceChunk::kDataFieldNumber << 3) | kLengthDelimited;
  std::array<uint8_t, 20> bytes;
  uint8_t* end = CodedOutputStream::WriteVarint32ToArray(kTag, bytes.data());
  end = CodedOutputStream::WriteVarint64ToArray(size, end);
  return {bytes.data(), end};
}

}  // namespace

absl::StatusOr<timeline::TraceRequest> ToTraceRequest(const v1::TraceOptions& options) {
  timeline::TraceRequest request;
  switch (options.format()) {
    case v1::TRACE_FORMAT_PERFETTO:
      request.format = timeline::TraceFormat::kPerfetto;
      break;
    case v1::TRACE_FORMAT_CHROME_JSON:
      request.format = timeline::TraceFormat::kChromeJson;
      break;
    default:
      return absl::InvalidArgumentError(fmt::format(
          "trace format {}: this server knows PERFETTO, CHROME_JSON and ARCHIVE (0 to 2)",
          static_cast<int>(options.format())));
  }
  switch (options.names()) {
    case v1::TASK_NAMING_DEFAULT:
      break;
    case v1::TASK_NAMING_FUNCTION:
      request.naming = timeline::TaskNaming::kFunction;
      break;
    case v1::TASK_NAMING_TASK:
      request.naming = timeline::TaskNaming::kTask;
      break;
    default:
      return absl::InvalidArgumentError(
          fmt::format("task naming {}: this server knows DEFAULT, FUNCTION and TASK (0 to 2)",
                      static_cast<int>(options.names())));
  }
  request.flows = {options.flows().begin(), options.flows().end()};
  request.lanes = {options.lanes().begin(), options.lanes().end()};
  if (options.has_from_us()) request.from_us = options.from_us();
  if (options.has_to_us()) request.to_us = options.to_us();
  request.overhead_counters = options.overhead_counters();
  return request;
}

absl::Status CheckArchiveRequest(const v1::FetchTraceRequest& request) {
  v1::TraceOptions only_format;
  only_format.set_format(v1::TRACE_FORMAT_ARCHIVE);
  if (request.options().ByteSizeLong() != only_format.ByteSizeLong()) {
    return absl::InvalidArgumentError(
        "an archive holds the whole capture: leave every other trace option at its default");
  }
  if (request.summary_format() != v1::DOCUMENT_FORMAT_NONE) {
    return absl::InvalidArgumentError(
        "there is no summary of an archive: leave summary_format at NONE");
  }
  return absl::OkStatus();
}

absl::Status CheckResume(const v1::FetchTraceRequest& request, const SpooledTrace& trace) {
  if (!request.etag().empty() && request.etag() != trace.etag()) {
    return absl::FailedPreconditionError(
        fmt::format("the trace is another one than before (etag {}, was {}): fetch it from offset "
                    "0 without an etag",
                    trace.etag(), request.etag()));
  }
  if (request.offset() > trace.size()) {
    return absl::OutOfRangeError(
        fmt::format("offset {} is beyond the end of the trace, which has "
                    "{} bytes in total",
                    request.offset(), trace.size()));
  }
  return absl::OkStatus();
}

absl::StatusOr<v1::FetchTraceRequest> ParseFetchTraceRequest(grpc::ByteBuffer* buffer) {
  v1::FetchTraceRequest request;
  if (!grpc::SerializationTraits<v1::FetchTraceRequest>::Deserialize(buffer, &request).ok()) {
    return absl::InvalidArgumentError("the request is no FetchTraceRequest message");
  }
  return request;
}

std::string SummaryDocument(const SpooledTrace& trace, v1::DocumentFormat format) {
  if (!trace.summary()) return {};
  if (format == v1::DOCUMENT_FORMAT_JSON) return report::TraceSummaryJson(*trace.summary());
  if (format == v1::DOCUMENT_FORMAT_TEXT) return report::TraceSummaryText(*trace.summary());
  return {};
}

grpc::ByteBuffer ChunkMessage(const v1::TraceChunk& head, const SpooledTrace::Chunk& chunk) {
  std::string fields = head.SerializeAsString();
  if (chunk.size == 0) {
    const grpc::Slice slice(fields);
    return {&slice, 1};
  }
  fields += DataPrefix(chunk.size);
  const std::array<grpc::Slice, 2> slices = {grpc::Slice(fields), SliceOf(chunk)};
  return {slices.data(), slices.size()};
}

}  // namespace simpler::daemon
