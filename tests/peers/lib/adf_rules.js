// The rules of the Atlassian Document Format for what is written, by the published schema. Throws what is wrong.
'use strict';

const { broken } = require('./atlassian.js');

const kInline = ['text', 'hardBreak', 'mention', 'emoji', 'inlineCard', 'date', 'status'];
const kChildren = {
  doc: ['paragraph', 'heading', 'bulletList', 'orderedList', 'codeBlock', 'blockquote', 'rule', 'table', 'panel'],
  paragraph: kInline,
  heading: kInline,
  bulletList: ['listItem'],
  orderedList: ['listItem'],
  listItem: ['paragraph', 'bulletList', 'orderedList', 'codeBlock'],
  codeBlock: ['text'],
  blockquote: ['paragraph', 'bulletList', 'orderedList', 'codeBlock'],
  table: ['tableRow'],
  tableRow: ['tableHeader', 'tableCell'],
  tableHeader: ['paragraph', 'bulletList', 'orderedList', 'codeBlock'],
  tableCell: ['paragraph', 'bulletList', 'orderedList', 'codeBlock'],
};
const kNotEmpty = ['bulletList', 'orderedList', 'listItem', 'blockquote', 'table', 'tableRow'];
const kMarks = ['strong', 'em', 'strike', 'code', 'link', 'underline'];

const check_text = (node, parent) => {
  if (typeof node.text !== 'string' || node.text === '') throw broken('ADF: an empty text node');
  const marks = (node.marks || []).map((mark) => mark.type);
  if (new Set(marks).size !== marks.length) throw broken('ADF: a mark twice');
  for (const mark of node.marks || []) {
    if (!kMarks.includes(mark.type)) throw broken(`ADF: no mark ${mark.type}`);
    if (mark.type === 'link' && !/^(https?:|mailto:)/.test(mark.attrs && mark.attrs.href)) throw broken('ADF: a link');
  }
  if (parent === 'codeBlock' && marks.length > 0) throw broken('ADF: a mark in a code block');
  if (marks.includes('code') && marks.some((mark) => mark !== 'code' && mark !== 'link')) throw broken('ADF: code');
};

const check_node = (node) => {
  const content = node.content || [];
  if (kNotEmpty.includes(node.type) && content.length === 0) throw broken(`ADF: ${node.type} is empty`);
  if (node.type === 'heading' && !(node.attrs.level >= 1 && node.attrs.level <= 6)) throw broken('ADF: heading');
  if (node.type === 'listItem' && !['paragraph', 'codeBlock'].includes(content[0].type)) throw broken('ADF: listItem');
  for (const child of content) {
    if (!(kChildren[node.type] || []).includes(child.type)) throw broken(`ADF: ${child.type} in ${node.type}`);
    if (child.type === 'text') check_text(child, node.type);
    check_node(child);
  }
};

const check_document = (document) => {
  if (!document || document.type !== 'doc' || document.version !== 1 || !Array.isArray(document.content))
    throw broken('ADF: not a document');
  check_node(document);
};

module.exports = { check_document };
