// Values of one statement, each bound where the text names it: nothing that a request brought stands in a text.
import type { Value } from '../../db/postgres/client/client.ts';

export interface Values {
  /** The place of a value in the text: `$3`. */
  bind(value: Value): string;
  readonly all: readonly Value[];
}

export function createValues(): Values {
  const all: Value[] = [];
  return {
    all,
    bind(value) {
      all.push(value);
      return `$${all.length}`;
    },
  };
}
