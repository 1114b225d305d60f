// Takes the network away from the process that calls it, for good: where the system gives it no namespace of its own (sandbox.ts),
// a parser that follows an address in a file still meets a closed door.
import { FootnoteError } from '../../core/errors.ts';

type Patched = Record<string, unknown>;

/** Where Node reaches out: [module, path to what holds the functions, their names]. */
const doors: readonly (readonly [module: string, holder: readonly string[], names: readonly string[]])[] = [
  ['net', ['Socket', 'prototype'], ['connect']],
  ['net', ['Server', 'prototype'], ['listen']],
  ['dgram', ['Socket', 'prototype'], ['bind', 'connect', 'send']],
  ['dns', [], ['lookup', 'resolve', 'resolve4', 'resolve6', 'resolveAny', 'reverse']],
  ['dns', ['promises'], ['lookup', 'resolve', 'resolve4', 'resolve6', 'resolveAny', 'reverse']],
];

function refuse(): never {
  throw new FootnoteError('forbidden', 'Parsers have no network: nothing that a file names is fetched.');
}

export function shutNetwork(): void {
  for (const [module, path, names] of doors) {
    let holder = process.getBuiltinModule(module) as Patched | undefined;
    for (const part of path) holder = holder?.[part] as Patched | undefined;
    for (const name of names) if (holder && typeof holder[name] === 'function') holder[name] = refuse;
  }
  for (const name of ['fetch', 'WebSocket', 'EventSource', 'XMLHttpRequest']) {
    if (!(name in globalThis)) continue;
    // Defining what Node loads at its first use loads it first: the client of HTTP, a tenth of the time that a parser takes to start.
    Reflect.deleteProperty(globalThis, name);
    Object.defineProperty(globalThis, name, { value: refuse, writable: false });
  }
}
