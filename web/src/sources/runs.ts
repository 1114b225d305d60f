// What is told of a source and of its last reading, in plain words.
import type { GivenSource } from '../documents/facts.ts';
import type { IngestPreview, SourceType } from '../shared/contract.ts';
import { counted } from '../shared/text.ts';

export interface Run {
  readonly id: string;
  readonly source: string;
  readonly state: 'running' | 'done' | 'doubtful' | 'cancelled' | 'interrupted' | 'failed';
  readonly startedAt: string;
  readonly finishedAt?: string;
  readonly counts: Readonly<Record<'found' | 'done' | 'unchanged' | 'failed' | 'deleted', number>>;
  readonly error?: { readonly message: string };
}

export interface ListedSource extends GivenSource {
  readonly type: SourceType;
  readonly connector?: { readonly kind: string };
  readonly schedule?: { readonly everyMinutes: number };
}

const places: Readonly<Record<string, string>> = {
  folder: 'mirrors a folder',
  url: 'mirrors pages of the web',
  sitemap: 'mirrors a site',
  feed: 'mirrors a feed',
  git: 'mirrors a repository',
};

/** A place that this key may not see is told by what follows from it. */
export function descriptionOf({ connector, schedule, watch, documents }: ListedSource): string {
  const place = connector ? (places[connector.kind] ?? connector.kind) : watch || schedule ? '' : 'filled by hand';
  const minutes = schedule?.everyMinutes;
  return [
    `${documents} ${documents === 1 ? 'document' : 'documents'}`,
    place,
    watch ? 'read again when something changes' : '',
    minutes === undefined ? '' : `read again every ${minutes === 1 ? 'minute' : `${minutes} minutes`}`,
  ]
    .filter(Boolean)
    .join(' · ');
}

const states: Readonly<Record<Run['state'], string>> = {
  running: 'Being read',
  done: 'Read',
  doubtful: 'Read, with doubt about what vanished',
  cancelled: 'Reading was cancelled',
  interrupted: 'Reading was interrupted',
  failed: 'Reading failed',
};

/** `Read: 2 new, 1 failed.` */
export function outcomeOf({ state, counts }: Run): string {
  const parts = (
    [
      ['new or changed', counts.done],
      ['unchanged', counts.unchanged],
      ['failed', counts.failed],
      ['deleted', counts.deleted],
    ] as const
  ).flatMap(([what, count]) => (count > 0 ? [`${count} ${what}`] : []));
  return `${states[state]}: ${parts.length > 0 ? parts.join(', ') : 'nothing found'}.`;
}

/** Runs are listed newest first. */
export function lastRuns(runs: readonly Run[]): ReadonlyMap<string, Run> {
  return new Map(runs.toReversed().map((run) => [run.source, run]));
}

const rates = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 });
const sizes = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1, notation: 'compact' });
const dollars = new Intl.NumberFormat(undefined, { style: 'currency', currency: 'USD', maximumSignificantDigits: 2 });

/** What reading a source would bring, a sentence each. */
export function findingOf({ counts, bytes, kinds, time, embedding }: IngestPreview): string[] {
  const parts = (
    [
      ['new or changed', counts.done],
      ['unchanged', counts.unchanged],
      ['not readable', counts.failed],
      ['to be deleted', counts.deleted],
    ] as const
  ).flatMap(([what, count]) => (count > 0 ? [`${count} ${what}`] : []));
  const cost = embedding?.costUsd;
  return [
    `${counted(counts.found, 'file')} of ${sizes.format(bytes)}B: ${parts.length > 0 ? parts.join(', ') : 'nothing to read'}.`,
    ...(kinds.length > 0 ? [`By kind: ${kinds.map(({ kind, files }) => `${kind} ${files}`).join(', ')}.`] : []),
    `Reading takes about ${time.seconds < 60 ? `${Math.ceil(time.seconds)} s` : `${rates.format(time.seconds / 60)} min`}${cost === undefined ? '' : `, and vectors cost about ${dollars.format(cost)}`}.`,
  ];
}
