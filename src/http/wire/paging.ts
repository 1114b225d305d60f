// Lists page with `limit` and `cursor`: what a query gave, without what it did not give.
import { z } from 'zod';
import type { PageRequest } from './http-types.ts';

/** The reply of a route that has nothing to say (204). */
export const emptySchema = z.undefined().describe('Done; there is nothing to say.');

export function pageOf(query: { limit?: number | undefined; cursor?: string | undefined }): PageRequest {
  return {
    ...(query.limit === undefined ? {} : { limit: query.limit }),
    ...(query.cursor === undefined ? {} : { cursor: query.cursor }),
  };
}
