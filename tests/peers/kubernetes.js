// A small API server of Kubernetes on a free port of loopback: one cluster with deployments, their replicasets and
// pods, events and logs. It holds every request to the rules of the real one and more: unknown parameters, a patch of
// another content type, a patch without a resourceVersion, a patch of more than Deputy changes, a list without a limit
// and whatever Deputy has no right to break a rule, which the line `broken …` says.
//
//   node kubernetes.js '{"token": "t"}'
//   node kubernetes.js '{"token": "t", "key": FILE, "certificate": FILE, "authority": FILE}'   TLS; who shows a
//       certificate of the authority needs no token
// In come  move NAME     a change of the deployment by somebody else
//          touch NAME    a change of its status only
//          pause NAME    it is paused
//          expire        lists that were begun cannot be gone on with
//          patches       says "patches JSON", those that were stored
'use strict';

const fs = require('fs');
const http = require('http');
const https = require('https');
const { say, listen } = require('./lib/control');

const options = JSON.parse(process.argv[2] || '{}');
const kRestartedAt = 'kubectl.kubernetes.io/restartedAt';
const kChangeCause = 'kubernetes.io/change-cause';
const kUser = 'system:serviceaccount:ops:deputy';
const kVersion = {
  major: '1', minor: '34', gitVersion: 'v1.34.1', gitCommit: '93248f9ae092f571eb870b7664c534bfc7d00f03', gitTreeState: 'clean',
  buildDate: '2025-09-09T19:38:50Z', goVersion: 'go1.24.6', compiler: 'gc', platform: 'linux/amd64',
};

// The role of docs/backends/kubernetes.md.
const kRead = ['get', 'list'];
const kRights = {
  'v1/pods': kRead, 'v1/pods/log': ['get'], 'v1/events': ['list'],
  'apps/v1/deployments': [...kRead, 'patch'], 'apps/v1/deployments/scale': ['patch'],
  'apps/v1/replicasets': ['list'], 'apps/v1/statefulsets': kRead, 'apps/v1/daemonsets': kRead,
};
const kKinds = {
  'v1/pods': 'Pod', 'v1/events': 'Event', 'apps/v1/deployments': 'Deployment', 'apps/v1/replicasets': 'ReplicaSet',
  'apps/v1/statefulsets': 'StatefulSet', 'apps/v1/daemonsets': 'DaemonSet',
};

let version = 1000;
const next_version = () => String(++version);

const container = { name: 'app', image: 'registry.example/checkout:1.4', env: [{ name: 'DB_PASSWORD', value: 'hunter2-secret' }] };
const labels = (app) => ({ app });
const born = (name) => ({ uid: `uid-${name}`, resourceVersion: '900', creationTimestamp: '2026-11-01T10:00:00Z' });

const deployment = (name, replicas, extra = {}) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: {
    name, namespace: 'shop', ...born(name), resourceVersion: next_version(), generation: 3, labels: labels(name),
    annotations: { 'deployment.kubernetes.io/revision': '7' },
  },
  spec: {
    replicas, selector: { matchLabels: labels(name) }, strategy: { type: 'RollingUpdate' },
    template: { metadata: { labels: labels(name) }, spec: { containers: [container] } },
    ...extra,
  },
  status: { observedGeneration: 3, replicas, updatedReplicas: replicas, readyReplicas: replicas, availableReplicas: replicas },
});

const deployments = {
  checkout: deployment('checkout', 2),
  mail: deployment('mail', 1),
  frozen: deployment('frozen', 1, { paused: true }),
};
deployments.mail.status.readyReplicas = deployments.mail.status.availableReplicas = 0;

const replicaset = (name, revision, image) => ({
  apiVersion: 'apps/v1',
  kind: 'ReplicaSet',
  metadata: {
    name: `${name}-${revision}`, namespace: 'shop', ...born(`${name}-${revision}`), labels: labels(name),
    annotations: { 'deployment.kubernetes.io/revision': String(revision) },
    ownerReferences: [{ apiVersion: 'apps/v1', kind: 'Deployment', name, uid: `uid-${name}`, controller: true }],
  },
  spec: { replicas: 0, selector: { matchLabels: labels(name) }, template: { metadata: { labels: labels(name) }, spec: { containers: [{ ...container, image }] } } },
  status: { replicas: 0 },
});

const pod = (app, suffix, status, containers = ['app']) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: `${app}-${suffix}`, namespace: 'shop', ...born(`${app}-${suffix}`), labels: labels(app) },
  spec: { nodeName: 'node-1', containers: containers.map((name) => ({ ...container, name })) },
  status: { phase: 'Running', startTime: '2026-11-18T09:00:00Z', ...status },
});
const well = { containerStatuses: [{ name: 'app', ready: true, restartCount: 0, image: container.image, imageID: '', state: { running: { startedAt: '2026-11-18T09:00:00Z' } }, lastState: {} }] };
const crashing = {
  containerStatuses: [{
    name: 'app', ready: false, restartCount: 7, image: container.image, imageID: '',
    state: { waiting: { reason: 'CrashLoopBackOff', message: 'back-off 5m0s restarting failed container' } },
    lastState: { terminated: { exitCode: 137, reason: 'OOMKilled', startedAt: '2026-11-18T09:58:00Z', finishedAt: '2026-11-18T10:00:00Z' } },
  }],
};

const event = (type, reason, message, kind, name, count) => ({
  apiVersion: 'v1',
  kind: 'Event',
  metadata: { name: `${name}.${reason}`, namespace: 'shop', ...born(`${name}.${reason}`) },
  type, reason, message, count, firstTimestamp: null, lastTimestamp: '2026-11-18T10:01:00Z', eventTime: null,
  involvedObject: { kind, name, namespace: 'shop' }, source: { component: 'kubelet', host: 'node-1' },
  reportingComponent: 'kubelet', reportingInstance: 'node-1',
});

const lists = {
  'apps/v1/deployments': () => Object.values(deployments),
  'apps/v1/statefulsets': () => [],
  'apps/v1/daemonsets': () => [],
  'apps/v1/replicasets': () => [replicaset('checkout', 7, 'registry.example/checkout:1.4'), replicaset('checkout', 6, 'registry.example/checkout:1.3')],
  'v1/pods': () => [pod('checkout', 'a', well), pod('checkout', 'b', well), pod('mail', 'c', crashing), pod('frozen', 'd', well, ['app', 'proxy'])],
  'v1/events': () => [
    event('Normal', 'Pulled', 'Image is there already', 'Pod', 'checkout-a', 1),
    event('Warning', 'BackOff', 'Back-off restarting failed container', 'Pod', 'mail-c', 42),
  ],
};

const patches = [];

class Refused extends Error {
  constructor(code, reason, message, more = {}) {
    super(message);
    Object.assign(this, { code, reason, broken: false }, more);
  }
}
const breaks = (message) => new Refused(400, 'BadRequest', message, { broken: true });
const invalid = (kind, message) => new Refused(422, 'Invalid', `${kind} is invalid: ${message}`, { broken: true });

const allow = (query, names) => {
  for (const name of query.keys()) if (!names.includes(name)) throw breaks(`unknown parameter ${name}`);
};
const is_count = (text) => /^[1-9]\d*$/.test(text);

/// The test of an object that a label selector stands for.
function selecting(selector) {
  const tests = (selector ? selector.split(/,(?![^(]*\))/) : []).map((part) => {
    const [, absent, key] = /^\s*(!?)([\w./-]+)\s*$/.exec(part) || [];
    if (key) return (own) => key in own === !absent;
    const found = /^\s*([\w./-]+)\s*(?:(==?|!=)\s*([\w.-]*)|\s(in|notin)\s*\(([^()]*)\))\s*$/.exec(part);
    if (!found) throw new Refused(400, 'BadRequest', `unable to parse requirement: ${part}`);
    const [, name, sign, value, word, values] = found;
    const wanted = word ? values.split(',').map((one) => one.trim()) : [value];
    return (own) => wanted.includes(own[name]) === !(sign === '!=' || word === 'notin');
  });
  return (object) => tests.every((holds) => holds(object.metadata.labels || {}));
}

let oldest = 0;

/// Where a list goes on. The token is of the first page's version, place and selector.
function continued(token, asked) {
  let page;
  try {
    page = JSON.parse(Buffer.from(token, 'base64url'));
  } catch {
    throw breaks('continue key is not valid');
  }
  if (page.asked !== asked) throw breaks(`continue is of ${page.asked}, not of ${asked}`);
  if (page.version < oldest)
    throw new Refused(410, 'Expired', 'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter.');
  return page;
}

// The kind of an item is that of the list.
const item_of = ({ looks, apiVersion, kind, ...one }) => one;

function list({ type, version: api, space }, query) {
  allow(query, ['limit', 'labelSelector', 'continue']);
  if (!is_count(query.get('limit'))) throw breaks('every list is asked for in pages: limit');
  const selector = query.get('labelSelector') || '';
  const is_wanted = selecting(selector);
  const asked = `${type} in ${space || 'all namespaces'} of ${selector || 'all labels'}`;
  const page = query.has('continue') ? continued(query.get('continue'), asked) : { asked, version, from: 0 };
  const found = lists[type]().filter((one) => (!space || one.metadata.namespace === space) && is_wanted(one))
    .sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
  // Two a page, however many more limit allows: a client must go on.
  const end = page.from + Math.min(2, Number(query.get('limit')));
  const metadata = { resourceVersion: String(page.version) };
  if (end < found.length) {
    metadata.continue = Buffer.from(JSON.stringify({ ...page, from: end })).toString('base64url');
    if (!selector) metadata.remainingItemCount = found.length - end;
  }
  return { kind: `${kKinds[type]}List`, apiVersion: api, metadata, items: found.slice(page.from, end).map(item_of) };
}

function log({ spec, status, metadata: { name } }, query) {
  allow(query, ['container', 'tailLines', 'limitBytes', 'timestamps', 'previous', 'sinceSeconds', 'sinceTime']);
  const since = query.get('sinceTime');
  if (!is_count(query.get('limitBytes'))) throw breaks('limitBytes is missing');
  if (!since && !is_count(query.get('tailLines'))) throw breaks('tailLines is missing, and no sinceTime bounds the log');
  if (!is_count(query.get('sinceSeconds') || 1)) throw breaks('sinceSeconds must be greater than 0');
  if (since && query.has('sinceSeconds')) throw breaks('at most one of sinceTime or sinceSeconds may be specified');
  if (since && !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(since)) throw breaks('sinceTime is no time of RFC 3339');
  const names = spec.containers.map((one) => one.name);
  const chosen = query.get('container') || (names.length === 1 && names[0]);
  if (!chosen) throw new Refused(400, 'BadRequest', `a container name must be specified for pod ${name}, choose one of: [${names.join(' ')}]`);
  if (!names.includes(chosen)) throw new Refused(400, 'BadRequest', `container ${chosen} is not valid for pod ${name}`);
  const previous = query.get('previous') === 'true';
  const restarts = status.containerStatuses[0].restartCount;
  if (previous && restarts === 0) throw new Refused(400, 'BadRequest', `previous terminated container "${chosen}" in pod "${name}" not found`);
  const lines = previous ? ['starting', 'heap is full', 'killed'] : ['listening on 8080', 'GET /health 200'];
  const time = (at) => `2026-11-18T10:00:0${at}.000000000Z`;
  const written = lines.map((line, at) => ({ at: time(at), line })).filter(({ at }) => !since || Date.parse(at) >= Date.parse(since));
  const tail = query.has('tailLines') ? written.slice(-Number(query.get('tailLines'))) : written;
  const text = tail.map(({ at, line }) => `${query.get('timestamps') === 'true' ? `${at} ` : ''}${line}\n`).join('');
  return text.slice(0, Number(query.get('limitBytes')));
}

const kPatchTypes = ['json-patch+json', 'merge-patch+json', 'strategic-merge-patch+json', 'apply-patch+yaml'];

/// The body of a patch of `kind`, which sets `fields` and nothing else.
function check_patch(request, query, text, { type, kind, fields }, one) {
  allow(query, ['dryRun', 'fieldManager', 'fieldValidation']);
  if (request.headers['content-type'] !== `application/${type}`) {
    const types = kPatchTypes.map((known) => `application/${known}`).join(', ');
    throw new Refused(415, 'UnsupportedMediaType', `the body of the request was in an unknown format - accepted media types include: ${types}`, { broken: true });
  }
  const option = (message) => invalid('PatchOptions.meta.k8s.io ""', message);
  if (query.has('dryRun') && query.get('dryRun') !== 'All') throw option('dryRun: Unsupported value: supported values: "All"');
  if (query.get('fieldManager') !== 'deputy' || query.get('fieldValidation') !== 'Strict') throw option('fieldManager and fieldValidation');
  let body;
  try {
    body = JSON.parse(text);
  } catch {
    throw breaks('error decoding patch: it is no JSON');
  }
  const paths = (value, at = []) =>
    value && typeof value === 'object' ? Object.entries(value).flatMap(([name, inner]) => paths(inner, [...at, name])) : [at.join(' ')];
  const set = paths(body);
  const unknown = set.filter((path) => !fields.includes(path));
  if (unknown.length) throw invalid('""', `patch: Invalid value: ${text}: strict decoding error: unknown field "${unknown[0]}"`);
  for (const field of fields) if (!set.includes(field)) throw invalid(kind, `${field}: Required value`);
  if (body.metadata.resourceVersion !== one.metadata.resourceVersion)
    throw new Refused(409, 'Conflict', `Operation cannot be fulfilled on deployments.apps "${one.metadata.name}": the object has been modified; please apply your changes to the latest version and try again`,
      { details: { name: one.metadata.name, group: 'apps', kind: 'deployments' } });
  return body;
}

/// The deployment after `change`, which a dry run does not keep. A rollout ends with the third look at it.
function patched(one, query, body, change) {
  const is_dry = query.get('dryRun') === 'All';
  const now = is_dry ? structuredClone(one) : one;
  change(now);
  now.metadata.generation += 1;
  if (is_dry) return now;
  now.metadata.resourceVersion = next_version();
  now.looks = 3;
  patches.push({ name: one.metadata.name, body });
  return now;
}
function looked_at(one) {
  if (one.looks === undefined) return;
  one.looks -= 1;
  if (one.looks > 0) {
    one.status = { ...one.status, observedGeneration: one.metadata.generation, replicas: one.spec.replicas, updatedReplicas: one.spec.replicas - 1 };
    return;
  }
  const all = one.spec.replicas;
  one.status = { observedGeneration: one.metadata.generation, replicas: all, updatedReplicas: all, readyReplicas: all, availableReplicas: all };
  delete one.looks;
}
const shown = ({ looks, ...one }) => one;

const kRestart = {
  type: 'strategic-merge-patch+json', kind: 'Deployment.apps',
  fields: ['metadata resourceVersion', `metadata annotations ${kChangeCause}`, `spec template metadata annotations ${kRestartedAt}`],
};

function patch_deployment(request, query, text, one) {
  const body = check_patch(request, query, text, kRestart, one);
  const restarted = body.spec.template.metadata.annotations;
  if (Number.isNaN(Date.parse(restarted[kRestartedAt]))) throw breaks('restartedAt is no time');
  return shown(patched(one, query, body, ({ metadata, spec: { template } }) => {
    Object.assign(metadata.annotations, body.metadata.annotations);
    template.metadata.annotations = { ...template.metadata.annotations, ...restarted };
  }));
}

const kScale = { type: 'merge-patch+json', kind: 'Scale.autoscaling', fields: ['metadata resourceVersion', 'spec replicas'] };

const scale_of = (one) => ({
  kind: 'Scale',
  apiVersion: 'autoscaling/v1',
  metadata: { name: one.metadata.name, namespace: 'shop', ...born(one.metadata.name), resourceVersion: one.metadata.resourceVersion },
  spec: { replicas: one.spec.replicas },
  status: { replicas: one.status.replicas, selector: `app=${one.metadata.name}` },
});

function patch_scale(request, query, text, one) {
  const body = check_patch(request, query, text, kScale, one);
  const { replicas } = body.spec;
  if (!Number.isInteger(replicas) || replicas < 0)
    throw new Refused(422, 'Invalid', `Scale.autoscaling "${one.metadata.name}" is invalid: spec.replicas: Invalid value: ${replicas}: must be greater than or equal to 0`);
  return scale_of(patched(one, query, body, ({ spec }) => { spec.replicas = replicas; }));
}

/// What a path and a method ask for, in the words of the cluster's rights.
function asked_for(method, path) {
  const found = /^\/(?:api|apis\/([^/]+))\/([^/]+)(?:\/namespaces\/([^/]+))?\/([a-z]+)(?:\/([^/]+)(?:\/([a-z]+))?)?$/.exec(path);
  if (!found) throw new Refused(403, 'Forbidden', `forbidden: User "${kUser}" cannot ${method.toLowerCase()} path "${path}"`, { broken: true, details: {} });
  const [, group = '', of, space, plural, name, sub] = found;
  const verb = { GET: name ? 'get' : 'list', POST: 'create', PUT: 'update', PATCH: 'patch', DELETE: name ? 'delete' : 'deletecollection' }[method];
  const version = group ? `${group}/${of}` : of;
  return { verb, version, group, space, plural, name, sub, type: `${version}/${plural}` };
}

const qualified = ({ plural, group, name }) => `${plural}${group && '.'}${group}${name ? ` "${name}"` : ''}`;
const details_of = ({ plural, group, name }) => ({ name, group: group || undefined, kind: plural });

function check_right(asked) {
  const resource = asked.plural + (asked.sub ? `/${asked.sub}` : '');
  const has_right = kRights[`${asked.version}/${resource}`]?.includes(asked.verb);
  if (has_right && asked.space !== 'secret-place') return;
  const where = asked.space ? `in the namespace "${asked.space}"` : 'at the cluster scope';
  const message = `${qualified(asked)} is forbidden: User "${kUser}" cannot ${asked.verb} resource "${resource}" in API group "${asked.group}" ${where}`;
  throw new Refused(403, 'Forbidden', message, { broken: !has_right, details: details_of(asked) });
}

function answer(request, url, text) {
  const query = url.searchParams;
  if (url.pathname === '/version' && request.method === 'GET') return kVersion;
  const asked = asked_for(request.method, url.pathname);
  check_right(asked);
  if (!asked.name) return list(asked, query);
  const one = lists[asked.type]().find(({ metadata }) => metadata.name === asked.name && metadata.namespace === asked.space);
  if (!one) throw new Refused(404, 'NotFound', `${qualified(asked)} not found`, { details: details_of(asked) });
  if (asked.verb === 'patch') return (asked.sub ? patch_scale : patch_deployment)(request, query, text, one);
  if (asked.sub === 'log') return log(one, query);
  allow(query, []);
  looked_at(one);
  return shown(one);
}

function check_accept({ headers: { accept = '*/*' } }) {
  const takes_json = accept.split(',').some((type) => ['application/json', 'application/*', '*/*'].includes(type.split(';')[0].trim()));
  if (!takes_json)
    throw new Refused(406, 'NotAcceptable', 'only the following media types are accepted: application/json, application/yaml, application/vnd.kubernetes.protobuf', { broken: true });
}

const may_enter = (request) =>
  request.socket.authorized === true || request.headers.authorization === `Bearer ${options.token}`;

const serve = async (request, response) => {
  const pieces = [];
  for await (const piece of request) pieces.push(piece);
  try {
    if (!may_enter(request)) throw new Refused(401, 'Unauthorized', 'Unauthorized');
    check_accept(request);
    const said = answer(request, new URL(request.url, 'http://x'), Buffer.concat(pieces).toString());
    const is_text = typeof said === 'string';
    response.writeHead(200, { 'content-type': is_text ? 'text/plain' : 'application/json' });
    response.end(is_text ? said : JSON.stringify(said));
  } catch (error) {
    const { code = 500, reason = 'InternalError', broken = !(error instanceof Refused), details } = error;
    if (broken) say('broken', error.message);
    response.writeHead(code, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message: error.message, reason, details, code }));
  }
};

const tls = () => ({
  key: fs.readFileSync(options.key), cert: fs.readFileSync(options.certificate), ca: fs.readFileSync(options.authority),
  requestCert: true, rejectUnauthorized: false,
});
const server = options.key ? https.createServer(tls(), serve) : http.createServer(serve);
server.on('tlsClientError', () => {});

let requests = 0;
server.on('request', () => ++requests);
listen({
  move: (name) => {
    deployments[name].metadata.generation += 1;
    deployments[name].status.observedGeneration += 1;
    deployments[name].metadata.resourceVersion = next_version();
    say('moved');
  },
  touch: (name) => {
    deployments[name].metadata.resourceVersion = next_version();
    say('touched');
  },
  pause: (name) => {
    deployments[name].spec.paused = true;
    say('paused');
  },
  expire: () => {
    oldest = Number(next_version());
    say('expired');
  },
  patches: () => say('patches', JSON.stringify(patches)),
  count: () => say('count', requests),
});
server.listen(0, '127.0.0.1', () => say('port', server.address().port));
