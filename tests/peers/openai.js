// A stand-in for OpenAI's Responses API, stateless, with streaming. lib/stand_in.js says how it is told what to play;
// beside that a scenario may hold "key", the one it takes, "" for any and none, and "models", the ids that it lists.
//
//   node openai.js [SCENARIO]
'use strict';

const { serve } = require('./lib/stand_in');
const { check_body, place_of } = require('./lib/openai_rules');
const { events, response } = require('./lib/openai_reply');
const { kHeaders, error, check_key, models, unsupported } = require('./lib/openai_common');
const { mark_of } = require('./lib/pieces');
const { refuse_fields } = require('./lib/refuses');
const { parse_body, is_json_post, must } = require('./lib/rules');
const { to_json } = require('./lib/scenario');

const event = (name, data) => Buffer.from(`event: ${name}\ndata: ${data}\n\n`);

function item_to_wire(item) {
  if (item.ping) return Buffer.from(': keep-alive\n\n');
  if (item.garbage) return event('response.output_text.delta', '{"type":"response.output_text.del');
  return mark_of(item);
}

function* stream(turn, reply, scenario) {
  for (const told of events(turn, reply))
    yield told.type === undefined ? item_to_wire(told.item) : event(told.type, to_json(told, scenario));
}

serve({
  models,
  error,

  check(request, bytes, scenario) {
    must(request.url === '/v1/responses', `Invalid URL (${request.method} ${request.url})`, 'not_found');
    is_json_post(request);
    const key = check_key(request, scenario);
    const body = parse_body(bytes);
    check_body(body, key);
    refuse_fields(body, scenario, { say: unsupported });
    return { body, place: place_of(body, key) };
  },

  answer(turn, reply, scenario) {
    if (!turn.body.stream) {
      const whole = Buffer.from(to_json(response(turn, reply), scenario));
      return { headers: { ...kHeaders, 'content-type': 'application/json' }, items: [whole] };
    }
    return {
      headers: { ...kHeaders, 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' },
      items: stream(turn, reply, scenario),
    };
  },
});
