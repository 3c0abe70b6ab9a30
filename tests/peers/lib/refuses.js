// Fields that this scenario's server refuses though others take them:
//   {"refuses": ["temperature", "output_config.effort", "cache_control"]}
// Paths are dotted; `cache_control` stands for any cache mark anywhere in the body. Sending such a field breaks no
// rule, and refusing it costs no reply.
'use strict';

const { Refused, is_object } = require('./rules');

const at = (body, path) => path.split('.').reduce((value, field) => value?.[field], body);

function has_mark(value) {
  if (typeof value !== 'object' || value === null) return false;
  if (is_object(value) && (value.cache_control !== undefined || value.cachePoint !== undefined)) return true;
  return Object.values(value).some(has_mark);
}

const extra = (path) => `${path}: Extra inputs are not permitted`;

/// `say` makes the vendor's message of a path. Paths may begin at the body or at one of the fields named in `roots`.
function refuse_fields(body, scenario, { say = extra, roots = [] } = {}) {
  for (const path of scenario.refuses || []) {
    if (path === 'cache_control' && has_mark(body)) throw new Refused(extra(path));
    const parts = [body, ...roots.map((root) => body[root])];
    if (parts.some((part) => at(part, path) !== undefined)) throw new Refused(say(path));
  }
}

module.exports = { refuse_fields };
