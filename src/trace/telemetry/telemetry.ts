// Telemetry of a server: requests that have ended are counted, told in the log and, where a collector is configured, exported as spans and
// metrics (OTLP over HTTP, JSON). Invariants: nothing here delays or fails a request; what a collector does not take is dropped and counted.

import { PrometheusExporter, PrometheusSerializer } from '@opentelemetry/exporter-prometheus';
import { JsonMetricsSerializer, JsonTraceSerializer } from '@opentelemetry/otlp-transformer';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  AggregationTemporality,
  MeterProvider,
  PeriodicExportingMetricReader,
  type PushMetricExporter,
} from '@opentelemetry/sdk-metrics';
import { BatchSpanProcessor, type SpanExporter, TracerProvider } from '@opentelemetry/sdk-trace';
import type { LoggedEvent } from '../../core/events.ts';
import { type FinishedRequest, figuresOf } from './finished.ts';
import {
  createInstruments,
  type JudgedFigures,
  type MemoryFigures,
  observeMemories,
  observeStores,
  type StoreStanding,
} from './instruments.ts';
import { type RequestLogLine, toLogLines } from './request-log.ts';
import { emitSpans } from './spans.ts';

/** Sends one body of JSON to a path of the collector; rejects where it was not taken. */
export type PostToCollector = (path: '/v1/traces' | '/v1/metrics', json: Uint8Array) => Promise<void>;

export interface TelemetryOptions {
  readonly serviceName: string;
  readonly version: string;
  /** Read when metrics are; may be slow. */
  readonly stores: () => Promise<readonly StoreStanding[]>;
  /** Memories that hold; read when metrics are. */
  readonly memoriesHeld: () => Promise<number>;
  /** Absent: nothing leaves the process. */
  readonly collector?: PostToCollector;
  readonly log?: (line: RequestLogLine) => void;
  /** Whether what was asked stands in the log. */
  readonly withQueries: boolean;
}

export interface Telemetry {
  /** Told of each request when it has ended, and of nothing before. Total. */
  ended(finished: FinishedRequest & { readonly events: readonly LoggedEvent[] }): void;
  /** Told of each answer that judges were given, also of those that were left out. Total. */
  judged(figures: JudgedFigures): void;
  /** Told of each change of long-term memory, and of recalls that no question made. Total. */
  remembered(figures: MemoryFigures): void;
  /** Metrics in the text format of Prometheus. */
  text(): Promise<string>;
  close(): Promise<void>;
}

const exportEveryMs = 30_000;
const success = 0;
const failed = 1;

export function openTelemetry(options: TelemetryOptions): Telemetry {
  const { collector, withQueries, log } = options;
  const resource = resourceFromAttributes({
    'service.name': options.serviceName,
    'service.version': options.version,
  });
  const scrape = new PrometheusExporter({ preventServerStart: true });
  const push =
    collector &&
    new PeriodicExportingMetricReader({
      exporter: toMetricExporter(collector),
      exportIntervalMillis: exportEveryMs,
      exportTimeoutMillis: exportEveryMs / 2,
    });
  const meters = new MeterProvider({ resource, readers: [scrape, ...(push ? [push] : [])] });
  const meter = meters.getMeter('footnote', options.version);
  const spans =
    collector &&
    new TracerProvider({ resource, spanProcessors: [new BatchSpanProcessor({ exporter: toSpanExporter(collector) })] });
  const tracer = spans?.getTracer('footnote', options.version);
  const instruments = createInstruments(meter);
  const dropped = meter.createCounter('footnote.telemetry.dropped', {
    description: 'Requests that could not be counted or exported.',
  });
  observeStores(meter, options.stores);
  observeMemories(meter, options.memoriesHeld);
  const serializer = new PrometheusSerializer(undefined, false, undefined, false, true);

  return {
    ended(finished) {
      try {
        const figures = figuresOf(finished);
        instruments.count(finished, figures);
        for (const line of toLogLines(finished, figures, { withQueries })) log?.(line);
        if (tracer) emitSpans(tracer, finished, figures);
      } catch {
        dropped.add(1);
      }
    },
    judged: instruments.countJudged,
    remembered: instruments.countMemory,
    async text() {
      const { resourceMetrics } = await scrape.collect();
      return serializer.serialize(resourceMetrics);
    },
    async close() {
      await Promise.allSettled([meters.shutdown(), spans?.shutdown()]);
    },
  };
}

type Done = (result: { code: number; error?: Error }) => void;

async function send(post: Promise<void>, done: Done): Promise<void> {
  try {
    await post;
    done({ code: success });
  } catch (thrown) {
    done({ code: failed, error: thrown instanceof Error ? thrown : new Error(String(thrown)) });
  }
}

function toSpanExporter(collector: PostToCollector): SpanExporter {
  return {
    export(spans, done) {
      const json = JsonTraceSerializer.serializeRequest([...spans]);
      void send(json ? collector('/v1/traces', json) : Promise.resolve(), done);
    },
    shutdown: () => Promise.resolve(),
  };
}

function toMetricExporter(collector: PostToCollector): PushMetricExporter {
  return {
    export(metrics, done) {
      const json = JsonMetricsSerializer.serializeRequest(metrics);
      void send(json ? collector('/v1/metrics', json) : Promise.resolve(), done);
    },
    forceFlush: () => Promise.resolve(),
    shutdown: () => Promise.resolve(),
    selectAggregationTemporality: () => AggregationTemporality.CUMULATIVE,
  };
}
