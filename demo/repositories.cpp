#include "repositories.h"

#include <spawn.h>
#include <sys/wait.h>

#include <fstream>

namespace deputy::demo {

namespace {

using namespace std::chrono_literals;

struct Commit {
  std::chrono::hours ago;
  std::string subject;
  std::vector<std::pair<std::string, std::string>> files;  // path and content
};

struct Repository {
  std::string name;
  std::vector<Commit> commits;
};

const std::vector<Repository>& repositories() {
  static const std::vector<Repository> all{
      {"cast-core",
       {{300h,
         "Start and pay for streams",
         {{"README.md",
           "# cast-core\n\nStarts streams and captures their payment. Runbook: restart is safe at any time.\n"},
          {"src/n/c/StreamDesk.java",
           "package n.c;\n\nclass StreamDesk {\n  private final PaymentClient payments;\n\n  StreamDesk(PaymentClient "
           "payments) { this.payments = payments; }\n\n  Stream start(Viewer viewer, Title title) {\n    "
           "payments.capture(viewer, title.price());\n    return Stream.begin(viewer, title);\n  }\n}\n"},
          {"src/n/c/PaymentClient.java",
           "package n.c;\n\nclass PaymentClient {\n  static final int TIMEOUT_MS = 5000;\n\n  void capture(Viewer "
           "viewer, "
           "Money price) {\n    gateway.post(\"/captures\", viewer.id(), price, TIMEOUT_MS);\n  }\n}\n"}}},
        {5h,
         "Wait at most two seconds for the payment gateway",
         {{"src/n/c/PaymentClient.java",
           "package n.c;\n\nclass PaymentClient {\n  static final int TIMEOUT_MS = 2000;\n  static final int TRIES = "
           "3;\n\n  // Retries the payment gateway at once: the viewer waits for it.\n  "
           "void capture(Viewer viewer, Money price) {\n    for (int tried = 1; tried <= TRIES; ++tried) {\n      if "
           "(gateway.post(\"/captures\", viewer.id(), price, TIMEOUT_MS)) return;\n    }\n    throw new "
           "PaymentFailed(viewer);\n  }\n}\n"}}}}},
      {"tide-billing",
       {{400h,
         "Bill subscriptions",
         {{"README.md", "# tide-billing\n\nBills all subscriptions each night. The pool has 20 connections.\n"},
          {"src/pool.ts",
           "export const poolSize = 20;\n\nexport async function withConnection<T>(work: (c: Connection) => "
           "Promise<T>) "
           "{\n  const connection = await pool.take();\n  try {\n    return await work(connection);\n  } finally {\n   "
           " "
           "pool.giveBack(connection);\n  }\n}\n"},
          {"src/invoices.ts",
           "import { withConnection } from './pool';\n\nexport const issueInvoice = (account: Account) =>\n  "
           "withConnection((c) => c.insert('invoices', account));\n"}}},
        {28h,
         "Write invoice lines on a connection of their own",
         {{"src/invoices.ts",
           "import { withConnection } from './pool';\n\nexport const issueInvoice = (account: Account) =>\n  "
           "withConnection(async (c) => {\n    await c.insert('invoices', account);\n    await withConnection((lines) "
           "=> "
           "lines.insert('invoice_lines', account.lines));\n  });\n"}}}}},
  };
  return all;
}

bool git(const std::filesystem::path& folder, const std::vector<std::string>& arguments, const std::string& date) {
  std::vector<std::string> words{"git", "-C", folder.string()};
  words.insert(words.end(), arguments.begin(), arguments.end());
  // Nothing of the machine's own settings, so that the commits are the same everywhere.
  std::vector<std::string> variables{"PATH=/usr/local/bin:/usr/bin:/bin",
                                     "GIT_CONFIG_GLOBAL=/dev/null",
                                     "GIT_CONFIG_NOSYSTEM=1",
                                     "GIT_AUTHOR_NAME=Northlight",
                                     "GIT_AUTHOR_EMAIL=dev@northlight.test",
                                     "GIT_COMMITTER_NAME=Northlight",
                                     "GIT_COMMITTER_EMAIL=dev@northlight.test",
                                     "GIT_AUTHOR_DATE=" + date,
                                     "GIT_COMMITTER_DATE=" + date};
  std::vector<char*> argv, environment;
  for (std::string& word : words) argv.push_back(word.data());
  for (std::string& variable : variables) environment.push_back(variable.data());
  argv.push_back(nullptr);
  environment.push_back(nullptr);
  pid_t child = 0;
  if (::posix_spawnp(&child, "git", nullptr, nullptr, argv.data(), environment.data()) != 0) return false;
  int status = 0;
  return ::waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace

bool write_repositories(const World& world, const std::filesystem::path& folder) {
  for (const Repository& repository : repositories()) {
    const std::filesystem::path root = folder / repository.name;
    std::filesystem::create_directories(root);
    if (!git(root, {"init", "-q", "-b", "main"}, "")) return false;
    for (const Commit& commit : repository.commits) {
      for (const auto& [path, content] : commit.files) {
        std::filesystem::create_directories((root / path).parent_path());
        std::ofstream(root / path) << content;
      }
      const std::string date = format_timestamp(world.now - commit.ago);
      if (!git(root, {"add", "-A"}, date) || !git(root, {"commit", "-q", "-m", commit.subject}, date)) return false;
    }
  }
  return true;
}

}  // namespace deputy::demo
