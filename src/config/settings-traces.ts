// Settings of traces and of the log.
import { flag, integer, type Setting, secret, text, url } from './setting-kinds.ts';

export const tracesSettings: readonly Setting[] = [
  {
    name: 'LOG_QUERIES',
    schema: flag,
    default: 'false',
    meaning: 'What was asked stands in the log line of each search, cut to 100 characters',
  },
  {
    name: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    schema: url,
    meaning:
      'Collector of OpenTelemetry that a server sends spans and metrics to (OTLP over HTTP); no text of questions, documents or answers is in them',
  },
  secret('OTEL_EXPORTER_OTLP_HEADERS', 'Headers for that collector: `name=value`, separated by commas'),
  {
    name: 'OTEL_SERVICE_NAME',
    schema: text,
    default: 'footnote',
    meaning: 'Name of the server in spans and metrics',
  },
  {
    name: 'TRACE_RETENTION_DAYS',
    schema: integer(1, 36_500),
    default: '30',
    meaning: 'Days that traces are kept; pinned ones stay',
  },
];
