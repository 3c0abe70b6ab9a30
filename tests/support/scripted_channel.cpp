#include "support/scripted_channel.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace deputy::test {

using channel::Message;
using channel::MessageRef;

ScriptedChannel::ScriptedChannel(std::string name) : name_(std::move(name)) {
  can = {.buttons = true,
         .forms = true,
         .modals = true,
         .edit = true,
         .files = true,
         .threads = true,
         .whisper = true,
         .working = true,
         .find = true,
         .remove = true,
         .direct = true};
}

void ScriptedChannel::knows(const std::string& account_key, policy::Identity identity) {
  const std::size_t colon = account_key.find(':');
  identity.account = {account_key.substr(0, colon), account_key.substr(colon + 1)};
  identities_[account_key] = std::move(identity);
}

void ScriptedChannel::has_context(const std::string& conversation, channel::ConversationContext context) {
  contexts_[conversation] = std::move(context);
}

void ScriptedChannel::fails(Step step, const Error& error, Posted posted, int times) {
  for (int i = 0; i < times; ++i) failures_[step].push_back({error, posted});
}

std::optional<ScriptedChannel::Failure> ScriptedChannel::next_failure(Step step) {
  ++calls_[step];
  if (before) before(step);
  auto& waiting = failures_[step];
  if (waiting.empty()) return std::nullopt;
  Failure failure = std::move(waiting.front());
  waiting.pop_front();
  return failure;
}

Task<> ScriptedChannel::wait_if_hanging(Step step) {
  while (hangs.contains(step)) co_await sleep_for(std::chrono::milliseconds(20));
}

Result<> ScriptedChannel::can_do(bool capability, std::string_view what) const {
  if (capability) return {};
  return fail(ErrorKind::invalid_input, fmt::format("{} cannot {}", name_, what));
}

MessageRef ScriptedChannel::put(Shown shown) {
  if (can.key_is_idempotent && !shown.key.empty()) {
    const auto known = std::ranges::find(shown_, shown.key, &Shown::key);
    if (known != shown_.end()) return known->ref;
  }
  shown.ref = std::to_string(next_ref_++);
  shown_.push_back(std::move(shown));
  return shown_.back().ref;
}

Result<ScriptedChannel::Shown*> ScriptedChannel::own(const std::string& conversation, const MessageRef& ref) {
  const auto found = std::ranges::find(shown_, ref, &Shown::ref);
  if (found != shown_.end() && found->conversation == conversation) return &*found;
  return fail(ErrorKind::not_found, fmt::format("there is no message {} in {}", ref, conversation));
}

policy::Place ScriptedChannel::place_of(const std::string& conversation) const {
  const std::string_view rest = std::string_view(conversation).substr(std::min(name_.size() + 1, conversation.size()));
  policy::Place place{.channel = name_, .id = std::string(rest.substr(0, rest.find(':')))};
  const auto known = places_.find(place.id);
  if (known != places_.end()) place.kind = known->second;
  if (place.id.starts_with('D')) place.kind = policy::PlaceKind::direct;
  return place;
}

// ---- The people.

Task<Result<>> ScriptedChannel::run(channel::Receiver& receiver) {
  if (on_run) on_run();
  receiver_ = &receiver;
  if (!history_.empty()) CO_TRY(co_await read_back());
  for (;;) co_await sleep_for(kMaxWait);
}

// The cursor is how many of them were read.
Task<Result<>> ScriptedChannel::read_back() {
  CO_TRY(const std::string cursor, co_await receiver_->cursor(name_));
  const std::size_t read = cursor.empty() ? 0 : std::stoul(cursor);
  for (std::size_t next = read; next < history_.size(); ++next) {
    CO_TRY(co_await says(history_[next]));
    CO_TRY(co_await receiver_->set_cursor(name_, std::to_string(next + 1)));
  }
  co_return Result<>{};
}

Task<Result<>> ScriptedChannel::says(std::string account_id, std::string conversation, std::string text) {
  channel::InboundMessage message;
  message.sender = {name_, std::move(account_id)};
  message.conversation = std::move(conversation);
  message.text = std::move(text);
  return says(std::move(message));
}

Task<Result<>> ScriptedChannel::says(channel::InboundMessage message) {
  if (receiver_ == nullptr) co_return fail(ErrorKind::not_configured, "nobody has called run() yet");
  if (message.key.empty()) message.key = fmt::format("{}:message:{}", name_, next_key_++);
  if (message.ref.empty()) message.ref = "m" + message.key.substr(message.key.rfind(':') + 1);
  if (message.place.channel.empty()) message.place = place_of(message.conversation);
  if (message.sender_name.empty()) message.sender_name = message.sender.id;
  if (message.at == Timestamp{}) message.at = from_millis(1'700'000'000'000);
  if (message.kind == channel::InboundKind::posted) last_said_ = message.ref;
  co_return co_await receiver_->message(std::move(message));
}

channel::InboundAnswer ScriptedChannel::answer_by(std::string account_id, std::string conversation) {
  channel::InboundAnswer answer;
  answer.key = fmt::format("{}:click:{}", name_, next_key_++);
  answer.place = place_of(conversation);
  answer.conversation = std::move(conversation);
  answer.sender_name = account_id;
  answer.sender = {name_, std::move(account_id)};
  return answer;
}

Task<Result<channel::Verdict>> ScriptedChannel::clicks(std::string account_id, MessageRef card,
                                                       interaction::Control control, std::string words,
                                                       std::map<std::string, interaction::Given> given) {
  const Shown* const shown = find_ref(card);
  if (receiver_ == nullptr || shown == nullptr || !shown->card) {
    co_return fail(ErrorKind::not_found, fmt::format("there is no card {}", card));
  }
  channel::InboundAnswer answer = answer_by(std::move(account_id), shown->conversation);
  for (const channel::ShownInteraction& one : shown->card->interactions) {
    const auto found = std::ranges::find_if(
        one.controls, [control](const channel::ShownControl& each) { return each.action.control == control; });
    if (found != one.controls.end() && answer.token.empty()) answer.token = found->token;
  }
  if (answer.token.empty()) co_return fail(ErrorKind::not_found, fmt::format("card {} has no such control", card));
  answer.words = std::move(words);
  answer.given = std::move(given);
  answer.view = std::move(card);
  co_return co_await receiver_->answer(std::move(answer));
}

Task<Result<channel::Verdict>> ScriptedChannel::fills_in(std::string account_id, MessageRef card,
                                                         std::map<std::string, std::vector<std::string>> given) {
  const Shown* const shown = find_ref(card);
  if (shown == nullptr || !shown->card) co_return fail(ErrorKind::not_found, fmt::format("there is no card {}", card));
  const channel::ShownInteraction& form = shown->card->interactions.front();
  const auto* const asked = std::get_if<channel::ShownQuestions>(&form.what);
  if (asked == nullptr) co_return fail(ErrorKind::not_found, fmt::format("card {} is no form", card));
  channel::InboundAnswer answer = answer_by(std::move(account_id), shown->conversation);
  answer.token = channel::token_to_send(form);
  answer.view = std::move(card);
  for (const std::size_t position : channel::questions_now(*asked)) {
    const interaction::Question& question = asked->form.questions[position];
    for (const std::string& word : given[question.label]) {
      if (word.starts_with('"')) {
        answer.written[channel::token_of(form, position, std::nullopt)] = word.substr(1, word.size() - 2);
        continue;
      }
      const auto option = std::ranges::find(question.options, word, &interaction::Option::label);
      if (option == question.options.end()) co_return fail(ErrorKind::not_found, "there is no option " + word);
      const auto index = static_cast<std::size_t>(option - question.options.begin());
      answer.chosen.push_back(channel::token_of(form, position, index));
    }
  }
  co_return co_await sends(std::move(answer));
}

Task<Result<channel::Verdict>> ScriptedChannel::sends(channel::InboundAnswer answer) {
  if (receiver_ == nullptr) co_return fail(ErrorKind::not_configured, "nobody has called run() yet");
  const channel::InboundAnswer usual = answer_by(answer.sender.id, answer.conversation);
  if (answer.key.empty()) answer.key = usual.key;
  if (answer.place.channel.empty()) answer.place = usual.place;
  if (answer.sender_name.empty()) answer.sender_name = usual.sender_name;
  answer.sender.channel = name_;
  co_return co_await receiver_->answer(std::move(answer));
}

Task<Result<channel::Verdict>> ScriptedChannel::sends_token(std::string account_id, std::string conversation,
                                                            std::string token) {
  if (receiver_ == nullptr) co_return fail(ErrorKind::not_configured, "nobody has called run() yet");
  channel::InboundAnswer answer = answer_by(std::move(account_id), std::move(conversation));
  answer.token = std::move(token);
  co_return co_await receiver_->answer(std::move(answer));
}

// ---- What they see.

std::vector<ScriptedChannel::Shown> ScriptedChannel::shown_in(const std::string& conversation) const {
  std::vector<Shown> all;
  std::ranges::copy_if(shown_, std::back_inserter(all),
                       [&](const Shown& shown) { return shown.conversation == conversation; });
  return all;
}

const ScriptedChannel::Shown* ScriptedChannel::find_ref(const MessageRef& ref) const {
  const auto found = std::ranges::find(shown_, ref, &Shown::ref);
  return found == shown_.end() ? nullptr : &*found;
}

bool ScriptedChannel::works_on(const MessageRef& request) const {
  const auto found = working_.find(request);
  return found != working_.end() && found->second.on;
}

std::string ScriptedChannel::working_words(const MessageRef& request) const {
  const auto found = working_.find(request);
  return found != working_.end() && found->second.on ? found->second.words : "";
}

int ScriptedChannel::calls(Step step) const {
  const auto found = calls_.find(step);
  return found == calls_.end() ? 0 : found->second;
}

std::string ScriptedChannel::transcript(const std::string& conversation) const {
  std::string text;
  for (const Shown& shown : shown_in(conversation)) {
    text += fmt::format("[{}] deputy", shown.ref);
    if (!shown.only_for.empty()) text += " to " + shown.only_for;
    text += shown.file.empty() ? ": " : fmt::format(" sends {}: ", shown.file);
    if (!shown.mention.empty()) text += "@" + shown.mention + " ";
    text += trim(shown.text);
    if (shown.streaming) text += " …";
    if (!shown.footer.empty()) text += " (" + shown.footer + ")";
    text += '\n';
    for (const channel::MessageControl& control : shown.controls) text += fmt::format("  [{}]\n", control.label);
    if (!shown.card) continue;
    for (const channel::ShownInteraction& one : shown.card->interactions) {
      for (const channel::ShownControl& control : one.controls) {
        for (const auto& [value, word] : choices_of(interaction::Control{})) {
          if (value == control.action.control) text += fmt::format("  [{}]\n", word);
        }
      }
    }
  }
  return text;
}

// ---- Sending.

namespace {

ScriptedChannel::Shown as_shown(std::string conversation, Message message) {
  ScriptedChannel::Shown shown;
  shown.conversation = std::move(conversation);
  shown.text = std::move(message.markdown);
  shown.mention = message.mention ? message.mention->id : "";
  shown.mentions = std::move(message.mentions);
  shown.footer = std::move(message.footer);
  shown.key = std::move(message.key);
  shown.controls = std::move(message.controls);
  return shown;
}

}  // namespace

Task<Result<MessageRef>> ScriptedChannel::post(channel::ConversationKey conversation, Message message) {
  const auto failure = next_failure(Step::post);
  co_await wait_if_hanging(Step::post);
  if (failure && failure->posted == Posted::no) co_return std::unexpected(failure->error);
  if (message.markdown.size() > can.max_message) {
    co_return fail(ErrorKind::invalid_input, fmt::format("a message has {} bytes at most", can.max_message));
  }
  MessageRef ref = put(as_shown(std::move(conversation), std::move(message)));
  if (failure) co_return std::unexpected(failure->error);
  co_return ref;
}

Task<Result<>> ScriptedChannel::edit(channel::ConversationKey conversation, MessageRef ref, Message message) {
  const auto failure = next_failure(Step::edit);
  co_await wait_if_hanging(Step::edit);
  CO_TRY(can_do(can.edit, "edit"));
  if (failure && failure->posted == Posted::no) co_return std::unexpected(failure->error);
  if (message.markdown.size() > can.max_edit) {
    co_return fail(ErrorKind::invalid_input, fmt::format("an edit has {} bytes at most", can.max_edit));
  }
  CO_TRY(Shown* const shown, own(conversation, ref));
  if (shown->streaming) co_return fail(ErrorKind::conflict, "it is being streamed");
  Shown now = as_shown(std::move(conversation), std::move(message));
  now.ref = std::move(ref);
  now.edits = shown->edits + 1;
  if (now.key.empty()) now.key = shown->key;
  *shown = std::move(now);
  if (failure) co_return std::unexpected(failure->error);
  co_return Result<>{};
}

Task<Result<MessageRef>> ScriptedChannel::show(channel::ConversationKey conversation, channel::Card card) {
  const auto failure = next_failure(Step::show);
  CO_TRY(can_do(can.buttons, "show cards"));
  if (failure && failure->posted == Posted::no) co_return std::unexpected(failure->error);
  Shown shown;
  shown.conversation = std::move(conversation);
  shown.text = text_of(card);
  shown.mentions = card.approvers;
  shown.key = card.key;
  shown.card = std::move(card);
  MessageRef ref = put(std::move(shown));
  if (failure) co_return std::unexpected(failure->error);
  co_return ref;
}

Task<Result<>> ScriptedChannel::redraw(channel::ConversationKey conversation, MessageRef ref, channel::Card card) {
  const auto failure = next_failure(Step::redraw);
  CO_TRY(can_do(can.buttons, "show cards"));
  if (failure && failure->posted == Posted::no) co_return std::unexpected(failure->error);
  CO_TRY(Shown* const shown, own(conversation, ref));
  shown->text = text_of(card);
  shown->card = std::move(card);
  ++shown->edits;
  if (failure) co_return std::unexpected(failure->error);
  co_return Result<>{};
}

Task<Result<MessageRef>> ScriptedChannel::attach(channel::ConversationKey conversation, channel::File file) {
  const auto failure = next_failure(Step::attach);
  CO_TRY(can_do(can.files, "send files"));
  if (failure && failure->posted == Posted::no) co_return std::unexpected(failure->error);
  Shown shown;
  shown.conversation = std::move(conversation);
  shown.text = std::move(file.content);
  shown.file = std::move(file.name);
  shown.key = std::move(file.key);
  MessageRef ref = put(std::move(shown));
  if (failure) co_return std::unexpected(failure->error);
  co_return ref;
}

Task<Result<MessageRef>> ScriptedChannel::begin_stream(channel::ConversationKey conversation, Message message) {
  const auto failure = next_failure(Step::begin_stream);
  co_await wait_if_hanging(Step::begin_stream);
  CO_TRY(can_do(can.stream, "stream"));
  if (failure && failure->posted == Posted::no) co_return std::unexpected(failure->error);
  Shown shown;
  shown.conversation = std::move(conversation);
  shown.key = std::move(message.key);
  shown.mention = message.mention ? message.mention->id : "";
  shown.streaming = true;
  MessageRef ref = put(std::move(shown));
  if (failure) co_return std::unexpected(failure->error);
  co_return ref;
}

Task<Result<>> ScriptedChannel::append(channel::ConversationKey conversation, MessageRef ref,
                                       channel::StreamPart part) {
  const auto failure = next_failure(Step::append);
  co_await wait_if_hanging(Step::append);
  if (failure && failure->posted == Posted::no) co_return std::unexpected(failure->error);
  CO_TRY(Shown* const shown, own(conversation, ref));
  if (!shown->streaming) co_return fail(ErrorKind::conflict, "the stream has ended");
  if (const auto* text = std::get_if<std::string>(&part)) shown->text += *text;
  if (const auto* line = std::get_if<channel::ProgressLine>(&part)) shown->tasks[line->call] = *line;
  if (failure) co_return std::unexpected(failure->error);
  co_return Result<>{};
}

Task<Result<>> ScriptedChannel::end_stream(channel::ConversationKey conversation, MessageRef ref, Message message) {
  const auto failure = next_failure(Step::end_stream);
  co_await wait_if_hanging(Step::end_stream);
  if (failure && failure->posted == Posted::no) co_return std::unexpected(failure->error);
  CO_TRY(Shown* const shown, own(conversation, ref));
  if (!shown->streaming) co_return fail(ErrorKind::conflict, "the stream has ended");
  Shown now = as_shown(std::move(conversation), std::move(message));
  now.ref = std::move(ref);
  now.mention = shown->mention;
  now.tasks = shown->tasks;
  if (now.key.empty()) now.key = shown->key;
  *shown = std::move(now);
  if (failure) co_return std::unexpected(failure->error);
  co_return Result<>{};
}

Task<Result<>> ScriptedChannel::working(channel::ConversationKey, MessageRef request, channel::Working working) {
  const auto failure = next_failure(Step::working);
  co_await wait_if_hanging(Step::working);
  CO_TRY(can_do(can.working, "show that it works"));
  if (failure && failure->posted == Posted::no) co_return std::unexpected(failure->error);
  working_[request] = std::move(working);
  if (failure) co_return std::unexpected(failure->error);
  co_return Result<>{};
}

Task<Result<>> ScriptedChannel::whisper(channel::ConversationKey conversation, policy::Account account,
                                        Message message) {
  const auto failure = next_failure(Step::whisper);
  CO_TRY(can_do(can.whisper, "whisper"));
  if (failure && failure->posted == Posted::no) co_return std::unexpected(failure->error);
  Shown shown = as_shown(std::move(conversation), std::move(message));
  shown.only_for = std::move(account.id);
  (void)put(std::move(shown));
  if (failure) co_return std::unexpected(failure->error);
  co_return Result<>{};
}

Task<Result<std::optional<MessageRef>>> ScriptedChannel::find(channel::ConversationKey conversation,
                                                              channel::DeliveryKey key) {
  const auto failure = next_failure(Step::find);
  CO_TRY(can_do(can.find, "look up"));
  if (failure) co_return std::unexpected(failure->error);
  for (const Shown& shown : shown_) {
    if (shown.conversation == conversation && shown.key == key && !key.empty()) co_return std::optional(shown.ref);
  }
  co_return std::optional<MessageRef>();
}

Task<Result<channel::ConversationContext>> ScriptedChannel::context(channel::ConversationKey conversation,
                                                                    MessageRef before_this, int most) {
  const auto failure = next_failure(Step::context);
  if (failure) co_return std::unexpected(failure->error);
  channel::ConversationContext known = contexts_[conversation];
  const auto request = std::ranges::find(known.said, before_this, &channel::ThreadMessage::ref);
  if (!before_this.empty()) known.said.erase(request, known.said.end());
  const auto limit = static_cast<std::size_t>(std::max(most, 1));
  if (known.said.size() > limit) {
    const std::size_t out = known.said.size() - limit;
    known.said.erase(known.said.begin() + 1, known.said.begin() + 1 + static_cast<std::ptrdiff_t>(out));
    known.left_out += out;
  }
  co_return known;
}

Task<Result<>> ScriptedChannel::remove(channel::ConversationKey conversation, MessageRef ref) {
  const auto failure = next_failure(Step::remove);
  CO_TRY(can_do(can.remove, "remove"));
  if (failure && failure->posted == Posted::no) co_return std::unexpected(failure->error);
  CO_TRY((own(conversation, ref)));
  std::erase_if(shown_, [&](const Shown& shown) { return shown.ref == ref; });
  if (failure) co_return std::unexpected(failure->error);
  co_return Result<>{};
}

Task<Result<std::string>> ScriptedChannel::download(channel::InboundFile file, std::size_t most) {
  const auto failure = next_failure(Step::download);
  if (failure) co_return std::unexpected(failure->error);
  const auto found = files_.find(file.id);
  if (found == files_.end()) co_return fail(ErrorKind::not_found, "there is no file " + file.id);
  if (found->second.size() > most) co_return fail(ErrorKind::invalid_input, "the file is too large");
  co_return found->second;
}

Task<Result<policy::Identity>> ScriptedChannel::who(policy::Account account) {
  const auto failure = next_failure(Step::who);
  if (failure) co_return std::unexpected(failure->error);
  const auto found = identities_.find(account.key());
  if (found != identities_.end()) co_return found->second;
  co_return fail(ErrorKind::not_found, "nobody here knows " + account.key());
}

std::set<std::string> ScriptedChannel::keys_of(const std::set<std::string>& account_ids) const {
  std::set<std::string> keys;
  for (const std::string& id : account_ids) keys.insert(policy::Account{name_, id}.key());
  return keys;
}

Task<Result<channel::ConversationKey>> ScriptedChannel::direct(policy::Account account) {
  const auto failure = next_failure(Step::direct);
  CO_TRY(can_do(can.direct, "write to one person"));
  if (failure) co_return std::unexpected(failure->error);
  if (!identities_.contains(account.key())) co_return fail(ErrorKind::not_found, "nobody here knows " + account.key());
  co_return fmt::format("{}:D{}", name_, account.id);
}

Task<Result<std::set<std::string>>> ScriptedChannel::members(policy::Place place) {
  const auto failure = next_failure(Step::members);
  if (failure) co_return std::unexpected(failure->error);
  if (place.id.starts_with('D')) co_return keys_of({place.id.substr(1)});
  if (const auto found = members_.find(place.id); found != members_.end()) co_return keys_of(found->second);
  std::set<std::string> everybody;
  for (const auto& [key, identity] : identities_) everybody.insert(key);
  co_return everybody;
}

Task<Result<std::set<std::string>>> ScriptedChannel::members_of_group(std::string group) {
  const auto found = groups_.find(group);
  if (found != groups_.end()) co_return keys_of(found->second);
  co_return fail(ErrorKind::not_found, "there is no group " + group);
}

Task<Result<channel::Diagnosis>> ScriptedChannel::diagnose() {
  co_return channel::Diagnosis{{{"connection", receiver_ != nullptr, "call run()"}}};
}

}  // namespace deputy::test
