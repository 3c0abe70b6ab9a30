// A stand-in for OpenAI's Chat Completions, with streaming. lib/stand_in.js says how it is told what to play; beside
// that a scenario may hold "key", the one it takes; "server" (local, openai, old): which parameter it refuses
// (lib/openai_rules.js); "style": in what its replies differ from OpenAI's (lib/openai_reply.js).
//
//   node openai.js [SCENARIO]
'use strict';

const { serve } = require('./lib/stand_in');
const { check_headers, check_body } = require('./lib/openai_rules');
const { chunks, completion } = require('./lib/openai_reply');
const { kHold, kBreak, kEnd } = require('./lib/pieces');
const { parse_body } = require('./lib/rules');
const { to_json } = require('./lib/scenario');

// By the names scenarios use: status, type, code, what it says.
const kErrors = {
  invalid_request: [400, 'invalid_request_error', null, 'Invalid request.'],
  overflow: [
    400,
    'invalid_request_error',
    'context_length_exceeded',
    "This model's maximum context length is 128000 tokens. However, your messages resulted in 212345 tokens.",
  ],
  overflow_vllm: [
    400,
    'BadRequestError',
    400,
    "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens (4500 in the messages).",
  ],
  overflow_llama: [
    400,
    'exceed_context_size_error',
    400,
    'the request exceeds the available context size. try increasing the context size or enable context shift',
  ],
  authentication: [401, 'invalid_request_error', 'invalid_api_key', 'Incorrect API key provided.'],
  permission: [
    403,
    'invalid_request_error',
    'unsupported_country_region_territory',
    'Country, region, or territory not supported',
  ],
  not_found: [
    404,
    'invalid_request_error',
    'model_not_found',
    'The model `gpt-none` does not exist or you do not have access to it.',
  ],
  conflict: [409, 'invalid_request_error', null, 'The request conflicts with another.'],
  quota: [
    429,
    'insufficient_quota',
    'insufficient_quota',
    'You exceeded your current quota, please check your plan and billing details.',
  ],
  rate_limit: [429, 'tokens', 'rate_limit_exceeded', 'Rate limit reached for gpt-5 on tokens per min (TPM).'],
  api: [500, 'server_error', null, 'The server had an error while processing your request. Sorry about that!'],
  overloaded: [503, 'server_error', null, 'The server is currently overloaded with other requests. Sorry about that!'],
  timeout: [504, 'server_error', null, 'Gateway timeout'],
};

function error_body(kind, message) {
  const [, type, code, words] = kErrors[kind];
  return { error: { message: message || words, type, param: null, code } };
}

const event = (data) => Buffer.from(`data: ${data}\n\n`);

function item_to_wire(item, scenario) {
  if (item.hold) return kHold;
  if (item.break) return kBreak;
  if (item.end) return kEnd;
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

const kHeaders = { 'x-request-id': 'req_8a9f0c', 'openai-processing-ms': '12' };

serve({
  check(request, bytes, scenario) {
    check_headers(request, scenario);
    const body = parse_body(bytes);
    check_body(body, scenario);
    return body;
  },

  error(kind, message) {
    return { status: kErrors[kind][0], headers: kHeaders, body: JSON.stringify(error_body(kind, message)) };
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
