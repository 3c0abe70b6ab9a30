// AWS's own client works against our stand-in, and what Bedrock would refuse is refused.
'use strict';

const assert = require('node:assert');
const { test } = require('node:test');
const { with_stand_in, is_refused, kLimit } = require('./started');
const { aws, credentials, client_at, bearing, read_invoke, read_converse } = require('./bedrock_client');
const { kClaude, kNova, claude_body, invoke, kTools, user, converse } = require('./bedrock_client');
const require_package = require('../lib/packages');
const { SignatureV4 } = require_package('@smithy/signature-v4');
const { Sha256 } = require_package('@aws-crypto/sha256-js');

const kArn = 'arn:aws:bedrock:us-east-1:123456789012:application-inference-profile/abc123';
const kUnicode = 'Grüße, 世界 🚀👩‍🚒';

test('InvokeModel', kLimit, () =>
  with_stand_in('bedrock.js', { replies: [{ content: [{ text: 'Hello' }] }] }, async (url) => {
    const { body } = await client_at(url).send(new aws.InvokeModelCommand(invoke()));
    assert.strictEqual(JSON.parse(Buffer.from(body).toString()).content[0].text, 'Hello');
  }),
);

for (const [name, scenario, options] of [
  ['a key', {}, {}],
  ['a temporary key', { session_token: 'TOKEN//==' }, { credentials: { ...credentials, sessionToken: 'TOKEN//==' } }],
  ['another region', { region: 'eu-central-1' }, { region: 'eu-central-1' }],
]) {
  test(`InvokeModelWithResponseStream with ${name}`, kLimit, () =>
    with_stand_in(
      'bedrock.js',
      { ...scenario, chunk: 1, replies: [{ content: [{ text: 'Grüße, ' }, { text: '世界 🚀👩‍🚒' }] }] },
      async (url) => {
        const events = await read_invoke(client_at(url, options), invoke());
        assert.strictEqual(events.map((event) => event.delta?.text || '').join(''), kUnicode);
        assert.strictEqual(events.at(-1)['amazon-bedrock-invocationMetrics'].outputTokenCount, 20);
      },
    ),
  );
}

test('an ARN for a model, and a bearer token', kLimit, () =>
  with_stand_in(
    'bedrock.js',
    { bearer: 'bedrock-api-key-x', replies: [{ content: [{ text: 'Hello' }] }] },
    async (url) => {
      const client = bearing(url, 'bedrock-api-key-x');
      const { output } = await client.send(new aws.ConverseCommand(converse({ modelId: kArn })));
      assert.strictEqual(output.message.content[0].text, 'Hello');
    },
  ),
);

test('ConverseStream, calls and their results, there and back', kLimit, () =>
  with_stand_in(
    'bedrock.js',
    {
      chunk: 3,
      replies: [
        {
          content: [
            { text: 'Let me look.' },
            { call: { id: 'tooluse_1', name: 'weather', arguments: { city: '東京' } } },
          ],
        },
        { content: [{ text: 'Sunny.' }], usage: { input: 7, output: 9, cache_read: 5, cache_write: 3 } },
      ],
    },
    async (url) => {
      const client = client_at(url);
      const events = await read_converse(client, converse({ toolConfig: kTools }));
      assert.strictEqual(events.find((event) => event.messageStop).messageStop.stopReason, 'tool_use');
      const input = JSON.parse(events.map((event) => event.contentBlockDelta?.delta.toolUse?.input || '').join(''));
      const { toolUseId, name } = events.find((event) => event.contentBlockStart).contentBlockStart.start.toolUse;
      const { output, usage } = await client.send(
        new aws.ConverseCommand(
          converse({
            toolConfig: kTools,
            messages: [
              user({ text: 'hi' }),
              { role: 'assistant', content: [{ text: 'Let me look.' }, { toolUse: { toolUseId, name, input } }] },
              user({ toolResult: { toolUseId, content: [{ text: 'sun' }], status: 'success' } }),
            ],
          }),
        ),
      );
      assert.strictEqual(output.message.content[0].text, 'Sunny.');
      assert.deepStrictEqual(
        [usage.inputTokens, usage.outputTokens, usage.cacheReadInputTokens, usage.cacheWriteInputTokens],
        [7, 9, 5, 3],
      );
    },
  ),
);

for (const [name, Kind] of [
  ['overflow', aws.ValidationException],
  ['signature', aws.ValidationException],
  ['signature_429', aws.ThrottlingException],
  ['permission', aws.AccessDeniedException],
  ['not_found', aws.ResourceNotFoundException],
  ['timeout', aws.ModelTimeoutException],
  ['model_error', aws.ModelErrorException],
  ['rate_limit', aws.ThrottlingException],
  ['not_ready', aws.ModelNotReadyException],
  ['api', aws.InternalServerException],
  ['overloaded', aws.ServiceUnavailableException],
]) {
  test(`the error ${name}`, kLimit, () =>
    with_stand_in('bedrock.js', { replies: [{ refuse: name }] }, (url) =>
      assert.rejects(client_at(url).send(new aws.InvokeModelCommand(invoke())), (error) => error instanceof Kind),
    ),
  );
}

test('a rate limit, then an answer', kLimit, () =>
  with_stand_in(
    'bedrock.js',
    { replies: [{ refuse: 'rate_limit' }, { content: [{ text: 'at last' }] }] },
    async (url, peer) => {
      const { output } = await client_at(url, { maxAttempts: 2 }).send(new aws.ConverseCommand(converse()));
      assert.strictEqual(output.message.content[0].text, 'at last');
      assert.strictEqual(await peer.count(), 2);
    },
  ),
);

test('a clock that is an hour off', kLimit, () =>
  with_stand_in(
    'bedrock.js',
    { clock_ahead: 3600, replies: [{ content: [{ text: 'at last' }] }] },
    async (url, peer) => {
      const { output } = await client_at(url, { maxAttempts: 2 }).send(new aws.ConverseCommand(converse()));
      assert.strictEqual(output.message.content[0].text, 'at last');
      assert.match(await peer.says('refused'), /expired/);
    },
  ),
);

for (const [name, item, rule] of [
  ['an exception', { error: 'rate_limit' }, /Too many requests/],
  ['a wrong CRC of a message', { corrupt: 'message' }, /checksum/i],
  ['a wrong CRC of a prelude', { corrupt: 'prelude' }, /checksum/i],
  ['a broken connection', { break: true }, /./],
]) {
  test(`${name} inside a stream`, kLimit, () =>
    with_stand_in(
      'bedrock.js',
      { replies: [{ content: [{ text: 'so far' }, item] }, { content: [{ text: 'so far' }, item] }] },
      async (url) => {
        await assert.rejects(read_invoke(client_at(url), invoke()), rule);
        await assert.rejects(read_converse(client_at(url), converse()), rule);
      },
    ),
  );
}

test('a server that refuses a field says so, and that costs no reply', kLimit, () =>
  with_stand_in(
    'bedrock.js',
    { refuses: ['output_config.effort', 'cache_control'], replies: [{ content: [{ text: 'x' }] }] },
    async (url, peer) => {
      const client = client_at(url);
      const effort = { additionalModelRequestFields: { output_config: { effort: 'low' } } };
      const marked = { system: [{ text: 'Help.' }, { cachePoint: { type: 'default' } }] };
      const body = JSON.stringify(claude_body({ output_config: { effort: 'low' } }));
      for (const [command, rule] of [
        [new aws.InvokeModelCommand(invoke({ body })), /output_config.effort: Extra inputs are not permitted/],
        [new aws.ConverseCommand(converse({ modelId: kClaude, ...effort })), /output_config.effort: Extra inputs/],
        [new aws.ConverseCommand(converse(marked)), /cache_control: Extra inputs/],
      ])
        await assert.rejects(
          client.send(command),
          (error) => error instanceof aws.ValidationException && rule.test(error.message),
        );
      await peer.says('refused');
      assert.ok(await client.send(new aws.ConverseCommand(converse())));
    },
  ),
);

// What breaks a rule: a request signed well and sent raw, unless `tamper` changes it after that.
async function signed({ path, body, headers = {}, region = 'us-east-1', service = 'bedrock', date = new Date() }) {
  const signer = new SignatureV4({ credentials, region, service, sha256: Sha256, applyChecksum: false });
  return signer.sign(
    {
      method: 'POST',
      protocol: 'http:',
      hostname: 'bedrock.test',
      path,
      query: {},
      body,
      headers: {
        host: 'bedrock.test',
        'content-type': 'application/json',
        'x-amzn-bedrock-accept': 'application/json',
        ...headers,
      },
    },
    { signingDate: date },
  );
}

const kInvokePath = `/model/${encodeURIComponent(kClaude)}/invoke-with-response-stream`;
const kConversePath = `/model/${encodeURIComponent(kNova)}/converse-stream`;
const kClaudePath = `/model/${encodeURIComponent(kClaude)}/converse-stream`;
const claude_asking = (more) => ({ path: kClaudePath, body: asking(more) });
const fields = (additionalModelRequestFields) => claude_asking({ additionalModelRequestFields });
const kFormat = { format: { type: 'json_schema', schema: { type: 'object', additionalProperties: false } } };
const use = (toolUseId) => ({ role: 'assistant', content: [{ toolUse: { toolUseId, name: 'weather', input: {} } }] });
const result = (toolUseId) => user({ toolResult: { toolUseId, content: [{ text: 'sun' }] } });
const asking = (more) => ({ messages: [user({ text: 'hi' })], ...more });
const kBad = [
  [
    'no signature',
    {
      tamper: (request) => {
        delete request.headers.authorization;
      },
      status: 403,
    },
    /no signature of version 4/,
  ],
  [
    'another body than was signed',
    {
      tamper: (request) => {
        request.body = request.body.replace('hi', 'ho');
      },
      status: 403,
    },
    /does not match/,
  ],
  ['another service', { signing: { service: 'bedrock-runtime' }, status: 403 }, /correct service/],
  ['another region', { signing: { region: 'us-west-2' }, status: 403 }, /valid region/],
  [
    'a header that is not signed',
    {
      tamper: (request) => {
        request.headers['x-amz-extra'] = '1';
      },
      status: 403,
    },
    /x-amz-extra is not signed/,
  ],
  ['a token of another key', { signing: { headers: { 'x-amz-security-token': 'T' } }, status: 403 }, /security token/],
  ['a path that is not encoded', { path: `/model/${kNova}/converse-stream` }, /not encoded as one segment/],
  [
    'an operation nobody knows',
    { path: `/model/${encodeURIComponent(kClaude)}/chat`, status: 404 },
    /UnknownOperation/,
  ],
  ['a body with a model', { body: claude_body({ model: kClaude }) }, /model: Extra inputs/],
  ['a body with stream', { body: claude_body({ stream: true }) }, /stream: Extra inputs/],
  [
    'no anthropic_version',
    { body: claude_body({ anthropic_version: undefined }) },
    /anthropic_version: Field required/,
  ],
  ['the version of another API', { body: claude_body({ anthropic_version: '2023-06-01' }) }, /anthropic_version/],
  [
    'no X-Amzn-Bedrock-Accept',
    { signing: { headers: { 'x-amzn-bedrock-accept': 'text/event-stream' } } },
    /x-amzn-bedrock-accept/,
  ],
  [
    'Converse with a field nobody knows',
    { path: kConversePath, body: asking({ max_tokens: 3 }) },
    /max_tokens: Extra inputs/,
  ],
  ['Converse with an empty text', { path: kConversePath, body: { messages: [user({ text: '' })] } }, /non-whitespace/],
  [
    'Converse with two in one block',
    { path: kConversePath, body: { messages: [user({ text: 'x', cachePoint: { type: 'default' } })] } },
    /one member/,
  ],
  [
    'Converse with calls and no toolConfig',
    { path: kConversePath, body: { messages: [user({ text: 'hi' }), use('a'), result('a')] } },
    /toolConfig field must be defined/,
  ],
  [
    'Converse with a call and no result',
    {
      path: kConversePath,
      body: asking({ toolConfig: kTools, messages: [user({ text: 'hi' }), use('a'), user({ text: 'x' })] }),
    },
    /without `tool_result`/,
  ],
  [
    'Converse with a result and no call',
    { path: kConversePath, body: asking({ toolConfig: kTools, messages: [result('a')] }) },
    /unexpected/,
  ],
  [
    'Converse with the choice none',
    { path: kConversePath, body: asking({ toolConfig: { ...kTools, toolChoice: { none: {} } } }) },
    /toolChoice/,
  ],
  ['a format', { body: claude_body({ output_config: kFormat }) }, /output_config.format: Extra inputs/],
  ['a temperature', { body: claude_body({ temperature: 1 }) }, /temperature: Extra inputs/],
  ['no thinking', { body: claude_body({ thinking: { type: 'disabled' } }) }, /Use `{"type": "between_tools"}`/],
  ['Converse with a format', fields({ output_config: kFormat }), /output_config.format: Extra inputs/],
  ['Converse with a temperature', claude_asking({ inferenceConfig: { temperature: 1 } }), /temperature: Extra inputs/],
  ['Converse with top_p', claude_asking({ inferenceConfig: { topP: 1 } }), /top_p: Extra inputs/],
  ['Converse with no thinking', fields({ thinking: { type: 'disabled' } }), /Use `{"type": "between_tools"}`/],
  ['Converse with a field that no model takes', fields({ reasoning_config: {} }), /reasoning_config: Extra inputs/],
  ['Converse with an effort nobody knows', fields({ output_config: { effort: 'most' } }), /output_config.effort/],
  [
    'Converse forced to call',
    claude_asking({ toolConfig: { ...kTools, toolChoice: { any: {} } } }),
    /tool_choice forces tool use/,
  ],
  [
    'Converse forced to call one',
    claude_asking({ toolConfig: { ...kTools, toolChoice: { tool: { name: 'weather' } } } }),
    /tool_choice forces tool use/,
  ],
  ...[{ reasoningText: { text: 'x', signature: 'x' } }, { redactedContent: 'eA==' }].map((reasoningContent) => [
    `Converse with ${Object.keys(reasoningContent)[0]} that was made up`,
    claude_asking({
      messages: [
        user({ text: 'hi' }),
        { role: 'assistant', content: [{ reasoningContent }, { text: 'x' }] },
        user({ text: 'hi' }),
      ],
    }),
    /messages.1.content.0: Invalid/,
  ]),
  [
    'Converse with a thought without a signature',
    claude_asking({
      messages: [
        user({ text: 'hi' }),
        { role: 'assistant', content: [{ reasoningContent: { reasoningText: { text: 'x' } } }, { text: 'x' }] },
        user({ text: 'hi' }),
      ],
    }),
    /signature: Field required/,
  ],
  [
    'Converse with no tools in the list',
    { path: kConversePath, body: asking({ toolConfig: { tools: [] } }) },
    /the list is empty/,
  ],
];
for (const [name, { path = kInvokePath, body = claude_body(), signing, tamper, status = 400 }, rule] of kBad) {
  test(`refuses ${name}`, kLimit, async () => {
    const request = await signed({ path, body: JSON.stringify(body), ...signing });
    if (tamper) tamper(request);
    await is_refused('bedrock.js', { url: path, init: { headers: request.headers, body: request.body }, status, rule });
  });
}
