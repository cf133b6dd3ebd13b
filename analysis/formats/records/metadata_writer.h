// Writes the section `metadata`.
#pragma once

#include "analysis/capture/capture.h"
#include "analysis/formats/records/text_writer.h"

namespace simpler::formats::records {

// Writes the object, one field per line. Fields stand in the order in which recorders write them;
// fields that are carried through keep their recorded order among each other.
void WriteMetadata(const capture::Metadata& metadata, TextWriter& out);

}  // namespace simpler::formats::records
