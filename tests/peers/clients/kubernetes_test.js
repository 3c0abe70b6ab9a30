// Kubernetes' own client works against our stand-in, in what Deputy uses, and what an API server would refuse is refused.
'use strict';

const assert = require('node:assert');
const fs = require('node:fs');
const path = require('node:path');
const { test } = require('node:test');
const { with_stand_in, kLimit } = require('./started');
const packages = require('../lib/packages');
const kubernetes = packages('@kubernetes/client-node');

const { MergePatch, StrategicMergePatch, JsonPatch } = kubernetes.PatchStrategy;
const kCheckout = { name: 'checkout', namespace: 'shop' };
const kTail = { namespace: 'shop', tailLines: 100, limitBytes: 4096, timestamps: true };
const kDeputy = { fieldManager: 'deputy', fieldValidation: 'Strict' };

function clients_at(server, token = 't') {
  const config = new kubernetes.KubeConfig();
  config.loadFromClusterAndUser({ name: 'prod', server, skipTLSVerify: true }, { name: 'deputy', token });
  const [apps, core, version] = ['AppsV1Api', 'CoreV1Api', 'VersionApi'].map((api) => config.makeApiClient(kubernetes[api]));
  return { apps, core, version };
}
const with_cluster = (act) => with_stand_in('kubernetes.js', { token: 't' }, (url, peer) => act(clients_at(url), peer, url));

/// The Status that the cluster refuses with.
async function refusal(promise) {
  const error = await promise.then(() => assert.fail('it was not refused'), (thrown) => thrown);
  assert.ok(error instanceof kubernetes.ApiException, error);
  const status = JSON.parse(error.body);
  assert.deepStrictEqual([status.kind, status.status, status.code], ['Status', 'Failure', error.code]);
  return status;
}

async function pages_of(read, query) {
  const pages = [await read({ limit: 250, ...query })];
  while (pages.at(-1).metadata._continue) pages.push(await read({ limit: 250, ...query, _continue: pages.at(-1).metadata._continue }));
  return pages;
}
const names_in = (pages) => pages.map((page) => page.items.map(({ metadata }) => metadata.name));

test('lists workloads and pods page after page, by label too', kLimit, () =>
  with_cluster(async ({ apps, core }) => {
    const deployments = await pages_of((query) => apps.listDeploymentForAllNamespaces(query));
    assert.deepStrictEqual(names_in(deployments), [['checkout', 'frozen'], ['mail']]);
    assert.deepStrictEqual(deployments.map((page) => page.metadata.remainingItemCount), [1, undefined]);
    assert.strictEqual(deployments[0].metadata.resourceVersion, deployments[1].metadata.resourceVersion);
    assert.deepStrictEqual(names_in([await core.listNamespacedPod({ namespace: 'shop', limit: 1 })]), [['checkout-a']]);
    for (const [labelSelector, names] of [
      ['app=checkout', [['checkout-a', 'checkout-b']]],
      ['app in (mail, frozen)', [['frozen-d', 'mail-c']]],
      ['app!=checkout,app', [['frozen-d', 'mail-c']]],
      ['app,app notin (mail)', [['checkout-a', 'checkout-b'], ['frozen-d']]],
      ['!app', [[]]],
    ])
      assert.deepStrictEqual(names_in(await pages_of((query) => core.listNamespacedPod(query), { namespace: 'shop', labelSelector })), names);
    assert.deepStrictEqual(names_in([await core.listNamespacedPod({ namespace: 'empty', limit: 9 })]), [[]]);
    assert.deepStrictEqual((await apps.listNamespacedStatefulSet({ namespace: 'shop', limit: 9 })).items, []);
    assert.deepStrictEqual((await apps.listDaemonSetForAllNamespaces({ limit: 9 })).items, []);
    const unreadable = await refusal(core.listPodForAllNamespaces({ limit: 9, labelSelector: 'app=(mail' }));
    assert.strictEqual(unreadable.reason, 'BadRequest');
  }),
);

test('goes on with a list only where it was begun, and not after it expired', kLimit, () =>
  with_cluster(async ({ core }, peer) => {
    const { _continue } = (await core.listPodForAllNamespaces({ limit: 2 })).metadata;
    assert.strictEqual((await core.listPodForAllNamespaces({ limit: 2, _continue })).items.length, 2);
    for (const query of [{ limit: 2, _continue, labelSelector: 'app=mail' }, { limit: 2, _continue: 'Mg' }]) {
      assert.strictEqual((await refusal(core.listPodForAllNamespaces(query))).code, 400);
      await peer.breaks(/continue/);
    }
    peer.tell('expire');
    await peer.says('expired');
    const { code, reason } = await refusal(core.listPodForAllNamespaces({ limit: 2, _continue }));
    assert.deepStrictEqual([code, reason], [410, 'Expired']);
    assert.strictEqual((await core.listPodForAllNamespaces({ limit: 2 })).items.length, 2);
  }),
);

test('reads a deployment, the replica sets before it, and why a pod crashes', kLimit, () =>
  with_cluster(async ({ apps, core, version }) => {
    assert.strictEqual((await version.getCode()).gitVersion, 'v1.34.1');
    const { metadata, spec, status } = await apps.readNamespacedDeployment(kCheckout);
    assert.deepStrictEqual([metadata.generation, spec.replicas, status.availableReplicas], [3, 2, 2]);
    const sets = await apps.listNamespacedReplicaSet({ namespace: 'shop', limit: 9, labelSelector: 'app=checkout' });
    assert.deepStrictEqual(sets.items.map((set) => set.metadata.annotations['deployment.kubernetes.io/revision']), ['6', '7']);
    assert.ok(sets.items.every((set) => set.metadata.ownerReferences[0].uid === metadata.uid));
    const [container] = (await core.readNamespacedPod({ name: 'mail-c', namespace: 'shop' })).status.containerStatuses;
    assert.strictEqual(container.state.waiting.reason, 'CrashLoopBackOff');
    assert.deepStrictEqual(container.lastState.terminated.finishedAt, new Date('2026-11-18T10:00:00Z'));
  }),
);

test('reads the end of a log, of the run before, and of the container that is named', kLimit, () =>
  with_cluster(async ({ core }) => {
    const log = (query) => core.readNamespacedPodLog({ ...kTail, ...query });
    assert.match(await log({ name: 'checkout-a', sinceSeconds: 3600 }), /^2026-11-18T10:00:00\.0{9}Z listening on 8080\n.*health 200\n$/);
    assert.strictEqual(await log({ name: 'mail-c', previous: true, tailLines: 2, timestamps: false }), 'heap is full\nkilled\n');
    assert.strictEqual(await log({ name: 'mail-c', limitBytes: 9, timestamps: false }), 'listening');
    assert.match(await log({ name: 'frozen-d', container: 'proxy' }), /listening/);
    for (const [query, message] of [
      [{ name: 'frozen-d' }, 'a container name must be specified for pod frozen-d, choose one of: [app proxy]'],
      [{ name: 'frozen-d', container: 'nope' }, 'container nope is not valid for pod frozen-d'],
      [{ name: 'checkout-a', previous: true }, 'previous terminated container "app" in pod "checkout-a" not found'],
    ])
      assert.deepStrictEqual((({ code, message }) => [code, message])(await refusal(log(query))), [400, message]);
    assert.strictEqual((await refusal(log({ name: 'mail-c', namespace: 'other' }))).message, 'pods "mail-c" not found');
  }),
);

test('lists events, whose times may be null', kLimit, () =>
  with_cluster(async ({ core }) => {
    const { items } = await core.listNamespacedEvent({ namespace: 'shop', limit: 250 });
    assert.deepStrictEqual(items.map((event) => [event.type, event.involvedObject.name, event.count]), [['Normal', 'checkout-a', 1], ['Warning', 'mail-c', 42]]);
    assert.deepStrictEqual(items[1].lastTimestamp, new Date('2026-11-18T10:01:00Z'));
    assert.strictEqual(items[1].firstTimestamp, null);
    assert.strictEqual((await core.listEventForAllNamespaces({ limit: 250 })).items.length, 2);
  }),
);

const restart_of = (resourceVersion) => ({
  metadata: { resourceVersion, annotations: { 'kubernetes.io/change-cause': 'Restarted by Deputy' } },
  spec: { template: { metadata: { annotations: { 'kubectl.kubernetes.io/restartedAt': '2026-11-18T10:02:00Z' } } } },
});
const scale_of = (resourceVersion, replicas) => ({ metadata: { resourceVersion }, spec: { replicas } });
const as = (type) => kubernetes.setHeaderOptions('Content-Type', type);
const restart = (apps, body, query) => apps.patchNamespacedDeployment({ ...kCheckout, ...kDeputy, body, ...query }, as(StrategicMergePatch));
const scale = (apps, body, query) => apps.patchNamespacedDeploymentScale({ ...kCheckout, ...kDeputy, body, ...query }, as(MergePatch));

/// It changed after its version was read, so this version's patches are refused.
async function is_conflict(peer, promise) {
  const { code, reason, details, message } = await refusal(promise);
  assert.deepStrictEqual([code, reason, details], [409, 'Conflict', { name: 'checkout', group: 'apps', kind: 'deployments' }]);
  assert.match(message, /the object has been modified/);
  peer.tell('patches');
  assert.deepStrictEqual(JSON.parse(await peer.says('patches')), []);
  peer.lines = peer.lines.filter((line) => !line.startsWith('patches '));
}

async function moved(peer) {
  peer.tell('touch checkout');
  await peer.says('touched');
}

test('restarts a deployment after a dry run, not if it changed, and follows the rollout', kLimit, () =>
  with_cluster(async ({ apps }, peer) => {
    const stale = (await apps.readNamespacedDeployment(kCheckout)).metadata.resourceVersion;
    await moved(peer);
    await is_conflict(peer, restart(apps, restart_of(stale)));
    await is_conflict(peer, restart(apps, restart_of(stale), { dryRun: 'All' }));
    const before = await apps.readNamespacedDeployment(kCheckout);
    const body = restart_of(before.metadata.resourceVersion);
    const dry = await restart(apps, body, { dryRun: 'All' });
    assert.deepStrictEqual([dry.metadata.generation, dry.metadata.resourceVersion], [4, before.metadata.resourceVersion]);
    assert.deepStrictEqual(dry.spec.template.metadata.annotations, body.spec.template.metadata.annotations);
    assert.deepStrictEqual(await apps.readNamespacedDeployment(kCheckout), before);
    const { metadata } = await restart(apps, body);
    assert.strictEqual(metadata.generation, 4);
    assert.notStrictEqual(metadata.resourceVersion, before.metadata.resourceVersion);
    assert.strictEqual(metadata.annotations['kubernetes.io/change-cause'], 'Restarted by Deputy');
    const updated = [];
    for (let look = 0; look < 3; ++look) updated.push((await apps.readNamespacedDeployment(kCheckout)).status.updatedReplicas);
    assert.deepStrictEqual(updated, [1, 1, 2]);
    peer.tell('patches');
    assert.deepStrictEqual(JSON.parse(await peer.says('patches')), [{ name: 'checkout', body }]);
  }),
);

test('scales a deployment after a dry run, and not if it changed', kLimit, () =>
  with_cluster(async ({ apps }, peer) => {
    const read = () => apps.readNamespacedDeployment(kCheckout);
    const stale = (await read()).metadata.resourceVersion;
    await moved(peer);
    await is_conflict(peer, scale(apps, scale_of(stale, 5)));
    const { resourceVersion } = (await read()).metadata;
    const invalid = await refusal(scale(apps, scale_of(resourceVersion, -1)));
    assert.deepStrictEqual([invalid.code, invalid.reason], [422, 'Invalid']);
    assert.strictEqual((await scale(apps, scale_of(resourceVersion, 5), { dryRun: 'All' })).spec.replicas, 5);
    assert.strictEqual((await read()).spec.replicas, 2);
    const scaled = await scale(apps, scale_of(resourceVersion, 5));
    assert.deepStrictEqual([scaled.spec.replicas, scaled.status.replicas], [5, 2]);
    assert.strictEqual((await read()).spec.replicas, 5);
  }),
);

test('refuses a wrong token, another namespace and what is not there', kLimit, () =>
  with_cluster(async ({ apps, core }, _, url) => {
    await assert.rejects(clients_at(url, 'wrong').apps.readNamespacedDeployment(kCheckout), { code: 401 });
    const forbidden = await refusal(apps.listNamespacedDeployment({ namespace: 'secret-place', limit: 9 }));
    assert.deepStrictEqual([forbidden.code, forbidden.reason, forbidden.details], [403, 'Forbidden', { group: 'apps', kind: 'deployments' }]);
    assert.match(forbidden.message, /^deployments\.apps is forbidden: User ".*" cannot list resource "deployments" in API group "apps" in the namespace "secret-place"$/);
    const missing = await refusal(apps.readNamespacedDeployment({ ...kCheckout, name: 'nope' }));
    assert.deepStrictEqual([missing.code, missing.reason, missing.details], [404, 'NotFound', { name: 'nope', group: 'apps', kind: 'deployments' }]);
    assert.strictEqual(missing.message, 'deployments.apps "nope" not found');
    assert.strictEqual((await refusal(core.readNamespacedPod({ name: 'mail-c', namespace: 'other' }))).code, 404);
  }),
);

// What breaks a rule: how it is asked for, the code, and the rule.
const refused = {
  'secrets': [({ core }) => core.listNamespacedSecret({ namespace: 'shop', limit: 9 }), 403, /secrets is forbidden/],
  'one secret': [({ core }) => core.readNamespacedSecret({ name: 'key', namespace: 'shop' }), 403, /secrets "key" is forbidden.* cannot get/],
  'commands in a container': [({ core }) => core.connectGetNamespacedPodExec({ name: 'mail-c', namespace: 'shop', command: 'env' }), 403, /"pods\/exec"/],
  'the end of a pod': [({ core }) => core.deleteNamespacedPod({ name: 'mail-c', namespace: 'shop' }), 403, /cannot delete resource "pods"/],
  'a restart of a stateful set': [({ apps }) => apps.patchNamespacedStatefulSet({ ...kCheckout, body: {} }, as(MergePatch)), 403, /cannot patch/],
  'a field selector, which Deputy does not use': [({ core }) => core.listNamespacedEvent({ namespace: 'shop', limit: 9, fieldSelector: 'type=Warning' }), 400, /unknown parameter fieldSelector/],
  'a watch': [({ core }) => core.listNamespacedPod({ namespace: 'shop', limit: 9, watch: true }), 400, /unknown parameter watch/],
  'a list without a limit': [({ core }) => core.listNamespacedPod({ namespace: 'shop' }), 400, /limit/],
  'a log without bounds': [({ core }) => core.readNamespacedPodLog({ name: 'mail-c', namespace: 'shop', tailLines: 9 }), 400, /limitBytes/],
  'a restart as another kind of patch': [({ apps }, body) => apps.patchNamespacedDeployment({ ...kCheckout, ...kDeputy, body }, as(JsonPatch)), 415, /strategic-merge-patch/],
  'a scale as another kind of patch': [({ apps }) => apps.patchNamespacedDeploymentScale({ ...kCheckout, ...kDeputy, body: scale_of('1', 3) }, as(StrategicMergePatch)), 415, /accepted media types/],
  'a dry run of another sort': [({ apps }, body) => restart(apps, body, { dryRun: 'Some' }), 422, /dryRun: Unsupported value/],
  'a patch that drops unknown fields': [({ apps }, body) => restart(apps, body, { fieldValidation: 'Ignore' }), 422, /fieldValidation/],
  'a restart of no version': [({ apps }) => restart(apps, restart_of(undefined)), 422, /resourceVersion: Required/],
  'a restart that sets replicas': [({ apps }, body) => restart(apps, { ...body, spec: { ...body.spec, replicas: 0 } }), 422, /unknown field "spec replicas"/],
  'a restart with another image': [({ apps }, body) => {
    body.spec.template.spec = { containers: [{ name: 'app', image: 'other' }] };
    return restart(apps, body);
  }, 422, /unknown field "spec template spec containers/],
  'a scale that sets more': [({ apps }) => scale(apps, { ...scale_of('1', 3), status: { replicas: 3 } }), 422, /unknown field "status replicas"/],
};
for (const [what, [ask, code, rule]] of Object.entries(refused)) {
  test(`refuses ${what}`, kLimit, () =>
    with_cluster(async (clients, peer) => {
      const { resourceVersion } = (await clients.apps.readNamespacedDeployment(kCheckout)).metadata;
      assert.strictEqual((await refusal(ask(clients, restart_of(resourceVersion)))).code, code);
      await peer.breaks(rule);
    }),
  );
}

test('refuses what is no JSON, and a reader who takes none', kLimit, () =>
  with_cluster(async (_, peer, url) => {
    const headers = { authorization: 'Bearer t', 'content-type': MergePatch };
    const address = `${url}/apis/apps/v1/namespaces/shop/deployments/checkout/scale?fieldManager=deputy&fieldValidation=Strict`;
    assert.strictEqual((await fetch(address, { method: 'PATCH', headers, body: '{' })).status, 400);
    await peer.breaks(/error decoding patch/);
    assert.strictEqual((await fetch(`${url}/version`, { headers: { ...headers, accept: 'text/html' } })).status, 406);
    await peer.breaks(/media types are accepted/);
    assert.strictEqual((await fetch(`${url}/apis`, { headers })).status, 403);
    await peer.breaks(/cannot get path "\/apis"/);
  }),
);

const models = path.join(path.dirname(packages.resolve('@kubernetes/client-node')), 'gen/models');
const required = (type) => [...fs.readFileSync(path.join(models, `${type}.d.ts`), 'utf8').matchAll(/^ {4}'(\w+)': /gm)].map(([, name]) => name);

/// Where a value is not of the client's model of it: the client itself drops unknown fields and misses none.
function flaws(value, type, at = type) {
  const [, item] = /^Array<(.*)>$/.exec(type) || /^\{ \[key: string\]: (.*); \}$/.exec(type) || [];
  if (item) return Object.entries(value).flatMap(([name, one]) => flaws(one, item, `${at}.${name}`));
  if (type === 'Date' || type === 'V1MicroTime') return value === null || !Number.isNaN(Date.parse(value)) ? [] : [`${at} is no time`];
  if (!kubernetes[type]) return value === null || typeof value === type ? [] : [`${at} is no ${type}`];
  const known = new Map(kubernetes[type].getAttributeTypeMap().map((one) => [one.baseName, one.type]));
  const missing = required(type).filter((name) => !(name in value)).map((name) => `${at}.${name} is missing`);
  return missing.concat(Object.entries(value).flatMap(([name, one]) =>
    known.has(name) ? flaws(one, known.get(name), `${at}.${name}`) : [`${at}.${name} is unknown`]));
}

test("answers in the shapes of the client's models", kLimit, () =>
  with_cluster(async (_, __, url) => {
    const in_shop = '/apis/apps/v1/namespaces/shop';
    for (const [address, type, kind] of [
      ['/version', 'VersionInfo'],
      ['/apis/apps/v1/deployments?limit=9', 'V1DeploymentList', 'DeploymentList'],
      [`${in_shop}/replicasets?limit=9`, 'V1ReplicaSetList', 'ReplicaSetList'],
      [`${in_shop}/statefulsets?limit=9`, 'V1StatefulSetList', 'StatefulSetList'],
      [`${in_shop}/daemonsets?limit=9`, 'V1DaemonSetList', 'DaemonSetList'],
      ['/api/v1/pods?limit=9', 'V1PodList', 'PodList'],
      ['/api/v1/events?limit=9', 'CoreV1EventList', 'EventList'],
      ['/api/v1/namespaces/shop/pods/mail-c', 'V1Pod', 'Pod'],
      [`${in_shop}/deployments/checkout`, 'V1Deployment', 'Deployment'],
      [`${in_shop}/deployments/nope`, 'V1Status', 'Status'],
    ]) {
      const response = await fetch(url + address, { headers: { authorization: 'Bearer t' } });
      const value = await response.json();
      assert.deepStrictEqual([response.headers.get('content-type'), value.kind], ['application/json', kind]);
      assert.deepStrictEqual(flaws(value, type), []);
      for (const item of value.items || []) {
        assert.ok(item.metadata.uid && item.metadata.resourceVersion && item.metadata.creationTimestamp);
        assert.deepStrictEqual([item.kind, item.apiVersion], [undefined, undefined], 'the list says it');
      }
    }
  }),
);
