// What the tests of Bedrock have in common: AWS's own client, and good requests.
'use strict';

// Whatever it looks for beside what it is given, it looks nowhere but here.
process.env.AWS_EC2_METADATA_DISABLED = 'true';

const require_package = require('../lib/packages');
const { NodeHttpHandler } = require_package('@smithy/node-http-handler');
const aws = require_package('@aws-sdk/client-bedrock-runtime');

const credentials = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' };
const client_at = (endpoint, more = {}) =>
  new aws.BedrockRuntimeClient({
    region: 'us-east-1',
    endpoint,
    credentials,
    maxAttempts: 1,
    requestHandler: new NodeHttpHandler(),
    ...more,
  });
const kClaude = 'us.anthropic.claude-sonnet-5-5';
const kNova = 'amazon.nova-pro-v1:0';

const claude_body = (more = {}) => ({
  anthropic_version: 'bedrock-2023-05-31',
  max_tokens: 100,
  messages: [{ role: 'user', content: 'hi' }],
  ...more,
});
const invoke = (more = {}) => ({
  modelId: kClaude,
  contentType: 'application/json',
  accept: 'application/json',
  body: JSON.stringify(claude_body()),
  ...more,
});
const kTools = {
  tools: [
    {
      toolSpec: {
        name: 'weather',
        description: 'Says the weather',
        inputSchema: { json: { type: 'object', properties: {} } },
      },
    },
  ],
};
const user = (...content) => ({ role: 'user', content });
const converse = (more = {}) => ({
  modelId: kNova,
  inferenceConfig: { maxTokens: 100 },
  messages: [user({ text: 'hi' })],
  ...more,
});

const bearing = (url, token) =>
  client_at(url, { credentials: undefined, token: { token }, authSchemePreference: ['httpBearerAuth'] });

async function read_invoke(client, input) {
  const { body } = await client.send(new aws.InvokeModelWithResponseStreamCommand(input));
  const events = [];
  for await (const event of body) events.push(JSON.parse(Buffer.from(event.chunk.bytes).toString()));
  return events;
}

async function read_converse(client, input) {
  const { stream } = await client.send(new aws.ConverseStreamCommand(input));
  const events = [];
  for await (const event of stream) events.push(event);
  return events;
}

module.exports = {
  aws,
  credentials,
  client_at,
  bearing,
  kClaude,
  kNova,
  claude_body,
  invoke,
  kTools,
  user,
  converse,
  read_invoke,
  read_converse,
};
