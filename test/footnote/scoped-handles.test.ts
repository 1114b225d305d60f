// Facades of callers: as many as were used last, and none twice while somebody holds it.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import type { Scope } from '../../src/core/scope.ts';
import { createScopedHandles } from '../../src/footnote/scoped-handles.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
setFlagsFromString('--no-expose-gc');

const scopeOf = (id: string, groups: readonly string[] = []): Scope => ({
  tenant: 't',
  principal: { id, role: 'reader', groups },
});

it('are given again to the same caller, and another to whoever may read something else', () => {
  const forScope = createScopedHandles((scope) => ({ scope }));
  expect(forScope(scopeOf('ana'))).toBe(forScope(scopeOf('ana')));
  expect(forScope(scopeOf('ana', ['staff']))).not.toBe(forScope(scopeOf('ana')));
});

it('go when others were used since, but for those that somebody holds', async () => {
  const opened: string[] = [];
  const forScope = createScopedHandles(({ principal }) => {
    opened.push(principal.id);
    return { weight: new Uint8Array(1000) };
  }, 2);
  const held = forScope(scopeOf('held'));
  for (const id of ['a', 'b', 'c', 'a']) forScope(scopeOf(id));
  // What was used in this turn is not collected before its end.
  await new Promise(setImmediate);
  collect();
  expect(forScope(scopeOf('held'))).toBe(held);
  forScope(scopeOf('a'));
  forScope(scopeOf('b'));
  expect(opened.filter((id) => id !== 'a')).toEqual(['held', 'b', 'c', 'b']);
});
