// Thoughts in AWS's own client: through both of Bedrock's APIs, whole and streamed, there and back.
'use strict';

const assert = require('node:assert');
const { test } = require('node:test');
const { with_stand_in, kLimit } = require('./started');
const { aws, client_at, bearing, read_invoke, read_converse } = require('./bedrock_client');
const { kClaude, claude_body, invoke, kTools, user } = require('./bedrock_client');

const kThoughts = [
  { thinking: { text: 'I need the weather 🚀.' } },
  { text: 'Let me look.' },
  { thinking: { text: 'Secret.', redacted: true } },
  { thinking: { text: 'Tokyo, then.' } },
  { call: { name: 'weather', arguments: { b: 1, a: [2] } } },
];
const kClaudeTools = [{ name: 'weather', input_schema: { type: 'object', properties: {} } }];

function collect_invoke(events) {
  const content = [];
  for (const { type, index, content_block, delta } of events) {
    if (type === 'content_block_start') content[index] = { ...content_block };
    if (delta?.type === 'text_delta') content[index].text += delta.text;
    if (delta?.type === 'thinking_delta') content[index].thinking += delta.thinking;
    if (delta?.type === 'signature_delta') content[index].signature += delta.signature;
    if (delta?.type === 'input_json_delta') content[index].json = (content[index].json || '') + delta.partial_json;
  }
  return content.map(({ json, ...block }) => (json ? { ...block, input: JSON.parse(json) } : block));
}

function collect_converse(events) {
  const content = [];
  const at = (index) => (content[index] ??= {});
  for (const { contentBlockStart: start, contentBlockDelta: told } of events) {
    if (start) at(start.contentBlockIndex).toolUse = { ...start.start.toolUse, input: '' };
    if (!told) continue;
    const block = at(told.contentBlockIndex);
    const { text, toolUse, reasoningContent: thought } = told.delta;
    if (text !== undefined) block.text = (block.text || '') + text;
    if (toolUse) block.toolUse.input += toolUse.input;
    if (thought?.redactedContent) block.reasoningContent = { redactedContent: thought.redactedContent };
    else if (thought) {
      const { reasoningText = { text: '' } } = block.reasoningContent ?? {};
      reasoningText.text += thought.text ?? '';
      if (thought.signature) reasoningText.signature = thought.signature;
      block.reasoningContent = { reasoningText };
    }
  }
  for (const { toolUse } of content) if (toolUse) toolUse.input = JSON.parse(toolUse.input);
  return content;
}

const invoking = (request) => ({
  modelId: request.modelId,
  body: JSON.stringify(
    claude_body({
      system: request.system,
      tools: [{ ...kClaudeTools[0], description: request.description }],
      messages: request.messages,
      thinking: request.thinking,
    }),
  ),
});
const conversing = (request) => ({
  modelId: request.modelId,
  system: [{ text: request.system }, { cachePoint: { type: 'default' } }],
  toolConfig: { tools: [{ toolSpec: { ...kTools.tools[0].toolSpec, description: request.description } }] },
  messages: request.messages,
  ...(request.thinking ? { additionalModelRequestFields: { thinking: request.thinking } } : {}),
});
const said = (text) => user({ text });
const invoke_said = (text) => user({ type: 'text', text });
const kApis = {
  InvokeModel: {
    ask: async (client, request) => {
      const { body } = await client.send(new aws.InvokeModelCommand(invoke(invoking(request))));
      return JSON.parse(Buffer.from(body).toString()).content;
    },
    user: invoke_said,
    result: user({ type: 'tool_result', tool_use_id: 'call_1', content: 'sun' }),
    is_thought: (block) => /thinking/.test(block.type),
    text_of: (block) => block.thinking,
  },
  Converse: {
    ask: async (client, request) =>
      (await client.send(new aws.ConverseCommand(conversing(request)))).output.message.content,
    user: said,
    result: user({ toolResult: { toolUseId: 'call_1', content: [{ text: 'sun' }] } }),
    is_thought: (block) => block.reasoningContent !== undefined,
    text_of: (block) => block.reasoningContent.reasoningText.text,
  },
};
kApis.InvokeModelWithResponseStream = {
  ...kApis.InvokeModel,
  ask: async (client, request) => collect_invoke(await read_invoke(client, invoke(invoking(request)))),
};
kApis.ConverseStream = {
  ...kApis.Converse,
  ask: async (client, request) => collect_converse(await read_converse(client, conversing(request))),
};

const kSignature = /messages\.1\.content\.0: Invalid `signature` in `thinking` block/;
const kReplies = [{ content: kThoughts }, { content: [{ text: 'x' }] }];
const kShown = { type: 'adaptive', display: 'summarized' };
for (const [api, { ask, user: says, result, is_thought, text_of }] of Object.entries(kApis)) {
  for (const { name, change, rule, bearer } of [
    { name: 'nothing', change: () => ({}) },
    { name: 'another system', change: () => ({ system: 'Hinder.' }), rule: kSignature },
    { name: 'other tools', change: () => ({ description: 'Says more' }), rule: kSignature },
    { name: 'another model', change: () => ({ modelId: 'us.anthropic.claude-opus-5-5' }), rule: kSignature },
    {
      name: 'an earlier message',
      change: ([, ...rest]) => ({ messages: [says('ho'), ...rest] }),
      rule: kSignature,
    },
    {
      name: 'no thought',
      change: ([first, turn, last]) => ({
        messages: [first, { ...turn, content: turn.content.filter((block) => !is_thought(block)) }, last],
      }),
    },
    {
      name: 'a thought left out',
      change: ([first, turn, last]) => ({ messages: [first, { ...turn, content: turn.content.slice(1) }, last] }),
      rule: /messages\.1\.content\.1: Invalid `data` in `redacted_thinking` block/,
    },
    { name: 'another key', bearer: 'bedrock-api-key-x', change: () => ({}), rule: kSignature },
  ]) {
    test(`${api}: a thought goes back, changed: ${name}`, kLimit, () =>
      with_stand_in('bedrock.js', { replies: kReplies }, async (url, peer) => {
        const request = {
          modelId: kClaude,
          system: 'Help.',
          description: 'Says the weather',
          messages: [says('hi')],
          thinking: kShown,
        };
        const content = await ask(client_at(url), request);
        assert.strictEqual(content.length, 5);
        assert.strictEqual(text_of(content[0]), 'I need the weather 🚀.');
        const messages = [says('hi'), { role: 'assistant', content }, result];
        let client = client_at(url);
        if (bearer) {
          peer.tell(`play ${JSON.stringify({ replies: [{ content: [{ text: 'x' }] }], bearer })}`);
          await peer.says('playing');
          client = bearing(url, bearer);
        }
        const answer = ask(client, { ...request, messages, ...change(messages) });
        if (!rule) return assert.ok(await answer);
        await assert.rejects(answer, (error) => error instanceof aws.ValidationException && rule.test(error.message));
        await peer.breaks(rule);
      }),
    );
  }

  test(`${api}: a thought that is not shown`, kLimit, () =>
    with_stand_in('bedrock.js', { replies: [{ content: kThoughts }] }, async (url) => {
      const content = await ask(client_at(url), { modelId: kClaude, system: 'Help.', messages: [says('hi')] });
      assert.strictEqual(text_of(content[0]), '');
    }),
  );
}
