// OpenAI's own client works against our stand-in, and what Chat Completions would refuse is refused.
'use strict';

const assert = require('node:assert');
const { test } = require('node:test');
const started = require('./started');
const { default: OpenAI } = require('../lib/packages')('openai');

const { is_refused, kLimit } = started;
const with_stand_in = (program, scenario, body) =>
  started.with_stand_in(program, { server: 'openai', ...scenario }, body);

const kKey = 'sk-test-0123456789';
const client_at = (url, more = {}) => new OpenAI({ apiKey: kKey, baseURL: `${url}/v1`, maxRetries: 0, ...more });
const kTools = [
  {
    type: 'function',
    function: {
      name: 'weather',
      description: 'Says the weather',
      parameters: { type: 'object', properties: { city: { type: 'string' } } },
    },
  },
];
const ask = (more = {}) => ({
  model: 'gpt-5',
  max_completion_tokens: 100,
  messages: [{ role: 'user', content: 'hi' }],
  ...more,
});

test('a whole completion', kLimit, () =>
  with_stand_in('openai_chat.js', { replies: [{ content: [{ text: 'Hello ' }, { text: 'you' }] }] }, async (url) => {
    const completion = await client_at(url).chat.completions.create(ask());
    assert.strictEqual(completion.choices[0].message.content, 'Hello you');
    assert.strictEqual(completion.choices[0].finish_reason, 'stop');
    assert.strictEqual(completion.usage.total_tokens, 120);
  }),
);

test('a stream in pieces of one byte, with keep-alives, news and Unicode', kLimit, () =>
  with_stand_in(
    'openai_chat.js',
    {
      chunk: 1,
      replies: [
        {
          content: [{ text: 'Grüße, ' }, { ping: true }, { text: '世界 ' }, { unknown: true }, { text: '🚀👩‍🚒' }],
          usage: { input: 7, output: 9, cache_read: 5 },
        },
      ],
    },
    async (url) => {
      let streamed = '';
      let usage;
      for await (const chunk of await client_at(url).chat.completions.create(
        ask({ stream: true, stream_options: { include_usage: true } }),
      )) {
        streamed += chunk.choices[0]?.delta?.content || '';
        usage = chunk.usage || usage;
      }
      assert.strictEqual(streamed, 'Grüße, 世界 🚀👩‍🚒');
      assert.deepStrictEqual(
        [usage.prompt_tokens, usage.prompt_tokens_details.cached_tokens, usage.completion_tokens],
        [12, 5, 9],
      );
    },
  ),
);

test('calls and their results, there and back', kLimit, () =>
  with_stand_in(
    'openai_chat.js',
    {
      replies: [
        {
          content: [
            { text: 'Let me look.' },
            { call: { name: 'weather', arguments: { city: '東京' } } },
            { call: { name: 'weather' } },
          ],
        },
        { content: [{ text: 'Sunny.' }] },
      ],
    },
    async (url, peer) => {
      const client = client_at(url);
      const first = await client.chat.completions
        .stream(ask({ tools: kTools, tool_choice: 'auto' }))
        .finalChatCompletion();
      const { message, finish_reason } = first.choices[0];
      assert.strictEqual(finish_reason, 'tool_calls');
      assert.deepStrictEqual(
        message.tool_calls.map((call) => [call.id, call.function.name, JSON.parse(call.function.arguments)]),
        [
          ['call_1', 'weather', { city: '東京' }],
          ['call_2', 'weather', {}],
        ],
      );
      const calls = message.tool_calls.map(({ id, type, function: { name, arguments: text } }) => ({
        id,
        type,
        function: { name, arguments: text },
      }));
      const second = await client.chat.completions.create(
        ask({
          tools: kTools,
          messages: [
            { role: 'system', content: 'Help.' },
            { role: 'user', content: 'hi' },
            { role: 'assistant', content: message.content, tool_calls: calls },
            ...calls.map(({ id }) => ({ role: 'tool', tool_call_id: id, content: 'sun' })),
          ],
        }),
      );
      assert.strictEqual(second.choices[0].message.content, 'Sunny.');
      assert.strictEqual(await peer.count(), 2);
    },
  ),
);

for (const [name, Kind, status] of [
  ['authentication', OpenAI.AuthenticationError, 401],
  ['permission', OpenAI.PermissionDeniedError, 403],
  ['not_found', OpenAI.NotFoundError, 404],
  ['rate_limit', OpenAI.RateLimitError, 429],
  ['quota', OpenAI.RateLimitError, 429],
  ['overloaded', OpenAI.InternalServerError, 503],
  ['overflow', OpenAI.BadRequestError, 400],
  ['api', OpenAI.InternalServerError, 500],
]) {
  test(`the error ${name}`, kLimit, () =>
    with_stand_in('openai_chat.js', { replies: [{ refuse: name }] }, (url) =>
      assert.rejects(
        client_at(url).chat.completions.create(ask()),
        (error) => error instanceof Kind && error.status === status,
      ),
    ),
  );
}

test('a rate limit, then an answer', kLimit, () =>
  with_stand_in(
    'openai_chat.js',
    { replies: [{ refuse: 'rate_limit', retry_after: '0' }, { content: [{ text: 'at last' }] }] },
    async (url, peer) => {
      const completion = await client_at(url, { maxRetries: 1 }).chat.completions.create(ask());
      assert.strictEqual(completion.choices[0].message.content, 'at last');
      assert.strictEqual(await peer.count(), 2);
    },
  ),
);

const read_all = async (url) => {
  for await (const chunk of await client_at(url).chat.completions.create(ask({ stream: true }))) assert.ok(chunk);
};
test('an error inside a stream', kLimit, () =>
  with_stand_in('openai_chat.js', { replies: [{ content: [{ text: 'so far' }, { error: 'api' }] }] }, (url) =>
    assert.rejects(read_all(url), OpenAI.APIError),
  ),
);
test('a broken connection', kLimit, () =>
  with_stand_in('openai_chat.js', { replies: [{ content: [{ text: 'so far' }, { break: true }] }] }, (url) =>
    assert.rejects(read_all(url)),
  ),
);

for (const [stop, reason] of [
  ['max_tokens', 'length'],
  ['refusal', 'content_filter'],
  ['content_filter', 'content_filter'],
]) {
  test(`the stop ${stop}`, kLimit, () =>
    with_stand_in('openai_chat.js', { replies: [{ content: [{ text: 'x' }], stop }] }, async (url) => {
      assert.strictEqual((await client_at(url).chat.completions.create(ask())).choices[0].finish_reason, reason);
    }),
  );
}

for (const [server, more] of [
  ['openai', { max_completion_tokens: undefined, max_tokens: 5 }],
  ['local', {}],
  ['old', { stream: true, stream_options: { include_usage: true } }],
]) {
  test(`the server ${server} refuses what it does not know`, kLimit, () =>
    with_stand_in('openai_chat.js', { server, replies: [{ content: [{ text: 'x' }] }] }, async (url, peer) => {
      await assert.rejects(client_at(url).chat.completions.create(ask(more)), OpenAI.BadRequestError);
      await peer.says('refused');
    }),
  );
}

test('the models, and a server that takes no key', kLimit, () =>
  with_stand_in(
    'openai_chat.js',
    { key: '', models: ['qwen'], replies: [{ content: [{ text: 'x' }] }] },
    async (url) => {
      const client = client_at(url, { apiKey: 'whatever' });
      assert.deepStrictEqual(
        (await client.models.list()).data.map((model) => model.id),
        ['qwen'],
      );
      assert.ok(await client.chat.completions.create(ask()));
      assert.strictEqual((await fetch(`${url}/v1/models`)).status, 200);
    },
  ),
);

test('a server refuses what its scenario says, and that costs no reply', kLimit, () =>
  with_stand_in(
    'openai_chat.js',
    { refuses: ['reasoning_effort'], replies: [{ content: [{ text: 'x' }] }] },
    async (url, peer) => {
      await assert.rejects(
        client_at(url).chat.completions.create(ask({ reasoning_effort: 'low' })),
        /Unsupported parameter: 'reasoning_effort' is not supported with this model./,
      );
      await peer.says('refused');
      assert.ok(await client_at(url).chat.completions.create(ask()));
    },
  ),
);

// Thoughts: beside the text, or in it between tags that may be cut anywhere.
for (const [style, thought, text] of [
  [{}, 'Hm, so 🚀.', 'Hello'],
  [{ think_tags: true }, '', '<think>Hm, so 🚀.</think>Hello'],
]) {
  test(`a thought with the style ${JSON.stringify(style)}`, kLimit, () =>
    with_stand_in(
      'openai_chat.js',
      { repeat: true, style, replies: [{ content: [{ thinking: { text: 'Hm, so 🚀.' } }, { text: 'Hello' }] }] },
      async (url) => {
        const { message } = (await client_at(url).chat.completions.create(ask())).choices[0];
        assert.deepStrictEqual([message.reasoning_content || '', message.content], [thought, text]);
        const told = { reasoning_content: '', content: '' };
        for await (const chunk of await client_at(url).chat.completions.create(ask({ stream: true })))
          for (const field of Object.keys(told)) told[field] += chunk.choices[0]?.delta?.[field] || '';
        assert.deepStrictEqual(told, { reasoning_content: thought, content: text });
      },
    ),
  );
}

for (const [name, more] of [
  ['tools for a model that is not to think', { model: 'gpt-6.1-sol', tools: kTools, reasoning_effort: 'none' }],
  ['a model of today without tools', { model: 'gpt-6.1-sol', reasoning_effort: 'high' }],
  ['an older model with tools', { model: 'gpt-5.3', tools: kTools, reasoning_effort: 'high' }],
  ['an answer in JSON', { response_format: { type: 'json_object' } }],
  [
    'an answer by a schema',
    {
      response_format: {
        type: 'json_schema',
        json_schema: {
          name: 'answer',
          strict: true,
          schema: { type: 'object', properties: {}, required: [], additionalProperties: false },
        },
      },
    },
  ],
]) {
  test(`takes ${name}`, kLimit, () =>
    with_stand_in('openai_chat.js', { replies: [{ content: [{ text: 'x' }] }] }, async (url) => {
      assert.ok(await client_at(url).chat.completions.create(ask(more)));
    }),
  );
}

const user = (content) => ({ role: 'user', content });
const call = (id, text = '{}') => ({ id, type: 'function', function: { name: 'weather', arguments: text } });
const calling = (...calls) => ({ role: 'assistant', content: null, tool_calls: calls });
const result = (tool_call_id) => ({ role: 'tool', tool_call_id, content: 'sun' });
const kBad = [
  ['no key', { headers: { authorization: '' }, status: 401 }, /API key/],
  ['a key without Bearer', { headers: { authorization: kKey }, status: 401 }, /API key/],
  ['no content type', { headers: { 'content-type': 'text/plain' } }, /content-type/],
  ['another path', { url: '/v1/v1/chat/completions', status: 404 }, /Invalid URL/],
  ['a field nobody knows', { body: { system: 'x' } }, /system: Extra inputs/],
  ['no messages', { body: { messages: [] } }, /messages: the list is empty/],
  ['an empty text', { body: { messages: [user('')] } }, /empty/],
  [
    'a call without a result',
    { body: { tools: kTools, messages: [user('hi'), calling(call('a')), user('so?')] } },
    /must be followed by tool messages/,
  ],
  [
    'a call whose result comes late',
    { body: { tools: kTools, messages: [user('hi'), calling(call('a')), user('so?'), result('a')] } },
    /must be followed by tool messages/,
  ],
  ['a result without a call', { body: { tools: kTools, messages: [user('hi'), result('a')] } }, /must be a response/],
  [
    'a result twice',
    { body: { tools: kTools, messages: [user('hi'), calling(call('a')), result('a'), result('a')] } },
    /must be a response/,
  ],
  [
    'arguments as an object',
    { body: { tools: kTools, messages: [user('hi'), calling(call('a', {})), result('a')] } },
    /should be a string/,
  ],
  [
    'arguments that are no JSON',
    { body: { tools: kTools, messages: [user('hi'), calling(call('a', '')), result('a')] } },
    /not a JSON object/,
  ],
  [
    'an id that is too long',
    { body: { tools: kTools, messages: [user('hi'), calling(call('a'.repeat(41))), result('a'.repeat(41))] } },
    /maximum length 40/,
  ],
  ['no tools in the list', { body: { tools: [] } }, /tools: the list is empty/],
  [
    'a tool as Anthropic has it',
    { body: { tools: [{ name: 'weather', input_schema: { type: 'object' } }] } },
    /Field required/,
  ],
  [
    'a schema without properties',
    { body: { tools: [{ type: 'function', function: { name: 'f', parameters: { type: 'object' } } }] } },
    /missing properties/,
  ],
  ['a choice without tools', { body: { tool_choice: 'auto' } }, /tool_choice/],
  ['a choice nobody knows', { body: { tools: kTools, tool_choice: 'any' } }, /tool_choice/],
  [
    'stream_options without a stream',
    { body: { stream: false, stream_options: { include_usage: true } } },
    /stream_options/,
  ],
  [
    'the assistant last',
    { body: { messages: [user('hi'), { role: 'assistant', content: 'x' }] } },
    /the last asks for nothing/,
  ],
  ...['gpt-5.4', 'gpt-5.9-mini', 'gpt-6-luna', 'gpt-6.1-sol'].flatMap((model) =>
    [undefined, 'low'].map((reasoning_effort) => [
      `tools for ${model} with the effort ${reasoning_effort}`,
      { body: { model, tools: kTools, reasoning_effort } },
      /Function tools with reasoning_effort are not supported for gpt-[^ ]+ in .*Please use .v1.responses instead/,
    ]),
  ),
  ['an effort nobody knows', { body: { reasoning_effort: 'most' } }, /reasoning_effort/],
  ['a format nobody knows', { body: { response_format: { type: 'json' } } }, /response_format.type/],
  [
    'a schema beside its name',
    { body: { response_format: { type: 'json_schema', name: 'answer', schema: { type: 'object' } } } },
    /json_schema: Field required/,
  ],
  [
    'a strict schema that is open',
    {
      body: {
        response_format: {
          type: 'json_schema',
          json_schema: { name: 'answer', strict: true, schema: { type: 'object', properties: {} } },
        },
      },
    },
    /'additionalProperties' is required/,
  ],
  [
    'a second system message',
    { body: { messages: [user('hi'), { role: 'system', content: 'x' }, user('hi')] } },
    /not the first/,
  ],
];
for (const [name, { headers, body, url = '/v1/chat/completions', status = 400 }, rule] of kBad) {
  test(`refuses ${name}`, kLimit, async () => {
    const init = {
      headers: { 'content-type': 'application/json', authorization: `Bearer ${kKey}`, ...headers },
      body: JSON.stringify(ask({ stream: true, ...body })),
    };
    const answer = await is_refused('openai_chat.js', { url, init, status, rule, scenario: { server: 'openai' } });
    assert.ok(answer.error.message);
  });
}
