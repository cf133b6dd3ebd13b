#include "analysis/timeline/json_text.h"

#include <algorithm>

#include "fmt/format.h"

namespace simpler::timeline {
namespace {

bool NeedsEscape(char c) { return c == '"' || c == '\\' || static_cast<unsigned char>(c) < 0x20; }

}  // namespace

JsonText& JsonText::Escaped(std::string_view text) {
  if (std::none_of(text.begin(), text.end(), NeedsEscape)) return Raw(text);
  for (char c : text) {
    if (!NeedsEscape(c)) {
      text_.push_back(c);
    } else if (c == '"' || c == '\\') {
      text_.push_back('\\');
      text_.push_back(c);
    } else {
      text_ += fmt::format("\\u{:04x}", static_cast<unsigned>(static_cast<unsigned char>(c)));
    }
  }
  return *this;
}

}  // namespace simpler::timeline
