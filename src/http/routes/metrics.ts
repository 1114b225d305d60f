// For operators: what has been counted since the server started, and whether the last minutes are as they should be.
import { z } from 'zod';
import { FootnoteError } from '../../core/errors.ts';
import { alertListSchema } from '../../operations/contract/metrics.ts';
import type { Door, HttpApp } from '../wire/http-types.ts';

const tags = ['operations'];

export function registerMetricsRoutes(app: HttpApp, door: Door): void {
  const counted = () => {
    const { telemetry } = door.system;
    if (!telemetry)
      throw new FootnoteError('unsupported', 'This server counts nothing: it was opened without telemetry.');
    return telemetry;
  };

  app.get(
    '/metrics',
    {
      schema: {
        summary: 'What has been counted since the start, in the text format of Prometheus',
        tags,
        response: { 200: { content: { 'text/plain': { schema: z.string() } } } },
      },
    },
    async (_request, reply) =>
      reply.header('content-type', 'text/plain; version=0.0.4; charset=utf-8').send(await counted().text()),
  );

  app.get(
    '/admin/alerts',
    {
      schema: {
        summary: 'How the last 15 minutes stand against the thresholds that alerts are raised by',
        tags,
        response: { 200: alertListSchema },
      },
    },
    async () => ({ data: [...counted().alerts()] }),
  );
}
