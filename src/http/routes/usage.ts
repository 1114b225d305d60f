// What models cost: an admin sees the whole tenant, others what they spent themselves.
import { usageQuerySchema, usageSchema } from '../../operations/contract/usage.ts';
import type { Door, HttpApp } from '../wire/http-types.ts';

export function registerUsageRoutes(app: HttpApp, door: Door): void {
  app.get(
    '/v1/usage',
    {
      schema: {
        summary: 'What models cost, by day, session, key, role or model, and how today’s limits stand',
        tags: ['operations'],
        querystring: usageQuerySchema,
        response: { 200: usageSchema },
      },
    },
    async (request) => {
      const { from, to, by } = request.query;
      return door.footnoteOf(request).usage({
        ...(from !== undefined && { from }),
        ...(to !== undefined && { to }),
        ...(by !== undefined && { by }),
      });
    },
  );
}
