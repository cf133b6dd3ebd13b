#include "analysis/timeline/chrome_task_bars.h"

#include <algorithm>

namespace simpler::timeline {

using capture::DependencyGraph;
using capture::Task;

namespace {

// Sub-lanes of a core's Scheduler View that have a name in existing traces.
constexpr uint32_t kNamedSubLanes = 2;

std::string EscapedText(const std::string& text) {
  JsonText json;
  json.Escaped(text);
  return std::string(json.view());
}

}  // namespace

ChromeTaskBars::ChromeTaskBars(ChromeCanvas* canvas) : ChromeSection(canvas) {
  for (const FunctionLabel& label : model_.tasks.labels()) {
    escaped_.push_back({label.func_id, EscapedText(label.plain), EscapedText(label.spmd)});
  }
  RankProducers();
}

void ChromeTaskBars::WriteGraphs() {
  if (!model_.lanes.HasProcess(Process::kGraphExecution)) return;
  NameProcess(Process::kGraphExecution);
  NameLanesOfKind(LaneKind::kGraph);
  for (uint32_t i = 0; i < model_.graphs.size(); ++i) WriteGraph(i);
}

void ChromeTaskBars::WriteGraph(uint32_t index) {
  const GraphInstance& graph = model_.graphs[index];
  const uint32_t lane = model_.lanes.Graph(graph.lane);
  if (!Admit(lane, index, Instant::Device(graph.prepare_start),
             Instant::Device(graph.execution_end))) {
    return;
  }
  const double start = Micros(graph.prepare_start);
  const double execution_start = Micros(graph.execution_start);
  const double end = Micros(graph.execution_end);
  JsonText& json = events_.BeginBar();
  json.Raw(R"("args":{"outer_task_id":)").Number(graph.outer_task);
  json.Raw(R"(,"visible_node_count":)").Number(graph.visible_nodes);
  json.Raw(R"(,"visible_node_index_min":)").Number(graph.smallest_node);
  json.Raw(R"(,"visible_node_index_max":)").Number(graph.largest_node);
  json.Raw(R"(,"prepare_slice_count":)").Number(graph.prepare_slices);
  json.Raw(R"(,"prepare_duration_us":)").Number(graph.prepare_us);
  json.Raw(R"(,"execution_start_us":)").Number(execution_start);
  json.Raw(R"(,"execution_duration_us":)").Number(end - execution_start);
  json.Raw(R"(,"synthetic_id_layout":)").String(InnerTaskLayoutName(model_.tasks.layout()));
  json.Raw(R"(},"cat":"graph_execution","cname":"rail_animation","name":"GraphExecution()");
  json.Raw(model_.tasks.Display(graph.outer_task)).Raw(", ").Number(graph.visible_nodes);
  json.Raw(" visible nodes)\"");
  EndBar(lane, index, start, end - start);
}

void ChromeTaskBars::WriteTaskViews() {
  NameProcess(Process::kWorkerView);
  if (model_.row_lanes.has_scheduler_view()) NameProcess(Process::kSchedulerView);
  NameLanesOfKind(LaneKind::kWorker);
  NameLanesOfKind(LaneKind::kAicpuWorker);
  for (uint32_t task = 0; task < model_.tasks.tasks().size(); ++task) WriteWorkerBars(task);
  if (!model_.row_lanes.has_scheduler_view()) return;
  for (uint32_t lane = 0; lane < model_.lanes.lanes().size(); ++lane) {
    const Lane& named = LaneAt(lane);
    if (named.kind != LaneKind::kSchedulerView || named.sub >= kNamedSubLanes || !named.kept) {
      continue;
    }
    events_.ThreadName(named.process, named.tid, LaneAt(lane - named.sub).name);
  }
  for (uint32_t task = 0; task < model_.tasks.tasks().size(); ++task) {
    WriteSchedulerViewBars(task);
  }
}

void ChromeTaskBars::WriteWorkerBars(uint32_t task) {
  const Task& t = model_.tasks.tasks()[task];
  const std::string display = model_.tasks.Display(t.id);
  ComposeHints(task);
  for (uint32_t row = t.first_row; row < t.first_row + t.row_count; ++row) {
    const uint32_t lane = model_.lanes.Worker(model_.rows().core(row));
    if (Admit(lane, row, Instant::Device(model_.rows().receive(row)),
              Instant::Device(model_.rows().end(row)))) {
      WriteWorkerBar(task, row, lane, display);
    }
  }
}

void ChromeTaskBars::WriteWorkerBar(uint32_t task, uint32_t row, uint32_t lane,
                                    const std::string& display) {
  const double receive = Micros(model_.rows().receive(row));
  const double start = Micros(model_.rows().start(row));
  const double end = Micros(model_.rows().end(row));
  const FunctionLabel& label = escaped_[model_.tasks.LabelOf(task, model_.rows().type(row))];
  JsonText& json = events_.BeginBar();
  WriteEventHint(json, row, label.func_id, display);
  json.Raw(hints_.view()).Raw(R"("duration-us":)").Number(end - receive);
  json.Raw(R"(,"kernel-duration-us":)").Number(end - start);
  json.Raw(R"(,"local_setup_us":)").Number(start - receive);
  json.Raw(R"(,"taskId":)").Number(model_.rows().task_id(row));
  if (model_.run().epoch) json.Raw(R"(,"run_epoch":)").Number(*model_.run().epoch);
  json.Raw(R"(},"cat":"event","id":)").Number(row).Raw(R"(,"name":")");
  if (options_.on_path != nullptr && !(*options_.on_path)[task]) {
    json.Raw("·(").Raw(display).Raw(")\"");
  } else {
    json.Raw(label.Text(model_.tasks.IsSpmd(task))).Raw("(").Raw(display).Raw(")\"");
  }
  EndBar(lane, row, receive, end - receive);
}

void ChromeTaskBars::WriteEventHint(JsonText& json, uint32_t row, int32_t function,
                                    const std::string& display) {
  json.Raw(R"("args":{"event-hint":"Task:)").Raw(display).Raw(", FuncId:").Number(function);
  json.Raw(", CoreId:").Number(model_.rows().core(row)).Raw("\",");
}

void ChromeTaskBars::ComposeHints(uint32_t task) {
  hints_.Clear();
  const auto node = model_.tasks.NodeOfTask(task);
  const bool known = node != DependencyGraph::kNoNode;
  const DependencyGraph* graph = model_.tasks.graph();
  using Nodes = std::span<const DependencyGraph::NodeIndex>;
  ComposeHint("fanout-hint", known ? graph->Successors(node) : Nodes());
  const Nodes producers = known ? graph->Predecessors(node) : Nodes();
  producers_.assign(producers.begin(), producers.end());
  std::stable_sort(producers_.begin(), producers_.end(),
                   [this](auto a, auto b) { return producer_rank_[a] < producer_rank_[b]; });
  ComposeHint("fanin-hint", producers_);
}

void ChromeTaskBars::RankProducers() {
  const DependencyGraph* graph = model_.tasks.graph();
  if (graph == nullptr) return;
  producer_rank_.assign(graph->nodes().size(), UINT32_MAX);
  uint32_t rank = 0;
  for (const DependencyGraph::Edge& edge : graph->edges()) {
    if (producer_rank_[edge.pred] == UINT32_MAX) producer_rank_[edge.pred] = rank++;
  }
}

void ChromeTaskBars::ComposeHint(std::string_view key,
                                 std::span<const DependencyGraph::NodeIndex> nodes) {
  hints_.String(key).Raw(":\"").Number(nodes.size()).Raw(": [");
  for (size_t i = 0; i < nodes.size(); ++i) {
    if (i > 0) hints_.Raw(", ");
    hints_.Raw(model_.tasks.Display(model_.tasks.graph()->nodes()[nodes[i]].id));
  }
  hints_.Raw("]\",");
}

void ChromeTaskBars::WriteSchedulerViewBars(uint32_t task) {
  const Task& t = model_.tasks.tasks()[task];
  const std::string display = model_.tasks.Display(t.id);
  for (uint32_t row = t.first_row; row < t.first_row + t.row_count; ++row) {
    if (!model_.rows().has_scheduler(row)) continue;
    const uint32_t lane =
        model_.lanes.SchedulerView(model_.rows().core(row), model_.row_lanes.SubLaneOf(row));
    if (Admit(lane, row, Instant::Device(model_.rows().dispatch(row)),
              Instant::Device(model_.rows().finish(row)))) {
      WriteSchedulerViewBar(task, row, lane, display);
    }
  }
}

void ChromeTaskBars::WriteSchedulerViewBar(uint32_t task, uint32_t row, uint32_t lane,
                                           const std::string& display) {
  const double dispatch = Micros(model_.rows().dispatch(row));
  const double finish = Micros(model_.rows().finish(row));
  const FunctionLabel& label = escaped_[model_.tasks.LabelOf(task, model_.rows().type(row))];
  JsonText& json = events_.BeginBar();
  WriteEventHint(json, row, label.func_id, display);
  json.Raw(R"("dispatch-time-us":)").Number(dispatch);
  json.Raw(R"(,"finish-time-us":)").Number(finish);
  json.Raw(R"(,"scheduler-duration-us":)").Number(finish - dispatch);
  json.Raw(R"(,"taskId":)").Number(model_.rows().task_id(row));
  json.Raw(R"(},"cat":"event","id":)").Number(SchedulerViewId(row)).Raw(R"(,"name":")");
  json.Raw(label.Text(model_.tasks.IsSpmd(task))).Raw("(").Raw(display).Raw(")\"");
  EndBar(lane, row, dispatch, finish - dispatch);
}

}  // namespace simpler::timeline
