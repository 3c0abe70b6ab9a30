#include "channel/terminal/line_editor.h"

#include <histedit.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <clocale>
#include <cstdio>
#include <cwchar>
#include <deque>

#include "base/text.h"

namespace deputy::channel {

namespace {

std::wstring wide(std::string_view text) {
  std::wstring characters;
  while (!text.empty()) {
    const CodePoint point = decode_utf8(text);
    if (point.valid) characters += static_cast<wchar_t>(point.value);
    text.remove_prefix(point.bytes);
  }
  return characters;
}

std::string narrow(const wchar_t* begin, const wchar_t* end) {
  std::string text;
  for (; begin != end; ++begin) append_utf8(text, static_cast<char32_t>(*begin));
  return text;
}

struct EditLineEnd {
  void operator()(EditLine* edit) const { el_end(edit); }
};
struct HistoryEnd {
  void operator()(HistoryW* history) const { history_wend(history); }
};

constexpr const char* kMarkPastes = "\x1b[?2004h";
constexpr const char* kMarkPastesNoMore = "\x1b[?2004l";

void tell_terminal(const char* sequence) {
  std::fputs(sequence, stdout);
  std::fflush(stdout);
}

// Ctrl-S would stop the output, and with it the loop. Leaving the editor restores the earlier setting.
void let_output_flow() {
  termios modes{};
  if (tcgetattr(STDIN_FILENO, &modes) != 0 || (modes.c_iflag & IXON) == 0) return;
  modes.c_iflag &= ~static_cast<tcflag_t>(IXON);
  tcsetattr(STDIN_FILENO, TCSADRAIN, &modes);
}

// After these keys libedit reads another key by itself, which would block.
constexpr const wchar_t* kUnbound[] = {L"^V", L"^R", L"^S", L"^X", L"^Z"};

}  // namespace

struct LineEditor::Parts {
  std::deque<wchar_t> keys;
  std::wstring prompt;
  std::string shown_prompt;
  std::unique_ptr<HistoryW, HistoryEnd> history;
  std::unique_ptr<EditLine, EditLineEnd> edit;  // destroyed first: it restores the terminal

  static Parts& of(EditLine* edit) {
    void* data = nullptr;
    el_wget(edit, EL_CLIENTDATA, &data);
    return *static_cast<Parts*>(data);
  }
  static wchar_t* prompt_of(EditLine* edit) { return of(edit).prompt.data(); }
  // Returning 0 (no more keys) makes libedit return the line as it is.
  static int next_key(EditLine* edit, wchar_t* key) {
    Parts& parts = of(edit);
    if (parts.keys.empty()) return 0;
    *key = parts.keys.front();
    parts.keys.pop_front();
    return 1;
  }
};

Result<std::unique_ptr<LineEditor>> LineEditor::open(const std::vector<std::string>& history) {
  // Input and output are UTF-8, even if the environment names no locale.
  if (std::setlocale(LC_CTYPE, "C.UTF-8") == nullptr) std::setlocale(LC_CTYPE, "");
  auto parts = std::make_unique<Parts>();
  parts->edit.reset(el_init("deputy", stdin, stdout, stderr));
  parts->history.reset(history_winit());
  if (!parts->edit || !parts->history) return fail(ErrorKind::internal, "line editing does not work on this terminal");
  EditLine* edit = parts->edit.get();
  el_wset(edit, EL_CLIENTDATA, parts.get());
  el_wset(edit, EL_SIGNAL, 0);
  el_wset(edit, EL_EDITOR, L"emacs");
  el_wset(edit, EL_PROMPT_ESC, &Parts::prompt_of, L'\1');
  el_wset(edit, EL_GETCFN, &Parts::next_key);
  HistEventW event{};
  history_w(parts->history.get(), &event, H_SETSIZE, static_cast<int>(kMaxHistory));
  history_w(parts->history.get(), &event, H_SETUNIQUE, 1);
  el_wset(edit, EL_HIST, history_w, parts->history.get());
  for (const wchar_t* key : kUnbound) el_wset(edit, EL_BIND, key, L"ed-unassigned", nullptr);
  std::unique_ptr<LineEditor> editor(new LineEditor(std::move(parts)));
  for (const std::string& line : history) editor->remember(line);
  editor->take_terminal();
  return editor;
}

LineEditor::LineEditor(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}

LineEditor::~LineEditor() {
  tell_terminal(kMarkPastesNoMore);
  el_wset(parts_->edit.get(), EL_UNBUFFERED, 0);
}

// Draws nothing: the caller has erased the line and draws it again.
void LineEditor::take_terminal() {
  EditLine* edit = parts_->edit.get();
  const std::string typed = text();
  const std::wstring prompt = std::exchange(parts_->prompt, L"");
  el_wset(edit, EL_UNBUFFERED, 0);
  el_wset(edit, EL_UNBUFFERED, 1);
  let_output_flow();
  tell_terminal(kMarkPastes);
  parts_->prompt = prompt;
  replace(typed);
}

void LineEditor::feed(const Key& key) {
  for (const wchar_t character : wide(key.bytes)) parts_->keys.push_back(character);
  while (!parts_->keys.empty()) {
    int count = 0;
    el_wgets(parts_->edit.get(), &count);
  }
}

std::string LineEditor::end_line() {
  std::string line = text();
  replace("");
  take_terminal();
  return line;
}

void LineEditor::remember(const std::string& line) {
  HistEventW event{};
  history_w(parts_->history.get(), &event, H_ENTER, wide(line).c_str());
}

void LineEditor::set_prompt(std::string prompt) {
  parts_->shown_prompt = std::move(prompt);
  // Colour sequences take no columns: a mark on either side of them tells libedit so.
  std::wstring marked;
  bool inside = false;
  for (const wchar_t c : wide(parts_->shown_prompt)) {
    if (c == L'\x1b' && !inside) {
      marked += L'\1';
      inside = true;
    }
    marked += c;
    if (inside && c == L'm') {
      marked += L'\1';
      inside = false;
    }
  }
  parts_->prompt = std::move(marked);
}

const std::string& LineEditor::prompt() const { return parts_->shown_prompt; }

std::string LineEditor::text() const {
  const LineInfoW* line = el_wline(parts_->edit.get());
  return narrow(line->buffer, line->lastchar);
}

void LineEditor::replace(const std::string& text) {
  EditLine* edit = parts_->edit.get();
  const LineInfoW* line = el_wline(edit);
  el_cursor(edit, static_cast<int>(line->lastchar - line->cursor));
  el_wdeletestr(edit, static_cast<int>(line->lastchar - line->buffer));
  el_winsertstr(edit, wide(text).c_str());
}

void LineEditor::insert(const std::string& text) { el_winsertstr(parts_->edit.get(), wide(text).c_str()); }

void LineEditor::redraw() { el_wset(parts_->edit.get(), EL_REFRESH); }

std::size_t LineEditor::rows_above_cursor() const {
  const LineInfoW* line = el_wline(parts_->edit.get());
  return (width_of(parts_->shown_prompt) + width_of(narrow(line->buffer, line->cursor))) / columns();
}

void LineEditor::resize() { el_resize(parts_->edit.get()); }

std::size_t columns() {
  winsize size{};
  for (const int descriptor : {STDOUT_FILENO, STDERR_FILENO, STDIN_FILENO}) {
    if (ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  }
  return 80;
}

std::size_t width_of(std::string_view text) {
  std::size_t width = 0;
  bool inside = false;
  for (const wchar_t c : wide(text)) {
    if (c == L'\x1b') inside = true;
    if (!inside) width += static_cast<std::size_t>(std::max(wcwidth(c), 0));
    if (inside && c == L'm') inside = false;
  }
  return width;
}

}  // namespace deputy::channel
