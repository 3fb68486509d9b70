// Licence of the file.

import { Store, type Row } from './store';
import fs = require('fs');
export * from "./other";

/** How many rows are read at most. */
export const LIMIT = 10;

/**
 * A shape of things.
 * @public
 */
export interface Shape<T> extends Base<T>, Printable {
  name: string;
  area(scale: number): T;
}

export type Point = { x: number; y: number };

export enum Color { Red, Green = 'g' }

// Adds two numbers.
export const add = (a: number, b: number): number => {
  return Math.max(a, b) + helper(a);
};

export default function main<T>(args: string[]): Promise<void> {
  const inner = () => add(1, 2);
  return new Runner(args).run();
}

@Injectable()
export abstract class Circle<T> extends Figure<T> implements Shape<T>, other.Drawable {
  private radius = 1;
  static readonly unit: Circle<number>;

  constructor(private store: Store) {
    super();
    this.radius = store.read<Row>();
  }

  @Input()
  get area(): number { return this.compute(); }

  abstract draw(): void;
  trailing: string = "x";
  async *each(): AsyncGenerator<Row> { yield* this.store.rows(); }
}

declare module "ext" {
  export function outer(x: Row): void;
}

namespace Inner.Deep {
  export class Hidden {}
  export const depth = 1;
}

declare function ambient(name: string): Row;

main([]);
