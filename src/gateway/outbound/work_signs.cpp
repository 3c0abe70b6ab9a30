#include "gateway/outbound/work_signs.h"

#include <algorithm>
#include <boost/asio/as_tuple.hpp>
#include <ranges>

#include "base/log.h"
#include "gateway/outbound/delivery_parts.h"
#include "gateway/outbound/run_facts.h"
#include "interaction/escape.h"
#include "run/journal/delivery.h"

namespace deputy::gateway {

namespace {

using channel::Message;
using channel::ProgressLine;
using Steady = std::chrono::steady_clock;

// A longer text is no longer streamed: the answer replaces it anyway.
constexpr std::size_t kMaxStreamed = 64'000;
constexpr std::size_t kMaxLines = 100;
constexpr std::chrono::minutes kLongestPause{5};

enum class Form {
  unknown,  // it has no message yet, or it was not looked up
  none,     // nothing can be shown
  stream,
  sign,
  line,  // the acknowledgement, edited
};

}  // namespace

class WorkSigns::Display : public std::enable_shared_from_this<WorkSigns::Display> {
 public:
  Display(store::Store& store, const Channels& channels, asio::any_io_executor loop, WorkSignSettings settings)
      : store_(store), channels_(channels), loop_(std::move(loop)), settings_(std::move(settings)), sent_(loop_) {}

  /// What is shown of one run. Its coroutine holds it too.
  struct Shown {
    Shown(RunId shown, std::string_view in, const asio::any_io_executor& loop)
        : run(shown), conversation(in), pause(loop) {}

    RunId run;
    std::string conversation;
    Form form = Form::unknown;
    int delivered = 0;  // how often a message of it arrived
    channel::MessageRef request;
    channel::MessageRef ref;
    // What is to be shown.
    std::string words;
    bool has_words = false;
    std::vector<ProgressLine> lines;
    std::string said;  // the model's text
    bool has_text = false;
    bool goes_out = false;  // the sign

    std::string streamed;  // of the text, as it was made safe
    bool sign_is_on = false;
    Steady::time_point signed_at = Steady::now();
    Steady::time_point next_at{};
    asio::steady_timer pause;
    bool is_shown_now = false;  // its coroutine works
    bool closed = false;
    bool ends_stream = false;  // closed, and the last states of its calls are still to be sent

    bool has_news() const {
      if (form == Form::stream) return !lines.empty() || has_text;
      if (form == Form::line) return has_words;
      if (form == Form::sign) return has_words || goes_out;
      return form == Form::unknown && (has_words || !lines.empty() || has_text);
    }
    /// Parts of a stream are kept only for one.
    bool may_stream() const { return form == Form::stream || form == Form::unknown; }
  };
  using ShownRun = std::shared_ptr<Shown>;

  void begin(RunId run, std::string_view conversation, Taking taking) {
    const channel::Channel* const channel = channels_.of(conversation);
    if (channel == nullptr || channel->capabilities().progress) return;
    ShownRun& shown = runs_[run];
    if (!shown) shown = std::make_shared<Shown>(run, conversation, loop_);
    shown->has_words = taking == Taking::again;
    show(shown);
  }
  ShownRun find(RunId run) const {
    const auto found = runs_.find(run);
    return found == runs_.end() ? nullptr : found->second;
  }
  void show(const ShownRun& shown) {
    if (shown->is_shown_now || !shown->has_news()) return;
    shown->is_shown_now = true;
    ++showing_;
    spawn(loop_, "work sign", keep_showing(shared_from_this(), shown));
  }
  void close(RunId run) {
    const ShownRun shown = find(run);
    if (!shown) return;
    shown->closed = true;
    shown->pause.cancel();
    runs_.erase(run);
  }
  // Otherwise the last calls would stay open in the stream.
  void end(RunId run) {
    const ShownRun shown = find(run);
    if (shown && shown->is_shown_now && shown->form == Form::stream && !shown->lines.empty()) {
      shown->has_text = false;  // the answer has it
      shown->ends_stream = true;
      ++in_flight_[shown->conversation];
    }
    close(run);
  }
  void leave(RunId run, Leaving how) {
    const ShownRun shown = find(run);
    if (!shown) return;
    if (how == Leaving::for_others || !shown->sign_is_on) return close(run);
    shown->has_words = false;
    shown->goes_out = true;
    runs_.erase(run);
    show(shown);
  }

  static Task<> flush(std::shared_ptr<Display> self, std::string conversation) {
    while (self->in_flight_.contains(conversation)) co_await self->wait();
  }
  void close_all() {
    while (!runs_.empty()) close(runs_.begin()->first);
  }
  static Task<> stop(std::shared_ptr<Display> self) {
    self->close_all();
    while (self->showing_ > 0) co_await self->wait();
  }
  static Task<> renew(std::shared_ptr<Display> self) {
    for (;; co_await sleep_for(self->settings_.renew_every / 4)) {
      const auto now = Steady::now();
      for (const ShownRun& shown : self->runs_ | std::views::values) {
        const bool may_have_sign = shown->sign_is_on || shown->form == Form::unknown;
        if (!may_have_sign || now - shown->signed_at < self->settings_.renew_every) continue;
        shown->signed_at = now;
        shown->has_words = true;
        self->show(shown);
      }
    }
  }
  std::size_t runs() const { return runs_.size(); }

 private:
  struct Lane {
    Steady::time_point next_edit{};
    Steady::time_point paused_until{};  // by a rate limit
  };

  // Until something has been sent.
  Task<> wait() {
    sent_.expires_at(Steady::time_point::max());
    co_await sent_.async_wait(asio::as_tuple(asio::use_awaitable));
  }

  std::shared_ptr<channel::Channel> channel_of(std::string_view conversation) const {
    const auto found = channels_.all().find(channel::kind_of(conversation));
    return found == channels_.all().end() ? nullptr : found->second;
  }

  // One for each run, while there is news of it.
  static Task<> keep_showing(std::shared_ptr<Display> self, ShownRun shown) {
    while (!shown->closed && shown->has_news()) {
      if (shown->form == Form::unknown) {
        const int delivered = shown->delivered;
        co_await self->look_up(*shown);
        if (shown->form == Form::unknown && delivered == shown->delivered) break;
        continue;
      }
      if (shown->form == Form::none) break;
      if (const auto at = self->next_turn(*shown); at > Steady::now()) {
        shown->pause.expires_at(at);
        co_await shown->pause.async_wait(asio::as_tuple(asio::use_awaitable));
        continue;
      }
      co_await self->show_once(*shown);
    }
    if (shown->ends_stream) {
      co_await self->show_once(*shown);
      self->arrived(*shown);
    }
    shown->is_shown_now = false;
    --self->showing_;
    self->sent_.cancel();
  }

  void arrived(const Shown& shown) {
    if (--in_flight_[shown.conversation] == 0) in_flight_.erase(shown.conversation);
    sent_.cancel();
  }

  Steady::time_point next_turn(const Shown& shown) {
    const Lane& lane = lanes_[std::string(channel::kind_of(shown.conversation))];
    const auto at = std::max(shown.next_at, lane.paused_until);
    return shown.form == Form::line ? std::max(at, lane.next_edit) : at;
  }

  // The acknowledgement of the run, or the stream that followed it.
  Task<> look_up(Shown& shown) {
    const Result<std::vector<store::DeliveryRow>> rows = co_await store_.deliveries({.run = shown.run});
    if (!rows || shown.closed) co_return;
    const std::shared_ptr<channel::Channel> channel = channel_of(shown.conversation);
    const auto found = std::ranges::find_if(*rows, [&](const store::DeliveryRow& row) {
      return row.kind == run::AcknowledgementDelivery::kKind && row.conversation == shown.conversation;
    });
    const bool is_sent = found != rows->end() && found->state == store::DeliveryState::sent;
    if (!is_sent) {
      const bool may_come = found != rows->end() && found->state != store::DeliveryState::dead;
      shown.form = may_come ? Form::unknown : Form::none;
      co_return;
    }
    const auto object = parse_json_object(found->body);
    const auto body = object ? parse_arguments<run::AcknowledgementDelivery>(*object) : std::unexpected(object.error());
    const channel::Capabilities can = channel->capabilities_in(shown.conversation);
    const std::vector<channel::MessageRef> refs = refs_of(found->ref);
    const std::optional<channel::MessageRef> stream = stream_in(*rows);
    shown.request = body ? body->request : std::string();
    if (shown.words.empty() && body) shown.words = body->line;
    shown.has_words = shown.has_words && !shown.words.empty();
    shown.form = Form::none;
    if (keeps_streams(can) && stream) {
      shown.form = Form::stream;
      shown.ref = *stream;
    } else if (can.working && body) {
      shown.form = Form::sign;
      shown.sign_is_on = true;
    } else if (can.edit && refs.size() == 1 && !read_progress(found->ref).stream) {
      shown.form = Form::line;
      shown.ref = refs.front();
    }
    if (shown.may_stream()) co_return;
    shown.lines.clear();
    shown.said.clear();
    shown.has_text = false;
  }

  Task<> show_once(Shown& shown) {
    const std::shared_ptr<channel::Channel> channel = channel_of(shown.conversation);
    Lane& lane = lanes_[std::string(channel::kind_of(shown.conversation))];
    const auto now = Steady::now();
    if (shown.form == Form::line) lane.next_edit = now + settings_.edit_every;
    shown.next_at = now + (shown.form == Form::stream ? settings_.append_every : settings_.sign_every);
    ++in_flight_[shown.conversation];
    const Result<> sent = co_await without_throwing(send(shown, *channel));
    arrived(shown);
    if (sent) co_return;
    log::debug("the work of a run was not shown", {{"error", describe(sent.error())}});
    if (sent.error().kind == ErrorKind::rate_limit) {
      const auto wait = sent.error().retry_after.value_or(settings_.after_rate_limit);
      lane.paused_until = Steady::now() + std::min<std::chrono::milliseconds>(wait, kLongestPause);
    } else if (failure_of(sent.error()) == Failure::for_good) {
      shown.form = Form::none;
    }
  }

  Task<Result<>> without_throwing(Task<Result<>> task) {
    std::exception_ptr thrown;
    try {
      co_return co_await with_timeout(settings_.max_show, std::move(task));
    } catch (...) {
      thrown = std::current_exception();
    }
    co_return fail(ErrorKind::timeout, "the channel failed: " + what_of(thrown));
  }

  Task<Result<>> send(Shown& shown, channel::Channel& channel) {
    if (shown.form == Form::stream) co_return co_await send_parts(shown, channel);
    const bool goes_out = std::exchange(shown.goes_out, false);
    shown.has_words = false;
    if (shown.form == Form::sign) {
      shown.sign_is_on = !goes_out;
      shown.signed_at = Steady::now();
      channel::Working working{.on = !goes_out, .words = goes_out ? std::string() : shown.words};
      co_return co_await channel.working(shown.conversation, shown.request, std::move(working));
    }
    Message message{.markdown = interaction::plain(shown.words), .run = shown.run};
    co_return co_await channel.edit(shown.conversation, shown.ref, std::move(message));
  }

  // A part that the channel did not take is not sent again: the next state of its call says more.
  Task<Result<>> send_parts(Shown& shown, channel::Channel& channel) {
    const std::vector<ProgressLine> lines = std::exchange(shown.lines, {});
    for (const ProgressLine& line : lines) CO_TRY(co_await channel.append(shown.conversation, shown.ref, line));
    if (!std::exchange(shown.has_text, false)) co_return Result<>{};
    // Whole lines only: half a link is no link yet.
    const std::size_t end = shown.said.rfind('\n');
    if (end == std::string::npos) co_return Result<>{};
    std::string safe = channel::make_safe(std::string_view(shown.said).substr(0, end + 1), settings_.known_hosts);
    if (!safe.starts_with(shown.streamed) || safe.size() == shown.streamed.size()) co_return Result<>{};
    std::string part = safe.substr(shown.streamed.size());
    shown.streamed = std::move(safe);
    co_return co_await channel.append(shown.conversation, shown.ref, std::move(part));
  }

  store::Store& store_;
  const Channels& channels_;
  asio::any_io_executor loop_;
  WorkSignSettings settings_;
  std::map<RunId, ShownRun> runs_;
  std::map<std::string, Lane> lanes_;                  // by channel
  std::map<std::string, int, std::less<>> in_flight_;  // by conversation; none has zero
  asio::steady_timer sent_;                            // cancelled when something has been sent
  int showing_ = 0;                                    // coroutines
};

WorkSigns::WorkSigns(store::Store& store, const Channels& channels, const asio::any_io_executor& loop,
                     WorkSignSettings settings)
    : display_(std::make_shared<Display>(store, channels, loop, std::move(settings))) {}

WorkSigns::~WorkSigns() { display_->close_all(); }

void WorkSigns::begin(RunId run, std::string_view conversation, Taking taking) {
  display_->begin(run, conversation, taking);
}

void WorkSigns::delivered(RunId run) {
  const auto shown = display_->find(run);
  if (!shown) return;
  ++shown->delivered;
  shown->form = Form::unknown;
  // A new stream shows the text from its beginning.
  shown->streamed.clear();
  shown->has_text = !shown->said.empty();
  display_->show(shown);
}

void WorkSigns::says(RunId run, std::string words) {
  const auto shown = display_->find(run);
  if (!shown || shown->words == words) return;
  shown->words = std::move(words);
  shown->has_words = true;
  display_->show(shown);
}

void WorkSigns::call(RunId run, ProgressLine line) {
  const auto shown = display_->find(run);
  if (!shown || !shown->may_stream()) return;
  const auto earlier = std::ranges::find(shown->lines, line.call, &ProgressLine::call);
  if (earlier != shown->lines.end()) {
    *earlier = std::move(line);
  } else if (shown->lines.size() < kMaxLines) {
    shown->lines.push_back(std::move(line));
  }
  display_->show(shown);
}

void WorkSigns::text(RunId run, std::string_view part) {
  const auto shown = display_->find(run);
  if (!shown || !shown->may_stream() || shown->said.size() + part.size() > kMaxStreamed) return;
  shown->said += part;
  shown->has_text = true;
  if (part.contains('\n')) display_->show(shown);
}

void WorkSigns::end_of_turn(RunId run) {
  const auto shown = display_->find(run);
  if (shown && !shown->said.empty() && !shown->said.ends_with("\n\n")) text(run, "\n\n");
}

void WorkSigns::leave(RunId run, Leaving how) { display_->leave(run, how); }
void WorkSigns::close(RunId run) { display_->end(run); }
Task<> WorkSigns::flush(std::string conversation) { return Display::flush(display_, std::move(conversation)); }
Task<> WorkSigns::stop() { return Display::stop(display_); }
Task<> WorkSigns::renew() { return Display::renew(display_); }
std::size_t WorkSigns::runs() const { return display_->runs(); }

}  // namespace deputy::gateway
