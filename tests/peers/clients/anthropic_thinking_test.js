// Thoughts in Anthropic's own client: there and back, and what models take.
'use strict';

const assert = require('node:assert');
const { test } = require('node:test');
const { with_stand_in, kLimit } = require('./started');
const { kKey, client_at, kTools, ask, refuses } = require('./anthropic_client');

const whole = (client, request) => client.messages.create(request);
const streamed = (client, request) => client.messages.stream(request).finalMessage();
const kShown = { thinking: { type: 'adaptive', display: 'summarized' } };
const kThoughts = [
  { thinking: { text: 'I need the weather 🚀.' } },
  { text: 'Let me look.' },
  { thinking: { text: 'Secret.', redacted: true } },
  { thinking: { text: 'Tokyo, then.' } },
  { call: { name: 'weather', arguments: { b: 1, a: [2] } } },
];
const results_of = (...ids) => ({
  role: 'user',
  content: ids.map((tool_use_id) => ({ type: 'tool_result', tool_use_id, content: 'sun' })),
});

for (const [name, create] of [
  ['whole', whole],
  ['streamed', streamed],
]) {
  for (const [shown, more, texts] of [
    ['shown', kShown, ['I need the weather 🚀.', 'Tokyo, then.']],
    ['between tools', { thinking: { type: 'between_tools' } }, ['I need the weather 🚀.', 'Tokyo, then.']],
    ['not shown', {}, ['', '']],
  ]) {
    test(`thoughts that are ${shown} are kept over a loop of tools, ${name}`, kLimit, () =>
      with_stand_in(
        'anthropic.js',
        {
          replies: [
            { content: kThoughts },
            { content: [{ thinking: { text: 'Again.' } }, { call: { id: 'again_1', name: 'weather' } }] },
            { content: [{ text: 'Sunny.' }] },
          ],
        },
        async (url) => {
          const client = client_at(url);
          const messages = [{ role: 'user', content: 'hi' }];
          const go_on = async () => {
            const { content } = await create(client, ask({ tools: kTools, system: 'Help.', messages, ...more }));
            messages.push({ role: 'assistant', content });
            return content;
          };
          const first = await go_on();
          assert.deepStrictEqual(
            first.map((block) => block.type),
            ['thinking', 'text', 'redacted_thinking', 'thinking', 'tool_use'],
          );
          assert.deepStrictEqual([first[0].thinking, first[3].thinking], texts);
          messages.push(results_of('call_1'));
          await go_on();
          messages.push(results_of('again_1'));
          // A cache mark that moves, and a text as a block, change nothing.
          messages[0].content = [{ type: 'text', text: 'hi', cache_control: { type: 'ephemeral' } }];
          assert.strictEqual((await go_on())[0].text, 'Sunny.');
        },
      ),
    );
  }
}

test('a paused reply that thinks goes on from itself', kLimit, () =>
  with_stand_in(
    'anthropic.js',
    {
      replies: [
        { content: [{ thinking: { text: 'a' } }, { text: 'half' }], stop: 'pause' },
        { content: [{ thinking: { text: 'b' } }, { text: 'whole' }] },
        { content: [{ text: 'end' }] },
      ],
    },
    async (url) => {
      const messages = [{ role: 'user', content: 'hi' }];
      const first = await whole(client_at(url), ask({ messages }));
      messages.push({ role: 'assistant', content: first.content });
      const second = await whole(client_at(url), ask({ messages }));
      messages[1] = { role: 'assistant', content: [...first.content, ...second.content] };
      messages.push({ role: 'user', content: 'and?' });
      assert.strictEqual((await whole(client_at(url), ask({ messages }))).content[0].text, 'end');
    },
  ),
);

// What becomes of a thought that goes back in another conversation than it came from.
const kSignature = /messages\.1\.content\.0: Invalid `signature` in `thinking` block/;
const with_block = (messages, index, change) => {
  const content = messages[1].content.map((block, at) => (at === index ? { ...block, ...change } : block));
  return [messages[0], { role: 'assistant', content }, messages[2]];
};
const kReplies = [{ content: kThoughts }, { content: [{ text: 'x' }] }];
const keeping = (messages, kept) => [
  messages[0],
  { role: 'assistant', content: messages[1].content.filter(kept) },
  messages[2],
];
for (const { name, change, rule, scenario } of [
  { name: 'nothing', change: () => ({}) },
  { name: 'no thought', change: (messages) => ({ messages: keeping(messages, (block) => !/think/.test(block.type)) }) },
  { name: 'another system', change: () => ({ system: 'Hinder.' }), rule: kSignature },
  { name: 'no system', change: () => ({ system: undefined }), rule: kSignature },
  {
    name: 'other tools',
    change: () => ({ tools: [...kTools, { ...kTools[0], name: 'news' }] }),
    rule: kSignature,
  },
  { name: 'another model', change: () => ({ model: 'claude-opus-5-5' }), rule: kSignature },
  {
    name: 'an earlier message changed',
    change: ([, ...rest]) => ({ messages: [{ role: 'user', content: 'ho' }, ...rest] }),
    rule: kSignature,
  },
  {
    name: 'its text changed',
    change: (messages) => ({ messages: with_block(messages, 0, { thinking: 'I know the weather.' }) }),
    rule: kSignature,
  },
  {
    name: 'a text before it changed',
    change: (messages) => ({ messages: with_block(messages, 1, { text: 'Let me see.' }) }),
    rule: /messages\.1\.content\.2: Invalid `data` in `redacted_thinking` block/,
  },
  {
    name: 'the thought before it left out',
    change: (messages) => ({ messages: keeping(messages, (block) => block !== messages[1].content[0]) }),
    rule: /messages\.1\.content\.1: Invalid `data`/,
  },
  { name: 'another key', scenario: { key: 'sk-ant-other' }, change: () => ({}), rule: kSignature },
]) {
  test(`a thought goes back with ${name}`, kLimit, () =>
    with_stand_in('anthropic.js', { replies: kReplies }, async (url, peer) => {
      const request = ask({ tools: kTools, system: 'Help.', ...kShown });
      const { content } = await streamed(client_at(url), request);
      const messages = [...request.messages, { role: 'assistant', content }, results_of('call_1')];
      if (scenario) {
        peer.tell(`play ${JSON.stringify({ replies: [{ content: [{ text: 'x' }] }], ...scenario })}`);
        await peer.says('playing');
      }
      const client = client_at(url, { apiKey: scenario?.key || kKey });
      const answer = whole(client, { ...request, messages, ...change(messages) });
      if (!rule) return assert.ok(await answer);
      await assert.rejects(answer, (error) => error.status === 400 && rule.test(error.message));
      await peer.breaks(rule);
    }),
  );
}

// What models take: a good request of each kind. Only the older version of the API knows sampling.
const kForced = { tools: kTools, tool_choice: { type: 'any' } };
const kSchema = {
  type: 'object',
  properties: { maximum: { type: 'array', items: { type: 'string' }, minItems: 1 } },
  additionalProperties: false,
};
const as_schema = (schema) => ({ output_config: { format: { type: 'json_schema', schema } } });
const thinks = (type, effort, more = {}) => ({
  thinking: { type, ...more },
  ...(effort ? { output_config: { effort } } : {}),
});
for (const [model, more] of [
  ['claude-sonnet-5-5', thinks('between_tools', 'high')],
  ['claude-sonnet-5-5', thinks('between_tools')],
  ['claude-sonnet-5-5', thinks('adaptive', 'max')],
  ['claude-sonnet-5-5', as_schema(kSchema)],
  ['claude-opus-5-5', thinks('adaptive', 'xhigh')],
  ['claude-haiku-5-5', { ...thinks('disabled', 'high'), ...kForced }],
  ['claude-sonnet-5', { ...thinks('disabled'), ...kForced }],
  ['claude-haiku-4-5', { ...thinks('enabled', undefined, { budget_tokens: 1024 }), max_tokens: 2000 }],
  ['claude-haiku-4-5', { ...thinks('disabled'), ...kForced, temperature: 0.5 }],
  ['claude-of-tomorrow', { ...thinks('disabled', 'max'), ...kForced, temperature: 0.5 }],
]) {
  test(`${model} takes ${JSON.stringify(more).slice(0, 80)}`, kLimit, () =>
    with_stand_in('anthropic.js', { replies: [{ content: [{ text: 'x' }] }] }, async (url) => {
      const client = client_at(url, { defaultHeaders: { 'anthropic-version': '2023-06-01' } });
      assert.ok(await whole(client, ask({ model, ...more })));
    }),
  );
}

refuses([
  ['thinking nobody knows', { body: thinks('sometimes') }, /thinking.type/],
  ['thinking with a field nobody knows', { body: thinks('adaptive', 'low', { depth: 3 }) }, /depth: Extra inputs/],
  ['a display nobody knows', { body: thinks('adaptive', 'low', { display: 'all' }) }, /thinking.display/],
  [
    'between_tools with a display',
    { body: thinks('between_tools', 'low', { display: 'summarized' }) },
    /display: Extra inputs/,
  ],
  ['an effort nobody knows', { body: { output_config: { effort: 'most' } } }, /output_config.effort/],
  ['an output_config with a field nobody knows', { body: { output_config: { style: 1 } } }, /style: Extra inputs/],
  ['a format nobody knows', { body: { output_config: { format: { type: 'json', schema: {} } } } }, /format.type/],
  ['an answer that is no object', { body: as_schema({ type: 'string' }) }, /Input should be 'object'/],
  ['an answer that is open', { body: as_schema({ ...kSchema, additionalProperties: true }) }, /additionalProperties/],
  ...['pattern', 'minimum', 'maximum', 'minLength', 'maxLength', 'maxItems'].map((keyword) => [
    `an answer with ${keyword}`,
    { body: as_schema({ ...kSchema, properties: { a: { [keyword]: 1 } } }) },
    /is not supported/,
  ]),
  [
    'an answer with two items at least',
    { body: as_schema({ ...kSchema, properties: { a: { type: 'array', minItems: 2 } } }) },
    /'minItems' over 1 is not supported/,
  ],
  ...['claude-sonnet-5-5', 'claude-opus-5-5', 'claude-haiku-5-5', 'claude-sonnet-5'].flatMap((model) => [
    [`${model} with temperature`, { body: { model, temperature: 1 } }, /temperature: Extra inputs/],
    [`${model} with top_p`, { body: { model, top_p: 1 } }, /top_p: Extra inputs/],
    [`${model} with top_k`, { body: { model, top_k: 1 } }, /top_k: Extra inputs/],
    [
      `${model} with a budget`,
      { body: { model, max_tokens: 2000, ...thinks('enabled', undefined, { budget_tokens: 1024 }) } },
      /thinking.type: `enabled` is not supported/,
    ],
    [`${model} forced to call`, { body: { model, ...kForced } }, /tool_choice forces tool use/],
    [
      `${model} forced to call one`,
      { body: { model, ...kForced, tool_choice: { type: 'tool', name: 'weather' } } },
      /tool_choice forces tool use/,
    ],
  ]),
  [
    'claude-sonnet-5-5 that does not think',
    { body: thinks('disabled') },
    /`disabled` is not supported with this model. Use `{"type": "between_tools"}`./,
  ],
  ['claude-opus-5-5 that does not think', { body: { model: 'claude-opus-5-5', ...thinks('disabled') } }, /`disabled`/],
  [
    'claude-opus-5-5 that thinks between tools',
    { body: { model: 'claude-opus-5-5', ...thinks('between_tools', 'low') } },
    /`between_tools` is not supported/,
  ],
  ['between_tools with xhigh', { body: thinks('between_tools', 'xhigh') }, /not supported with effort xhigh/],
  [
    'claude-haiku-5-5 that does not think with max',
    { body: { model: 'claude-haiku-5-5', ...thinks('disabled', 'max') } },
    /not supported with effort max/,
  ],
  ...['claude-haiku-4-5', 'claude-3-5-haiku-latest'].flatMap((model) => [
    [`${model} with effort`, { body: { model, output_config: { effort: 'low' } } }, /output_config: Extra inputs/],
    [`${model} that adapts`, { body: { model, ...thinks('adaptive') } }, /`adaptive` is not supported/],
    [
      `${model} with a small budget`,
      { body: { model, ...thinks('enabled', undefined, { budget_tokens: 1000 }) } },
      /less than 1024/,
    ],
    [
      `${model} with a budget over max_tokens`,
      { body: { model, ...thinks('enabled', undefined, { budget_tokens: 1024 }) } },
      /`max_tokens` must be greater/,
    ],
    [
      `${model} that thinks and is forced to call`,
      { body: { model, max_tokens: 2000, ...kForced, ...thinks('enabled', undefined, { budget_tokens: 1024 }) } },
      /tool_choice forces tool use/,
    ],
    [
      `${model} that thinks with a temperature`,
      { body: { model, max_tokens: 2000, temperature: 1, ...thinks('enabled', undefined, { budget_tokens: 1024 }) } },
      /when thinking is enabled/,
    ],
  ]),
]);
