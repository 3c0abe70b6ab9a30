#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/io_context.hpp>
#include <latch>

#include "support/manual_clock.h"
#include "support/results.h"
#include "tools/call_tool.h"
#include "tools/services/service_tools.h"

namespace deputy::tools {
namespace {

using test::call_tool;
using testing::HasSubstr;

json::object sample_document() {
  return *parse_json_object(R"({
    "orders": {"full_name": "Order Service", "type": "api", "aliases": ["ord", "order-api"],
               "tech_stack": ["Java 21", "PostgreSQL"], "description": "Takes orders", "repo": "shop/orders",
               "backends": {"logs": "loki"}},
    "mailer": {"aliases": ["mail"]}})");
}

TEST(ServiceList, IsMadeFromADocument) {
  const auto services = services_from(sample_document());
  ASSERT_OK(services);
  ASSERT_EQ(services->size(), 2u);
  EXPECT_EQ(services->front(), (Service{"orders",
                                        "Order Service",
                                        "api",
                                        {"ord", "order-api"},
                                        {"Java 21", "PostgreSQL"},
                                        "Takes orders",
                                        "shop/orders",
                                        {{"logs", "loki"}}}));
}

struct FindRow {
  std::string name;
  std::string key;  // empty: none
};
class FindService : public testing::TestWithParam<FindRow> {};

TEST_P(FindService, ByAnyOfItsNames) {
  const ServiceList list(*services_from(sample_document()));
  const Service* found = list.find(GetParam().name);
  EXPECT_EQ(found == nullptr ? "" : found->key, GetParam().key);
}

INSTANTIATE_TEST_SUITE_P(Names, FindService,
                         testing::Values(FindRow{"orders", "orders"}, FindRow{"ORD", "orders"},
                                         FindRow{"order_api", "orders"}, FindRow{"Order Service", "orders"},
                                         FindRow{" mail ", "mailer"}, FindRow{"order", ""}, FindRow{"", ""}));

struct BadRow {
  std::string document;
  std::string problem;
};
class BadServices : public testing::TestWithParam<BadRow> {};

TEST_P(BadServices, AreRefusedWithTheReason) {
  const auto services = services_from(*parse_json_object(GetParam().document));
  ASSERT_FAILS(services, invalid_input);
  EXPECT_THAT(describe(services.error()), HasSubstr(GetParam().problem));
}

INSTANTIATE_TEST_SUITE_P(
    Documents, BadServices,
    testing::Values(BadRow{R"({"a": {"aliases": ["b"]}, "b": {}})", "`b` is already a name of the service `a`"},
                    BadRow{R"({"a": {"aliasses": ["b"]}})", "did you mean `aliases`"},
                    BadRow{R"({"a": "b"})", "must be an object"}, BadRow{R"({"": {}})", "is empty"}));

/// A registry over a document that the test changes.
struct World {
  Result<std::vector<Service>> document = services_from(sample_document());
  int loads = 0;
  test::ManualClock clock;
  std::shared_ptr<ServicesRegistry> registry = std::make_shared<ServicesRegistry>(
      [this] {
        ++loads;
        return document;
      },
      clock);

  std::size_t count() {
    const auto list = test::run(registry->current());
    return list ? (*list)->services().size() : 0;
  }
};

TEST(ServicesRegistry, LoadsAnewAfterFiveMinutes) {
  World world;
  EXPECT_EQ(world.count(), 2u);
  world.document->pop_back();
  world.clock.advance(std::chrono::minutes(5) - std::chrono::milliseconds(1));
  EXPECT_EQ(world.count(), 2u);
  world.clock.advance(std::chrono::milliseconds(1));
  EXPECT_EQ(world.count(), 1u);
  EXPECT_EQ(world.loads, 2);
}

TEST(ServicesRegistry, KeepsTheLastGoodList) {
  World world;
  EXPECT_EQ(world.count(), 2u);
  world.document = fail(ErrorKind::not_found, "the file is gone");
  world.clock.advance(std::chrono::minutes(6));
  EXPECT_EQ(world.count(), 2u);
  EXPECT_EQ(world.count(), 2u);
  EXPECT_EQ(world.loads, 2) << "not with every question";
  world.clock.advance(std::chrono::seconds(30));
  EXPECT_EQ(world.count(), 2u);
  EXPECT_EQ(world.loads, 3);
}

TEST(ServicesRegistry, SaysWhyWhenThereNeverWasAGoodOne) {
  World world;
  world.document = fail(ErrorKind::not_found, "the file is gone");
  EXPECT_FAILS(test::run(world.registry->current()), not_found);
}

TEST(ServicesRegistry, WaitsBeforeTheNextTryAlsoWhereThereNeverWasAGoodOne) {
  World world;
  const Result<std::vector<Service>> good = world.document;
  world.document = fail(ErrorKind::not_found, "the file is gone");
  EXPECT_FAILS(test::run(world.registry->current()), not_found);
  world.document = good;
  world.clock.advance(kServicesRetry - std::chrono::milliseconds(1));
  EXPECT_FAILS(test::run(world.registry->current()), not_found);
  EXPECT_EQ(world.loads, 1);
  world.clock.advance(std::chrono::milliseconds(1));
  EXPECT_EQ(world.count(), 2u);
}

TEST(ServicesRegistry, WhoeverAsksWhileItIsLoadedWaitsForThatLoad) {
  World world;
  asio::io_context loop;
  std::vector<std::size_t> counts;
  for (int asked = 0; asked < 3; ++asked) {
    asio::co_spawn(loop, world.registry->current(), [&](const std::exception_ptr&, const auto& list) {
      counts.push_back(list ? (*list)->services().size() : 0);
    });
  }
  loop.run();
  EXPECT_EQ(counts, (std::vector<std::size_t>{2, 2, 2}));
  EXPECT_EQ(world.loads, 1);
}

TEST(ServicesRegistry, WhoeverGivesUpSpoilsNoLoadForOthers) {
  World world;
  const auto go = std::make_shared<std::latch>(1);
  const auto registry = std::make_shared<ServicesRegistry>(
      [&world, go] {
        go->wait();
        return world.document;
      },
      world.clock);
  asio::io_context loop;
  asio::cancellation_signal cancel;
  std::vector<Result<std::size_t>> results;
  const auto keep = [&](const std::exception_ptr&, const Result<std::shared_ptr<const ServiceList>>& list) {
    results.push_back(list ? Result<std::size_t>((*list)->services().size()) : std::unexpected(list.error()));
  };
  asio::co_spawn(loop, registry->current(), asio::bind_cancellation_slot(cancel.slot(), keep));
  asio::co_spawn(loop, registry->current(), keep);
  loop.poll();
  cancel.emit(asio::cancellation_type::terminal);
  loop.poll();
  go->count_down();
  loop.run();
  EXPECT_EQ(results, (std::vector<Result<std::size_t>>{std::unexpected(cancelled_error()), 2}));
}

TEST(GetServiceInfo, SaysAllThatIsKnown) {
  World world;
  const auto output = call_tool(*get_service_info(world.registry), {{"service_name", "ord"}});
  ASSERT_OK(output);
  EXPECT_EQ(output->text,
            "orders: Order Service\ndescription: Takes orders\ntype: api\naliases: ord, order-api\n"
            "tech stack: Java 21, PostgreSQL\nrepo: shop/orders\n");
}

TEST(GetServiceInfo, SuggestsTheNearestKey) {
  World world;
  const auto output = call_tool(*get_service_info(world.registry), {{"service_name", "oder-api"}});
  ASSERT_FAILS(output, not_found);
  EXPECT_EQ(output.error().message, "there is no service `oder-api`; did you mean `orders`?");
  EXPECT_EQ(output.error().hint, "known services: `mailer` and `orders`");
}

TEST(ListServices, NamesEachInALine) {
  World world;
  const auto output = call_tool(*list_services(world.registry), {});
  ASSERT_OK(output);
  EXPECT_EQ(output->text,
            "2 services\nmailer, also mail\norders (Order Service), api, also ord, order-api: Takes orders\n");
}

TEST(ServiceTools, KeepTheRulesOfASpecAndSayWhatToSet) {
  World world;
  for (const auto& tool : service_tools(world.registry)) EXPECT_THAT(check_spec(tool->spec()), testing::IsEmpty());
  const auto none = std::make_shared<ServicesRegistry>(ServicesRegistry::Load{}, world.clock);
  EXPECT_THAT(list_services(none)->spec().missing, HasSubstr("services.file"));
  EXPECT_FAILS(call_tool(*list_services(none), {}), not_configured);
}

}  // namespace
}  // namespace deputy::tools
