// Where telemetry goes and what the log says, as their settings say.

export interface TelemetryConfig {
  /** Base address of a collector that takes OTLP over HTTP; undefined: nothing is exported. */
  readonly endpoint: string | undefined;
  readonly serviceName: string;
  /** Whether what was asked stands in the log. */
  readonly logQueries: boolean;
}

export function readTelemetry(values: ReadonlyMap<string, string | number | boolean>): TelemetryConfig {
  return Object.freeze({
    endpoint: values.has('OTEL_EXPORTER_OTLP_ENDPOINT')
      ? String(values.get('OTEL_EXPORTER_OTLP_ENDPOINT')).replace(/(?<!\/)\/+$/u, '')
      : undefined,
    serviceName: String(values.get('OTEL_SERVICE_NAME')),
    logQueries: values.get('LOG_QUERIES') === true,
  });
}
