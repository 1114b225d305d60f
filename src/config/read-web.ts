// Pages of the web, as their settings say.

export interface WebConfig {
  readonly allowHosts: readonly string[];
  readonly hostGapMs: number;
  readonly maxPageBytes: number;
  readonly timeoutMs: number;
}

export function readWeb(values: ReadonlyMap<string, string | number | boolean>): WebConfig {
  const number = (name: string): number => Number(values.get(name) ?? 0);
  const string = (name: string): string => String(values.get(name) ?? '');
  return Object.freeze({
    allowHosts: Object.freeze(
      string('WEB_ALLOW_HOSTS')
        .split(',')
        .flatMap((host) => host.trim() || []),
    ),
    hostGapMs: number('WEB_HOST_GAP_MS'),
    maxPageBytes: number('WEB_MAX_PAGE_BYTES'),
    timeoutMs: number('WEB_TIMEOUT_MS'),
  });
}
