// How checks of the store port say what is not as promised: Node's own assertions, and a few that stores need.
import assert from 'node:assert/strict';
import { isFootnoteError } from '../../core/errors.ts';
import type { Store } from '../store.ts';

export { assert };

/** Fails unless the work is refused with this code, by an error of ours. */
export async function refuses(work: Promise<unknown>, code: string): Promise<void> {
  const thrown = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  assert.ok(thrown !== undefined, `Nothing was thrown where \`${code}\` was expected.`);
  assert.ok(isFootnoteError(thrown), 'What was thrown is no FootnoteError.');
  assert.equal(thrown.code, code);
}

/** What health tells of how much the store holds. */
export async function holds(store: Store, wanted: { readonly documents: number; readonly chunks?: number }) {
  const { status, documents, chunks } = await store.health();
  assert.deepEqual({ status, documents, ...(wanted.chunks !== undefined && { chunks }) }, { status: 'ok', ...wanted });
}
