// A small API server of Kubernetes on a free port of loopback: one cluster with deployments, their replicasets and
// pods, events and logs. It holds every request to the rules of the real one and more: unknown parameters, a patch of
// another content type, a patch without a resourceVersion and any path that Deputy has no right to break a rule, which
// the line `broken …` says.
//
//   node kubernetes.js '{"token": "t"}'
//   node kubernetes.js '{"token": "t", "key": FILE, "certificate": FILE, "authority": FILE}'   TLS; who shows a
//       certificate of the authority needs no token
// In come  move NAME     a change of the deployment by somebody else
//          touch NAME    a change of its status only
//          pause NAME    it is paused
//          patches       says "patches JSON", those that were stored
'use strict';

const fs = require('fs');
const http = require('http');
const https = require('https');
const { say, listen } = require('./lib/control');

const options = JSON.parse(process.argv[2] || '{}');
const kRestartedAt = 'kubectl.kubernetes.io/restartedAt';

let version = 1000;
const next_version = () => String(++version);

const container = { name: 'app', image: 'registry.example/checkout:1.4', env: [{ name: 'DB_PASSWORD', value: 'hunter2-secret' }] };
const labels = (app) => ({ app });

const deployment = (name, replicas, extra = {}) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: {
    name, namespace: 'shop', uid: `uid-${name}`, resourceVersion: next_version(), generation: 3, labels: labels(name),
    creationTimestamp: '2026-11-01T10:00:00Z',
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
    name: `${name}-${revision}`, namespace: 'shop', labels: labels(name),
    annotations: { 'deployment.kubernetes.io/revision': String(revision) },
    ownerReferences: [{ apiVersion: 'apps/v1', kind: 'Deployment', name, uid: `uid-${name}`, controller: true }],
  },
  spec: { replicas: 0, selector: { matchLabels: labels(name) }, template: { spec: { containers: [{ ...container, image }] } } },
  status: { replicas: 0 },
});

const pod = (app, suffix, status, containers = ['app']) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: `${app}-${suffix}`, namespace: 'shop', labels: labels(app) },
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
  metadata: { name: `${name}.${reason}`, namespace: 'shop' },
  type, reason, message, count, firstTimestamp: null, lastTimestamp: '2026-11-18T10:01:00Z', eventTime: null,
  involvedObject: { kind, name, namespace: 'shop' },
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
  constructor(code, reason, message, broken = false) {
    super(message);
    Object.assign(this, { code, reason, broken });
  }
}
const breaks = (message) => new Refused(400, 'BadRequest', message, true);

const allow = (query, names) => {
  for (const name of query.keys()) if (!names.includes(name)) throw breaks(`unknown parameter ${name}`);
};

function matches(object, selector) {
  if (!selector) return true;
  return selector.split(',').every((part) => {
    const found = /^([\w./-]+)=([\w.-]*)$/.exec(part);
    if (!found) throw new Refused(400, 'BadRequest', `unable to parse requirement: ${part}`);
    return object.metadata.labels?.[found[1]] === found[2];
  });
}

function list(kind, space, query) {
  allow(query, ['limit', 'labelSelector', 'fieldSelector', 'continue']);
  const found = lists[kind]().filter((one) => (!space || one.metadata.namespace === space) && matches(one, query.get('labelSelector')));
  // Two a page, whatever limit says: a client must go on.
  const from = Number(query.get('continue') || 0);
  const metadata = { resourceVersion: String(version) };
  if (from + 2 < found.length) metadata.continue = String(from + 2);
  return { kind: 'List', apiVersion: kind.startsWith('apps') ? 'apps/v1' : 'v1', metadata, items: found.slice(from, from + 2) };
}

function log(name, query) {
  allow(query, ['container', 'tailLines', 'limitBytes', 'timestamps', 'previous', 'sinceSeconds']);
  const found = lists['v1/pods']().find((one) => one.metadata.name === name);
  if (!found) throw new Refused(404, 'NotFound', `pods "${name}" not found`);
  if (!query.get('tailLines') || !query.get('limitBytes')) throw breaks('tailLines and limitBytes are missing');
  const names = found.spec.containers.map((one) => one.name);
  const chosen = query.get('container') || (names.length === 1 && names[0]);
  if (!chosen) throw new Refused(400, 'BadRequest', `a container name must be specified for pod ${name}, choose one of: [${names.join(' ')}]`);
  const previous = query.get('previous') === 'true';
  const restarts = found.status.containerStatuses[0].restartCount;
  if (previous && restarts === 0) throw new Refused(400, 'BadRequest', `previous terminated container "${chosen}" in pod "${name}" not found`);
  const lines = previous ? ['starting', 'heap is full', 'killed'] : ['listening on 8080', 'GET /health 200'];
  return lines.slice(-Number(query.get('tailLines'))).map((line, at) => `2026-11-18T10:00:0${at}.000000000Z ${line}\n`).join('');
}

function check_patch(request, query, body, type, one) {
  allow(query, ['dryRun', 'fieldManager', 'fieldValidation']);
  if (request.headers['content-type'] !== type) throw new Refused(415, 'UnsupportedMediaType', `the body must be ${type}`, true);
  if (query.has('dryRun') && query.get('dryRun') !== 'All') throw breaks('dryRun is All or absent');
  if (query.get('fieldManager') !== 'deputy' || query.get('fieldValidation') !== 'Strict') throw breaks('fieldManager and fieldValidation');
  if (!body.metadata?.resourceVersion) throw breaks('the patch names no resourceVersion');
  if (body.metadata.resourceVersion !== one.metadata.resourceVersion)
    throw new Refused(409, 'Conflict', `Operation cannot be fulfilled on deployments.apps "${one.metadata.name}": the object has been modified; please apply your changes to the latest version and try again`);
}

// A rollout ends with the third look at it.
function roll(one) {
  one.metadata.generation += 1;
  one.metadata.resourceVersion = next_version();
  one.looks = 3;
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

function patch_deployment(request, query, body, one) {
  check_patch(request, query, body, 'application/strategic-merge-patch+json', one);
  const at = body.spec?.template?.metadata?.annotations?.[kRestartedAt];
  const keys = [Object.keys(body), Object.keys(body.spec || {}), Object.keys(body.metadata)].map((list) => list.sort().join());
  if (keys[0] !== 'metadata,spec' || keys[1] !== 'template' || keys[2] !== 'annotations,resourceVersion') throw breaks(`the patch sets ${keys.join(' ')}`);
  if (!at || Number.isNaN(Date.parse(at))) throw breaks('restartedAt is no time');
  if (query.get('dryRun') === 'All') return shown(one);
  Object.assign(one.metadata.annotations, body.metadata.annotations);
  one.spec.template.metadata.annotations = { ...one.spec.template.metadata.annotations, [kRestartedAt]: at };
  roll(one);
  patches.push({ name: one.metadata.name, body });
  return shown(one);
}

const scale_of = (one) => ({
  kind: 'Scale',
  apiVersion: 'autoscaling/v1',
  metadata: { name: one.metadata.name, namespace: 'shop', uid: one.metadata.uid, resourceVersion: one.metadata.resourceVersion },
  spec: { replicas: one.spec.replicas },
  status: { replicas: one.status.replicas, selector: `app=${one.metadata.name}` },
});

function patch_scale(request, query, body, one) {
  check_patch(request, query, body, 'application/merge-patch+json', one);
  const replicas = body.spec?.replicas;
  if (!Number.isInteger(replicas) || replicas < 0) throw new Refused(422, 'Invalid', 'spec.replicas: Invalid value: must be greater than or equal to 0');
  if (query.get('dryRun') === 'All') return { ...scale_of(one), spec: { replicas } };
  one.spec.replicas = replicas;
  roll(one);
  patches.push({ name: one.metadata.name, body });
  return scale_of(one);
}

function answer(request, url, text) {
  const query = url.searchParams;
  const method = request.method;
  if (url.pathname === '/version' && method === 'GET') return { major: '1', minor: '34', gitVersion: 'v1.34.1' };
  const found = /^\/(?:api\/(v1)|apis\/(apps\/v1))(?:\/namespaces\/([^/]+))?\/([a-z]+)(?:\/([^/]+))?(?:\/(log|scale))?$/.exec(url.pathname);
  if (!found) throw breaks(`no path for Deputy: ${method} ${url.pathname}`);
  const [, core, apps, space, plural, name, sub] = found;
  const kind = `${core || apps}/${plural}`;
  if (!(kind in lists)) throw breaks(`no right for ${kind}`);
  if (space === 'secret-place')
    throw new Refused(403, 'Forbidden', `${plural} is forbidden: User "system:serviceaccount:ops:deputy" cannot list resource "${plural}" in API group "" in the namespace "${space}"`);
  if (!name) {
    if (method !== 'GET') throw breaks(`${method} of a list`);
    return list(kind, space, query);
  }
  if (sub === 'log' && plural === 'pods' && method === 'GET') return log(name, query);
  const one = lists[kind]().find((object) => object.metadata.name === name && object.metadata.namespace === space);
  if (!one) throw new Refused(404, 'NotFound', `${plural}${apps ? '.apps' : ''} "${name}" not found`);
  if (method === 'GET' && sub === 'scale') return scale_of(one);
  if (method === 'GET' && !sub) {
    looked_at(one);
    return shown(one);
  }
  if (method !== 'PATCH' || plural !== 'deployments') throw breaks(`no right for ${method} of ${kind}`);
  const body = JSON.parse(text);
  return sub === 'scale' ? patch_scale(request, query, body, one) : patch_deployment(request, query, body, one);
}

const may_enter = (request) =>
  request.socket.authorized === true || request.headers.authorization === `Bearer ${options.token}`;

const serve = async (request, response) => {
  const pieces = [];
  for await (const piece of request) pieces.push(piece);
  try {
    if (!may_enter(request)) throw new Refused(401, 'Unauthorized', 'Unauthorized');
    const said = answer(request, new URL(request.url, 'http://x'), Buffer.concat(pieces).toString());
    const is_text = typeof said === 'string';
    response.writeHead(200, { 'content-type': is_text ? 'text/plain' : 'application/json' });
    response.end(is_text ? said : JSON.stringify(said));
  } catch (error) {
    const { code = 500, reason = 'InternalError', broken = !(error instanceof Refused) } = error;
    if (broken) say('broken', error.message);
    response.writeHead(code, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message: error.message, reason, code }));
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
  patches: () => say('patches', JSON.stringify(patches)),
  count: () => say('count', requests),
});
server.listen(0, '127.0.0.1', () => say('port', server.address().port));
