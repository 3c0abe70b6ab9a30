// What the account of aws_ops.js holds besides logs.
'use strict';

const ago = (now, minutes) => Math.floor(now.getTime() / 1000) - minutes * 60;

const alarm = (now, name, state, more) => ({
  AlarmName: name,
  AlarmArn: `arn:aws:cloudwatch:eu-central-1:123456789012:alarm:${name}`,
  ActionsEnabled: true,
  StateValue: state,
  StateReason: state === 'ALARM' ? 'Threshold Crossed: 1 datapoint [93.2] was greater than the threshold (80.0).' : '',
  StateUpdatedTimestamp: ago(now, 12) + 0.25,
  StateTransitionedTimestamp: ago(now, 12) + 0.25,
  MetricName: 'CPUUtilization',
  Namespace: 'AWS/ECS',
  Dimensions: [{ Name: 'ServiceName', Value: 'checkout' }],
  Threshold: 80,
  ComparisonOperator: 'GreaterThanThreshold',
  ...more,
});

const alarms = (now) => [
  alarm(now, 'checkout-cpu', 'ALARM', { AlarmDescription: 'CPU of checkout is high' }),
  alarm(now, 'mailer-queue', 'OK', { MetricName: 'ApproximateNumberOfMessages', Namespace: 'AWS/SQS' }),
  alarm(now, 'search-disk', 'INSUFFICIENT_DATA', {}),
  alarm(now, 'muted-cpu', 'ALARM', { ActionsEnabled: false }),
  {
    AlarmName: 'Checkout is down',
    AlarmArn: 'arn:aws:cloudwatch:eu-central-1:123456789012:alarm:Checkout is down',
    AlarmRule: 'ALARM("checkout-cpu") AND ALARM("checkout-5xx")',
    ActionsEnabled: true,
    StateValue: 'ALARM',
    StateReason: 'checkout-cpu transitioned to ALARM',
    StateUpdatedTimestamp: ago(now, 5),
    StateTransitionedTimestamp: ago(now, 5),
  },
];

/// A rising line, only for the service that is there; other queries have nothing.
function metric_values(query, period, start, end) {
  const metric = query.MetricStat && query.MetricStat.Metric;
  const dimension = (name) => ((metric.Dimensions || []).find((one) => one.Name === name) || {}).Value;
  const is_known = metric && metric.Namespace === 'AWS/ECS' && dimension('ClusterName') === 'acme-prod' &&
    dimension('ServiceName') === 'checkout-svc';
  const Label = query.Label || (metric ? metric.MetricName : 'CPUUtilization i-1');
  if (metric && !is_known) return { Label, Timestamps: [], Values: [] };
  const base = metric && metric.MetricName === 'MemoryUtilization' ? 50 : 20;
  const more = metric && query.MetricStat.Stat === 'Maximum' ? 20 : 0;
  const Timestamps = [];
  for (let at = Math.ceil(start / period) * period; at < end && Timestamps.length < 500; at += period)
    Timestamps.push(at);
  return { Label, Timestamps, Values: Timestamps.map((_, i) => base + more + (10 * i) / Timestamps.length) };
}

const clusters = (now) => ({
  'acme-prod': {
    'checkout-svc': {
      serviceName: 'checkout-svc',
      status: 'ACTIVE',
      runningCount: 2,
      desiredCount: 3,
      pendingCount: 1,
      deployments: [
        { status: 'PRIMARY', rolloutState: 'IN_PROGRESS', rolloutStateReason: 'ECS deployment ecs-svc/1 in progress.',
          taskDefinition: 'arn:aws:ecs:eu-central-1:123456789012:task-definition/checkout:42', createdAt: ago(now, 9),
          runningCount: 0, desiredCount: 3, failedTasks: 2 },
        { status: 'ACTIVE', rolloutState: 'COMPLETED', taskDefinition: 'checkout:41', createdAt: ago(now, 900) },
      ],
      events: [
        { id: 'e1', createdAt: ago(now, 3) + 0.5, message: '(service checkout-svc) is unable to place a task.' },
        { id: 'e2', createdAt: ago(now, 9), message: '(service checkout-svc) has started 1 tasks.' },
      ],
    },
    quiet: { serviceName: 'quiet', status: 'ACTIVE', runningCount: 1, desiredCount: 1, pendingCount: 0,
      deployments: [{ status: 'PRIMARY', rolloutState: 'COMPLETED' }], events: [] },
  },
});

const document = (text, uri, score) => ({
  content: { text, type: 'TEXT' },
  location: { type: 'S3', s3Location: { uri } },
  score,
  metadata: { 'x-amz-bedrock-kb-source-uri': uri },
});

const documents = [
  document('def retry_payment(order):\n    gateway.charge(order)\n', 's3://acme-code/shop/payment.py', 0.91),
  document('class RetryPolicy { int tries = 3; }', 's3://acme-code/shop/RetryPolicy.java', 0.62),
  document('How to restart the mailer', 's3://acme-code/docs/mailer.md', 0.4),
];

const objects = {
  '/acme-config/services.yaml':
    'checkout:\n  full_name: Checkout API\n  aliases: [cart]\n  description: Takes payments\n',
  '/acme-config/broken.yaml': 'checkout: [not: a service\n',
};

module.exports = { alarms, metric_values, clusters, documents, objects };
