// A strict stand-in for what operations read in AWS: CloudWatch, CloudWatch Logs, ECS, Bedrock Knowledge Bases, S3 and
// STS, on one port of loopback, which it prints. It checks every signature with AWS's own signer, and method, path,
// target, content type and body. A request that breaks a rule gets AWS's error, and the line `broken …` is printed; each
// other operation is a line `asked …`.
//
//   node aws_ops.js KEY_ID SECRET REGION [TIME]      TIME stands still; without it, the machine's clock
'use strict';

const http = require('http');
const { check_signature } = require('./lib/sigv4');
const { has_fields, is_text, is_whole, must, one_of, matches, Broken } = require('./lib/rules');
const { alarms, metric_values, clusters, documents, objects } = require('./lib/aws_data');
const { describe_groups, Queries } = require('./lib/aws_logs');

const [accessKeyId, secretAccessKey, region, time] = process.argv.slice(2);
const now = () => (time ? new Date(time) : new Date());
const say = (...words) => console.log(words.join(' '));
const queries = new Queries(now);

const seconds = (value, where) => must(typeof value === 'number' && value < 1e11, `${where}: epoch seconds`);

/// One item an answer, so that whoever wants all must turn pages.
function page_of(list, token, most) {
  must(is_whole(most) && most >= 1, 'the size of a page');
  const at = token ? Number(Buffer.from(token, 'base64').toString()) : 0;
  must(Number.isInteger(at) && at < Math.max(list.length, 1), 'The value of NextToken is invalid', 'InvalidNextToken');
  const next = at + 1 < list.length ? Buffer.from(String(at + 1)).toString('base64') : undefined;
  return [list.slice(at, at + 1), next];
}

const cloudwatch = {
  DescribeAlarms(body) {
    has_fields(body, 'DescribeAlarms', [], ['AlarmNamePrefix', 'AlarmTypes', 'StateValue', 'MaxRecords', 'NextToken']);
    if (body.StateValue !== undefined) one_of(body.StateValue, 'StateValue', ['OK', 'ALARM', 'INSUFFICIENT_DATA']);
    for (const type of body.AlarmTypes || []) one_of(type, 'AlarmTypes', ['MetricAlarm', 'CompositeAlarm']);
    const most = body.MaxRecords ?? 50;
    must(most <= 100, 'MaxRecords: at most 100');
    const types = body.AlarmTypes || ['MetricAlarm'];
    const all = alarms(now()).filter(
      (one) =>
        types.includes(one.AlarmRule ? 'CompositeAlarm' : 'MetricAlarm') &&
        (!body.StateValue || one.StateValue === body.StateValue) &&
        one.AlarmName.startsWith(body.AlarmNamePrefix || ''),
    );
    const [some, NextToken] = page_of(all, body.NextToken, most);
    return {
      MetricAlarms: some.filter((one) => !one.AlarmRule),
      CompositeAlarms: some.filter((one) => one.AlarmRule),
      NextToken,
    };
  },
  GetMetricData(body) {
    has_fields(body, 'GetMetricData', ['MetricDataQueries', 'StartTime', 'EndTime'],
      ['ScanBy', 'MaxDatapoints', 'NextToken']);
    seconds(body.StartTime, 'StartTime');
    seconds(body.EndTime, 'EndTime');
    must(body.StartTime < body.EndTime, 'StartTime must be before EndTime');
    must((body.MaxDatapoints ?? 1) <= 100800, 'MaxDatapoints');
    if (body.ScanBy) one_of(body.ScanBy, 'ScanBy', ['TimestampAscending', 'TimestampDescending']);
    const results = body.MetricDataQueries.map((query) => {
      has_fields(query, 'query', ['Id'], ['Expression', 'Period', 'MetricStat', 'Label']);
      matches(query.Id, 'Id', /^[a-z]\w*$/);
      must(!!query.Expression !== !!query.MetricStat, 'Expression or MetricStat');
      const period = query.Period ?? query.MetricStat.Period;
      must(is_whole(period) && period % 60 === 0, 'Period must be a multiple of 60');
      if (query.MetricStat) {
        has_fields(query.MetricStat, 'MetricStat', ['Metric', 'Period', 'Stat']);
        has_fields(query.MetricStat.Metric, 'Metric', ['Namespace', 'MetricName'], ['Dimensions']);
        one_of(query.MetricStat.Stat, 'Stat', ['Average', 'Maximum', 'Minimum', 'Sum', 'SampleCount']);
        for (const one of query.MetricStat.Metric.Dimensions || []) has_fields(one, 'Dimension', ['Name', 'Value']);
      }
      return { Id: query.Id, StatusCode: 'Complete', ...metric_values(query, period, body.StartTime, body.EndTime) };
    });
    const [some, NextToken] = page_of(results, body.NextToken, 1);
    return { MetricDataResults: some, NextToken, Messages: [] };
  },
};

const logs = {
  DescribeLogGroups(body) {
    has_fields(body, 'DescribeLogGroups', [], ['logGroupNamePrefix', 'limit', 'nextToken']);
    const [logGroups, nextToken] = page_of(describe_groups(body.logGroupNamePrefix || ''), body.nextToken,
      body.limit ?? 50);
    must((body.limit ?? 50) <= 50, 'limit: at most 50');
    return { logGroups, nextToken };
  },
  StartQuery(body) {
    has_fields(body, 'StartQuery', ['logGroupNames', 'startTime', 'endTime', 'queryString'], ['limit']);
    return { queryId: queries.start(body) };
  },
  GetQueryResults(body) {
    has_fields(body, 'GetQueryResults', ['queryId'], []);
    return queries.results(body.queryId);
  },
  StopQuery(body) {
    has_fields(body, 'StopQuery', ['queryId'], []);
    return queries.stop(body.queryId);
  },
};

const ecs = {
  DescribeServices(body) {
    has_fields(body, 'DescribeServices', ['cluster', 'services'], ['include']);
    must(body.services.length >= 1 && body.services.length <= 10, 'services: 1 to 10');
    const cluster = clusters(now())[body.cluster];
    if (!cluster) throw new Broken('Cluster not found.', 'ClusterNotFoundException');
    const known = body.services.filter((name) => cluster[name]);
    return {
      services: known.map((name) => cluster[name]),
      failures: body.services.filter((name) => !cluster[name])
        .map((name) => ({ arn: `arn:aws:ecs:${region}:1:service/${name}`, reason: 'MISSING' })),
    };
  },
  ListClusters(body) {
    has_fields(body, 'ListClusters', [], ['maxResults', 'nextToken']);
    return { clusterArns: Object.keys(clusters(now())).map((name) => `arn:aws:ecs:${region}:1:cluster/${name}`) };
  },
  UpdateService(body) {
    has_fields(body, 'UpdateService', ['service'], ['cluster', 'desiredCount', 'forceNewDeployment']);
    return { service: { serviceName: body.service, desiredCount: body.desiredCount } };
  },
};

const kJson = {
  monitoring: { target: 'GraniteServiceVersion20100801', version: '1.0', operations: cloudwatch },
  logs: { target: 'Logs_20140328', version: '1.1', operations: logs },
  ecs: { target: 'AmazonEC2ContainerServiceV20141113', version: '1.1', operations: ecs },
};

/// Codes that are the client's to expect: no rule is broken.
const kExpected = ['ClusterNotFoundException', 'ResourceNotFoundException', 'LimitExceededException', 'NoSuchKey',
  'authentication', 'skew'];
const kCodes = { authentication: 'UnrecognizedClientException', sigv4: 'InvalidSignatureException',
  skew: 'InvalidSignatureException', invalid_request: 'ValidationException' };

function call_json(service, request, body) {
  const { target, version, operations } = kJson[service];
  must(request.method === 'POST' && request.url === '/', 'POST /');
  must(request.headers['content-type'] === `application/x-amz-json-${version}`, 'Content-Type', 'SerializationException');
  const [named, operation] = (request.headers['x-amz-target'] || '').split('.');
  must(named === target && operations[operation], `X-Amz-Target ${named}.${operation}`, 'UnknownOperationException');
  if (service === 'monitoring') must(request.headers['x-amzn-query-mode'] === 'true', 'x-amzn-query-mode');
  const parsed = JSON.parse(body.toString() || '{}');
  say('asked', `${service}.${operation}`, JSON.stringify(parsed));
  return operations[operation](parsed);
}

function retrieve(request, body) {
  const path = /^\/knowledgebases\/([0-9A-Za-z]{10})\/retrieve$/.exec(request.url);
  must(request.method === 'POST' && path, 'POST /knowledgebases/{id}/retrieve', 'UnknownOperationException');
  must(request.headers['content-type'] === 'application/json', 'Content-Type');
  const parsed = JSON.parse(body.toString());
  has_fields(parsed, 'Retrieve', ['retrievalQuery'], ['retrievalConfiguration', 'nextToken']);
  has_fields(parsed.retrievalQuery, 'retrievalQuery', ['text']);
  is_text(parsed.retrievalQuery.text, 'text');
  const how = (parsed.retrievalConfiguration || {}).vectorSearchConfiguration || {};
  has_fields(how, 'vectorSearchConfiguration', [], ['numberOfResults', 'overrideSearchType']);
  const most = how.numberOfResults ?? 5;
  must(is_whole(most) && most >= 1 && most <= 100, 'numberOfResults');
  say('asked', 'bedrock.Retrieve', path[1], JSON.stringify(parsed));
  if (path[1] !== 'KB12345678')
    throw new Broken(`Knowledge base with id: ${path[1]} does not exist`, 'ResourceNotFoundException');
  const words = parsed.retrievalQuery.text.toLowerCase().split(/\W+/).filter(Boolean);
  const found = documents.filter((one) => words.some((word) => one.content.text.toLowerCase().includes(word)));
  return { retrievalResults: found.slice(0, most) };
}

function get_object(request) {
  must(request.method === 'GET', 'only GET', 'MethodNotAllowed');
  must(request.headers['x-amz-content-sha256'], 'x-amz-content-sha256 is missing', 'InvalidRequest');
  const path = decodeURIComponent(request.url.split('?')[0]);
  say('asked', 's3.GetObject', path);
  if (objects[path] === undefined) throw new Broken('The specified key does not exist.', 'NoSuchKey');
  return objects[path];
}

function caller_identity(request, body) {
  const form = new URLSearchParams(body.toString());
  must(request.method === 'POST' && form.get('Action') === 'GetCallerIdentity', 'only GetCallerIdentity');
  say('asked', 'sts.GetCallerIdentity');
  return '<GetCallerIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><GetCallerIdentityResult>' +
    `<Arn>arn:aws:iam::123456789012:user/deputy</Arn><UserId>${accessKeyId}</UserId>` +
    '<Account>123456789012</Account></GetCallerIdentityResult><ResponseMetadata><RequestId>r</RequestId>' +
    '</ResponseMetadata></GetCallerIdentityResponse>';
}

async function answer(request, body) {
  const service = (/Credential=[^/]+\/\d{8}\/[^/]+\/([a-z0-9-]+)\//.exec(request.headers.authorization || '') || [])[1];
  must([...Object.keys(kJson), 'bedrock', 's3', 'sts'].includes(service), `signed for ${service}`, 'sigv4');
  const credentials = { accessKeyId, secretAccessKey };
  await check_signature(request, body, { credentials, region, service, now: now() });
  if (service === 'bedrock') return retrieve(request, body);
  if (service === 's3') return get_object(request);
  if (service === 'sts') return caller_identity(request, body);
  return call_json(service, request, body);
}

function refuse(response, request, error) {
  const kind = error.kind ?? 'InternalFailure';
  if (!kExpected.includes(kind)) say('broken', request.method, request.url, error.stack.split('\n').slice(0, 2).join(' '));
  const code = kCodes[kind] ?? kind;
  const status = code === 'InternalFailure' ? 500 : code === 'NoSuchKey' ? 404 : 400;
  const in_xml = /\/(s3|sts)\/aws4_request/.test(request.headers.authorization || '');
  response.writeHead(status, {
    'content-type': in_xml ? 'application/xml' : 'application/x-amz-json-1.1',
    date: now().toUTCString(),
    'x-amzn-errortype': in_xml ? '' : `${code}:http://internal.amazon.com/coral/`,
  });
  response.end(in_xml ? `<Error><Code>${code}</Code><Message>${error.message}</Message></Error>`
    : JSON.stringify({ __type: `com.amazonaws#${code}`, message: error.message }));
}

const server = http.createServer((request, response) => {
  const pieces = [];
  request.on('data', (piece) => pieces.push(piece));
  request.on('end', async () => {
    try {
      const body = await answer(request, Buffer.concat(pieces));
      response.writeHead(200, { date: now().toUTCString() }).end(typeof body === 'string' ? body : JSON.stringify(body));
    } catch (error) {
      refuse(response, request, error);
    }
  });
});
server.listen(0, '127.0.0.1', () => say('port', server.address().port));
process.stdin.resume().on('end', () => process.exit(0));
