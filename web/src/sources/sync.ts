// Runs that read sources, as this tab follows them.
import { signal } from '@preact/signals';
import { spoken } from '../ask/session.ts';
import { call, callJson } from '../shared/api.ts';
import { eventsOf } from '../shared/events.ts';
import { inOrder } from '../shared/text.ts';
import { loadHoldings } from '../shell/holdings.ts';
import { lastRuns, outcomeOf, type Run } from './runs.ts';

export const runs = signal<ReadonlyMap<string, Run>>(new Map());

export async function loadRuns(): Promise<void> {
  const { data } = await callJson<{ data: Run[] }>('v1/ingestions?limit=200');
  runs.value = lastRuns(data);
}

const show = (run: Run): void => {
  runs.value = new Map([...runs.value, [run.source, run]]);
};

/** Reads a source anew, and shows how far it is until it has ended. */
export async function sync(name: string, query = ''): Promise<void> {
  const run = await callJson<Run>(`v1/sources/${encodeURIComponent(name)}/sync${query}`, { method: 'POST' });
  show(run);
  spoken.value = `Reading ${inOrder(name)}…`;
  const reply = await call(`v1/ingestions/${encodeURIComponent(run.id)}`, { accept: 'text/event-stream' });
  if (reply.body)
    for await (const event of eventsOf<{ ingestion?: Run }>(reply.body)) if (event.ingestion) show(event.ingestion);
  const ended = runs.value.get(name);
  if (ended) spoken.value = `${inOrder(name)}: ${outcomeOf(ended)}`;
  await loadHoldings();
}
