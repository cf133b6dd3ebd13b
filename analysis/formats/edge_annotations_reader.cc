#include "analysis/formats/edge_annotations_reader.h"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <utility>

#include "absl/status/status.h"
#include "analysis/formats/json_value.h"
#include "fmt/format.h"

namespace simpler::formats {
namespace {

namespace ondemand = simdjson::ondemand;
using capture::DependencyGraph;

class AnnotationParser {
 public:
  AnnotationParser(const JsonFile& file, const DependencyGraph& graph)
      : file_(file), graph_(graph) {
    annotations_.row_count.resize(graph.edges().size());
    annotations_.from_creator.resize(graph.edges().size());
    edge_of_.reserve(graph.edges().size());
    for (uint32_t i = 0; i < graph.edges().size(); ++i) {
      edge_of_[Key(graph.edges()[i].pred, graph.edges()[i].succ)] = i;
    }
  }

  absl::StatusOr<EdgeAnnotations> Parse() {
    ondemand::parser parser;
    ondemand::document document;
    ondemand::object top;
    if (auto error = parser.iterate(file_.bytes()).get(document)) return Damaged(error);
    if (auto error = document.get_object().get(top)) return Damaged(error);
    for (auto field : top) {
      ondemand::raw_json_string key;
      ondemand::value value;
      if (auto error = field.key().get(key)) return Damaged(error);
      if (auto error = field.value().get(value)) return Damaged(error);
      absl::Status status;
      if (key == "edges") {
        status = ParseEdges(value);
      } else if (key == "tensors") {
        status = CountTensors(value);
      }
      if (!status.ok()) return status;
    }
    // Skipping what is not read may step over damage that moves the end of the edges.
    const auto& rows = annotations_.row_count;
    if (std::find(rows.begin(), rows.end(), 0u) != rows.end()) return Damaged(simdjson::TAPE_ERROR);
    return std::move(annotations_);
  }

 private:
  static uint64_t Key(uint32_t pred, uint32_t succ) { return uint64_t{pred} << 32 | succ; }

  absl::Status CountTensors(ondemand::value& value) {
    ondemand::array tensors;
    size_t count = 0;
    if (value.get_array().get(tensors) || tensors.count_elements().get(count)) {
      return Invalid("tensors must be an array");
    }
    annotations_.tensor_count = count;
    return absl::OkStatus();
  }

  absl::Status ParseEdges(ondemand::value& value) {
    ondemand::array entries;
    if (auto error = value.get_array().get(entries)) return Damaged(error);
    size_t row = 0;
    for (auto entry : entries) {
      ondemand::object edge;
      const auto error = entry.get_object().get(edge);
      if (error != simdjson::SUCCESS && error != simdjson::INCORRECT_TYPE) return Damaged(error);
      if (!error) {
        if (absl::Status status = ParseEdge(edge, row); !status.ok()) return status;
      }
      ++row;
    }
    return absl::OkStatus();
  }

  // As in the graph, the first of repeated keys counts.
  struct EdgeEnd {
    uint64_t id = 0;
    bool seen = false;
    bool usable = false;

    void ReadOnce(ondemand::value& value) {
      if (!std::exchange(seen, true)) usable = ReadId(value, id);
    }
  };

  absl::Status ParseEdge(ondemand::object& edge, size_t row) {
    EdgeEnd pred, succ;
    bool from_creator = false;
    for (auto field : edge) {
      ondemand::raw_json_string key;
      ondemand::value value;
      if (auto error = field.key().get(key)) return Damaged(error);
      if (auto error = field.value().get(value)) return Damaged(error);
      if (key == "pred") {
        pred.ReadOnce(value);
      } else if (key == "succ") {
        succ.ReadOnce(value);
      } else if (key == "source") {
        ondemand::raw_json_string source;
        if (value.get_raw_json_string().get(source)) {
          return Invalid(fmt::format("edges[{}].source must be a string", row));
        }
        from_creator = source == "creator";
      }
    }
    if (pred.usable && succ.usable) Record(pred.id, succ.id, from_creator);
    return absl::OkStatus();
  }

  void Record(uint64_t pred, uint64_t succ, bool from_creator) {
    const auto it = edge_of_.find(Key(graph_.Find(pred), graph_.Find(succ)));
    if (it == edge_of_.end()) return;
    ++annotations_.row_count[it->second];
    if (from_creator) annotations_.from_creator[it->second] = true;
  }

  absl::Status Invalid(const std::string& reason) const {
    return absl::InvalidArgumentError(
        fmt::format("{}: {}; record the graph again", file_.name(), reason));
  }

  absl::Status Damaged(simdjson::error_code error) const {
    return Invalid(fmt::format("is not a complete JSON document ({}): damaged or truncated",
                               simdjson::error_message(error)));
  }

  const JsonFile& file_;
  const DependencyGraph& graph_;
  std::unordered_map<uint64_t, uint32_t> edge_of_;
  EdgeAnnotations annotations_;
};

}  // namespace

absl::StatusOr<EdgeAnnotations> ParseEdgeAnnotations(const JsonFile& file,
                                                     const DependencyGraph& graph) {
  return AnnotationParser(file, graph).Parse();
}

}  // namespace simpler::formats
