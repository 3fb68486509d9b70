#!/usr/bin/env node
const { a, b } = require('ab'), c = require("c").default;
import json from './data.json' with { type: 'json' };
export * as ns from './ns';
export async function go() { await run(); }
const lazy = () => import('./lazy.js');

class A extends mixin(B, C) {
  static #private = 1;
  static { setup(this); }
  field = () => this.run();
  #hidden() { return this.#private; }
  get 'quoted name'() { return 1; }
  [computed()]() { return 2; }
  async *gen() { yield* inner(); }
  static async load() { return new this(); }
  'string method'() { return 3; }
}

const object = {
  method() { return one(); },
  arrow: () => two(),
  func: function () { return three(); },
  nested: { deep() { return four(); } },
};

var self = this, old = function () { return legacy(); };
const one = () => first(), second = async function* () { yield later(); };
const curried = (x) => (y) => apply(x, y);
const wrapped = memo(function Inner() { return <div/>; });
const Styled = styled.div`color: ${(p) => shade(p)};`;

function Old() { this.x = create(); }
Old.prototype.method = function () { return this.x; };
Old.prototype = { other() { return act(); } };
Object.defineProperty(Old, 'y', { get() { return read(); } });
exports.named = function named() { return out(); };
module.exports = { one, inline() { return yes(); } };
module.exports.later = async (x) => { await soon(x); };

(() => { function hidden() { return boot(); } hidden(); })();
define(['dep'], function (dep) { function inside() { return dep.go(); } return inside; });
describe('suite', () => { it('works', async () => { expect(run()).toBe(1); }); });
label: for (const x of xs) { if (x) { function inLoop() {} } }
export { a as default, b };
export const { d, e } = both();
if (typeof window !== 'undefined') { window.App = class { start() { init(); } }; }
var Compiled = /** @class */ (function (_super) {
  __extends(Compiled, _super);
  function Compiled() { return _super.call(this); }
  Compiled.prototype.run = function () { return start(); };
  return Compiled;
}(Base));
(function (root, factory) { factory(root); })(this, function (exports) {
  function factoryInside() { return made(); }
  exports.factoryInside = factoryInside;
});
export const useCart = defineStore('cart', { actions: { clear() { empty(); } } });
export default defineComponent({
  methods: { save() { store(); } },
  computed: { total: () => sum() },
});
