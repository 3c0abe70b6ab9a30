#include "config/paths.h"

#include <gtest/gtest.h>

#include "support/results.h"

namespace deputy::config {
namespace {

const Environment kHome{{"HOME", "/home/ana"}};

std::vector<std::string> paths(LoadMode mode, const PlaceFlags& flags, const Environment& environment,
                               const std::string& working_dir = "/srv") {
  std::vector<std::string> found;
  const auto places = find_places(mode, flags, environment, working_dir);
  if (!places) return {"error: " + places.error().message};
  for (const SettingsFile& place : places->files) {
    for (const auto& name : place.names) found.push_back(name.string());
  }
  return found;
}

using Paths = std::vector<std::string>;

TEST(Places, AreSystemThenUserThenProject) {
  EXPECT_EQ(paths(LoadMode::command, {}, kHome),
            (Paths{"/etc/deputy/deputy.yaml", "/etc/deputy/deputy.json", "/home/ana/.config/deputy/deputy.yaml",
                   "/home/ana/.config/deputy/deputy.json", "/srv/deputy.yaml", "/srv/deputy.json"}));
}

TEST(Places, ServeNeverReadsTheProjectFile) {
  EXPECT_EQ(paths(LoadMode::serve, {}, kHome),
            (Paths{"/etc/deputy/deputy.yaml", "/etc/deputy/deputy.json", "/home/ana/.config/deputy/deputy.yaml",
                   "/home/ana/.config/deputy/deputy.json"}));
}

TEST(Places, ANamedFileIsTheOnlyOne) {
  const Environment named{{"HOME", "/home/ana"}, {"DEPUTY_CONFIG", "/srv/b.yaml"}};
  EXPECT_EQ(paths(LoadMode::command, {}, named), Paths{"/srv/b.yaml"});
  EXPECT_EQ(paths(LoadMode::serve, {}, named), Paths{"/srv/b.yaml"});
  EXPECT_EQ(paths(LoadMode::command, {.config = "a.yaml", .data = {}}, named), Paths{"/srv/a.yaml"})
      << "the flag comes first";
}

TEST(Places, TheUsersOwnFolderIsNoProject) {
  EXPECT_EQ(paths(LoadMode::command, {}, kHome, "/home/ana/.config/deputy").size(), 4);
  EXPECT_EQ(paths(LoadMode::command, {}, kHome, "/etc/deputy").size(), 4);
}

TEST(Places, FollowXdg) {
  const Environment xdg{{"HOME", "/home/ana"}, {"XDG_CONFIG_HOME", "/conf"}, {"XDG_STATE_HOME", "/state"}};
  EXPECT_EQ(paths(LoadMode::serve, {}, xdg)[2], "/conf/deputy/deputy.yaml");
  EXPECT_EQ(data_folder({}, xdg, "/srv"), "/state/deputy");
  EXPECT_EQ(file_to_begin({}, xdg, "/srv"), "/conf/deputy/deputy.yaml");
  const Environment relative{{"HOME", "/home/ana"}, {"XDG_CONFIG_HOME", "conf"}};
  EXPECT_EQ(paths(LoadMode::serve, {}, relative)[2], "/home/ana/.config/deputy/deputy.yaml")
      << "XDG says to ignore relative ones";
}

TEST(DataFolder, IsTheFlagThenTheVariableThenTheDefault) {
  Environment environment = kHome;
  EXPECT_EQ(data_folder({}, environment, "/srv"), "/home/ana/.local/state/deputy");
  environment["DEPUTY_DATA"] = "/var/lib/deputy";
  EXPECT_EQ(data_folder({}, environment, "/srv"), "/var/lib/deputy");
  EXPECT_EQ(data_folder({.config = {}, .data = "here"}, environment, "/srv"), "/srv/here");
  EXPECT_FAILS(data_folder({}, {}, "/srv"), not_configured);
}

TEST(Places, WithoutAHomeServeStillReadsTheSystemFile) {
  EXPECT_EQ(paths(LoadMode::serve, {}, {}), (Paths{"/etc/deputy/deputy.yaml", "/etc/deputy/deputy.json"}));
}

}  // namespace
}  // namespace deputy::config
