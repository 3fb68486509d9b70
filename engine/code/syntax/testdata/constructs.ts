import type { A } from './a';
import * as all from "all";
import './side';
export { B as C } from './b';
export type { D } from './d';

/** Reads by number. */
export function read(id: number): string;
export function read(id: string): string;
export function read(id: any): string { return fetchOne(id); }

export function isRow(x: unknown): x is Row { return typeof x === 'object'; }
function assertRow(x: unknown): asserts x is Row { check(x); }

declare global {
  interface Window { store: Store; }
}

declare const VERSION: string;
declare class Outer extends Base { method(): void; static of(): Outer; }
declare enum Level { Low }
declare namespace JQuery { function get(url: string): void; type Url = string; }
export as namespace Lib;

export const enum Flag { A = 1 << 0, B = A | 2 }
export type Keys<T> = { readonly [K in keyof T]?: T[K] };
type Getter<T> = T extends () => infer R ? R : never;
type Route = `/${string}`;

abstract class Animal implements Living {
  static #count = 0;
  declare readonly name: string;
  static { register(Animal); }
  constructor(protected readonly id: number) {}
  abstract get legs(): number;
  set weight(value: number) { this.save(value); }
  private async load(): Promise<void> { await this.api.load(); }
  handler = (event: Event): void => { this.save(event); };
  onClick = debounce(() => this.save(1));
  [Symbol.iterator]() { return iterate(this); }
  *walk() { yield 1; }
  protected override toString(): string { return super.toString(); }
  find(id: number): Row;
  find(id: string): Row;
  find(id: any) { return lookup(id); }
}

interface Callable<T = any> extends Function {
  (x: T): void;
  new (x: T): Callable<T>;
  readonly [key: string]: unknown;
  method?<U>(u: U): T;
  get size(): number;
}

@Component({ selector: 'app' })
class App {
  constructor(@Inject(TOKEN) private token: Token) {}
  @HostListener('click', ['$event'])
  onClick(@Param() e: Event) { track(e); }
}

export default class extends Animal {
  run() { start(); }
}

export const useStore = create<State>((set) => ({
  add(row: Row) { set(row); },
  remove: (id: number) => set(id),
}));

export const routes = {
  home() { return render('home'); },
  about: async () => { await render('about'); },
  get size() { return 1; },
};

export const Model = class Named extends Animal {
  save() { persist(this); }
};

namespace A.B {
  export namespace C { export function deep() { return 1; } }
  export interface Inside { x: number }
}

export async function* stream<T extends object>(source: AsyncIterable<T>): AsyncGenerator<T> {
  for await (const x of source) yield transform(x);
}

const { a, b: [c] } = destructure();
let counter = 0, other = useState<number>(1);

(function immediately() { boot(); })();

if (process.env.DEV) {
  function onlyDev() { hot(); }
}

exports.legacy = function (x) { return old(x); };
Animal.prototype.swim = function swim() { return splash(); };
module.exports.named = (x) => modern(x);
