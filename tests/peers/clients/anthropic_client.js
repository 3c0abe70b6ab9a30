// What the tests of Anthropic's API have in common: the vendor's client, and a good request.
'use strict';

const assert = require('node:assert');
const { test } = require('node:test');
const { is_refused, kLimit } = require('./started');
const { default: Anthropic } = require('../lib/packages')('@anthropic-ai/sdk');

const kKey = 'sk-ant-test-0123456789';
const client_at = (url, more = {}) => new Anthropic({ apiKey: kKey, baseURL: url, maxRetries: 0, ...more });
const kTools = [
  {
    name: 'weather',
    description: 'Says the weather',
    input_schema: { type: 'object', properties: { city: { type: 'string' } } },
  },
];
const ask = (more = {}) => ({
  model: 'claude-sonnet-5-5',
  max_tokens: 100,
  messages: [{ role: 'user', content: 'hi' }],
  ...more,
});

/// What breaks a rule: a name, a change to a good request, and the words it is refused with.
const kHeaders = { 'content-type': 'application/json', 'x-api-key': kKey, 'anthropic-version': '2023-06-01' };
function refuses(rows) {
  for (const [name, { headers, body, raw, url = '/v1/messages', status = 400 }, rule] of rows) {
    test(`refuses ${name}`, kLimit, async () => {
      const all = Object.entries({ ...kHeaders, ...headers }).filter(([, value]) => value !== undefined);
      const init = { headers: Object.fromEntries(all), body: raw || JSON.stringify(ask({ stream: true, ...body })) };
      const answer = await is_refused('anthropic.js', { url, init, status, rule });
      assert.strictEqual(answer.type, 'error');
    });
  }
}

module.exports = { Anthropic, kKey, client_at, kTools, ask, refuses };
