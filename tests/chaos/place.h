// One installation of the host: its folder and settings, and what is left there when the processes are gone.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "chaos/people.h"
#include "support/temporary_folder.h"

namespace deputy::chaos {

class Place {
 public:
  /// How the channel shows answers.
  enum class Form { posts, streams };
  /// Approvals expire after so many seconds. By default they outlive a card that is in doubt for 20 s.
  explicit Place(Form form, int expiry = 90) : form_(form), expiry_(expiry) { folder_.write("deputy.yaml", kSettings); }

  /// The command that starts it.
  std::vector<std::string> host() const;
  std::filesystem::path platform() const { return folder_ / "platform"; }
  /// The lines that writes left.
  std::vector<std::string> effects() const;
  /// Lets slow writes end.
  void let_go() const { folder_.write("go", ""); }

  /// Rows of a query of one text column, read past the store.
  std::vector<std::string> rows(const std::string& sql) const;
  /// What the journals say against the promises.
  std::vector<std::string> broken_journals() const;
  /// Runs that were given up although the crashes before do not explain it: fewer than three in a row without a reply
  /// of the model or a step in between. Also runs that claim more crashes than there were kills.
  std::vector<std::string> given_up_without_reason(const std::set<std::string>& given_up, int kills) const;

 private:
  static const char* const kSettings;

  Form form_;
  int expiry_;
  test::TemporaryFolder folder_;
};

/// Another process, until everything is answered.
void goes_on_to_the_end(const Place& place, People& people, const std::vector<std::string>& variables = {});

/// A run is given up only where the kills before explain it.
void expect_promises_kept(const Place& place, const People& people, int kills = 1);

}  // namespace deputy::chaos
