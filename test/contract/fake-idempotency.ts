// Replies kept in memory for requests with an idempotency key.
import type { Scope } from '../../src/core/scope.ts';
import type { IdempotencyPort, KeptReply } from '../../src/http/wire/http-types.ts';

export function fakeIdempotency(): (scope: Scope) => IdempotencyPort {
  const kept = new Map<string, KeptReply | 'running'>();
  return ({ tenant, principal }) => {
    const keyOf = (route: string, key: string): string => `${tenant} ${principal.id} ${route} ${key}`;
    return {
      async begin(route, key, requestHash) {
        const known = kept.get(keyOf(route, key));
        if (known === undefined) {
          kept.set(keyOf(route, key), 'running');
          return 'new';
        }
        if (known !== 'running' && known.requestHash === requestHash) return known;
        return known;
      },
      async finish(route, key, response) {
        kept.set(keyOf(route, key), response);
      },
      async replace(route, key, response) {
        if (kept.has(keyOf(route, key))) kept.set(keyOf(route, key), response);
      },
      async release(route, key) {
        kept.delete(keyOf(route, key));
      },
      async read(route, key) {
        const known = kept.get(keyOf(route, key));
        return known === 'running' ? undefined : known;
      },
      async forget(route, key) {
        kept.delete(keyOf(route, key));
      },
    };
  };
}
