#include "sim/slack/page/page_style.h"

namespace deputy::sim::slack {

const std::string_view kPageStyle = R"css(
.light { --page: #ffffff; --text: #1d1c1d; --muted: #616061; --line: #dddddd; --strong-line: #bbbabb; --link: #1264a3;
  --soft: #f8f8f8; --code: #c01343; --mention: #e8f1f8; --everyone: #fdf2d0; --chosen: #1264a3; --shade: #8d8d8f; }
.dark { --page: #1a1d21; --text: #d1d2d3; --muted: #ababad; --line: #35373b; --strong-line: #797c81; --link: #1d9bd1;
  --soft: #222529; --code: #e8912d; --mention: #1b2f3d; --everyone: #4a3f1c; --chosen: #1d9bd1; --shade: #0b0c0e; }
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--text);
  font: 15px/1.467 Lato, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", Arial, sans-serif; }
a { color: var(--link); text-decoration: none; }
p, h3, h4, ul, ol, pre, blockquote { margin: 0; }
p + p, ul + ol, ol + ul, p + ul, p + ol, ul + p, ol + p, table + p, p + table, p + h4, ul + h4, ol + h4, table + h4, pre + h4,
  pre + p { margin-top: 8px; }
b, h3, h4, th, .label, .name, .plan-title, .container-title { font-weight: 700; }
h3 { font-size: 18px; line-height: 1.33; }
h4 { font-size: 15px; }
hr { border: 0; border-top: 1px solid var(--line); margin: 8px 0; }
code, pre { font: 12px/1.5 ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; background: var(--soft);
  border: 1px solid var(--line); border-radius: 3px; }
code { padding: 1px 3px; color: var(--code); }
pre { padding: 8px; margin: 4px 0; border-radius: 4px; white-space: pre-wrap; overflow-wrap: anywhere; }
blockquote { border-left: 4px solid var(--line); border-radius: 4px; padding-left: 12px; margin: 4px 0; }
ul, ol { padding-left: 26px; }
.task-item { list-style: none; margin-left: -20px; }
ul ul, ol ul { list-style: circle; }
.indent1 { margin-left: 26px; list-style: circle; } .indent2 { margin-left: 52px; list-style: square; }
.indent3 { margin-left: 78px; } .indent4 { margin-left: 104px; } .indent5 { margin-left: 130px; }
.indent6 { margin-left: 156px; } .indent7 { margin-left: 182px; } .indent8 { margin-left: 208px; }
table { border-collapse: collapse; margin: 4px 0; }
th, td { border: 1px solid var(--line); padding: 4px 10px; text-align: left; vertical-align: top; }
th { background: var(--soft); }
th.right, td.right { text-align: right; } th.center, td.center { text-align: center; }
caption { text-align: left; font-weight: 700; padding-bottom: 4px; }
.scroll { overflow-x: auto; }

.thread { max-width: 760px; margin: 0 auto; padding-bottom: 24px; }
.thread > h1 { font-size: 18px; margin: 0; padding: 14px 20px; border-bottom: 1px solid var(--line); }
.replies { display: flex; align-items: center; gap: 12px; padding: 4px 20px; color: var(--muted); font-size: 13px; }
.replies::after { content: ""; flex: 1; border-top: 1px solid var(--line); }
.message { display: flex; gap: 8px; padding: 8px 20px; }
.message.ephemeral { background: var(--soft); }
.only-you { padding: 8px 20px 0 64px; background: var(--soft); color: var(--muted); font-size: 13px; }
.avatar { flex: none; width: 36px; height: 36px; border-radius: 8px; color: #ffffff; font-weight: 700; font-size: 14px;
  display: flex; align-items: center; justify-content: center; }
.avatar0 { background: #4a154b; } .avatar1 { background: #1264a3; } .avatar2 { background: #2b7a5b; }
.avatar3 { background: #b3541e; } .avatar4 { background: #7c3085; } .avatar5 { background: #35618e; }
.content { min-width: 0; flex: 1; overflow-wrap: anywhere; }
.by { display: flex; align-items: baseline; gap: 6px; line-height: 1.3; }
.app { font-size: 10px; font-weight: 700; color: var(--muted); background: var(--line); border-radius: 2px; padding: 0 3px;
  line-height: 14px; align-self: center; }
.by time, .edited { color: var(--muted); font-size: 12px; }
.cursor { display: inline-block; width: 8px; height: 16px; border-radius: 2px; background: var(--muted);
  vertical-align: text-bottom; }
.mention { background: var(--mention); color: var(--link); border-radius: 3px; padding: 0 2px 1px; }
.mention.everyone { background: var(--everyone); }
.unknown { color: var(--muted); border: 1px dashed var(--strong-line); border-radius: 3px; padding: 0 4px; }

.block { margin: 4px 0; max-width: 640px; }
.section { display: flex; gap: 16px; justify-content: space-between; }
.section > .text { min-width: 0; flex: 1; }
.section > .accessory { flex: none; max-width: 50%; }
.fields { display: grid; grid-template-columns: 1fr 1fr; gap: 8px 16px; margin-top: 4px; }
.context { display: flex; flex-wrap: wrap; align-items: center; gap: 4px 8px; color: var(--muted); font-size: 13px; }
.context .thumbnail { width: 20px; height: 20px; font-size: 0; border-radius: 3px; }
.actions { display: flex; flex-wrap: wrap; align-items: center; gap: 8px; }
.button { display: inline-block; border: 1px solid var(--strong-line); border-radius: 8px; padding: 3px 12px;
  font-weight: 700; font-size: 13px; background: var(--page); white-space: nowrap; max-width: 300px; overflow: hidden;
  text-overflow: ellipsis; }
.button.primary { background: #007a5a; border-color: #007a5a; color: #ffffff; }
.button.danger { background: #e01e5a; border-color: #e01e5a; color: #ffffff; }
.quiet { color: var(--muted); font-size: 13px; }
.quiet-row { gap: 16px; }
.select { display: inline-flex; align-items: center; gap: 6px; min-width: 160px; border: 1px solid var(--strong-line);
  border-radius: 8px; padding: 3px 10px; font-size: 14px; }
.select .arrow { margin-left: auto; color: var(--muted); }
.placeholder { color: var(--muted); }
.chip { display: inline-block; background: var(--mention); color: var(--link); border-radius: 4px; padding: 0 6px;
  font-size: 13px; }
.choice { display: flex; gap: 8px; align-items: flex-start; padding: 2px 0; }
.box, .radio { flex: none; width: 16px; height: 16px; margin-top: 3px; border: 1px solid var(--strong-line);
  border-radius: 3px; }
.radio { border-radius: 8px; }
.box.chosen { background: var(--chosen); border-color: var(--chosen); }
.box.chosen::after { content: "✓"; display: block; color: #ffffff; font-size: 12px; line-height: 14px; text-align: center; }
.radio.chosen { border: 5px solid var(--chosen); }
.hint, .optional { color: var(--muted); font-size: 13px; font-weight: 400; }
.input { margin: 12px 0; }
.input > .label { margin-bottom: 4px; }
.input > .select { width: 100%; padding: 7px 10px; }
.field { border: 1px solid var(--strong-line); border-radius: 8px; padding: 7px 12px; min-height: 38px; }
.field.tall { min-height: 84px; }
.field.rich { padding-top: 0; }
.field .toolbar { border-bottom: 1px solid var(--line); margin: 0 -12px 8px; padding: 4px 12px; color: var(--muted); }
.field.files { border-style: dashed; text-align: center; color: var(--muted); }
.thumbnail, .image, .hero { display: inline-flex; align-items: center; justify-content: center; text-align: center;
  background: var(--soft); border: 1px solid var(--line); border-radius: 8px; color: var(--muted); font-size: 12px;
  overflow: hidden; }
.thumbnail { width: 72px; height: 72px; }
.thumbnail.small { width: 36px; height: 36px; font-size: 9px; }
.image { width: 360px; height: 140px; max-width: 100%; }
.image.video { font-size: 16px; }
.hero { display: flex; height: 100px; margin: -12px -12px 8px; border-width: 0 0 1px; border-radius: 8px 8px 0 0; }
.caption { color: var(--muted); font-size: 13px; margin-bottom: 4px; }
.alert { border-left: 4px solid var(--strong-line); border-radius: 8px; background: var(--soft); padding: 10px 14px; }
.alert.info { border-color: #1264a3; } .alert.success { border-color: #2eb67d; }
.alert.warning { border-color: #ecb22e; } .alert.error { border-color: #e01e5a; }
.card, .container, .plan { border: 1px solid var(--line); border-radius: 12px; padding: 12px; }
.card-head { display: flex; gap: 8px; align-items: center; margin-bottom: 4px; }
.card .actions { margin-top: 8px; }
.carousel { display: flex; gap: 12px; overflow-x: auto; }
.carousel > .block { flex: 0 0 240px; }
.carousel > .block > .card { height: 100%; }
.plan-title { margin-bottom: 8px; }
.task { display: flex; gap: 8px; padding: 3px 0; }
.task .name { font-weight: 400; }
.task .name ~ div { color: var(--muted); font-size: 13px; }
.state { flex: none; width: 18px; height: 18px; margin-top: 2px; border-radius: 9px; font-size: 12px; line-height: 18px;
  text-align: center; color: var(--muted); }
.task.complete .state { background: #007a5a; color: #ffffff; }
.task.in_progress .state { color: var(--link); font-size: 16px; }
.task.in_progress .name { font-weight: 700; }
.task.error .state { background: #e01e5a; color: #ffffff; font-weight: 700; }
.sources { display: flex; flex-wrap: wrap; gap: 4px; margin-top: 2px; }
.attachment { border-left: 4px solid var(--line); border-radius: 2px; padding-left: 12px; margin: 4px 0; }
.attachment.good { border-color: #2eb67d; } .attachment.warning { border-color: #ecb22e; }
.attachment.danger { border-color: #e01e5a; }
.file { display: inline-flex; gap: 8px; align-items: center; border: 1px solid var(--line); border-radius: 12px;
  padding: 8px 12px; margin: 4px 4px 0 0; }
.picture { margin: 4px 0 0; color: var(--muted); font-size: 13px; }
.picture img { display: block; max-width: 480px; margin-top: 4px; border: 1px solid var(--line); border-radius: 8px; }
.reactions { display: flex; flex-wrap: wrap; gap: 4px; margin-top: 4px; }
.reaction { background: var(--soft); border: 1px solid var(--line); border-radius: 12px; padding: 0 8px; font-size: 13px; }

.backdrop { min-height: 100vh; background: var(--shade); padding: 32px 16px; }
.modal { max-width: 520px; margin: 0 auto; background: var(--page); border-radius: 12px; }
.modal > header { display: flex; align-items: center; justify-content: space-between; padding: 20px 24px 12px;
  font-size: 22px; font-weight: 900; }
.modal > header .cross { color: var(--muted); font-size: 16px; font-weight: 400; }
.modal > .body { padding: 0 24px 12px; }
.modal > footer { display: flex; justify-content: flex-end; gap: 12px; padding: 16px 24px;
  border-top: 1px solid var(--line); }
.modal > footer .button { padding: 7px 16px; font-size: 15px; }
.home { max-width: 760px; margin: 0 auto; padding: 16px 24px; }
)css";

}  // namespace deputy::sim::slack
