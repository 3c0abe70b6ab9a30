#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "base/text.h"
#include "config/document.h"
#include "config/environment.h"
#include "config/sample_settings.h"
#include "config/yaml.h"

namespace deputy::config {
namespace {

// Documents that agree on which keys hold objects, as those that read into one struct do: a and b are objects, the rest
// is not.
Document some_layer(int number) {
  static constexpr std::array<std::string_view, 3> kLeaves{"x", "y", "z"};
  Document document;
  const auto source = std::make_shared<const Source>(SourceKind::file, fmt::format("layer {}", number), "/", false);
  const auto count = *rc::gen::inRange(0, 6);
  for (int i = 0; i < count; ++i) {
    std::vector<std::string> path;
    if (*rc::gen::arbitrary<bool>()) path.emplace_back("a");
    if (!path.empty() && *rc::gen::arbitrary<bool>()) path.emplace_back("b");
    path.emplace_back(kLeaves[static_cast<std::size_t>(*rc::gen::inRange(0, 3))]);
    set_value(document, path, fmt::to_string(*rc::gen::inRange(0, 100)), {source, *rc::gen::inRange(1, 50)});
  }
  return document;
}

Document merged(Document under, const Document& over) {
  merge(under, over);
  return under;
}

void check_leaves(const json::object& object, const std::string& path,
                  const std::function<void(const std::string&)>& check) {
  for (const auto& member : object) {
    const std::string inner = join_path(path, as_view(member.key()));
    if (const json::object* deeper = member.value().if_object()) {
      check_leaves(*deeper, inner, check);
    } else {
      check(inner);
    }
  }
}

TEST(MergeProperty, IsAssociative) {
  EXPECT_TRUE(rc::check("(a + b) + c == a + (b + c)", [] {
    const Document a = some_layer(1);
    const Document b = some_layer(2);
    const Document c = some_layer(3);
    const Document left = merged(merged(a, b), c);
    const Document right = merged(a, merged(b, c));
    RC_ASSERT(left.root == right.root);
    check_leaves(left.root, {}, [&](const std::string& path) {
      RC_ASSERT(left.origins.of(path).where() == right.origins.of(path).where());
    });
  }));
}

TEST(MergeProperty, TheLaterLayerWinsAndNothingElseChanges) {
  EXPECT_TRUE(rc::check("every leaf is the later layer's where it has one", [] {
    const Document under = some_layer(1);
    const Document over = some_layer(2);
    const Document both = merged(under, over);
    const auto where = [](const Document& document, const std::string& path) {
      return document.origins.of_value(path).where();
    };
    check_leaves(over.root, {}, [&](const std::string& path) { RC_ASSERT(where(both, path) == where(over, path)); });
    check_leaves(both.root, {}, [&](const std::string& path) {
      RC_ASSERT(where(both, path) == (over.origins.find(path) != nullptr ? where(over, path) : where(under, path)));
    });
  }));
}

// Where a and b are objects.
std::vector<FieldDoc> some_docs() {
  std::vector<FieldDoc> docs;
  for (const char* path : {"x", "a.x", "a.b.x"}) docs.emplace_back().path = path;
  return docs;
}

// The same with some of its objects written as JSON in one scalar.
Document partly_as_text(Document document) {
  const auto fold = [](json::value& value) {
    if (*rc::gen::arbitrary<bool>()) value = json::value(json::serialize(value));
  };
  if (json::value* a = document.root.if_contains("a")) {
    if (json::value* b = a->get_object().if_contains("b")) fold(*b);
    fold(*a);
  }
  return document;
}

TEST(MergeProperty, AnObjectInTextIsMergedLikeAnyOther) {
  const Shapes shapes(some_docs());
  EXPECT_TRUE(rc::check("under + over is the same however over is written", [&] {
    const Document under = some_layer(1);
    const Document over = some_layer(2);
    Document spread = partly_as_text(over);
    spread_objects(spread, shapes);
    RC_ASSERT(merged(under, spread).root == merged(under, over).root);
  }));
}

// Text that looks like settings more often than random bytes do.
rc::Gen<std::string> some_text() {
  const auto piece =
      rc::gen::element<std::string>("count", "log", ": ", "{", "}", "[", "]", "\n", "  ", "- ", "'", "\"", "#", "&a ",
                                    "*a", "|\n", "!!x ", "? ", "level", "info", "~", ",", "\t", "---\n", "env:X",
                                    "channels", "slack", "bot_token", "\\", "\xC3\xA9", "\xFF", "<<");
  return rc::gen::map(rc::gen::container<std::vector<std::string>>(piece), [](const std::vector<std::string>& pieces) {
    std::string text;
    for (const std::string& one : pieces) text += one;
    return text;
  });
}

TEST(LoadProperty, NoTextCanCrashTheLoaderAndEveryProblemHasAPlace) {
  const test::SampleWorld world;
  EXPECT_TRUE(rc::check("any text loads or is a problem of this file", [&] {
    const std::string text = *rc::gen::oneOf(some_text(), rc::gen::arbitrary<std::string>());
    world.write_user(text);
    const int lines =
        static_cast<int>(std::ranges::count(text, '\n')) + static_cast<int>(std::ranges::count(text, '\r')) + 1;
    for (const LocatedProblem& problem : world.load().problems) {
      RC_ASSERT(problem.source == world.user_file().string());
      RC_ASSERT(problem.line >= 1 && problem.line <= lines);
      RC_ASSERT(!problem.message.empty());
    }
  }));
}

TEST(LoadPlaces, AProblemOfAnUnknownKeyOfAnyLengthHasItsPlace) {
  const test::SampleWorld world;
  for (const std::size_t length : {1U, 60U, 61U, 199U, 200U}) {
    world.write_user("\n" + std::string(length, 'k') + ": 1\n");
    const auto problems = world.load().problems;
    ASSERT_EQ(problems.size(), 1U) << length;
    EXPECT_EQ(problems[0].source, world.user_file().string()) << length;
    EXPECT_EQ(problems[0].line, 2) << length;
  }
}

TEST(LoadProperty, NoVariableCanCrashTheLoader) {
  test::SampleWorld world;
  EXPECT_TRUE(rc::check("any variable is a setting, a notice, a problem or nothing", [&] {
    const auto segment =
        rc::gen::element<std::string>("COUNT", "LOG", "LEVEL", "CHANNELS", "C1", "MODE", "", "_", "x", "\xFF");
    std::string name = "DEPUTY_";
    const auto segments = *rc::gen::container<std::vector<std::string>>(segment);
    for (std::size_t i = 0; i < segments.size(); ++i) name += (i == 0 ? "" : "__") + segments[i];
    world.environment = {{name, *rc::gen::arbitrary<std::string>()}};
    for (const LocatedProblem& problem : world.load().problems)
      RC_ASSERT(problem.source == "environment variable " + to_valid_utf8(name));
  }));
}

}  // namespace
}  // namespace deputy::config
