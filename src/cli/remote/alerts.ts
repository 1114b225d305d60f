// How a running server stands against the thresholds that alerts are raised by, for the doctor.
import { toFootnoteError } from '../../core/errors.ts';
import type { Finding } from '../../footnote/doctor.ts';
import type { Alert } from '../../footnote/telemetry.ts';
import type { RemoteHttp } from './remote-http.ts';

const shown = (value: number, unit: Alert['unit']): string =>
  unit === 'share' ? `${(value * 100).toFixed(1)} %` : `${(value * 1000).toFixed(0)} ms`;

/** What the last minutes of a server show; nothing of one that does not know. Throws `cancelled` and what asking the server throws. */
export async function alertFindings(http: RemoteHttp, signal?: AbortSignal): Promise<Finding[]> {
  let alerts: readonly Alert[];
  const { server } = await import('../../operations/server.ts');
  try {
    alerts = (await http.json<{ data: readonly Alert[] }>(server.alerts, { signal })).data;
  } catch (thrown) {
    const error = toFootnoteError(thrown);
    if (error.code === 'not-found' || error.code === 'unsupported') return [];
    throw error;
  }
  return alerts.flatMap(({ state, summary, value, limit, unit, advice, detail }): Finding[] =>
    value === undefined || state !== 'firing'
      ? []
      : [
          {
            area: 'last 15 minutes',
            state: 'warning',
            detail: `${summary} (now ${shown(value, unit)}, limit ${shown(limit, unit)}).${detail === undefined ? '' : ` ${detail}.`}`,
            advice,
          },
        ],
  );
}
