// deputy chat
#include "app/chat/chat.h"

#include <CLI/CLI.hpp>

#include "app/command_line.h"
#include "app/settings.h"
#include "store/store.h"

namespace deputy::app {

namespace {

constexpr const char* kChatExamples = R"(Examples:
  deputy chat                       talk here; /help lists the commands
  deputy chat --resume              continue your last chat, with what waits in it
  deputy chat --resume RUN          the conversation of that run
  printf 'which services are there?\n' | deputy chat

Over a pipe each line is read when everything before it is finished. The exit code is then 4 if something still waits
for a human, and 3 if everything was paused in the middle.)";

struct Wish {
  bool resume = false;
  std::string named;
};

Result<Session> session_for(const Context& context, const Wish& wish) {
  if (!wish.resume) return new_session(os_user(), SystemClock().now());
  TRY(const std::unique_ptr<Process> process, Process::open(context));
  TRY(const std::string conversation, process->wait(conversation_to_resume(process->store(), os_user(), wish.named)));
  return session_of(conversation);
}

// One session; then the one that /resume named, in a process of its own.
ExitCode chat(const Context& context, const Wish& wish) {
  Result<Session> session = session_for(context, wish);
  if (!session) return print_failure(context, session.error());
  Chat::Begins begins = wish.resume ? Chat::Begins::taken_up : Chat::Begins::anew;
  for (;;) {
    const auto process = Process::open(context, {session->key});
    if (!process) return print_failure(context, process.error());
    Chat chat(context, **process, *session, begins);
    const ExitCode code = chat.carry();
    const std::optional<Session>& next = chat.goes_to();
    if (!next) return code;
    session = *next;
    begins = Chat::Begins::taken_up;
  }
}

}  // namespace

void add_chat(CLI::App& program, Context& context) {
  CLI::App* command = program.add_subcommand("chat", "Talk to Deputy in this terminal");
  command->fallthrough();
  command->footer(kChatExamples);
  auto wish = std::make_shared<Wish>();
  CLI::Option* resume = command->add_option("--resume", wish->named, "Continue your last chat, or that conversation")
                            ->type_name("[RUN|CONVERSATION]")
                            ->expected(0, 1);
  command->callback([&context, wish, resume] {
    wish->resume = resume->count() > 0;
    context.action = [&context, wish] { return chat(context, *wish); };
  });
}

}  // namespace deputy::app
