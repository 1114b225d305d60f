// What is wrong with this server and what to do about it, made of what it tells of itself. Pure.
import type { StoreStatus } from '../shared/contract.ts';
import { counted } from '../shared/text.ts';

type Status = 'ok' | 'degraded' | 'down';

export interface Readiness {
  readonly status: Status;
  readonly version: string;
  readonly stores: readonly { readonly name: string; readonly status: Status }[];
  readonly models?: readonly { readonly role: string; readonly status: Status; readonly code?: string }[];
}
export interface ModelsHealth {
  readonly roles: readonly { readonly role: string; readonly status: Status; readonly code?: string }[];
  readonly models: readonly {
    readonly model: string;
    readonly state: 'untried' | 'serving' | 'failing';
    readonly failuresInRow: number;
    readonly lastServedAt?: string;
    readonly lastFailure?: { readonly code: string; readonly reason: string; readonly at: string };
  }[];
}

/** What can be done from the page, and who may: bring a store what it misses, mend what differs, go on. */
export type Remedy = 'sync' | 'reconcile' | 'resume';

export interface Finding {
  readonly area: string;
  readonly state: 'ok' | 'warning' | 'problem';
  readonly detail: string;
  /** What to do; absent where nothing has to be done. */
  readonly advice?: string;
  readonly remedy?: Remedy;
  readonly store?: string;
}

const states: Readonly<Record<Status, Finding['state']>> = { ok: 'ok', degraded: 'warning', down: 'problem' };
const percent = (share: number): string => `${Math.floor(share * 100)} %`;

function ofStore(store: StoreStatus): Finding[] {
  const { name, status, detail, coverage, deliveries, drift, vectors, erasing } = store;
  const area = `store ${name}`;
  const found: Finding[] = [
    {
      area,
      state: states[status],
      detail: `${detail}; it holds ${percent(coverage)} of the documents`,
      ...(status !== 'ok' && {
        advice: 'Searches go on without it. See that it can be reached, and that its key is valid.',
      }),
    },
  ];
  if (deliveries?.paused)
    found.push({
      area,
      state: 'warning',
      detail: `It is paused; ${counted(deliveries.pending, 'document')} wait for it.`,
      advice: 'Let it go on.',
      remedy: 'resume',
      store: name,
    });
  else if (deliveries && (deliveries.failed > 0 || deliveries.failure !== undefined))
    found.push({
      area,
      state: 'warning',
      detail: `${counted(deliveries.failed, 'document')} could not be brought to it${deliveries.failure ? `: ${deliveries.failure}` : '.'}`,
      advice: 'Mend what it says, and bring what is missing.',
      remedy: 'sync',
      store: name,
    });
  const differs = drift ? drift.missing + drift.stale + drift.duplicates + drift.orphans : 0;
  if (drift && differs > 0 && !drift.isMended)
    found.push({
      area,
      state: 'warning',
      detail: `${drift.missing} missing, ${drift.stale} stale, ${drift.duplicates} twice and ${drift.orphans} that are nobody’s, when it was compared with the record.`,
      advice: 'Compare it again and mend what differs.',
      remedy: 'reconcile',
      store: name,
    });
  if (vectors?.state === 'failed')
    found.push({
      area: `vectors of ${name}`,
      state: 'warning',
      detail: vectors.failure ?? 'They could not be made.',
      advice: 'Searches go on by words; it is tried again by itself. See that the embedding model can be reached.',
    });
  if (erasing?.failure !== undefined)
    found.push({
      area: `erasure in ${name}`,
      state: 'warning',
      detail: erasing.failure,
      advice: 'It is tried again by itself; words of what was deleted may stand elsewhere until then.',
    });
  return found;
}

const ofRole = ({ role, status, code }: ModelsHealth['roles'][number]): Finding => ({
  area: `model for ${role}`,
  state: states[status],
  detail:
    status === 'ok'
      ? 'It serves.'
      : `${status === 'down' ? 'None of its models serves' : 'One of its models fails'}${code ? ` (${code})` : ''}.`,
  ...(status !== 'ok' && {
    advice: `${status === 'down' ? 'The step is done without a model' : 'Another model stands in'} until it serves again: see its address, its key and its quota.`,
  }),
});

function ofModel({ model, state, failuresInRow, lastFailure }: ModelsHealth['models'][number]): Finding[] {
  if (state !== 'failing' || !lastFailure) return [];
  const detail = `Failed ${counted(failuresInRow, 'time')} in a row: ${lastFailure.reason} (${lastFailure.code})`;
  return [
    {
      area: `model ${model}`,
      state: 'warning',
      detail,
      advice: 'Mend what it says; calls go there again by themselves.',
    },
  ];
}

interface Told {
  readonly readiness: Readiness;
  readonly stores: readonly StoreStatus[];
  /** Told to admins alone. */
  readonly models?: ModelsHealth | undefined;
}

const rank = { problem: 0, warning: 1, ok: 2 } as const;

/** The worst first. */
export function findingsOf({ readiness, stores, models }: Told): Finding[] {
  const { status, version } = readiness;
  const server: Finding = {
    area: 'server',
    state: states[status],
    detail: status === 'down' ? 'It cannot answer, or is stopping.' : `Footnote ${version} answers.`,
    ...(status === 'down' && { advice: 'Start it again, or run footnote doctor at its machine, which says why.' }),
  };
  const roles = models?.roles ?? readiness.models ?? [];
  return [server, ...stores.flatMap(ofStore), ...roles.map(ofRole), ...(models?.models ?? []).flatMap(ofModel)].sort(
    (one, other) => rank[one.state] - rank[other.state],
  );
}
