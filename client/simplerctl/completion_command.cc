#include <memory>
#include <string>

#include "client/simplerctl/commands.h"
#include "client/simplerctl/completion.h"
#include "client/simplerctl/output.h"

namespace simpler::simplerctl {

void AddCompletionCommand(const CommandLine& line) {
  CLI::App* command = line.app->add_subcommand("completion", "Print a shell completion script");
  auto shell = std::make_shared<std::string>();
  command->add_option("shell", *shell, "Which shell")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh"}));
  command->footer(
      "Examples:\n"
      "  source <(simplerctl completion bash)\n"
      "  simplerctl completion zsh > ~/.zfunc/_simplerctl");
  command->callback([app = line.app, shell, action = line.action] {
    *action = [app, shell]() -> absl::StatusOr<ExitCode> {
      const std::string script = *shell == "zsh" ? ZshCompletion(*app) : BashCompletion(*app);
      if (absl::Status status = WriteOutput(std::nullopt, script); !status.ok()) return status;
      return ExitCode::kOk;
    };
  });
}

}  // namespace simpler::simplerctl
