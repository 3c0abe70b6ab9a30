// Holds requests and answers to an OpenAPI 3 document: the path and method must be there, every parameter known and of
// its type, every field of a body known. What is required is not asked for: a stand-in need not say everything.
'use strict';

class OpenApi {
  constructor(document) {
    this.document = document;
    this.paths = Object.entries(document.paths).map(([template, operations]) => ({
      template, operations,
      pattern: new RegExp(`^${template.replace(/[.]/g, '\\.').replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
      fixed: template.split('{').length,
    })).sort((a, b) => a.fixed - b.fixed);
  }

  resolve(node) {
    while (node && node.$ref) node = node.$ref.slice(2).split('/').reduce((at, key) => at[key], this.document);
    return node;
  }

  /// {template, operation, parameters} of a request; undefined when there is no such path or method.
  find(method, pathname) {
    for (const { template, operations, pattern } of this.paths) {
      const match = pattern.exec(pathname);
      const operation = match && operations[method.toLowerCase()];
      if (operation) return { template, operation, parameters: { ...match.groups } };
    }
    return undefined;
  }

  /// What is wrong with the query; empty when nothing is.
  query_problem(operation, query) {
    const known = (operation.parameters || []).map((one) => this.resolve(one)).filter((one) => one.in === 'query');
    for (const [name, value] of query) {
      const parameter = known.find((one) => one.name === name);
      if (!parameter) return `no parameter ${name}`;
      const schema = this.resolve(parameter.schema);
      if (schema.type === 'integer' && !/^\d+$/.test(value)) return `${name} is no number`;
      if (schema.type === 'boolean' && !/^(true|false)$/.test(value)) return `${name} is no boolean`;
      if (schema.enum && !schema.enum.includes(value)) return `${name} is none of ${schema.enum}`;
      if (value === '') return `${name} is empty`;
    }
    return '';
  }

  /// What is wrong with the body of a request or an answer; empty when nothing is.
  body_problem(content, body) {
    const schema = content && content['application/json'] && content['application/json'].schema;
    if (!schema) return body === undefined ? '' : 'a body where there is none';
    return body === undefined ? 'no body' : this.value_problem(body, schema, 'body');
  }

  value_problem(value, schema, at) {
    schema = this.resolve(schema);
    if (!schema || value === null) return '';
    for (const choice of ['oneOf', 'anyOf']) {
      if (!schema[choice]) continue;
      const problems = schema[choice].map((one) => this.value_problem(value, one, at));
      return problems.some((one) => one === '') ? '' : problems[0];
    }
    if (schema.allOf) {
      const merged = { type: 'object', properties: {} };
      for (const one of schema.allOf) Object.assign(merged.properties, this.resolve(one).properties);
      return this.value_problem(value, merged, at);
    }
    if (Array.isArray(value)) {
      if (schema.type !== 'array') return `${at} is a list`;
      for (const [index, item] of value.entries()) {
        const problem = this.value_problem(item, schema.items, `${at}[${index}]`);
        if (problem) return problem;
      }
      return '';
    }
    if (typeof value === 'object') {
      if (schema.type && schema.type !== 'object') return `${at} is an object`;
      for (const [key, member] of Object.entries(value)) {
        const known = schema.properties && schema.properties[key];
        if (!known && schema.properties && !schema.additionalProperties) return `${at} has no field ${key}`;
        const problem = known ? this.value_problem(member, known, `${at}.${key}`) : '';
        if (problem) return problem;
      }
      return '';
    }
    const type = Number.isInteger(value) ? 'integer' : typeof value;
    const fits = !schema.type || schema.type === type || (schema.type === 'number' && type === 'integer');
    if (!fits) return `${at} is ${type}, not ${schema.type}`;
    return schema.enum && !schema.enum.includes(value) ? `${at} is none of ${schema.enum}` : '';
  }
}

module.exports = { OpenApi };
