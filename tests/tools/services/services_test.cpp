#include <gmock/gmock.h>
#include <gtest/gtest.h>

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
               "tech_stack": ["Java 21", "PostgreSQL"], "description": "Takes orders", "repo": "shop/orders"},
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
                                        "shop/orders"}));
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
    testing::Values(BadRow{R"({"a": {"aliases": ["b"]}, "b": {}})", "`b` already means the service `a`"},
                    BadRow{R"({"a": {"aliasses": ["b"]}})", "did you mean `aliases`"},
                    BadRow{R"({"a": "b"})", "must be an object"}, BadRow{R"({"": {}})", "is empty"}));

/// A registry over a document that the test changes.
struct World {
  Result<std::vector<Service>> document = services_from(sample_document());
  int loads = 0;
  test::ManualClock clock;
  Workers workers{"test", {}};
  std::shared_ptr<ServicesRegistry> registry = std::make_shared<ServicesRegistry>(
      [this] {
        ++loads;
        return document;
      },
      clock, workers);

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
  EXPECT_EQ(output.error().hint, "there are: `mailer` and `orders`");
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
  const auto none = std::make_shared<ServicesRegistry>(ServicesRegistry::Load{}, world.clock, world.workers);
  EXPECT_THAT(list_services(none)->spec().missing, HasSubstr("services.file"));
  EXPECT_FAILS(call_tool(*list_services(none), {}), not_configured);
}

}  // namespace
}  // namespace deputy::tools
