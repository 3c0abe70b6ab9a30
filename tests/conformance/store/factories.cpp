// One factory an implementation.
#include "conformance/store/suite.h"
#include "store/sqlite/sqlite_store.h"
#include "support/temporary_folder.h"

namespace deputy::store {
namespace {

class SqliteFactory final : public StoreFactory {
 public:
  std::unique_ptr<Store> open(asio::io_context& loop, std::vector<std::string> reach) override {
    auto store = SqliteStore::open(loop.get_executor(), clock_, {.folder = folder_.path(), .reach = std::move(reach)});
    EXPECT_OK(store);
    return *std::move(store);
  }
  void kill(std::unique_ptr<Store> store) override { store.reset(); }
  void was_down_for(std::chrono::milliseconds time) override {
    auto connection = sqlite::Connection::open(folder_ / "deputy.db", sqlite::Connection::Mode::read_write);
    ASSERT_OK(connection);
    sqlite::Statement update = connection->prepare("UPDATE heartbeat SET at = at - ?");
    ASSERT_OK(update.bind(1, time.count()).run());
    ASSERT_EQ(connection->changes(), 1);
  }

 private:
  test::TemporaryFolder folder_;
  SystemClock clock_;
};

}  // namespace

const std::vector<Implementation>& implementations() {
  static const std::vector<Implementation> all{{"sqlite", [] { return std::make_unique<SqliteFactory>(); }}};
  return all;
}

std::string name_of(const testing::TestParamInfo<Implementation>& implementation) { return implementation.param.name; }

INSTANTIATE_TEST_SUITE_P(Every, StoreTest, testing::ValuesIn(implementations()), name_of);

}  // namespace deputy::store
