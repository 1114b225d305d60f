// Notes with a key of a request what was made under it, in the transaction that makes it. What a request made that was cut off stays with its key, for the next
// one that brings it.
import { type EffectKind, keyedRequest, type Made } from '../../core/keyed/effects.ts';
import { run, type StatementValue, type Steps } from '../statements.ts';

/** To be asked for where the work is given: on SQLite it is done in no request's name. The first of a kind counts. */
export function effectNote(): (kind: EffectKind, made: string) => Steps<void> {
  const request = keyedRequest();
  return function* (kind, made) {
    if (request?.isOpen() !== true) return;
    const { tenant, principal, route, key } = request;
    const sql = `UPDATE idempotency SET effect = coalesce(effect, '') || ?
      WHERE tenant = ? AND principal = ? AND route = ? AND key = ? AND status IS NULL`;
    yield* run(sql, `${JSON.stringify([kind, made])}\n`, tenant, principal, route, key);
  };
}

/** Of a damaged note nothing is known. */
export function toMade(effect: string): Made {
  try {
    const entries = effect.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as [string, string]]));
    return Object.fromEntries(entries.reverse());
  } catch {
    return {};
  }
}

/** The status of a key whose request made something and was cut off. */
export const cutOff = 0;

interface Claims {
  readonly sql: string;
  readonly parameters: readonly StatementValue[];
}

/** Requests that nobody replies to any more: their keys are free, with what was made under them. */
export function* closeClaims({ sql, parameters }: Claims = { sql: '1 = 1', parameters: [] }): Steps<void> {
  // In this order: it waits for whoever is about to note something.
  yield* run(`DELETE FROM idempotency WHERE status IS NULL AND effect IS NULL AND ${sql}`, ...parameters);
  yield* run(`UPDATE idempotency SET status = ${cutOff}, body = '' WHERE status IS NULL AND ${sql}`, ...parameters);
}
