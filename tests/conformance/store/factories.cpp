// One factory an implementation.
#include "conformance/store/suite.h"
#include "store/sqlite/sqlite_store.h"
#include "support/temporary_folder.h"

namespace deputy::store {
namespace {

class SqliteFactory final : public StoreFactory {
 public:
  std::unique_ptr<Store> open(asio::io_context& loop) override {
    auto store = SqliteStore::open(loop.get_executor(), clock_, {.folder = folder_.path()});
    EXPECT_OK(store);
    return *std::move(store);
  }
  void kill(std::unique_ptr<Store> store) override { store.reset(); }

 private:
  test::TemporaryFolder folder_;
  SystemClock clock_;
};

INSTANTIATE_TEST_SUITE_P(Sqlite, StoreTest,
                         testing::Values(Implementation{"sqlite", [] { return std::make_unique<SqliteFactory>(); }}),
                         [](const auto& implementation) { return implementation.param.name; });

}  // namespace
}  // namespace deputy::store
