#include "tests/support/generated_archive.h"

#include <cstdlib>
#include <utility>

#include "analysis/archive/archive_writer.h"
#include "analysis/timeline/byte_sink.h"

namespace simpler::support {

capture::CaptureBundle GenerateBundle(const GeneratorOptions& options) {
  GeneratedCapture generated = GenerateCapture(options);
  capture::CaptureBundle bundle;
  bundle.capture = std::move(generated.capture);
  bundle.graph = std::move(generated.graph);
  bundle.names = std::move(generated.names);
  return bundle;
}

std::string ToArchive(const capture::CaptureBundle& bundle) {
  std::string bytes;
  timeline::StringSink sink(&bytes);
  if (!archive::WriteArchive(bundle, &sink).ok()) std::abort();
  return bytes;
}

}  // namespace simpler::support
