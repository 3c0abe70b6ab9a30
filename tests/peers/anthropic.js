// A stand-in for Anthropic's Messages API, with streaming. lib/stand_in.js says how it is told what to play; beside
// that a scenario may hold "key", the one it takes, and "models", the ids that it lists.
//
//   node anthropic.js [SCENARIO]
'use strict';

const { serve } = require('./lib/stand_in');
const { check_headers, check_body, place_of } = require('./lib/anthropic_rules');
const { kModels } = require('./lib/anthropic_models');
const { events, message } = require('./lib/anthropic_reply');
const { mark_of } = require('./lib/pieces');
const { refuse_fields } = require('./lib/refuses');
const { parse_body, is_json_post, must } = require('./lib/rules');
const { to_json } = require('./lib/scenario');

const kMaxBytes = 32 * 1024 * 1024;

const kSignature = 'messages.1.content.0: Invalid `signature` in `thinking` block';

// By the names scenarios use: status, the vendor's type, what it says.
const kErrors = {
  invalid_request: [400, 'invalid_request_error', 'messages: invalid'],
  overflow: [400, 'invalid_request_error', 'prompt is too long: 212345 tokens > 200000 maximum'],
  signature: [400, 'invalid_request_error', kSignature],
  signature_429: [429, 'rate_limit_error', kSignature],
  authentication: [401, 'authentication_error', 'invalid x-api-key'],
  quota: [402, 'billing_error', 'Your credit balance is too low to access the Anthropic API.'],
  permission: [403, 'permission_error', 'Your API key does not have permission to use the specified resource.'],
  not_found: [404, 'not_found_error', 'model: claude-none'],
  conflict: [409, 'conflict_error', 'The request conflicts with another.'],
  too_large: [413, 'request_too_large', 'Request exceeds the maximum allowed number of bytes.'],
  rate_limit: [429, 'rate_limit_error', 'This request would exceed the rate limit for your organization.'],
  api: [500, 'api_error', 'Internal server error'],
  timeout: [504, 'timeout_error', 'Request timed out.'],
  overloaded: [529, 'overloaded_error', 'Overloaded'],
};

function error_body(kind, message) {
  const [, type, words] = kErrors[kind];
  return { type: 'error', error: { type, message: message || words }, request_id: 'req_011CSHoEeqs5C35K2UUqR7Fy' };
}

const event = (name, data) => Buffer.from(`event: ${name}\ndata: ${data}\n\n`);

// What a scenario asks for that is no event of the API's own telling.
function item_to_wire(item, scenario) {
  const mark = mark_of(item);
  if (mark) return mark;
  if (item.garbage) return event('content_block_delta', '{"type": "content_block_delta", "index": 0, "del');
  return event('error', to_json(error_body(item.error), scenario));
}

function* stream(turn, reply, scenario) {
  for (const told of events(turn, reply)) {
    if (!told.item) {
      yield event(told.type, to_json(told, scenario));
      continue;
    }
    yield item_to_wire(told.item, scenario);
    if (told.item.error) return;
  }
}

/// The list of models, in one page.
function models(request, scenario) {
  if (request.method !== 'GET' || !/^\/v1\/models(\?limit=\d+)?$/.test(request.url)) return undefined;
  check_headers(request, scenario);
  const ids = scenario.models || kModels;
  const data = ids.map((id) => ({ type: 'model', id, display_name: id, created_at: '2026-10-01T00:00:00Z' }));
  return { data, has_more: false, first_id: ids.at(0) ?? null, last_id: ids.at(-1) ?? null };
}

serve({
  models,

  check(request, bytes, scenario, memory) {
    must(bytes.length <= kMaxBytes, 'Request exceeds the maximum size', 'too_large');
    must(request.url === '/v1/messages', `Not found: ${request.url}`, 'not_found');
    is_json_post(request);
    const { version, key } = check_headers(request, scenario);
    const body = parse_body(bytes);
    const { model, stream, thinking } = body;
    must(typeof model === 'string' && model !== '', 'model: Input should be a string');
    must([undefined, true, false].includes(stream), 'stream: Input should be a valid boolean');
    check_body(body, {
      version,
      model,
      key,
      required: ['model'],
      extra: ['stream'],
      paused_text: memory.paused_text,
      takes_format: true,
    });
    refuse_fields(body, scenario);
    return { model, stream, thinking, place: place_of(body, { model, key }) };
  },

  error(kind, message) {
    return {
      status: kErrors[kind][0],
      headers: { 'request-id': 'req_011CSHoEeqs5C35K2UUqR7Fy' },
      body: JSON.stringify(error_body(kind, message)),
    };
  },

  answer(turn, reply, scenario) {
    const headers = { 'request-id': 'req_011CSHoEeqs5C35K2UUqR7Fy', 'content-type': 'application/json' };
    if (!turn.stream) return { headers, items: [Buffer.from(to_json(message(turn, reply), scenario))] };
    return {
      headers: { ...headers, 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' },
      items: stream(turn, reply, scenario),
    };
  },
});
