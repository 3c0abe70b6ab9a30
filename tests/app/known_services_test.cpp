#include "app/known_services.h"

#include <gmock/gmock.h>

#include "support/loop.h"
#include "support/manual_clock.h"
#include "support/results.h"
#include "support/temporary_folder.h"
#include "tools/logs/log_tools.h"

namespace deputy::app {
namespace {

using testing::ElementsAre;

std::vector<std::string> keys_of(const ServiceNames& names) {
  std::vector<std::string> keys;
  for (const intent::KnownService& service : names) keys.push_back(service.key);
  return keys;
}

TEST(JoinServices, ALogThatARegisteredServiceWritesIsNoServiceOfItsOwn) {
  const std::vector<tools::Service> registered{{.key = "orders", .full_name = "Order Desk", .aliases = {"ord"}}};
  EXPECT_THAT(keys_of(join_services(registered, {"ORDERS", "ord", "order_desk", "kiosk"})),
              ElementsAre("orders", "kiosk"));
  EXPECT_EQ(join_services(registered, {}).front().aliases, std::vector<std::string>{"ord"});
  EXPECT_THAT(join_services({}, {}), testing::IsEmpty());
}

TEST(JoinServices, ARepositoryIsAnotherNameOfItsService) {
  const std::vector<tools::Service> registered{{.key = "orders", .repo = "https://git.example/Shop/Orders.git"}};
  EXPECT_EQ(join_services(registered, {}).front().aliases, std::vector<std::string>{"shop/orders"});
}

/// Services of a made registry and of a made folder of logs.
struct Known {
  explicit Known(std::vector<tools::Service> registered) {
    tools::LogToolsSettings settings;
    settings.files.root = folder.path().string();
    logs = tools::make_files_backend(settings, environments, workers);
    registry = std::make_shared<tools::ServicesRegistry>(
        [registered = std::move(registered)] { return Result<std::vector<tools::Service>>(registered); }, clock);
  }
  KnownServices make() { return {registry, {logs}, clock, loop.get_executor()}; }
  void load(KnownServices& services) {
    test::run_on(loop, services.known());
    rest();
  }
  /// Lets what goes on behind come to its end.
  void rest() {
    loop.restart();
    loop.run();
  }

  test::TemporaryFolder folder;
  test::ManualClock clock;
  Workers workers{"known", {}};
  std::map<std::string, std::vector<std::string>> environments{{"prod", {}}};
  asio::io_context loop;
  std::shared_ptr<tools::LogBackend> logs;
  std::shared_ptr<tools::ServicesRegistry> registry;
};

TEST(KnownServices, AreThoseOfTheFileAndThoseThatHaveLogs) {
  Known known({{.key = "orders"}});
  known.folder.write("prod/checkout.log", "x\n");
  known.folder.write("prod/checkout.log.1", "x\n");
  known.folder.write("prod/orders.log", "x\n");
  known.folder.write("elsewhere/kiosk.log", "x\n");
  KnownServices services = known.make();
  known.load(services);
  EXPECT_THAT(keys_of(*services.names()), ElementsAre("orders", "checkout"));
  EXPECT_EQ(services.names(), services.names());
}

TEST(KnownServices, BeginToBeReadBeforeAnybodyWaitsForThem) {
  Known known({});
  known.folder.write("prod/checkout.log", "x\n");
  KnownServices services = known.make();
  services.begin();
  EXPECT_THAT(*services.names(), testing::IsEmpty());
  known.rest();
  EXPECT_THAT(keys_of(*services.names()), ElementsAre("checkout"));
  known.folder.write("prod/kiosk.log", "x\n");
  known.load(services);
  EXPECT_THAT(keys_of(*services.names()), ElementsAre("checkout")) << "who asks late waits for no second reading";
}

TEST(KnownServices, AreReadAnewBehindTheBackOfWhoeverAsks) {
  Known known({});
  known.folder.write("prod/checkout.log", "x\n");
  KnownServices services = known.make();
  known.load(services);
  known.folder.write("prod/kiosk.log", "x\n");
  EXPECT_THAT(keys_of(*services.names()), ElementsAre("checkout"));
  known.clock.advance(tools::kServicesTtl);
  EXPECT_THAT(keys_of(*services.names()), ElementsAre("checkout"));
  known.rest();
  EXPECT_THAT(keys_of(*services.names()), ElementsAre("checkout", "kiosk"));
}

TEST(KnownServices, StayWhatTheyWereWhenTheLogsCannotBeRead) {
  Known known({});
  known.folder.write("prod/checkout.log", "x\n");
  KnownServices services = known.make();
  known.load(services);
  std::filesystem::remove_all(known.folder.path());
  known.clock.advance(tools::kServicesTtl);
  (void)services.names();
  known.rest();
  EXPECT_THAT(keys_of(*services.names()), ElementsAre("checkout"));
}

TEST(KnownServices, AreNoneWhereNothingIsSet) {
  Known known({});
  KnownServices services(std::make_shared<tools::ServicesRegistry>(nullptr, known.clock), {}, known.clock,
                         known.loop.get_executor());
  known.load(services);
  EXPECT_THAT(*services.names(), testing::IsEmpty());
}

}  // namespace
}  // namespace deputy::app
