// A stand-in for Bedrock's runtime over HTTP/1.1: InvokeModel and InvokeModelWithResponseStream for Anthropic's models,
// Converse and ConverseStream for any, signed with SigV4 or with a bearer token. lib/stand_in.js says how it is told
// what to play; beside that a scenario may hold "region"; "session_token": the key is a temporary one; "bearer": this
// token and no signature; "clock_ahead": by how many seconds its clock is before ours. The item {"corrupt": "message"}
// sends a frame whose last CRC is wrong, {"corrupt": "prelude"} one whose first is.
//
//   node bedrock.js [SCENARIO]
'use strict';

const { serve } = require('./lib/stand_in');
const anthropic_rules = require('./lib/anthropic_rules');
const anthropic_reply = require('./lib/anthropic_reply');
const converse_rules = require('./lib/converse_rules');
const converse_reply = require('./lib/converse_reply');
const { event_frame, exception_frame, chunk_frame, corrupt_frame } = require('./lib/event_frames');
const { check_signature } = require('./lib/sigv4');
const { kHold, kBreak, kEnd, mark_of } = require('./lib/pieces');
const { refuse_fields } = require('./lib/refuses');
const { parse_body, is_json_post, must } = require('./lib/rules');
const { to_json } = require('./lib/scenario');

const kSignature = 'messages.1.content.0: Invalid `signature` in `thinking` block';

// By the names scenarios use: status, the exception, what it says.
const kErrors = {
  invalid_request: [400, 'ValidationException', 'The provided request is not valid.'],
  overflow: [400, 'ValidationException', 'Input is too long for requested model.'],
  quota: [400, 'ServiceQuotaExceededException', 'Your request exceeds the service quota for your account.'],
  authentication: [403, 'UnrecognizedClientException', 'The security token included in the request is invalid.'],
  signature: [400, 'ValidationException', kSignature],
  signature_429: [429, 'ThrottlingException', kSignature],
  sigv4: [403, 'InvalidSignatureException', 'The request signature does not match.'],
  skew: [403, 'InvalidSignatureException', 'Signature expired'],
  permission: [403, 'AccessDeniedException', "You don't have access to the model with the specified model ID."],
  not_found: [
    404,
    'ResourceNotFoundException',
    'Could not resolve the foundation model from the provided model identifier.',
  ],
  timeout: [408, 'ModelTimeoutException', 'The request took too long to process.'],
  model_error: [424, 'ModelErrorException', 'The request failed due to an error while processing the model.'],
  rate_limit: [429, 'ThrottlingException', 'Too many requests, please wait before trying again.'],
  not_ready: [429, 'ModelNotReadyException', 'The model is not ready for inference.'],
  api: [
    500,
    'InternalServerException',
    'The system encountered an unexpected error during processing. Try your request again.',
  ],
  overloaded: [503, 'ServiceUnavailableException', 'Bedrock is unable to process your request.'],
};

function item_to_wire(item, main_event, scenario) {
  const mark = mark_of(item);
  if (mark) return mark;
  if (item.corrupt) return corrupt_frame(item.corrupt);
  if (item.ping || item.unknown) return event_frame('vendorNews', '{"news":"of no concern"}');
  if (item.garbage) return event_frame(main_event, '{"bytes":"eyJ0eXBlIjog');
  const [, name, message] = kErrors[item.error];
  return exception_frame(name, to_json({ message }, scenario));
}

function* frames(told_events, main_event, to_frame, scenario) {
  for (const told of told_events) {
    yield told.item ? item_to_wire(told.item, main_event, scenario) : to_frame(told);
    if (told.item?.error) return;
  }
}

// A reply that comes whole. What is to happen in the middle of a reply happens in the middle of its body.
function* whole_body(value, reply, scenario) {
  const body = Buffer.from(to_json(value, scenario));
  const half = body.length >> 1;
  const { hold, break: broken, end, garbage } = Object.assign({}, ...reply.content);
  yield body.subarray(0, half);
  if (hold) yield kHold;
  if (broken) yield kBreak;
  if (end) yield kEnd;
  yield garbage ? Buffer.from('{"bytes":') : body.subarray(half);
}

// Unreserved characters as they are, all others in capitals: one segment of the path.
const encode_segment = (text) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (letter) => '%' + letter.charCodeAt(0).toString(16).toUpperCase());

function parse_path(request) {
  const found = /^\/model\/([^/?]+)\/(invoke|invoke-with-response-stream|converse|converse-stream)$/.exec(request.url);
  must(found, `UnknownOperationException: ${request.url}`, 'not_found');
  const [, segment, operation] = found;
  const model = decodeURIComponent(segment);
  must(segment === encode_segment(model), `the model id is not encoded as one segment: ${segment}`);
  must(
    /^(arn:aws(-[a-z]+)*:bedrock:[a-z0-9-]+:\d{0,12}:[a-z-]+\/)?[a-zA-Z0-9._:-]+$/.test(model),
    `The provided model identifier is invalid: ${model}`,
  );
  return { model, operation };
}

/// The key that was used: an access key's id, or a bearer token.
async function check_identity(request, bytes, scenario) {
  if (scenario.bearer) {
    const is_right = request.headers.authorization === `Bearer ${scenario.bearer}`;
    must(is_right, 'the bearer token is invalid', 'permission');
    return scenario.bearer;
  }
  const credentials = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' };
  if (scenario.session_token) credentials.sessionToken = scenario.session_token;
  await check_signature(request, bytes, {
    credentials,
    region: scenario.region || 'us-east-1',
    service: 'bedrock',
    now: new Date(Date.now() + 1000 * (scenario.clock_ahead || 0)),
  });
  return credentials.accessKeyId;
}

function check_invoke(request, body, { model, operation, key, memory }) {
  const accept = operation === 'invoke' ? 'accept' : 'x-amzn-bedrock-accept';
  must(['application/json', '*/*'].includes(request.headers[accept]), `${accept}: application/json is required`);
  anthropic_rules.check_body(body, {
    model,
    key,
    required: ['anthropic_version'],
    extra: ['anthropic_beta'],
    paused_text: memory.paused_text,
    takes_format: false,
  });
  must(body.anthropic_version === 'bedrock-2023-05-31', 'anthropic_version: Input should be bedrock-2023-05-31');
  if (body.anthropic_beta !== undefined) anthropic_rules.check_betas(body.anthropic_beta, 'anthropic_beta');
}

const kRequestId = { 'x-amzn-requestid': '9a2b3c4d-0000-4000-8000-000000000001' };
const kStream = { ...kRequestId, 'content-type': 'application/vnd.amazon.eventstream' };

const kAnswers = {
  invoke: (turn, reply, scenario) => ({
    headers: {
      ...kRequestId,
      'content-type': 'application/json',
      'x-amzn-bedrock-input-token-count': String(reply.usage.input),
      'x-amzn-bedrock-output-token-count': String(reply.usage.output),
    },
    items: whole_body(anthropic_reply.message(turn, reply), reply, scenario),
  }),
  'invoke-with-response-stream': (turn, reply, scenario) => ({
    headers: { ...kStream, 'x-amzn-bedrock-content-type': 'application/json' },
    items: frames(
      anthropic_reply.events(turn, reply),
      'chunk',
      (event) => chunk_frame(event, reply, scenario),
      scenario,
    ),
  }),
  converse: (turn, reply, scenario) => ({
    headers: { ...kRequestId, 'content-type': 'application/json' },
    items: whole_body(converse_reply.response(turn, reply), reply, scenario),
  }),
  'converse-stream': (turn, reply, scenario) => ({
    headers: kStream,
    items: frames(
      converse_reply.events(turn, reply),
      'contentBlockDelta',
      ({ event, data }) => event_frame(event, to_json(data, scenario)),
      scenario,
    ),
  }),
};

serve({
  async check(request, bytes, scenario, memory) {
    const { model, operation } = parse_path(request);
    is_json_post(request);
    const key = await check_identity(request, bytes, scenario);
    const body = parse_body(bytes);
    const is_converse = operation.startsWith('converse');
    if (is_converse) converse_rules.check_body(body, { model, key });
    else check_invoke(request, body, { model, operation, key, memory });
    refuse_fields(body, scenario, { roots: ['inferenceConfig', 'additionalModelRequestFields'] });
    const { place_of } = is_converse ? converse_rules : anthropic_rules;
    const { thinking } = (is_converse ? body.additionalModelRequestFields : body) ?? {};
    return { model, operation, thinking, place: place_of(body, { model, key }) };
  },

  error(kind, message, scenario) {
    const [status, name, words] = kErrors[kind];
    const now = new Date(Date.now() + 1000 * (scenario.clock_ahead || 0));
    return {
      status,
      headers: {
        ...kRequestId,
        'x-amzn-errortype': `${name}:http://internal.amazon.com/coral/com.amazon.bedrock/`,
        date: now.toUTCString(),
      },
      body: JSON.stringify({ message: message || words }),
    };
  },

  answer: (exchange, reply, scenario) => kAnswers[exchange.operation](exchange, reply, scenario),
});
