// GitHub's own client works against our stand-in, and what GitHub would refuse is refused.
'use strict';

const assert = require('node:assert');
const { test } = require('node:test');
const { with_stand_in, kLimit } = require('./started');
const { Octokit } = require('../lib/packages')('@octokit/rest');

const kShop = { owner: 'acme', repo: 'shop' };
const kQuiet = { debug() {}, info() {}, warn() {}, error() {} };
const client_at = (baseUrl, auth = 't') => new Octokit({ baseUrl, auth, log: kQuiet });
const with_github = (act) => with_stand_in('github.js', { token: 't' }, act);

test('reads every page of runs, jobs and a log on another host', kLimit, () =>
  with_github(async (url) => {
    const { rest, paginate } = client_at(url);
    const runs = await paginate(rest.actions.listWorkflowRunsForRepo, kShop);
    assert.deepStrictEqual(runs.map((run) => run.conclusion), [null, 'failure', 'success', 'timed_out']);
    const jobs = await paginate(rest.actions.listJobsForWorkflowRun, { ...kShop, run_id: 4704 });
    assert.strictEqual(jobs.length, 3);
    const log = await rest.actions.downloadJobLogsForWorkflowRun({ ...kShop, job_id: 92 });
    assert.match(log.data, /##\[error\]Process completed/);
  }),
);

test('reads a pull request, its reviews, files and comments', kLimit, () =>
  with_github(async (url) => {
    const { rest, paginate } = client_at(url);
    assert.strictEqual((await rest.pulls.list(kShop)).data[0].number, 42);
    assert.strictEqual((await rest.pulls.get({ ...kShop, pull_number: 42 })).data.mergeable_state, 'blocked');
    assert.strictEqual((await paginate(rest.pulls.listReviews, { ...kShop, pull_number: 42 })).length, 3);
    assert.strictEqual((await paginate(rest.pulls.listFiles, { ...kShop, pull_number: 42 })).length, 3);
    assert.strictEqual((await rest.issues.listComments({ ...kShop, issue_number: 42 })).data.length, 1);
    assert.strictEqual((await rest.repos.getCombinedStatusForRef({ ...kShop, ref: 'b2'.repeat(20) })).data.statuses.length, 1);
  }),
);

test('starts a workflow and says its run, compares commits, stops it', kLimit, () =>
  with_github(async (url) => {
    const { rest } = client_at(url);
    const { data: head } = await rest.repos.getCommit({ ...kShop, ref: 'heads/main' });
    const basehead = `${'a1'.repeat(20)}...${head.sha}`;
    assert.strictEqual((await rest.repos.compareCommitsWithBasehead({ ...kShop, basehead })).data.ahead_by, 2);
    const start = { ...kShop, workflow_id: 'deploy.yml', ref: 'main', inputs: { environment: 'prod' } };
    const begun = await rest.actions.createWorkflowDispatch({ ...start, return_run_details: true });
    assert.strictEqual(begun.status, 200);
    const run_id = begun.data.workflow_run_id;
    assert.strictEqual((await rest.actions.getWorkflowRun({ ...kShop, run_id })).data.head_sha, head.sha);
    assert.strictEqual((await rest.actions.cancelWorkflowRun({ ...kShop, run_id })).status, 202);
    await assert.rejects(rest.actions.cancelWorkflowRun({ ...kShop, run_id }), { status: 409 });
    assert.strictEqual((await rest.actions.createWorkflowDispatch(start)).status, 204);
  }),
);

test('refuses a wrong token, what is not there, and inputs that a workflow does not take', kLimit, () =>
  with_github(async (url) => {
    await assert.rejects(client_at(url, 'wrong').rest.repos.get(kShop), { status: 401 });
    const { rest } = client_at(url);
    await assert.rejects(rest.repos.get({ owner: 'acme', repo: 'nope' }), { status: 404 });
    const start = { ...kShop, workflow_id: 'deploy.yml', ref: 'main', inputs: { nope: '1' } };
    await assert.rejects(rest.actions.createWorkflowDispatch(start), { status: 422 });
  }),
);

test('refuses what is not in GitHub\'s own document', kLimit, () =>
  with_github(async (url, stand_in) => {
    const headers = { accept: 'application/vnd.github+json', authorization: 'Bearer t', 'user-agent': 'test' };
    for (const [path, status, rule] of [
      ['/repos/acme/shop/actions/runs?page_size=3', 422, /no parameter page_size/],
      ['/repos/acme/shop/actions/runs?status=broken', 422, /status is none of/],
      ['/repos/acme/shop/nothing', 404, /no path for Deputy/],
    ]) {
      assert.strictEqual((await fetch(url + path, { headers })).status, status);
      await stand_in.breaks(rule);
    }
  }),
);
