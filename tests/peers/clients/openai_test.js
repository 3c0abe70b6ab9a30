// OpenAI's own client works against our stand-in, and what the Responses API would refuse is refused.
'use strict';

const assert = require('node:assert');
const { test } = require('node:test');
const { with_stand_in, is_refused, kLimit } = require('./started');
const { default: OpenAI } = require('../lib/packages')('openai');

const kKey = 'sk-test-0123456789';
const client_at = (url, more = {}) => new OpenAI({ apiKey: kKey, baseURL: `${url}/v1`, maxRetries: 0, ...more });
const kTools = [
  {
    type: 'function',
    name: 'weather',
    description: 'Says the weather',
    parameters: { type: 'object', properties: { city: { type: 'string' } } },
    strict: false,
  },
];
const user = (content) => ({ role: 'user', content });
const ask = (more = {}) => ({
  model: 'gpt-6.1-sol',
  store: false,
  max_output_tokens: 100,
  input: [user('hi')],
  ...more,
});
const thinking = (more = {}) =>
  ask({
    include: ['reasoning.encrypted_content'],
    reasoning: { effort: 'low', summary: 'auto' },
    instructions: 'Help.',
    tools: kTools,
    ...more,
  });
const output_of = (call_id, output = 'sun') => ({ type: 'function_call_output', call_id, output });

const plays = (replies, body, more = {}) => with_stand_in('openai.js', { replies, ...more }, body);
const whole = (client, request) => client.responses.create(request);
const streamed = (client, request) => client.responses.stream(request).finalResponse();

for (const [name, create] of [
  ['whole', whole],
  ['streamed', streamed],
]) {
  test(`a text, ${name}`, kLimit, () =>
    plays(
      [{ content: [{ text: 'Hello ' }, { text: 'you' }], usage: { input: 7, output: 9, cache_read: 5, thinking: 4 } }],
      async (url) => {
        const response = await create(client_at(url), ask());
        assert.strictEqual(response.status, 'completed');
        assert.strictEqual(response.output_text, 'Hello you');
        assert.strictEqual(response.output.length, 1);
        assert.deepStrictEqual(response.usage, {
          input_tokens: 12,
          input_tokens_details: { cached_tokens: 5 },
          output_tokens: 9,
          output_tokens_details: { reasoning_tokens: 4 },
          total_tokens: 21,
        });
      },
    ),
  );

  test(`calls and thoughts, there and back, ${name}`, kLimit, () =>
    plays(
      [
        {
          content: [
            { thinking: { text: 'I need the weather 🚀.' } },
            { text: 'Let me look.' },
            { thinking: { text: 'Secret.', redacted: true } },
            { call: { name: 'weather', arguments: { city: '東京' } } },
            { call: { name: 'weather' } },
          ],
        },
        { content: [{ thinking: { text: 'Enough.' } }, { text: 'Sunny.' }] },
        { content: [{ text: 'Bye.' }] },
      ],
      async (url) => {
        const client = client_at(url);
        const first = await create(client, thinking());
        assert.deepStrictEqual(
          first.output.map((item) => item.type),
          ['reasoning', 'message', 'reasoning', 'function_call', 'function_call'],
        );
        assert.deepStrictEqual(first.output[0].summary, [{ type: 'summary_text', text: 'I need the weather 🚀.' }]);
        assert.deepStrictEqual(first.output[2].summary, []);
        assert.deepStrictEqual(JSON.parse(first.output[3].arguments), { city: '東京' });
        const input = [user('hi'), ...sendable(first.output), output_of('call_1'), output_of('call_2')];
        const second = await create(client, thinking({ input }));
        assert.strictEqual(second.output_text, 'Sunny.');
        const more = [...input, ...sendable(second.output), user('thanks')];
        assert.strictEqual((await create(client, thinking({ input: more }))).output_text, 'Bye.');
      },
    ),
  );

  for (const [stop, reason] of [
    ['max_tokens', 'max_output_tokens'],
    ['content_filter', 'content_filter'],
  ]) {
    test(`the stop ${stop}, ${name}`, kLimit, () =>
      plays([{ content: [{ text: 'x' }], stop }], async (url) => {
        const response = await create(client_at(url), ask());
        assert.strictEqual(response.status, 'incomplete');
        assert.deepStrictEqual(response.incomplete_details, { reason });
        assert.strictEqual(response.output[0].status, 'incomplete');
      }),
    );
  }

  test(`a call that is cut, ${name}`, kLimit, () =>
    plays([{ content: [{ call: { name: 'weather', arguments: { city: 'Rome' }, cut: true } }] }], async (url) => {
      const response = await create(client_at(url), ask({ tools: kTools }));
      assert.strictEqual(response.status, 'incomplete');
      assert.strictEqual(response.output[0].status, 'incomplete');
      assert.throws(() => JSON.parse(response.output[0].arguments));
    }),
  );

  test(`a refusal, ${name}`, kLimit, () =>
    plays([{ content: [{ text: 'I ' }, { text: 'will not.' }], stop: 'refusal' }], async (url) => {
      const response = await create(client_at(url), ask());
      assert.strictEqual(response.status, 'completed');
      assert.deepStrictEqual(sendable(response.output)[0].content, [{ type: 'refusal', refusal: 'I will not.' }]);
    }),
  );
}

// The client adds what it parsed to the items that it gives out.
function sendable(output) {
  return output.map(({ parsed_arguments, ...item }) =>
    item.type === 'message' ? { ...item, content: item.content.map(({ parsed, ...part }) => part) } : item,
  );
}

async function read(url, request) {
  const events = [];
  for await (const event of await client_at(url).responses.create({ ...request, stream: true })) events.push(event);
  return events;
}

test('a stream in pieces of one byte, with keep-alives, news and Unicode', kLimit, () =>
  plays(
    [{ content: [{ text: 'Grüße, ' }, { ping: true }, { text: '世界 ' }, { unknown: true }, { text: '🚀👩‍🚒' }] }],
    async (url) => {
      const events = await read(url, ask());
      assert.deepStrictEqual(
        events.map((event) => event.sequence_number),
        events.map((event, index) => index),
      );
      assert.deepStrictEqual(
        [...new Set(events.map((event) => event.type))],
        [
          'response.created',
          'response.in_progress',
          'response.output_item.added',
          'response.content_part.added',
          'response.output_text.delta',
          'response.vendor_news',
          'response.output_text.done',
          'response.content_part.done',
          'response.output_item.done',
          'response.completed',
        ],
      );
      const text = events.filter((event) => event.type === 'response.output_text.delta').map((event) => event.delta);
      assert.strictEqual(text.join(''), 'Grüße, 世界 🚀👩‍🚒');
    },
    { chunk: 1 },
  ),
);

test('the events of a thought and of a call', kLimit, () =>
  plays([{ content: [{ thinking: { text: 'Hm, so.' } }, { call: { name: 'weather' } }] }], async (url) => {
    const types = (await read(url, thinking())).map((event) => event.type.slice('response.'.length));
    assert.deepStrictEqual(types.slice(2), [
      'output_item.added',
      'reasoning_summary_part.added',
      'reasoning_summary_text.delta',
      'reasoning_summary_text.delta',
      'reasoning_summary_text.done',
      'reasoning_summary_part.done',
      'output_item.done',
      'output_item.added',
      'function_call_arguments.delta',
      'function_call_arguments.delta',
      'function_call_arguments.done',
      'output_item.done',
      'completed',
    ]);
  }),
);

test('a thought that nobody asked to see', kLimit, () =>
  plays([{ content: [{ thinking: { text: 'Hm.' } }, { text: 'x' }] }], async (url) => {
    const { output } = await whole(client_at(url), ask());
    assert.deepStrictEqual(Object.keys(output[0]), ['id', 'type', 'summary']);
    assert.deepStrictEqual(output[0].summary, []);
  }),
);

test('an error inside a stream', kLimit, () =>
  plays([{ content: [{ text: 'so far' }, { error: 'rate_limit' }] }], (url) =>
    assert.rejects(read(url, ask()), (error) => error instanceof OpenAI.APIError && /Rate limit/.test(error.message)),
  ),
);

test('a response that failed', kLimit, () =>
  plays([{ content: [{ text: 'so far' }, { error: 'api' }] }], async (url) => {
    const response = await whole(client_at(url), ask());
    assert.deepStrictEqual([response.status, response.error.code], ['failed', 'server_error']);
  }),
);

for (const item of [{ break: true }, { garbage: true }]) {
  test(`a stream with ${Object.keys(item)[0]}`, kLimit, () =>
    plays([{ content: [{ text: 'so far' }, item] }], (url) => assert.rejects(read(url, ask()))),
  );
}

test('a stream that ends early', kLimit, () =>
  plays([{ content: [{ text: 'so far' }, { end: true }, { text: 'never' }] }], async (url) => {
    assert.strictEqual((await read(url, ask())).at(-1).delta, 'so far');
  }),
);

test('text before the last is sent', kLimit, () =>
  plays([{ content: [{ text: 'first ' }, { hold: true }, { text: 'last' }] }], async (url, peer) => {
    const stream = client_at(url).responses.stream(ask());
    await new Promise((resolve) => stream.once('response.output_text.delta', resolve));
    await peer.says('waiting');
    peer.tell('go');
    assert.strictEqual((await stream.finalResponse()).output_text, 'first last');
  }),
);

for (const [name, Kind, status] of [
  ['authentication', OpenAI.AuthenticationError, 401],
  ['rate_limit', OpenAI.RateLimitError, 429],
  ['quota', OpenAI.RateLimitError, 429],
  ['overflow', OpenAI.BadRequestError, 400],
  ['signature', OpenAI.BadRequestError, 400],
  ['signature_429', OpenAI.RateLimitError, 429],
  ['api', OpenAI.InternalServerError, 500],
]) {
  test(`the error ${name}`, kLimit, () =>
    plays([{ refuse: name }], (url) =>
      assert.rejects(
        whole(client_at(url), ask()),
        (error) =>
          error instanceof Kind &&
          error.status === status &&
          name.startsWith('signature') === (error.code === 'invalid_encrypted_content'),
      ),
    ),
  );
}

test('the models', kLimit, () =>
  plays(
    [],
    async (url) => {
      const { data } = await client_at(url).models.list();
      assert.deepStrictEqual(
        data.map((model) => model.id),
        ['gpt-6.1-sol', 'gpt-x'],
      );
    },
    { models: ['gpt-6.1-sol', 'gpt-x'] },
  ),
);

test('a server refuses what its scenario says, and that costs no reply', kLimit, () =>
  plays(
    [{ content: [{ text: 'x' }] }],
    async (url, peer) => {
      await assert.rejects(
        whole(client_at(url), ask({ reasoning: { effort: 'low' } })),
        /Unsupported parameter: 'reasoning.effort' is not supported with this model./,
      );
      await peer.says('refused');
      assert.strictEqual((await whole(client_at(url), ask({ reasoning: { summary: 'auto' } }))).output_text, 'x');
    },
    { refuses: ['reasoning.effort'] },
  ),
);

// What becomes of a thought that goes back in another conversation than it came from.
const kReplies = [
  { content: [{ thinking: { text: 'Hm.' } }, { text: 'Wait.' }, { call: { name: 'weather' } }] },
  { content: [{ text: 'Sunny.' }] },
];
const without = (name, ...types) => ({
  name,
  change: ({ input }) => ({ input: input.filter((item) => !types.includes(item.type)) }),
});
const without_ids = ({ id, ...item }) => (item.type === 'reasoning' ? { id, ...item } : item);
const kChanges = [
  { name: 'nothing', change: () => ({}) },
  { name: 'no ids', change: ({ input }) => ({ input: input.map(without_ids) }) },
  {
    name: 'no thought and no ids',
    change: ({ input }) => ({ input: input.map(without_ids).filter((item) => item.type !== 'reasoning') }),
  },
  { ...without('no thought', 'reasoning'), rule: /without its required 'reasoning' item/ },
  { ...without('a thought alone', 'message', 'function_call'), rule: /without its required following item/ },
  { name: 'other instructions', change: () => ({ instructions: 'Hinder.' }), rule: /could not be verified/ },
  {
    name: 'other tools',
    change: () => ({ tools: [{ ...kTools[0], description: 'Says more' }] }),
    rule: /could not be verified/,
  },
  { name: 'another model', change: () => ({ model: 'gpt-6-luna' }), rule: /could not be verified/ },
  {
    name: 'another message before it',
    change: ({ input }) => ({ input: [user('ho'), ...input.slice(1)] }),
    rule: /could not be verified/,
  },
  {
    name: 'another summary',
    change: ({ input }) => ({
      input: input.map((item) => (item.type === 'reasoning' ? { ...item, summary: [] } : item)),
    }),
    rule: /could not be verified/,
  },
  { name: 'another key', scenario: { key: 'sk-other' }, change: () => ({}), rule: /could not be verified/ },
];
for (const { name, change, rule, scenario } of kChanges) {
  test(`a thought goes back with ${name}`, kLimit, () =>
    with_stand_in('openai.js', { replies: kReplies }, async (url, peer) => {
      const first = await streamed(client_at(url), thinking());
      const input = [user('hi'), ...sendable(first.output), output_of('call_1')];
      const again = thinking({ input, ...change({ input }) });
      if (scenario) {
        peer.tell(`play ${JSON.stringify({ replies: kReplies, ...scenario })}`);
        await peer.says('playing');
      }
      const answer = whole(client_at(url, { apiKey: scenario?.key || kKey }), again);
      if (!rule) return assert.ok(await answer);
      await assert.rejects(answer, (error) => error.status === 400 && rule.test(error.message));
      await peer.breaks(rule);
    }),
  );
}

const call = (call_id, more = {}) => ({ type: 'function_call', call_id, name: 'weather', arguments: '{}', ...more });
const kMadeUp = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'x' };
const says = (content) => ({ role: 'assistant', content });
const calling = (...input) => ({ body: { tools: kTools, input } });
const format = (more) => ({ body: { text: { format: { type: 'json_schema', name: 'answer', ...more } } } });
const kBad = [
  ['no key', { headers: { authorization: '' }, status: 401 }, /API key/],
  ['no content type', { headers: { 'content-type': 'text/plain' } }, /content-type/],
  ['another path', { url: '/v1/v1/responses', status: 404 }, /Invalid URL/],
  ['a field of Chat Completions', { body: { messages: [] } }, /messages: Extra inputs/],
  ['a field that keeps state', { body: { previous_response_id: 'resp_1' } }, /previous_response_id: Extra inputs/],
  ['no store', { body: { store: undefined } }, /store: Field required/],
  ['store', { body: { store: true } }, /store: must be false/],
  ['a text for input', { body: { input: 'hi' } }, /input: Input should be a list/],
  ['no input', { body: { input: [] } }, /the list is empty/],
  ['an item nobody knows', { body: { input: [{ type: 'tool_result' }] } }, /Invalid value for 'input\[0\].type'/],
  ['a role nobody knows', { body: { input: [{ role: 'tool', content: 'x' }] } }, /role/],
  ['a blank text', { body: { input: [user(' ')] } }, /non-whitespace/],
  ['a part of the wrong side', { body: { input: [user([{ type: 'output_text', text: 'x' }])] } }, /input_text/],
  [
    "the assistant's part of the wrong side",
    { body: { input: [user('hi'), says([{ type: 'input_text', text: 'x' }]), user('hi')] } },
    /output_text/,
  ],
  ['the assistant last', { body: { input: [user('hi'), says('x')] } }, /asks for nothing/],
  ['an id of another kind', calling(user('hi'), call('a', { id: 'call_a' }), output_of('a')), /begins with 'fc'/],
  ['a call without an output', calling(user('hi'), call('a'), user('so?')), /No tool output found/],
  ['a call whose output is late', calling(user('hi'), call('a'), user('so?'), output_of('a')), /No tool output/],
  ['a call at the end', calling(user('hi'), call('a')), /No tool output found/],
  ['an output without a call', calling(user('hi'), output_of('a')), /No tool call found/],
  ['an output twice', calling(user('hi'), call('a'), output_of('a'), output_of('a')), /No tool call found/],
  [
    'a call_id twice',
    calling(user('hi'), call('a'), output_of('a'), call('a'), output_of('a')),
    /call_id of function calls must be unique/,
  ],
  ['arguments as an object', calling(user('hi'), call('a', { arguments: {} }), output_of('a')), /should be a string/],
  ['arguments that are no JSON', calling(user('hi'), call('a', { arguments: '' }), output_of('a')), /not a JSON/],
  ['an output that is no text', calling(user('hi'), call('a'), output_of('a', {})), /output: Input should be a string/],
  [
    'a thought without its content',
    calling(user('hi'), { type: 'reasoning', id: 'rs_1', summary: [] }, call('a'), output_of('a')),
    /encrypted_content: Field required/,
  ],
  [
    'a thought that was made up',
    calling(user('hi'), kMadeUp, call('a'), output_of('a')),
    /could not be verified/,
  ],
  [
    'a thought at the end',
    calling(user('hi'), kMadeUp),
    /without its required following item/,
  ],
  ['an include nobody knows', { body: { include: ['reasoning'] } }, /include/],
  ['an effort nobody knows', { body: { reasoning: { effort: 'most' } } }, /reasoning.effort/],
  ['a summary nobody knows', { body: { reasoning: { summary: 'yes' } } }, /reasoning.summary/],
  ['a temperature', { body: { temperature: 1 } }, /Unsupported parameter: 'temperature'/],
  ['top_p', { body: { model: 'gpt-5', top_p: 1 } }, /Unsupported parameter: 'top_p'/],
  ['too little room', { body: { max_output_tokens: 15 } }, /Expected a value >= 16/],
  ['a blank instruction', { body: { instructions: '' } }, /instructions/],
  ['stream_options without a stream', { body: { stream: false, stream_options: {} } }, /stream_options/],
  ['no tools in the list', { body: { tools: [] } }, /tools: the list is empty/],
  [
    'a tool as Chat Completions has it',
    { body: { tools: [{ type: 'function', function: { name: 'f', parameters: { type: 'object' } } }] } },
    /Field required/,
  ],
  ['a tool that is neither strict nor not', { body: { tools: [{ ...kTools[0], strict: null }] } }, /strict/],
  ['a strict tool that is open', { body: { tools: [{ ...kTools[0], strict: true }] } }, /additionalProperties/],
  ['a name twice', { body: { tools: [kTools[0], kTools[0]] } }, /unique/],
  ['a choice without tools', { body: { tool_choice: 'auto' } }, /tool_choice/],
  ['a choice nobody knows', { body: { tools: kTools, tool_choice: 'any' } }, /tool_choice/],
  [
    'a choice of another tool',
    { body: { tools: kTools, tool_choice: { type: 'function', name: 'news' } } },
    /tool_choice.name/,
  ],
  ['a format without a name', format({ name: undefined, schema: {} }), /name: Field required/],
  [
    'a strict format that is open',
    format({ strict: true, schema: { type: 'object', properties: {} } }),
    /'additionalProperties' is required/,
  ],
  [
    'a strict format that leaves something open',
    format({
      strict: true,
      schema: { type: 'object', properties: { a: { type: 'string' } }, required: [], additionalProperties: false },
    }),
    /Missing 'a'/,
  ],
];
for (const [name, { headers, body, url = '/v1/responses', status = 400 }, rule] of kBad) {
  test(`refuses ${name}`, kLimit, async () => {
    const init = {
      headers: { 'content-type': 'application/json', authorization: `Bearer ${kKey}`, ...headers },
      body: JSON.stringify(ask({ stream: true, ...body })),
    };
    const answer = await is_refused('openai.js', { url, init, status, rule });
    assert.ok(answer.error.message);
  });
}
