// What streams now, by who asked and its name.
import type { FastifyRequest } from 'fastify';
import { streamOwner } from '../wire/sse.ts';

export function createRunning<One>() {
  const all = new Map<string, One>();
  const keyOf = ({ scope }: FastifyRequest, name: string): string =>
    `${streamOwner(scope?.tenant, scope?.principal.id)}\u0000${name}`;
  return {
    find: (request: FastifyRequest, name: string): One | undefined => all.get(keyOf(request, name)),
    async during<T>(request: FastifyRequest, [name, one]: readonly [string, One], work: () => Promise<T>): Promise<T> {
      const key = keyOf(request, name);
      all.set(key, one);
      try {
        return await work();
      } finally {
        if (all.get(key) === one) all.delete(key);
      }
    },
  };
}
