// The telemetry of a server, wired: what it counts, where it exports to, and how stores are read for it. Loaded by servers alone.

import { version } from '../config/version.ts';
import type { Config } from '../config.ts';
import { FootnoteError } from '../core/errors.ts';
import type { Clock } from '../core/ids.ts';
import { openEgress } from '../net/egress.ts';
import type { RequestLogLine } from '../trace/telemetry/request-log.ts';
import { openTelemetry, type PostToCollector, type Telemetry } from '../trace/telemetry/telemetry.ts';
import { rarely } from './beside/rarely.ts';
import type { StoreStatus } from './facade.ts';

export interface ServerTelemetryOptions {
  readonly clock: Pick<Clock, 'elapsedMs'>;
  readonly stores: () => Promise<readonly StoreStatus[]>;
  readonly memoriesHeld: () => Promise<number>;
  readonly log?: ((line: RequestLogLine) => void) | undefined;
}

/** Scrapes come every few seconds; hosted stores are not asked for each. */
const standingsKeptMs = 15_000;
const collectorTimeoutMs = 10_000;

/** `name=value` pairs separated by commas, as OpenTelemetry writes them (OTLP exporter specification). Throws `config-invalid`. */
function readHeaders(given: string): Record<string, string> {
  const pairs = given.split(',').filter((pair) => pair.trim() !== '');
  return Object.fromEntries(
    pairs.map((pair) => {
      const [name = '', value] = pair.split(/=(.*)/su);
      if (value === undefined || !/^[\w-]+$/u.test(name.trim()))
        throw new FootnoteError(
          'config-invalid',
          'OTEL_EXPORTER_OTLP_HEADERS must be written like "authorization=Bearer%20abc,x-team=search".',
        );
      return [name.trim(), decodeURIComponent(value.trim())];
    }),
  );
}

function openCollector(config: Config): { readonly post: PostToCollector; close(): void } | undefined {
  const { endpoint } = config.telemetry;
  if (endpoint === undefined) return undefined;
  const headers = {
    ...readHeaders(config.secret('OTEL_EXPORTER_OTLP_HEADERS') ?? ''),
    'content-type': 'application/json',
  };
  const egress = openEgress({ addresses: [endpoint] });
  return {
    async post(path, json) {
      const signal = AbortSignal.timeout(collectorTimeoutMs);
      const reply = await egress.fetch(`${endpoint}${path}`, {
        method: 'POST',
        headers,
        body: Buffer.from(json),
        signal,
      });
      await reply.arrayBuffer();
      if (!reply.ok)
        throw new FootnoteError('upstream-invalid', `The collector answered with HTTP status ${reply.status}.`);
    },
    close: () => egress.close(),
  };
}

/** Throws `config-invalid`. */
export function openServerTelemetry(
  config: Config,
  { clock, stores, memoriesHeld, log }: ServerTelemetryOptions,
): Telemetry {
  const collector = openCollector(config);
  const telemetry = openTelemetry({
    serviceName: config.telemetry.serviceName,
    version,
    stores: rarely(stores, { forMs: standingsKeptMs, elapsedMs: () => clock.elapsedMs() }),
    memoriesHeld,
    withQueries: config.telemetry.logQueries,
    ...(collector && { collector: collector.post }),
    ...(log && { log }),
  });
  return {
    ...telemetry,
    async close() {
      await telemetry.close();
      collector?.close();
    },
  };
}
