'use strict';
const path = require('path');
import def, { a as b } from 'mod';

/**
 * Joins names.
 */
function join(...names) {
  return path.join(...names.map((n) => n.trim()));
}

export class Queue extends Array {
  #items = [];
  static create() { return new Queue(); }
  get size() { return this.#items.length; }
  push(item) {
    this.#items.push(item);
    notify(item);
  }
}

const handler = async function named(event) { await join(event); };
let Anonymous = class extends Queue { run() {} };
function* ids() { yield 1; }

module.exports = { join };
