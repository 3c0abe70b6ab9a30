// A stand-in for OpenAI's Chat Completions, with streaming. lib/stand_in.js says how it is told what to play; beside
// that a scenario may hold "key", the one it takes, "" for any and none; "models", the ids that it lists; "server"
// (local, openai, old): which parameter it refuses (lib/openai_chat_rules.js); "style": in what its replies differ from
// OpenAI's (lib/openai_chat_reply.js).
//
//   node openai_chat.js [SCENARIO]
'use strict';

const { serve } = require('./lib/stand_in');
const { check_headers, check_body } = require('./lib/openai_chat_rules');
const { chunks, completion } = require('./lib/openai_chat_reply');
const { kHeaders, error_body, error, models, unsupported } = require('./lib/openai_common');
const { mark_of } = require('./lib/pieces');
const { refuse_fields } = require('./lib/refuses');
const { parse_body } = require('./lib/rules');
const { to_json } = require('./lib/scenario');

const event = (data) => Buffer.from(`data: ${data}\n\n`);

function item_to_wire(item, scenario) {
  const mark = mark_of(item);
  if (mark) return mark;
  if (item.ping) return Buffer.from(': keep-alive\n\n');
  if (item.unknown)
    return event('{"object":"vendor.news","choices":[{"index":0,"delta":{"sparkle":"of no concern"}}]}');
  if (item.garbage) return event('{"id":"chatcmpl-B9","object":"chat.comp');
  return event(to_json(error_body(item.error), scenario));
}

function* stream(body, reply, scenario) {
  const style = scenario.style || {};
  for (const told of chunks(body, reply, style)) {
    if (!told.item) {
      yield event(to_json(told, scenario));
      continue;
    }
    yield item_to_wire(told.item, scenario);
    if (told.item.error) return;
  }
  if (style.done !== false) yield event('[DONE]');
}

serve({
  models,
  error,

  check(request, bytes, scenario) {
    check_headers(request, scenario);
    const body = parse_body(bytes);
    check_body(body, scenario);
    refuse_fields(body, scenario, { say: unsupported });
    return body;
  },

  answer(body, reply, scenario) {
    if (!body.stream || scenario.style?.streams === false) {
      const whole = to_json(completion(body.model, reply, scenario.style || {}), scenario);
      return { headers: { ...kHeaders, 'content-type': 'application/json' }, items: [Buffer.from(whole)] };
    }
    return {
      headers: { ...kHeaders, 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' },
      items: stream(body, reply, scenario),
    };
  },
});
