#include "analysis/formats/deps_reader.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>

#include "absl/status/status.h"
#include "analysis/formats/json_integer.h"
#include "analysis/formats/json_value.h"
#include "fmt/format.h"

namespace simpler::formats {
namespace {

namespace ondemand = simdjson::ondemand;
using capture::DependencyGraph;

// How many entries of one kind were set aside, and where the first one is.
struct Skipped {
  uint64_t count = 0;
  size_t first_row = 0;

  void Add(size_t row) {
    if (count++ == 0) first_row = row;
  }
};

class DepsParser {
 public:
  explicit DepsParser(const JsonFile& file) : file_(file) {}

  absl::StatusOr<DepsFile> Parse() {
    ondemand::parser parser;
    ondemand::document document;
    if (auto error = parser.iterate(file_.bytes()).get(document)) return Damaged(error);
    ondemand::object top;
    if (auto error = document.get_object().get(top)) {
      return Refused(error, "the top level", "an object with an 'edges' array");
    }
    if (absl::Status status = ParseTopLevel(top); !status.ok()) return status;
    if (!document.current_location().error()) {
      return Invalid("more text follows the JSON object; two files were joined");
    }
    if (!saw_edges_) return Invalid("has no 'edges' array; it is no task graph");
    return Finish();
  }

 private:
  absl::Status ParseTopLevel(ondemand::object& top) {
    for (auto field : top) {
      ondemand::raw_json_string key;
      ondemand::value value;
      if (auto error = field.key().get(key)) return Damaged(error);
      if (auto error = field.value().get(value)) return Damaged(error);
      absl::Status status;
      if (key == "tasks") {
        status = ParseArray(value, "tasks", saw_tasks_, skipped_tasks_, &DepsParser::ParseTask);
      } else if (key == "edges") {
        status = ParseArray(value, "edges", saw_edges_, skipped_edges_, &DepsParser::ParseEdge);
      }
      if (!status.ok()) return status;
    }
    return absl::OkStatus();
  }

  using EntryParser = absl::Status (DepsParser::*)(ondemand::object&, size_t row);

  absl::Status ParseArray(ondemand::value& value, const char* key, bool& seen, Skipped& skipped,
                          EntryParser parse_entry) {
    if (std::exchange(seen, true)) {
      return Invalid(fmt::format("key '{}' occurs twice; two files were joined", key));
    }
    ondemand::array entries;
    if (auto error = value.get_array().get(entries)) return Refused(error, key, "an array");
    size_t row = 0;
    for (auto entry : entries) {
      ondemand::object object;
      const auto error = entry.get_object().get(object);
      if (error == simdjson::INCORRECT_TYPE) {
        if (auto no_value = entry.type().error()) return Damaged(no_value);
        skipped.Add(row);
      } else if (error) {
        return Damaged(error);
      } else if (absl::Status status = (this->*parse_entry)(object, row); !status.ok()) {
        return status;
      }
      ++row;
    }
    return absl::OkStatus();
  }

  absl::Status ParseEdge(ondemand::object& edge, size_t row) {
    EdgeEnd pred, succ;
    for (auto field : edge) {
      ondemand::raw_json_string key;
      ondemand::value value;
      if (auto error = field.key().get(key)) return Damaged(error);
      if (auto error = field.value().get(value)) return Damaged(error);
      absl::Status status;
      if (key == "pred" && !pred.seen) {
        status = ParseEdgeEnd(value, row, "pred", pred);
      } else if (key == "succ" && !succ.seen) {
        status = ParseEdgeEnd(value, row, "succ", succ);
      }
      if (!status.ok()) return status;
      // Both ends are known: the annotation behind them is skipped as a whole.
      if (pred.seen && succ.seen) break;
    }
    if (pred.usable && succ.usable) {
      graph_.AddEdge(pred.id, succ.id);
    } else {
      skipped_edges_.Add(row);
    }
    return absl::OkStatus();
  }

  struct EdgeEnd {
    uint64_t id = 0;
    bool seen = false;
    bool usable = false;
  };

  absl::Status ParseEdgeEnd(ondemand::value& value, size_t row, const char* key, EdgeEnd& end) {
    end.seen = true;
    return ParseId(value, "edges", row, key, end.id, end.usable);
  }

  absl::Status ParseId(ondemand::value& value, const char* list, size_t row, const char* key,
                       uint64_t& id, bool& usable) {
    const JsonInteger result = ParseInteger(value, id);
    usable = result == JsonInteger::kOk;
    if (result == JsonInteger::kDamaged) return Damaged(simdjson::TAPE_ERROR);
    if (result == JsonInteger::kWrongType) {
      return WrongType(list, row, key, "a task id (integer or decimal string of 64 bits)");
    }
    return absl::OkStatus();
  }

  absl::Status ParseTask(ondemand::object& task, size_t row) {
    DependencyGraph::Node node;
    node.has_block_num = true;
    bool has_id = false;
    for (auto field : task) {
      ondemand::raw_json_string key;
      ondemand::value value;
      if (auto error = field.key().get(key)) return Damaged(error);
      if (auto error = field.value().get(value)) return Damaged(error);
      absl::Status status;
      if (key == "task_id") {
        status = ParseId(value, "tasks", row, "task_id", node.id, has_id);
      } else if (key == "kernel_ids") {
        status = ParseKernelIds(value, row, node);
      } else if (key == "block_num") {
        status = ParseBlockNum(value, row, node.block_num);
      } else if (key == "early_dispatch") {
        status = ParseEarlyDispatch(value, row, node.early_dispatch);
      }
      if (!status.ok()) return status;
    }
    if (has_id) {
      graph_.AddTask(node);
    } else {
      skipped_tasks_.Add(row);
    }
    return absl::OkStatus();
  }

  absl::Status ParseKernelIds(ondemand::value& value, size_t row, DependencyGraph::Node& node) {
    if (ReadNull(value)) return absl::OkStatus();
    ondemand::array kernels;
    if (auto error = value.get_array().get(kernels)) {
      if (error != simdjson::INCORRECT_TYPE) return Damaged(error);
      return WrongType("tasks", row, "kernel_ids", "an array of three integers");
    }
    size_t slot = 0;
    for (auto entry : kernels) {
      int64_t kernel = 0;
      if (entry.get_int64().get(kernel) || kernel > std::numeric_limits<int32_t>::max()) {
        return WrongType("tasks", row, "kernel_ids", "an array of three integers of 32 bits");
      }
      if (slot < node.kernel_ids.size()) {
        node.kernel_ids[slot] = static_cast<int32_t>(std::max(kernel, int64_t{-1}));
      }
      ++slot;
    }
    node.has_kernels = slot == node.kernel_ids.size();
    if (!node.has_kernels) unusable_kernels_.Add(row);
    return absl::OkStatus();
  }

  absl::Status ParseBlockNum(ondemand::value& value, size_t row, uint32_t& block_num) {
    uint64_t blocks = 1;
    switch (ParseInteger(value, blocks)) {
      case JsonInteger::kDamaged:
        return Damaged(simdjson::TAPE_ERROR);
      case JsonInteger::kWrongType:
        return WrongType("tasks", row, "block_num", "an integer");
      case JsonInteger::kUnusable:
        unusable_blocks_.Add(row);
        return absl::OkStatus();
      case JsonInteger::kOk:
        break;
    }
    const int64_t signed_blocks = std::max(static_cast<int64_t>(blocks), int64_t{1});
    if (signed_blocks > std::numeric_limits<uint32_t>::max()) {
      return WrongType("tasks", row, "block_num", "an integer of 32 bits");
    }
    block_num = static_cast<uint32_t>(signed_blocks);
    return absl::OkStatus();
  }

  absl::Status ParseEarlyDispatch(ondemand::value& value, size_t row, bool& early_dispatch) {
    if (ReadNull(value) || !value.get_bool().get(early_dispatch)) return absl::OkStatus();
    return WrongType("tasks", row, "early_dispatch", "true or false");
  }

  DepsFile Finish() {
    DepsFile result;
    result.graph = graph_.Build();
    const auto warn = [&](const char* code, uint64_t count, std::string text) {
      if (count > 0) {
        result.warnings.push_back({code, fmt::format("{}: {}", file_.name(), text), count});
      }
    };
    warn("deps_tasks_skipped", skipped_tasks_.count,
         fmt::format("{} entries of 'tasks' have no usable task_id (first: tasks[{}]); their names "
                     "are unknown",
                     skipped_tasks_.count, skipped_tasks_.first_row));
    warn(
        "deps_kernel_ids_unusable", unusable_kernels_.count,
        fmt::format("{} tasks do not list exactly three kernel ids (first: tasks[{}]); their names "
                    "are unknown",
                    unusable_kernels_.count, unusable_kernels_.first_row));
    warn("deps_block_num_unusable", unusable_blocks_.count,
         fmt::format("{} tasks have an unreadable block_num (first: tasks[{}]); 1 is assumed",
                     unusable_blocks_.count, unusable_blocks_.first_row));
    warn("deps_edges_skipped", skipped_edges_.count,
         fmt::format("{} entries of 'edges' have no usable pred or succ (first: edges[{}]); these "
                     "dependencies are missing from every result",
                     skipped_edges_.count, skipped_edges_.first_row));
    warn("deps_self_edges", result.graph.self_edge_count(),
         fmt::format("{} edges lead from a task to itself; they are ignored",
                     result.graph.self_edge_count()));
    return result;
  }

  absl::Status Invalid(const std::string& reason) const {
    return absl::InvalidArgumentError(
        fmt::format("{}: {}; record the graph again", file_.name(), reason));
  }

  absl::Status Damaged(simdjson::error_code error) const {
    return Invalid(fmt::format("is not a complete JSON document ({}): damaged or truncated",
                               simdjson::error_message(error)));
  }

  // For a value that could not be taken as what it must be.
  absl::Status Refused(simdjson::error_code error, const char* what, const char* expected) const {
    if (error != simdjson::INCORRECT_TYPE) return Damaged(error);
    return Invalid(fmt::format("{} must be {}", what, expected));
  }

  absl::Status WrongType(const char* list, size_t row, const char* key,
                         const char* expected) const {
    return Invalid(fmt::format("{}[{}].{} must be {}", list, row, key, expected));
  }

  const JsonFile& file_;
  DependencyGraph::Builder graph_;
  bool saw_tasks_ = false;
  bool saw_edges_ = false;
  Skipped skipped_tasks_;
  Skipped skipped_edges_;
  Skipped unusable_kernels_;
  Skipped unusable_blocks_;
};

}  // namespace

absl::StatusOr<DepsFile> ParseDeps(const JsonFile& file) { return DepsParser(file).Parse(); }

absl::StatusOr<DepsFile> ReadDeps(const std::string& path) {
  absl::StatusOr<JsonFile> file = JsonFile::Open(path);
  if (!file.ok()) return file.status();
  return ParseDeps(*file);
}

}  // namespace simpler::formats
