// What a stand-in plays. A scenario is
//   {"replies": [REPLY…], "repeat": true, "chunk": N, "escapes": true, …what the vendor's stand-in knows beside}
// with one reply a request, in order, from the first again with `repeat`. A reply is
//   {"refuse": NAME, "retry_after": "2"}                         the vendor's error of this name, before any stream
//   {"content": [ITEM…], "stop": STOP, "usage": {…}}             an answer
//   {"hold": true, …}                                            …begun only when told to go on
// and an item
//   {"text": "…"}                                                one piece of text; neighbours are one block
//   {"call": {"id", "name", "arguments", "cut": true}}           a call; `cut`: the tokens ran out inside its arguments
//   {"call": {"id", "name", "raw": "…"}}                         …with this text in place of arguments
//   {"thinking": {"text": "…", "redacted": true}}                the model thinks; `redacted`: nobody may read what
//   {"ping": true} {"unknown": true}                             what a client must pass over
//   {"hold": true} {"break": true} {"end": true}                 waits; breaks the connection; ends without the rest
//   {"error": NAME}                                              the vendor's error inside a stream
//   {"garbage": true}                                            an event that is none
// STOP is end, calls, max_tokens, stop_sequence, refusal, content_filter, overflow or pause; by itself end, or calls
// where there are some. Usage is {"input", "output", "cache_read", "cache_write", "thinking"}, where input counts what
// was not in the cache, and output counts thinking too.
//
// Every stand-in knows "refuses", the fields that this server refuses though others take them (refuses.js), and, where
// its vendor lists models, "models", their ids.
'use strict';

const kStops = ['end', 'calls', 'max_tokens', 'stop_sequence', 'refusal', 'content_filter', 'overflow', 'pause'];
const kItems = ['text', 'call', 'thinking', 'ping', 'unknown', 'hold', 'break', 'end', 'error', 'garbage', 'corrupt'];

function parse_reply(reply) {
  if (reply.refuse) return reply;
  const content = reply.content || [];
  let calls = 0;
  const items = content.map((item) => {
    const kind = Object.keys(item)[0];
    if (!kItems.includes(kind)) throw new Error(`there is no item ${kind}`);
    if (kind === 'thinking' && typeof item.thinking.text !== 'string') throw new Error('a thought has no text');
    if (kind !== 'call') return item;
    return { call: { id: `call_${++calls}`, arguments: {}, cut: false, ...item.call } };
  });
  const stop = reply.stop || (calls > 0 ? 'calls' : 'end');
  if (!kStops.includes(stop)) throw new Error(`there is no stop ${stop}`);
  return {
    ...reply,
    content: items,
    stop,
    usage: { input: 100, output: 20, cache_read: 0, cache_write: 0, thinking: 0, ...reply.usage },
  };
}

function parse_scenario(text) {
  const scenario = { repeat: false, chunk: 0, escapes: false, ...JSON.parse(text) };
  scenario.replies = (scenario.replies || []).map(parse_reply);
  return scenario;
}

/// A reply's text, whole.
const text_of = (reply) => reply.content.map((item) => item.text || '').join('');

const has_arguments = (call) => call.raw !== undefined || Object.keys(call.arguments).length > 0;

/// The text of a call's arguments.
const arguments_text = (call) => call.raw ?? JSON.stringify(call.arguments);

/// A text in the pieces that it is streamed in: none, one or two, cut between letters.
function halves(text) {
  const letters = Array.from(text);
  const middle = Math.ceil(letters.length / 2);
  return [letters.slice(0, middle).join(''), letters.slice(middle).join('')].filter((half) => half !== '');
}

/// The arguments of a call as they are streamed: in two pieces, or the first alone where the tokens ran out.
function argument_pieces(call) {
  const text = arguments_text(call);
  const middle = Math.max(1, Math.floor(text.length / 2));
  return call.cut ? [text.slice(0, middle)] : [text.slice(0, middle), text.slice(middle)];
}

/// The arguments of a call in a reply that comes whole: where the tokens ran out, all but the last. What the model wrote
/// is the JSON that it is, or a text where it is none.
function whole_arguments(call) {
  if (call.raw !== undefined) {
    try {
      return JSON.parse(call.raw);
    } catch {
      return call.raw;
    }
  }
  return call.cut ? Object.fromEntries(Object.entries(call.arguments).slice(0, -1)) : call.arguments;
}

/// JSON as it goes out: Unicode as it is, or escaped.
function to_json(value, scenario) {
  const text = JSON.stringify(value);
  if (!scenario.escapes) return text;
  return text.replace(/[^\x00-\x7f]/g, (unit) => '\\u' + unit.charCodeAt(0).toString(16).padStart(4, '0'));
}

module.exports = {
  parse_scenario,
  text_of,
  has_arguments,
  arguments_text,
  halves,
  argument_pieces,
  whole_arguments,
  to_json,
};
