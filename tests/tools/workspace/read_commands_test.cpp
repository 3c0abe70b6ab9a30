// Which command lines count as only reading. What the sandbox keeps out of them is in shell_test.cpp.
#include "tools/workspace/read_commands.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "support/results.h"

namespace deputy::tools {
namespace {

const ReadCommands& built_in() {
  static const ReadCommands commands;
  return commands;
}
bool reads(std::string_view line, const ReadCommands& commands = built_in()) {
  return commands.only_reads(line).has_value();
}

TEST(ReadCommands, PlainCommandsOnlyRead) {
  for (const char* line : {"ls",
                           "ls -la",
                           "ls -l --color=never src docs",
                           "cat a b",
                           "cat 'a b' \"c\"",
                           "head -20 a",
                           "head -n 20 a",
                           "head -n20 a",
                           "tail -n +5 a",
                           "wc -l a",
                           "grep -rn 'to do' src",
                           "grep -A3 -B 2 -e x a",
                           "grep --include=*.cpp -r x .",
                           "cat logs/*.txt",
                           "ls ./*",
                           "cat src/{a,b}.cpp",
                           "sed -n '1,20p' a",
                           "sed -n 5p a",
                           "sort -k2 -t , a | uniq -c | sort -rn | head -5",
                           "find . -name '*.cpp' -not -path './x/*'",
                           "find src -type f -mtime -1 -size +10k",
                           "find . \\( -name a -o -name b \\) -print",
                           "cd src && ls; pwd",
                           "cat a || echo none",
                           "(cd src; ls)",
                           "echo --- done",
                           "printf '%s\\n' x",
                           "jq -r '.a | $x' a.json",
                           "diff -u a b",
                           "du -sh .",
                           "stat -c %s a",
                           "git status",
                           "git status --short",
                           "git log --oneline -5",
                           "git log -n 5 --format=%H -- src",
                           "git --no-pager log -3",
                           "git -P diff --stat",
                           "git diff HEAD~1 -- a",
                           "git show HEAD:a",
                           "git branch -a",
                           "git ls-files",
                           "git blame -L 1,5 a",
                           "git stash list",
                           "ls # all of it"})
    EXPECT_TRUE(reads(line)) << line << ": " << built_in().only_reads(line).error().message;
}

struct Hostile {
  const char* line;
  const char* because;
};

TEST(ReadCommands, WhateverElseALineSaysAsks) {
  for (const Hostile& row : std::initializer_list<Hostile>{
           {"", "nothing"},
           {"rm a", "not listed"},
           {"./ls", "a program of the workspace"},
           {"/bin/ls", "a program by its path"},
           {"bin/cat a", "a program by its path"},
           {"LS a", "another program"},
           {"ls; rm a", "one of several"},
           {"ls && touch a", "one of several"},
           {"ls | tee a", "a pipe into a program that writes"},
           {"cat a | sh", "a pipe into a shell"},
           {"ls\nrm a", "a second line"},
           {"ls & rm a", "in the background"},
           {"cat $(rm a)", "substitution"},
           {"cat `rm a`", "substitution"},
           {"cat \"$(rm a)\"", "substitution in quotes"},
           {"cat <(rm a)", "process substitution"},
           {"cat $HOME/a", "a variable"},
           {"ls ${IFS}-la", "a variable"},
           {"echo x > a", "redirection"},
           {"echo x >> a", "redirection"},
           {"cat a 2>b", "redirection"},
           {"> a", "redirection alone"},
           {"cat < a", "redirection from a file"},
           {"cat <<E\nx\nE", "a here-document"},
           {"PAGER=x git log", "an assignment"},
           {"GIT_EXTERNAL_DIFF=./x git diff", "an assignment"},
           {"LD_PRELOAD=./x.so ls", "an assignment"},
           {"X=1", "an assignment"},
           {"ls *", "a pattern may stand for an option"},
           {"sort *", "a pattern may stand for -o"},
           {"grep x ?", "a pattern may stand for an option"},
           {"grep x ''*", "a pattern after empty quotes"},
           {"ls {-R,.}", "braces may stand for an option"},
           {"cat ~/a", "a home"},
           {"l? a", "a pattern as the command"},
           {"sudo ls", "a wrapper"},
           {"env ls", "a wrapper"},
           {"env X=1 ls", "a wrapper"},
           {"time ls", "a wrapper"},
           {"timeout 5 ls", "a wrapper"},
           {"nohup ls", "a wrapper"},
           {"command ls", "a wrapper"},
           {"exec ls", "a wrapper"},
           {"sh -c ls", "a shell"},
           {"eval ls", "eval"},
           {". ./a", "a script"},
           {"source a", "a script"},
           {"xargs cat", "runs others"},
           {"ls | xargs rm", "runs others"},
           {"find . -delete", "an option that deletes"},
           {"find . -exec rm {} +", "runs others"},
           {"find . -execdir rm {} +", "runs others"},
           {"find . -ok rm {} \\;", "runs others"},
           {"find . -fprint a", "an option that writes"},
           {"find . -fls a", "an option that writes"},
           {"find . -newer -delete", "an option as a value"},
           {"find . -name -delete", "an option as a value"},
           {"find -files0-from a", "arguments from a file"},
           {"grep -f a b", "patterns from a file"},
           {"grep -rf a b", "in a cluster"},
           {"grep --file=a b", "patterns from a file"},
           {"grep --fil=a b", "an abbreviation"},
           {"sort -o a b", "an output file"},
           {"sort -oa b", "an output file"},
           {"sort -no a b", "in a cluster"},
           {"sort --output=a b", "an output file"},
           {"sort --compress-program=./x a", "runs others"},
           {"sort -T . a", "writes temporary files"},
           {"sort -t -o a", "an option as a value"},
           {"uniq a b", "a second operand is written"},
           {"uniq a*", "a pattern may be two operands"},
           {"sed -i s/a/b/ a", "in place"},
           {"sed -ni p a", "in a cluster"},
           {"sed p -i a", "an option behind an operand"},
           {"sed 's/a/b/e' a", "a script that runs"},
           {"sed -n 'w b' a", "a script that writes"},
           {"sed -e 'w b' a", "a script as an option"},
           {"sed -f a b", "a script from a file"},
           {"sed -n '1e rm a'", "a script that runs"},
           {"awk '{print}' a", "not listed"},
           {"tree -o a", "an output file"},
           {"tree -R", "writes files"},
           {"file -C -m a", "writes a file"},
           {"file -f a", "names from a file"},
           {"jq -f a b", "a script from a file"},
           {"tail -f a", "does not end"},
           {"tail --follow a", "does not end"},
           {"rg --pre ./x y", "runs others"},
           {"wc --files0-from=a", "names from a file"},
           {"less a", "a pager"},
           {"man ls", "a pager"},
           {"git", "nothing"},
           {"git push", "a subcommand that writes"},
           {"git commit -m x", "a subcommand that writes"},
           {"git checkout a", "a subcommand that writes"},
           {"git config --list", "not listed"},
           {"git fetch", "the network"},
           {"git remote show origin", "the network"},
           {"git remote add x y", "operands"},
           {"git branch x", "creates"},
           {"git branch -D x", "deletes"},
           {"git status --verbose", "prints what files hold"},
           {"printf -v PATH .", "a variable of bash"},
           {"git tag x", "creates"},
           {"git tag -d x", "deletes"},
           {"git stash", "changes"},
           {"git stash drop", "changes"},
           {"git -c alias.log='!rm a' log", "settings on the line"},
           {"git -c core.pager=./x log", "settings on the line"},
           {"git -C .. log", "another place"},
           {"git --git-dir=x log", "another place"},
           {"git --exec-path=. log", "programs of the workspace"},
           {"git -p log", "a pager"},
           {"git --paginate log", "a pager"},
           {"git log --output=a", "an output file"},
           {"git diff --output=a", "an output file"},
           {"git diff -O a", "an order from a file"},
           {"git diff --no-index a b", "outside git"},
           {"git diff --ext-diff", "runs others"},
           {"git log --ext-diff -p", "runs others"},
           {"git show --textconv a", "runs others"},
           {"git log --show-signature", "runs others"},
           {"git grep -O x", "a pager"},
           {"git bisect run ./x", "runs others"},
           {"git log -- a; git push", "one of several"},
           {"ls() { rm a; }; ls", "a function"},
           {"alias ls='rm a'\nls", "an alias"},
           {"for x in a; do ls; done", "a loop"},
           {"if ls; then ls; fi", "a condition"},
           {"! ls", "a negation"},
           {"ls \x1b[2K", "a control character"},
           {"ls \\\n-la", "a line continuation"},
           {"cat 'a", "an open quote"},
           {"kubectl get pods", "not listed"},
           {"ls --unknown", "an option that is not listed"},
           {"ls --colour=always", "an option that is not listed"},
           {"ls -lZ", "in a cluster"},
           {"cat --show-all=x a", "a value for an option that takes none"},
           {"head -n", "a value is missing"},
       })
    EXPECT_FALSE(reads(row.line)) << row.line << ": " << row.because;
}

// Whatever surrounds a line that only reads, a piece that could make it do more makes it ask.
TEST(ReadCommands, NoPieceThatDoesMoreIsTakenIntoALine) {
  ASSERT_TRUE(rc::check([] {
    const auto one_of = [](std::vector<std::string> all) { return *rc::gen::elementOf(std::move(all)); };
    const auto line = [&] {
      return one_of({"ls -l", "cat a", "grep -n x a", "git log -3", "find . -name x", "sort a", "echo x", "wc -l"});
    };
    const std::string hostile =
        one_of({"; rm a", " > a",   " >> a",   " < a",        " 2>&1 ",   " $(rm a)",  " `rm a`",
                " $X",    "\nrm a", " & rm a", " | sh",       " && ./x",  " || env x", " <<E",
                " *",     " ?",     " ~",      " | xargs rm", " | tee a", "; X=1",     " | awk x"});
    const std::string whole = line() + hostile + one_of({"", " | head", "; ls", " && pwd", "\nls"});
    RC_ASSERT(!reads(whole));
    RC_ASSERT(reads(line() + one_of({" | ", "; ", " && ", " || ", "\n"}) + line()));
  }));
}

// An option that is not listed is refused wherever it stands.
TEST(ReadCommands, AnOptionThatIsNotListedIsFoundWhereverItStands) {
  ASSERT_TRUE(rc::check([] {
    std::vector<std::string> words{"-l", "-n", "a", "b c", "-", "10", "--color=always", ".", "-i", "x=y"};
    std::vector<std::string> picked = *rc::gen::container<std::vector<std::string>>(rc::gen::elementOf(words));
    const std::string hostile =
        *rc::gen::elementOf(std::vector<std::string>{"--file=x", "-f", "-nf", "-lfx", "--fil=x", "-Z9", "--null-data"});
    picked.insert(picked.begin() + *rc::gen::inRange<std::ptrdiff_t>(0, std::ssize(picked) + 1), hostile);
    std::string line = "grep";
    for (const std::string& word : picked) line += " '" + word + "'";
    RC_ASSERT(!reads(line));
  }));
}

TEST(ReadCommands, SettingsExtendTheList) {
  const ReadCommands more({{"kubectl get", {"-o=", "-n=", "--watch-only?"}}, {"ls", {"--hyperlink?"}}, {"mytool", {}}});
  for (const char* line : {"kubectl get pods", "kubectl get pods -n shop -o yaml", "kubectl get -oyaml pods",
                           "ls --hyperlink=auto -l", "ls --hyperlink", "mytool a b", "git log -3"})
    EXPECT_TRUE(reads(line, more)) << line;
  for (const char* line :
       {"kubectl delete pods", "kubectl get pods --kubeconfig=x", "kubectl", "mytool -x", "mytool > a", "mytool $(x)"})
    EXPECT_FALSE(reads(line, more)) << line;
}

TEST(ReadCommands, SettingsCannotListWhatRunsOthers) {
  const auto problems = [](const ReadCommandSettings& commands) {
    FieldReader reader(FieldReader::Scalars::text, "setting");
    check_read_commands(commands, reader);
    return reader.problems_found();
  };
  EXPECT_EQ(problems({{"kubectl get", {"-o=", "--color?", "-#"}}, {"cargo tree", {}}}), 0U);
  for (const char* name :
       {"sh",   "bash",    "env", "xargs", "sudo",    "time", "timeout", "ssh", "python3", "perl", "git",
        "eval", "busybox", "./x", "a/b",   "x y z w", "",     "-x",      "a;b", "a  b",    "*"})
    EXPECT_EQ(problems({{name, {}}}), 1U) << name;
  EXPECT_EQ(problems({{"find", {"-exec="}}}), 1U);
  for (const char* option : {"x", "-", "", "*", "-n x", "-$(x)"})
    EXPECT_EQ(problems({{"mytool", {option}}}), 1U) << option;
}

TEST(ReadCommands, KnowsWhatPrintsTheHistoryOfFiles) {
  for (const char* line : {"git show HEAD:a", "git diff", "git blame a", "git log -p", "git log -U5", "git log --patch",
                           "ls; git --no-pager show", "git log --unified=3", "git diff | head", "git log; cat a",
                           "cd x && git log | grep -r x", "git log | head a", "git status -s", "git describe --dirty",
                           "git ls-files -m", "git ls-files --modified"})
    EXPECT_TRUE(ReadCommands::prints_history(line)) << line;
  for (const char* line : {"git log", "git log --stat", "git describe", "cat a", "grep -p a", "git ls-files",
                           "git log | head -5", "cd src && git log"})
    EXPECT_FALSE(ReadCommands::prints_history(line)) << line;
}

}  // namespace
}  // namespace deputy::tools
