#include "tests/unit/analysis/overhead/random_run.h"

#include <algorithm>

namespace simpler::overhead {
namespace {

using support::CaptureBuilder;

class Maker {
 public:
  explicit Maker(std::mt19937& random) : random_(random) {}

  RandomRun Make() {
    std::vector<uint64_t> ids = {1, 2, 3, 9, 10, 11, 20, 30, 100, 111, (uint64_t{1} << 32) + 5};
    std::shuffle(ids.begin(), ids.end(), random_);
    const size_t executed = Upto(1, 8);
    for (size_t count = Upto(1, 4); count > 0; --count) {
      run_.cores.push_back(Chance(50) ? "aic" : "aiv");
    }
    all_stamped_ = Chance(90);
    for (size_t i = 0; i < executed; ++i) AddTask(ids[i]);
    std::shuffle(run_.rows.begin(), run_.rows.end(), random_);
    for (size_t i = executed; i < ids.size(); ++i) {
      if (Chance(50)) AddMarker(ids[i]);
    }
    std::shuffle(ids.begin(), ids.end(), random_);
    AddEdges(ids);
    return std::move(run_);
  }

 private:
  int Upto(int low, int high) { return std::uniform_int_distribution<int>(low, high)(random_); }
  bool Chance(int percent) { return Upto(1, 100) <= percent; }

  void AddTask(uint64_t id) {
    const int begin = Upto(0, 40);
    for (int rows = Chance(70) ? 1 : Upto(2, 3); rows > 0; --rows) {
      RandomRow row;
      row.task = id;
      row.core = static_cast<size_t>(Upto(0, static_cast<int>(run_.cores.size()) - 1));
      row.start = begin + (Chance(60) ? 0 : Upto(0, 4));
      row.end = row.start + Upto(0, 12);
      row.stamped = all_stamped_ || Chance(70);
      row.dispatch = row.start - (Chance(90) ? Upto(0, 12) : -Upto(0, 3));
      row.finish = row.end + (Chance(90) ? Upto(0, 8) : -Upto(0, 3));
      run_.rows.push_back(row);
    }
  }

  void AddMarker(uint64_t id) {
    const auto kind = static_cast<RandomMarker::Kind>(Upto(0, 2));
    run_.markers.push_back({kind, id, Upto(1, 45)});
    const bool again = kind != RandomMarker::kAllocation && Chance(20);
    if (again) run_.markers.push_back({kind, id, Upto(1, 45)});
  }

  // Edges only run forward in `order`, which has nothing to do with time.
  void AddEdges(const std::vector<uint64_t>& order) {
    const int density = Upto(5, 50);
    for (size_t consumer = 0; consumer < order.size(); ++consumer) {
      for (size_t producer = 0; producer < consumer; ++producer) {
        if (Chance(density)) run_.edges.emplace_back(order[producer], order[consumer]);
      }
      if (Chance(5)) run_.edges.emplace_back(order[consumer], order[consumer]);
    }
    std::shuffle(run_.edges.begin(), run_.edges.end(), random_);
  }

  std::mt19937& random_;
  RandomRun run_;
  bool all_stamped_ = true;
};

}  // namespace

CaptureBuilder RandomRun::ToBuilder() const {
  CaptureBuilder builder(1'000'000, 1'000);
  builder.Level(4).Cores(cores);
  for (const RandomRow& row : rows) {
    CaptureBuilder::RowTimes times;
    times.start = row.start;
    times.end = row.end;
    if (row.stamped) {
      times.dispatch = row.dispatch;
      times.finish = row.finish;
    }
    builder.Row(row.task, static_cast<capture::CoreId>(row.core), times);
  }
  for (const RandomMarker& marker : markers) {
    CaptureBuilder::PhaseFields fields;
    fields.task_id = marker.task;
    switch (marker.kind) {
      case RandomMarker::kDummy:
        builder.Node(marker.task, {-1, -1, -1});
        builder.Phase(0, capture::PhaseKind::kDummyTask, marker.end - 1, marker.end, fields);
        break;
      case RandomMarker::kSkip:
        builder.Node(marker.task, {3, -1, -1});
        builder.Phase(0, capture::PhaseKind::kPredicatedSkip, marker.end - 1, marker.end, fields);
        break;
      case RandomMarker::kAllocation:
        builder.OrchSubmit(0, 0, marker.task, marker.end - 1, marker.end);
        break;
    }
  }
  for (const auto& [pred, succ] : edges) builder.Edge(pred, succ);
  return builder;
}

RandomRun MakeRandomRun(std::mt19937& random) { return Maker(random).Make(); }

}  // namespace simpler::overhead
