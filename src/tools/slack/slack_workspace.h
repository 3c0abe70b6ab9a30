// A Slack workspace as the tools see it: its channels by name or id, the names of its people, and which of its
// conversations a call may use.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "clients/slack/calls.h"
#include "toolkit/spec.h"
#include "toolkit/step.h"

namespace deputy::tools::slack {

using clients::slack::ChannelInfo;

/// The name of a user, channel or group by its id; empty if it is not known.
using NameOf = std::function<std::string(std::string_view id)>;
/// A message as a reader sees it: text, blocks, alert cards, forwarded messages. Pure.
using TextOf = std::function<std::string(const json::object& message, const NameOf& name_of)>;

class SlackWorkspace {
 public:
  /// `api` is null where no Slack is set up. It and `clock` outlive this.
  SlackWorkspace(clients::slack::Api* api, const Clock& clock, TextOf text_of)
      : api_(api), clock_(clock), text_of_(std::move(text_of)) {}

  /// Only if `missing` is empty.
  clients::slack::Api& api() const { return *api_; }
  const Clock& clock() const { return clock_; }
  /// The setting to set first; empty: none.
  std::string missing() const;

  /// The channel with this id or name, as Slack has it now. not_found if there is none or Deputy cannot see it.
  Task<Result<ChannelInfo>> channel(std::string id_or_name);
  /// The id alone, as policy judges it.
  Task<Result<toolkit::Led>> id_of_channel(std::string id_or_name);

  /// The message as a reader sees it, with the names of the people in it as far as they are known.
  std::string text_of(const json::object& message) const;
  /// Looks up the names of people in these messages, their writers and whom they mention; not all if there are many.
  Task<> learn_names(const json::array& messages);
  Task<> learn_names(std::set<std::string, std::less<>> users);
  std::string name_of(std::string_view user) const;  // the id itself if the name is not known

 private:
  /// Also for an id that does not look like one of Slack's.
  Task<Result<std::string>> id_of(std::string name_or_id);
  Task<Result<ChannelInfo>> by_id(std::string id);

  clients::slack::Api* api_;
  const Clock& clock_;
  TextOf text_of_;
  std::map<std::string, std::string, std::less<>> channels_;  // ids by name
  Timestamp channels_read_{};
  std::map<std::string, std::string, std::less<>> people_;  // names by id
  Timestamp people_since_{};
};

using Workspace = std::shared_ptr<SlackWorkspace>;

/// "#ops", "a direct message".
std::string shown_name(const ChannelInfo& channel);
bool is_public(const ChannelInfo& channel);

// ---- What a call may use (behaviour 14).

/// The question to the run which of these channels the requester and the readers of the answer may see; at most 200.
toolkit::Delegate which_are_visible(std::span<const ChannelInfo> channels);

/// The answer to it: the ids.
Result<std::set<std::string>> visible_in(const json::value& answer);

/// The same sentence whether there is no such channel or the call may not use it: nobody learns which.
Error no_such_channel();

/// The channel of a call's `channel` argument if the call may use it. Before it knows that, the question to ask.
using UsableChannel = std::variant<toolkit::Delegate, ChannelInfo>;
Task<Result<UsableChannel>> usable_channel(SlackWorkspace& workspace, toolkit::CallContext& context);

}  // namespace deputy::tools::slack
