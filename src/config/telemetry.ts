// Traces, telemetry and the log: their settings, and what they say.
import { flag, integer, type SettingKinds, secret, text, url, type ValuesOf } from './setting-kinds.ts';

export const tracesSettings = {
  LOG_QUERIES: flag
    .default(false)
    .describe(
      'What was asked stands in the log line of each search, cut to 100 characters, and in the audit log, which else has its SHA-256',
    ),
  OTEL_EXPORTER_OTLP_ENDPOINT: url.describe(
    'Collector of OpenTelemetry that a server sends spans and metrics to (OTLP over HTTP); no text of questions, documents or answers is in them',
  ),
  OTEL_EXPORTER_OTLP_HEADERS: secret('Headers for that collector: `name=value`, separated by commas'),
  OTEL_SERVICE_NAME: text.default('footnote').describe('Name of the server in spans and metrics'),
  AUDIT_RETENTION_DAYS: integer(1, 36_500).default(365).describe('Days that rows of the audit log are kept'),
  TRACE_RETENTION_DAYS: integer(1, 36_500).default(30).describe('Days that traces are kept; pinned ones stay'),
} satisfies SettingKinds;

export const readTelemetry = (values: ValuesOf<typeof tracesSettings>) => ({
  /** Base address of a collector that takes OTLP over HTTP; undefined: nothing is exported. */
  endpoint: values.OTEL_EXPORTER_OTLP_ENDPOINT?.replace(/(?<!\/)\/+$/u, ''),
  serviceName: values.OTEL_SERVICE_NAME,
  /** Whether what was asked stands in the logs. */
  logQueries: values.LOG_QUERIES,
  auditRetentionDays: values.AUDIT_RETENTION_DAYS,
});
