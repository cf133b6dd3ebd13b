#include "analysis/timeline/chrome_events.h"

#include <string>

namespace simpler::timeline {
namespace {

int PidOf(Process process) { return static_cast<int>(process); }

}  // namespace

JsonText& ChromeEvents::Open() {
  text_.Raw(first_ ? "\n{" : ",\n{");
  first_ = false;
  return text_;
}

void ChromeEvents::Close() {
  text_.Raw("}");
  if (text_.size() >= kFlushBytes) Flush();
}

void ChromeEvents::Flush() {
  if (status_.ok()) status_ = sink_.Append(text_.view());
  text_.Clear();
}

void ChromeEvents::ProcessName(Process process, std::string_view name) {
  Open()
      .Raw(R"("args":{"name":)")
      .String(name)
      .Raw(R"(},"cat":"__metadata","name":"process_name","ph":"M","pid":)");
  text_.Number(PidOf(process));
  Close();
}

void ChromeEvents::ProcessSortIndex(Process process, int index) {
  Open()
      .Raw(R"("args":{"sort_index":)")
      .Number(index)
      .Raw(R"(},"cat":"__metadata","name":"process_sort_index","ph":"M","pid":)");
  text_.Number(PidOf(process));
  Close();
}

void ChromeEvents::ThreadName(Process process, int32_t tid, std::string_view name) {
  Open()
      .Raw(R"("args":{"name":)")
      .String(name)
      .Raw(R"(},"cat":"__metadata","name":"thread_name","ph":"M","pid":)");
  text_.Number(PidOf(process)).Raw(R"(,"tid":)").Number(tid);
  Close();
}

void ChromeEvents::ThreadSortIndex(Process process, int32_t tid, int index) {
  Open()
      .Raw(R"("args":{"sort_index":)")
      .Number(index)
      .Raw(R"(},"cat":"__metadata","name":"thread_sort_index","ph":"M","pid":)");
  text_.Number(PidOf(process)).Raw(R"(,"tid":)").Number(tid);
  Close();
}

JsonText& ChromeEvents::BeginBar() { return Open(); }

void ChromeEvents::EndBar(Process process, int32_t tid, double ts, double dur) {
  text_.Raw(R"(,"ph":"X","pid":)").Number(PidOf(process)).Raw(R"(,"tid":)").Number(tid);
  text_.Raw(R"(,"ts":)").Number(ts).Raw(R"(,"dur":)").Number(dur);
  Close();
}

void ChromeEvents::Counter(std::string_view category, std::string_view name, int32_t tid, double ts,
                           std::string_view values) {
  Open().Raw(R"("args":{)").Raw(values).Raw(R"(},"cat":")").Raw(category);
  text_.Raw(R"(","name":")").Raw(name).Raw(R"(","ph":"C","pid":)");
  text_.Number(PidOf(Process::kScheduler)).Raw(R"(,"tid":)").Number(tid);
  text_.Raw(R"(,"ts":)").Number(ts);
  Close();
}

void ChromeEvents::Flow(std::string_view name, const ChromePoint& from, const ChromePoint& to,
                        std::string_view extra) {
  FlowEnd('s', name, from, extra);
  FlowEnd('f', name, to, extra);
  ++next_flow_id_;
}

void ChromeEvents::FlowEnd(char phase, std::string_view name, const ChromePoint& point,
                           std::string_view extra) {
  Open().Raw(R"("cat":"flow","id":)").Number(next_flow_id_).Raw(R"(,"name":")").Raw(name);
  text_.Raw(phase == 's' ? R"(","ph":"s",)" : R"(","ph":"f","bp":"e",)").Raw(extra);
  if (point.bind_id) text_.Raw(R"("bind_id":)").Number(*point.bind_id).Raw(",");
  text_.Raw(R"("pid":)").Number(PidOf(point.process)).Raw(R"(,"tid":)").Number(point.tid);
  text_.Raw(R"(,"ts":)").Number(point.ts);
  Close();
}

absl::Status ChromeEvents::Finish(std::string_view metadata) {
  text_.Raw("\n]");
  if (!metadata.empty()) text_.Raw(R"(,"metadata":)").Raw(metadata);
  text_.Raw("}\n");
  Flush();
  return status_;
}

}  // namespace simpler::timeline
