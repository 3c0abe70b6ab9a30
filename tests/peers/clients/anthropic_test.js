// Anthropic's own client works against our stand-in, and what its API would refuse is refused.
'use strict';

const assert = require('node:assert');
const { test } = require('node:test');
const { with_stand_in, kLimit } = require('./started');
const { Anthropic, client_at, kTools, ask, refuses } = require('./anthropic_client');

test('a whole message', kLimit, () =>
  with_stand_in('anthropic.js', { replies: [{ content: [{ text: 'Hello ' }, { text: 'you' }] }] }, async (url) => {
    const message = await client_at(url).messages.create(ask());
    assert.deepStrictEqual(message.content, [{ type: 'text', text: 'Hello you' }]);
    assert.strictEqual(message.stop_reason, 'end_turn');
    assert.strictEqual(message.usage.output_tokens, 20);
  }),
);

test('a stream in pieces of one byte, with pings, news and Unicode', kLimit, () =>
  with_stand_in(
    'anthropic.js',
    {
      chunk: 1,
      replies: [
        {
          content: [{ text: 'Grüße, ' }, { ping: true }, { text: '世界 ' }, { unknown: true }, { text: '🚀👩‍🚒' }],
          usage: { input: 7, output: 9, cache_read: 5, cache_write: 3 },
        },
      ],
    },
    async (url) => {
      const stream = client_at(url).messages.stream(
        ask({ system: [{ type: 'text', text: 'Help.', cache_control: { type: 'ephemeral' } }] }),
      );
      let streamed = '';
      stream.on('text', (text) => {
        streamed += text;
      });
      const message = await stream.finalMessage();
      assert.strictEqual(streamed, 'Grüße, 世界 🚀👩‍🚒');
      assert.strictEqual(message.content[0].text, streamed);
      assert.deepStrictEqual(
        [
          message.usage.input_tokens,
          message.usage.output_tokens,
          message.usage.cache_read_input_tokens,
          message.usage.cache_creation_input_tokens,
        ],
        [7, 9, 5, 3],
      );
    },
  ),
);

test('calls and their results, there and back', kLimit, () =>
  with_stand_in(
    'anthropic.js',
    {
      replies: [
        {
          content: [
            { text: 'Let me look.' },
            { call: { id: 'toolu_1', name: 'weather', arguments: { city: '東京' } } },
            { call: { id: 'toolu_2', name: 'weather' } },
          ],
        },
        { content: [{ text: 'Sunny.' }] },
      ],
    },
    async (url, peer) => {
      const client = client_at(url);
      const first = await client.messages.stream(ask({ tools: kTools, tool_choice: { type: 'auto' } })).finalMessage();
      assert.strictEqual(first.stop_reason, 'tool_use');
      assert.deepStrictEqual(first.content[1], {
        type: 'tool_use',
        id: 'toolu_1',
        name: 'weather',
        input: { city: '東京' },
      });
      assert.deepStrictEqual(first.content[2].input, {});
      const results = ['toolu_1', 'toolu_2'].map((tool_use_id) => ({
        type: 'tool_result',
        tool_use_id,
        content: 'sun',
      }));
      const second = await client.messages.create(
        ask({
          tools: kTools,
          messages: [
            { role: 'user', content: 'hi' },
            { role: 'assistant', content: first.content },
            { role: 'user', content: results },
          ],
        }),
      );
      assert.strictEqual(second.content[0].text, 'Sunny.');
      assert.strictEqual(await peer.count(), 2);
    },
  ),
);

for (const [name, Kind, status] of [
  ['authentication', Anthropic.AuthenticationError, 401],
  ['permission', Anthropic.PermissionDeniedError, 403],
  ['not_found', Anthropic.NotFoundError, 404],
  ['rate_limit', Anthropic.RateLimitError, 429],
  ['overloaded', Anthropic.InternalServerError, 529],
  ['overflow', Anthropic.BadRequestError, 400],
  ['signature', Anthropic.BadRequestError, 400],
  ['signature_429', Anthropic.RateLimitError, 429],
  ['api', Anthropic.InternalServerError, 500],
]) {
  test(`the error ${name}`, kLimit, () =>
    with_stand_in('anthropic.js', { replies: [{ refuse: name }] }, (url) =>
      assert.rejects(
        client_at(url).messages.create(ask()),
        (error) => error instanceof Kind && error.status === status,
      ),
    ),
  );
}

test('a rate limit, then an answer', kLimit, () =>
  with_stand_in(
    'anthropic.js',
    {
      replies: [
        { refuse: 'rate_limit', retry_after: '0' },
        { refuse: 'overloaded', retry_after: '0' },
        { content: [{ text: 'at last' }] },
      ],
    },
    async (url, peer) => {
      const message = await client_at(url, { maxRetries: 2 }).messages.create(ask());
      assert.strictEqual(message.content[0].text, 'at last');
      assert.strictEqual(await peer.count(), 3);
    },
  ),
);

test('an error inside a stream', kLimit, () =>
  with_stand_in('anthropic.js', { replies: [{ content: [{ text: 'so far' }, { error: 'overloaded' }] }] }, (url) =>
    assert.rejects(client_at(url).messages.stream(ask()).finalMessage(), /overloaded_error/),
  ),
);

test('a broken connection', kLimit, () =>
  with_stand_in('anthropic.js', { replies: [{ content: [{ text: 'so far' }, { break: true }] }] }, (url) =>
    assert.rejects(client_at(url).messages.stream(ask()).finalMessage()),
  ),
);

test('text before the last is sent', kLimit, () =>
  with_stand_in(
    'anthropic.js',
    { replies: [{ content: [{ text: 'first ' }, { hold: true }, { text: 'last' }] }] },
    async (url, peer) => {
      const stream = client_at(url).messages.stream(ask());
      await new Promise((resolve) => stream.once('text', resolve));
      await peer.says('waiting');
      peer.tell('go');
      assert.strictEqual(await stream.finalText(), 'first last');
    },
  ),
);

for (const [stop, reason] of [
  ['max_tokens', 'max_tokens'],
  ['refusal', 'refusal'],
  ['overflow', 'model_context_window_exceeded'],
  ['pause', 'pause_turn'],
  ['content_filter', 'refusal'],
]) {
  test(`the stop ${stop}`, kLimit, () =>
    with_stand_in('anthropic.js', { replies: [{ content: [{ text: 'x' }], stop }] }, async (url) => {
      assert.strictEqual((await client_at(url).messages.stream(ask()).finalMessage()).stop_reason, reason);
    }),
  );
}

test('a paused reply goes on from itself', kLimit, () =>
  with_stand_in(
    'anthropic.js',
    { replies: [{ content: [{ text: 'half' }], stop: 'pause' }, { content: [{ text: 'whole' }] }] },
    async (url) => {
      const client = client_at(url);
      const paused = await client.messages.create(ask());
      const message = await client.messages.create(
        ask({
          messages: [
            { role: 'user', content: 'hi' },
            { role: 'assistant', content: paused.content },
          ],
        }),
      );
      assert.strictEqual(message.content[0].text, 'whole');
    },
  ),
);

test('the models', kLimit, () =>
  with_stand_in('anthropic.js', { models: ['claude-sonnet-5-5', 'claude-x'] }, async (url) => {
    const { data } = await client_at(url).models.list();
    assert.deepStrictEqual(
      data.map((model) => model.id),
      ['claude-sonnet-5-5', 'claude-x'],
    );
  }),
);

test('the models with another key', kLimit, () =>
  with_stand_in('anthropic.js', {}, async (url, peer) => {
    await assert.rejects(client_at(url, { apiKey: 'sk-other' }).models.list(), Anthropic.AuthenticationError);
    await peer.breaks(/x-api-key/);
  }),
);

for (const [path, more] of [
  ['output_config.effort', { output_config: { effort: 'low' } }],
  ['cache_control', { system: [{ type: 'text', text: 'Help.', cache_control: { type: 'ephemeral' } }] }],
]) {
  test(`a server that refuses ${path} says so, and that costs no reply`, kLimit, () =>
    with_stand_in('anthropic.js', { refuses: [path], replies: [{ content: [{ text: 'x' }] }] }, async (url, peer) => {
      const words = new RegExp(`${path.replace('.', '\\.')}: Extra inputs are not permitted`);
      await assert.rejects(
        client_at(url).messages.create(ask(more)),
        (error) => error instanceof Anthropic.BadRequestError && words.test(error.message),
      );
      await peer.says('refused');
      assert.strictEqual((await client_at(url).messages.create(ask())).content[0].text, 'x');
    }),
  );
}

// What breaks a rule: a change to a good request, and the words it is refused with.
const user = (content) => ({ role: 'user', content });
const assistant = (content) => ({ role: 'assistant', content });
const use = (id, name = 'weather') => ({ type: 'tool_use', id, name, input: {} });
const result = (tool_use_id) => ({ type: 'tool_result', tool_use_id, content: 'sun' });
const mark = { cache_control: { type: 'ephemeral' } };
const back = (block) => ({
  body: { messages: [user('hi'), assistant([block, { type: 'text', text: 'x' }]), user('hi')] },
});
const kBad = [
  ['no version', { headers: { 'anthropic-version': undefined } }, /anthropic-version: header is required/],
  ['an unknown version', { headers: { 'anthropic-version': '2024-01-01' } }, /anthropic-version/],
  ['no key', { headers: { 'x-api-key': undefined }, status: 401 }, /x-api-key/],
  ['another key', { headers: { 'x-api-key': 'sk-other' }, status: 401 }, /x-api-key/],
  ['no content type', { headers: { 'content-type': 'text/plain' } }, /content-type/],
  ['another path', { url: '/v1/v1/messages', status: 404 }, /Not found/],
  ['a field nobody knows', { body: { maxTokens: 3 } }, /maxTokens: Extra inputs/],
  ['no max_tokens', { body: { max_tokens: undefined } }, /max_tokens: Field required/],
  ['no room', { body: { max_tokens: 0 } }, /max_tokens/],
  [
    'sampling under the new version',
    { headers: { 'anthropic-version': '2026-10-21' }, body: { temperature: 1 } },
    /temperature: Extra inputs/,
  ],
  ['the assistant first', { body: { messages: [assistant('hi'), user('hi')] } }, /alternate/],
  ["two of the user's", { body: { messages: [user('hi'), user('hi')] } }, /alternate/],
  ['the assistant last', { body: { messages: [user('hi'), assistant('hi')] } }, /last message/],
  ['no messages', { body: { messages: [] } }, /messages: the list is empty/],
  ['an empty text', { body: { messages: [user([{ type: 'text', text: '' }])] } }, /non-whitespace/],
  ['a blank system', { body: { system: ' ' } }, /system/],
  ['an empty list of tools', { body: { tools: [] } }, /tools: the list is empty/],
  [
    'a call without a result',
    { body: { tools: kTools, messages: [user('hi'), assistant([use('a')]), user('so?')] } },
    /without `tool_result`/,
  ],
  [
    'a result without a call',
    { body: { tools: kTools, messages: [user('hi'), assistant('yes'), user([result('a')])] } },
    /unexpected `tool_use_id`/,
  ],
  [
    'a result twice',
    { body: { tools: kTools, messages: [user('hi'), assistant([use('a')]), user([result('a'), result('a')])] } },
    /unique/,
  ],
  [
    'a result after text',
    {
      body: {
        tools: kTools,
        messages: [user('hi'), assistant([use('a')]), user([{ type: 'text', text: 'x' }, result('a')])],
      },
    },
    /before other content/,
  ],
  [
    'an id twice',
    {
      body: {
        tools: kTools,
        messages: [user('hi'), assistant([use('a')]), user([result('a')]), assistant([use('a')]), user([result('a')])],
      },
    },
    /unique/,
  ],
  [
    'calls without tools',
    { body: { messages: [user('hi'), assistant([use('a')]), user([result('a')])] } },
    /must define tools/,
  ],
  [
    'an id with a dot',
    { body: { tools: kTools, messages: [user('hi'), assistant([use('a.b')]), user([result('a.b')])] } },
    /pattern/,
  ],
  ['a name with a dot', { body: { tools: [{ ...kTools[0], name: 'a.b' }] } }, /pattern/],
  ['a name twice', { body: { tools: [kTools[0], kTools[0]] } }, /unique/],
  [
    'a schema that is no object',
    { body: { tools: [{ ...kTools[0], input_schema: { type: 'string' } }] } },
    /input_schema/,
  ],
  ['a choice without tools', { body: { tool_choice: { type: 'any' } } }, /tool_choice/],
  ['a choice nobody knows', { body: { tools: kTools, tool_choice: { type: 'required' } } }, /tool_choice/],
  ['a choice of another tool', { body: { tools: kTools, tool_choice: { type: 'tool', name: 'news' } } }, /not found/],
  ['a thought without a signature', back({ type: 'thinking', thinking: 'x' }), /signature: Field required/],
  ['a thought that was made up', back({ type: 'thinking', thinking: 'x', signature: 'x' }), /Invalid `signature`/],
  ['a redacted thought that was made up', back({ type: 'redacted_thinking', data: 'x' }), /Invalid `data`/],
  [
    "a thought of the user's",
    { body: { messages: [user([{ type: 'thinking', thinking: 'x', signature: 'x' }])] } },
    /a user message has no block of type thinking/,
  ],
  ['five cache marks', { body: { system: Array(5).fill({ type: 'text', text: 'x', ...mark }) } }, /maximum of 4/],
  [
    'a lone surrogate',
    { raw: '{"model":"m","max_tokens":1,"messages":[{"role":"user","content":"\\ud83d"}]}' },
    /surrogate/,
  ],
  ['bytes that are no text', { raw: Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]) }, /not valid JSON/],
];
refuses(kBad);
