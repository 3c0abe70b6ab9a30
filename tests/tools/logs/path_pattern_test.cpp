#include <gtest/gtest.h>

#include "support/results.h"
#include "tools/logs/files/find_files.h"

namespace deputy::tools::files {
namespace {

struct PathRow {
  std::string pattern;
  std::string path;
  std::optional<PathOwner> owner;
};
void PrintTo(const PathRow& row, std::ostream* out) { *out << row.pattern << " over " << row.path; }
class Owner : public testing::TestWithParam<PathRow> {};

TEST_P(Owner, IsReadFromThePath) {
  const auto pattern = PathPattern::compile(GetParam().pattern);
  ASSERT_OK(pattern);
  EXPECT_EQ(pattern->match(GetParam().path), GetParam().owner);
}

const std::string kUsual = "{environment}/{service}.log";
INSTANTIATE_TEST_SUITE_P(
    Paths, Owner,
    testing::Values(PathRow{kUsual, "prod/orders.log", PathOwner{"prod", "orders"}},
                    PathRow{kUsual, "prod/orders.log.1", PathOwner{"prod", "orders"}},
                    PathRow{kUsual, "prod/orders.log.12.gz", PathOwner{"prod", "orders"}},
                    PathRow{kUsual, "prod/orders-20261101.log", PathOwner{"prod", "orders"}},
                    PathRow{kUsual, "prod/orders-20261101.log.gz", PathOwner{"prod", "orders"}},
                    PathRow{kUsual, "prod/orders.log-20261101", PathOwner{"prod", "orders"}},
                    PathRow{kUsual, "prod/orders.log-2026110104.gz", PathOwner{"prod", "orders"}},
                    PathRow{kUsual, "prod/orders.log.2026-11-01", PathOwner{"prod", "orders"}},
                    PathRow{kUsual, "prod/orders.1.log", PathOwner{"prod", "orders"}},
                    PathRow{kUsual, "prod/web-1.log", PathOwner{"prod", "web-1"}},
                    PathRow{kUsual, "prod/sub/orders.log", std::nullopt}, PathRow{kUsual, "orders.log", std::nullopt},
                    PathRow{kUsual, "prod/orders.txt", std::nullopt},
                    PathRow{"k8s/*/{service}-*.log", "k8s/ns/orders-abc-def.log", PathOwner{"", "orders"}},
                    PathRow{"nginx/access.log", "nginx/access.log.3.gz", PathOwner{"", ""}},
                    PathRow{"a+b/{service}.log", "aab/x.log", std::nullopt},
                    PathRow{"{service}/{environment}.json", "orders/prod.json", PathOwner{"prod", "orders"}}));

class BadPattern : public testing::TestWithParam<std::string> {};
TEST_P(BadPattern, IsRefused) { EXPECT_FAILS(PathPattern::compile(GetParam()), invalid_input); }
INSTANTIATE_TEST_SUITE_P(Patterns, BadPattern,
                         testing::Values("", "/var/log/{service}.log", "../{service}.log", "{host}.log",
                                         "{service}/{service}.log", "{service"));

}  // namespace
}  // namespace deputy::tools::files
