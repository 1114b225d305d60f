// Who may call which route, and which requests wait for each other: read from the table of operations, one row per route. A route without a row
// does not start.
import { conversations } from '../../operations/conversations.ts';
import type { Access, Lane } from '../../operations/operation.ts';
import { operations } from '../../operations/table.ts';

export type { Access };

export const routePolicy: Readonly<Record<string, Access>> = {
  ...Object.fromEntries(['/', '/app', '/app/*', '/assets/*'].map((path) => [`GET ${path}`, 'open' as const])),
  ...Object.fromEntries(
    ['', '/mcp'].map((end) => [`GET /.well-known/oauth-protected-resource${end}`, 'open' as const]),
  ),
  // What it offers any key may ask for; each of its calls waits in the lane of its like.
  'POST /mcp': 'reader',
  ...Object.fromEntries(operations.map(({ operation: { route, role } }) => [route, role])),
};

const lanesOf = new Map(
  operations.map(({ operation: { route, lane } }) => [
    route as string,
    lane ?? (route.includes(' /v1/') ? 'reads' : 'none'),
  ]),
);

const routeOf = (method: string, url: string): string => `${method === 'HEAD' ? 'GET' : method} ${url}`;

/** The policy of a route, undefined if the table has no row. HEAD follows GET. */
export const accessOf = (method: string, url: string): Access | undefined => routePolicy[routeOf(method, url)];

/** The queue of a route; undefined for those that never wait. */
export function laneOf(method: string, url: string): Lane | undefined {
  const lane = lanesOf.get(routeOf(method, url));
  return lane === 'none' ? undefined : lane;
}

const answering: ReadonlySet<string> = new Set(
  operations.flatMap(({ operation: { answers, route } }) => (answers ? [route] : [])),
);

/** Events that a client may come back for: of an answer, where it wants them (`wanted`), or of what has no other form. */
export function eventsAt(method: string, url = ''): 'wanted' | 'always' | undefined {
  const route = routeOf(method, url);
  if (answering.has(route)) return 'wanted';
  return route === conversations.chat.route ? 'always' : undefined;
}
