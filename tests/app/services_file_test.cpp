#include <gmock/gmock.h>

#include "app/known_services.h"
#include "support/results.h"
#include "support/temporary_folder.h"

namespace deputy::app {
namespace {

TEST(ServicesFile, IsReadAsYaml) {
  const test::TemporaryFolder folder;
  const auto file =
      folder.write("services.yaml", "orders:\n  full_name: Order Service\n  aliases: [ord]\nmailer: {}\n");
  const auto services = read_services(file);
  ASSERT_OK(services);
  EXPECT_EQ(*services, (std::vector<tools::Service>{{.key = "orders", .full_name = "Order Service", .aliases = {"ord"}},
                                                    {.key = "mailer"}}));
}

TEST(ServicesFile, SaysWhereItBreaks) {
  const test::TemporaryFolder folder;
  const auto services = read_services(folder.write("services.yaml", "orders:\n  aliases: [ord\n"));
  ASSERT_FAILS(services, invalid_input);
  EXPECT_THAT(services.error().message, testing::HasSubstr("services.yaml:"));
  EXPECT_FAILS(read_services(folder / "absent.yaml"), not_found);
}

}  // namespace
}  // namespace deputy::app
