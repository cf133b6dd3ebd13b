#include "client/simplerctl/completion.h"

#include <string_view>
#include <vector>

#include "client/simplerctl/daemon_options.h"
#include "fmt/format.h"

namespace simpler::simplerctl {
namespace {

std::vector<const CLI::App*> Commands(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App* command) { return !command->get_name().empty(); });
}

std::string CommandNames(const CLI::App& app, std::string_view separator) {
  std::vector<std::string> names;
  for (const CLI::App* command : Commands(app)) names.push_back(command->get_name());
  return fmt::format("{}", fmt::join(names, separator));
}

// "--name" for every long name, "-n" for every short one.
std::vector<std::string> Spellings(const CLI::Option& option) {
  std::vector<std::string> spellings;
  for (const std::string& name : option.get_lnames()) spellings.push_back("--" + name);
  for (const std::string& name : option.get_snames()) spellings.push_back("-" + name);
  return spellings;
}

// What may follow a command: its own options, and those of the whole command line except --help and
// --version.
std::vector<const CLI::Option*> OptionsAfter(const CLI::App& command, const CLI::App& app) {
  std::vector<const CLI::Option*> options = command.get_options();
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_group() == kDaemonGroup) options.push_back(option);
  }
  return options;
}

std::string OptionNames(const std::vector<const CLI::Option*>& options) {
  std::vector<std::string> names;
  for (const CLI::Option* option : options) {
    for (std::string& name : Spellings(*option)) names.push_back(std::move(name));
  }
  return fmt::format("{}", fmt::join(names, " "));
}

// The values of an option that takes one of a fixed set, blank-separated; empty for other options.
// CLI11 shows such a set as "{a,b}" in the option's type name.
std::string FixedValues(const CLI::Option& option) {
  std::string type = option.get_type_name();
  const size_t open = type.find('{');
  const size_t close = type.find('}');
  if (open == std::string::npos || close == std::string::npos) return {};
  std::string values = type.substr(open + 1, close - open - 1);
  for (char& c : values) {
    if (c == ',') c = ' ';
  }
  return values;
}

// Text inside single quotes of a zsh _arguments or _describe specification.
std::string ZshEscape(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '\'') {
      escaped += "'\\''";
      continue;
    }
    if (c == '[' || c == ']' || c == ':' || c == '\\') escaped += '\\';
    escaped += c;
  }
  return escaped;
}

std::string ZshArgument(const CLI::Option& option) {
  const std::string values = FixedValues(option);
  const std::string action = values.empty() ? "_files" : fmt::format("({})", values);
  if (option.get_positional()) return fmt::format("    '*:path:{}'", action);
  std::string lines;
  for (const std::string& name : Spellings(option)) {
    if (!lines.empty()) lines += " \\\n";
    lines += fmt::format("    '{}[{}]", name, ZshEscape(option.get_description()));
    if (option.get_expected_max() > 0) lines += ":value:" + action;
    lines += '\'';
  }
  return lines;
}

}  // namespace

std::string BashCompletion(const CLI::App& app) {
  std::string values, options;
  for (const CLI::App* command : Commands(app)) {
    options += fmt::format("    {}) options=\"{}\" ;;\n", command->get_name(),
                           OptionNames(OptionsAfter(*command, app)));
    for (const CLI::Option* option : command->get_options()) {
      const std::string fixed = FixedValues(*option);
      if (fixed.empty()) continue;
      for (const std::string& name : option->get_positional()
                                         ? std::vector<std::string>{command->get_name()}
                                         : Spellings(*option)) {
        values +=
            fmt::format("    \"{} {}\") options=\"{}\" ;;\n", command->get_name(), name, fixed);
      }
    }
  }
  return fmt::format(R"(# bash completion for simplerctl
_simplerctl() {{
  local word="${{COMP_WORDS[COMP_CWORD]}}" previous="${{COMP_WORDS[COMP_CWORD-1]}}"
  local command="" options="" candidate
  for candidate in "${{COMP_WORDS[@]:1:COMP_CWORD-1}}"; do
    case "$candidate" in
      {0}) command="$candidate"; break ;;
    esac
  done
  COMPREPLY=()
  case "$command $previous" in
{2}  esac
  if [[ -z $options && -z $command ]]; then
    options="{1} {4}"
  elif [[ -z $options && $word == -* ]]; then
    case "$command" in
{3}    esac
  fi
  if [[ -n $options ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$options" -- "$word")
  fi
}}
complete -o default -F _simplerctl simplerctl
)",
                     CommandNames(app, "|"), CommandNames(app, " "), values, options,
                     OptionNames(app.get_options()));
}

std::string ZshCompletion(const CLI::App& app) {
  std::string commands, cases;
  for (const CLI::App* command : Commands(app)) {
    commands +=
        fmt::format("    '{}:{}'\n", command->get_name(), ZshEscape(command->get_description()));
    std::vector<std::string> arguments;
    for (const CLI::Option* option : OptionsAfter(*command, app)) {
      arguments.push_back(ZshArgument(*option));
    }
    cases += fmt::format("    {}) _arguments \\\n{} ;;\n", command->get_name(),
                         fmt::join(arguments, " \\\n"));
  }
  return fmt::format(R"(#compdef simplerctl
_simplerctl() {{
  local -a commands=(
{}  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  shift words
  (( CURRENT-- ))
  case $words[1] in
{}  esac
}}
_simplerctl "$@"
)",
                     commands, cases);
}

}  // namespace simpler::simplerctl
