// AWS's own clients work against aws_ops.js, and what AWS would refuse is refused.
'use strict';

process.env.AWS_EC2_METADATA_DISABLED = 'true';

const assert = require('node:assert');
const { spawn } = require('node:child_process');
const path = require('node:path');
const readline = require('node:readline');
const { test } = require('node:test');
const require_package = require('../lib/packages');
const { NodeHttpHandler } = require_package('@smithy/node-http-handler');
const cloudwatch = require_package('@aws-sdk/client-cloudwatch');
const logs = require_package('@aws-sdk/client-cloudwatch-logs');
const agent = require_package('@aws-sdk/client-bedrock-agent-runtime');
const s3 = require_package('@aws-sdk/client-s3');

const credentials = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' };

/// Runs `body(config)` against the stand-in, whose clock is the machine's, and gives back the rules that were broken.
async function with_account(body) {
  const program = path.join(__dirname, '../aws_ops.js');
  const child = spawn(process.execPath,
    [program, credentials.accessKeyId, credentials.secretAccessKey, 'eu-central-1'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = readline.createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const port = (await lines.next()).value.slice(5);
  try {
    await body({
      region: 'eu-central-1', endpoint: `http://127.0.0.1:${port}`, credentials, maxAttempts: 1,
      requestHandler: new NodeHttpHandler(),
    });
  } finally {
    child.stdin.end();
  }
  const broken = [];
  for await (const line of lines) if (line.startsWith('broken')) broken.push(line);
  return broken;
}

test('CloudWatch: all alarms over all pages, and metrics', async () => {
  const broken = await with_account(async (config) => {
    const client = new cloudwatch.CloudWatchClient(config);
    const names = [];
    const pages = cloudwatch.paginateDescribeAlarms({ client }, { AlarmTypes: ['MetricAlarm', 'CompositeAlarm'] });
    for await (const page of pages)
      for (const one of [...page.MetricAlarms, ...page.CompositeAlarms]) names.push(one.AlarmName);
    assert.deepStrictEqual(names, ['checkout-cpu', 'mailer-queue', 'search-disk', 'muted-cpu', 'Checkout is down']);
    const found = await client.send(new cloudwatch.GetMetricDataCommand({
      StartTime: new Date(Date.now() - 3600_000), EndTime: new Date(),
      MetricDataQueries: [{ Id: 'cpu', MetricStat: { Period: 60, Stat: 'Average', Metric: {
        Namespace: 'AWS/ECS', MetricName: 'CPUUtilization',
        Dimensions: [{ Name: 'ClusterName', Value: 'acme-prod' }, { Name: 'ServiceName', Value: 'checkout-svc' }] } } }],
    }));
    assert.strictEqual(found.MetricDataResults[0].Values.length, 60);
    assert.ok(found.MetricDataResults[0].Timestamps[0] instanceof Date);
  });
  assert.deepStrictEqual(broken, []);
});

test('CloudWatch Logs: groups, a query to its end, one that is stopped, one that is malformed', async () => {
  const broken = await with_account(async (config) => {
    const client = new logs.CloudWatchLogsClient(config);
    const names = [];
    for await (const page of logs.paginateDescribeLogGroups({ client }, { logGroupNamePrefix: '/ecs/prod/' }))
      for (const one of page.logGroups) names.push(one.logGroupName);
    assert.deepStrictEqual(names, ['/ecs/prod/checkout', '/ecs/prod/mailer']);
    const seconds = Math.floor(Date.now() / 1000);
    const start = (queryString) => client.send(new logs.StartQueryCommand({
      logGroupNames: names, startTime: seconds - 4 * 3600, endTime: seconds, queryString }));
    const query = 'fields @timestamp, @message | filter @message like /(?i)payment/ | sort @timestamp desc | limit 2';
    const { queryId } = await start(query);
    let answer;
    do answer = await client.send(new logs.GetQueryResultsCommand({ queryId }));
    while (answer.status === 'Scheduled' || answer.status === 'Running');
    assert.strictEqual(answer.status, 'Complete');
    assert.strictEqual(answer.results.length, 2);
    assert.match(answer.results[0][1].value, /order 19/);
    assert.strictEqual(answer.statistics.recordsMatched, 3);
    const stopped = await start(query);
    assert.ok((await client.send(new logs.StopQueryCommand(stopped))).success);
    assert.strictEqual((await client.send(new logs.GetQueryResultsCommand(stopped))).status, 'Cancelled');
    await assert.rejects(start('delete everything'), { name: 'MalformedQueryException' });
  });
  assert.match(broken.join('\n'), /^broken POST \/ .*unexpected: delete everything/);
});

test('Bedrock and S3: what is there and what is not', async () => {
  const broken = await with_account(async (config) => {
    const client = new agent.BedrockAgentRuntimeClient(config);
    const retrieve = (knowledgeBaseId) => client.send(new agent.RetrieveCommand({ knowledgeBaseId,
      retrievalQuery: { text: 'retry payment' },
      retrievalConfiguration: { vectorSearchConfiguration: { numberOfResults: 5 } } }));
    const { retrievalResults } = await retrieve('KB12345678');
    assert.strictEqual(retrievalResults[0].location.s3Location.uri, 's3://acme-code/shop/payment.py');
    await assert.rejects(retrieve('KBUNKNOWN1'), { name: 'ResourceNotFoundException' });
    const bucket = new s3.S3Client({ ...config, forcePathStyle: true });
    const object = await bucket.send(new s3.GetObjectCommand({ Bucket: 'acme-config', Key: 'services.yaml' }));
    assert.match(await object.Body.transformToString(), /Checkout API/);
    await assert.rejects(bucket.send(new s3.GetObjectCommand({ Bucket: 'acme-config', Key: 'none' })),
      { name: 'NoSuchKey' });
  });
  assert.deepStrictEqual(broken, []);
});

test('a wrong secret, region or key is refused', async () => {
  const broken = await with_account(async (config) => {
    const ask = (more) => new cloudwatch.CloudWatchClient({ ...config, ...more })
      .send(new cloudwatch.DescribeAlarmsCommand({}));
    await assert.rejects(ask({ credentials: { ...credentials, secretAccessKey: 'x' } }),
      { name: 'InvalidSignatureException' });
    await assert.rejects(ask({ region: 'us-east-1' }), { name: 'InvalidSignatureException' });
    await assert.rejects(ask({ credentials: { ...credentials, accessKeyId: 'AKIDOTHER' } }),
      { name: 'UnrecognizedClientException' });
  });
  assert.strictEqual(broken.length, 2);
});
