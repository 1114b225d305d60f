// A trace as a tree on a line of time: its stages, what each called, and what was decided between. Pure.
import type { PortCall, SavedTrace, TraceEvent } from '../shared/contract.ts';

export interface Row {
  /** Of its event; a stretch of own work has that of the event after it, with a letter. */
  readonly key: string;
  readonly label: string;
  readonly fromMs: number;
  readonly toMs: number;
  readonly note?: string;
  readonly tone?: 'bad' | 'warn';
  readonly call?: PortCall;
}
export interface Stage {
  readonly key: string;
  readonly label: string;
  readonly fromMs: number;
  readonly toMs: number;
  /** Time in which no call ran: the program itself worked. */
  readonly ownMs: number;
  readonly rows: readonly Row[];
}

const stageNames: Readonly<Record<string, string>> = {
  understanding: 'Understand',
  searching: 'Search',
  reading: 'Read',
  waiting: 'Wait for the model',
  answering: 'Write',
  verifying: 'Check claims',
};
export const ownWork = 'own work, no call';
/** What the clock of a request tells apart. */
const leastMs = 0.001;
/** Shorter stretches of own work are not drawn by themselves. */
const leastOwnShare = 0.05;

type Remark = Pick<Row, 'label' | 'note' | 'tone'>;

/** What an event beside calls says at its place; none for those that say nothing here. */
function remarksOf(event: TraceEvent): readonly Remark[] {
  switch (event.type) {
    case 'intent':
      return [{ label: `intent: ${event.intent.replaceAll('_', ' ')}`, note: event.reason }];
    case 'follow-up':
      return [{ label: 'follows up', note: `${event.resolved} (${event.reason})` }];
    case 'complexity':
      return [{ label: event.needsDecomposition ? 'taken apart' : 'asked as one', note: event.reasoning }];
    case 'decomposition':
      return event.subQueries.map(({ id, query }) => ({ label: `part ${id}`, note: query }));
    case 'routing':
      return [{ label: 'route', note: event.reason }];
    case 'retrieval':
      return [
        {
          label: 'found',
          note: `${event.resultCount} passages in mode ${event.mode}${event.sources ? ` from ${event.sources.join(', ')}` : ''}`,
          ...(event.resultCount === 0 && { tone: 'warn' as const }),
        },
      ];
    case 'reranking':
      return [{ label: 'put in order', note: `${event.outputCount} of ${event.inputCount} by ${event.method}` }];
    case 'left-out':
      return [
        {
          label: `left out (${event.stage})`,
          note: `${new Set(event.passages.flatMap(({ chunkIds }) => chunkIds)).size} passages`,
        },
      ];
    case 'assessment':
      return [
        {
          label: `round ${event.round}${event.part ? `, part ${event.part}` : ''}: ${event.verdict}`,
          note: `${event.reason}${event.query ? ` Looking for: ${event.query}` : ''}`,
          ...((event.verdict === 'unanswerable' || event.verdict === 'caveat') && { tone: 'warn' as const }),
        },
      ];
    case 'critic':
      return [
        {
          label: `critic: ${event.verdict}`,
          note: event.reason,
          ...(event.verdict === 'revise' && { tone: 'warn' as const }),
        },
      ];
    case 'worker_error':
      return [{ label: `worker ${event.taskId} failed`, note: event.error, tone: 'bad' }];
    case 'verdict':
      return [
        {
          label: event.kept ? 'claim kept' : 'claim dropped',
          note: [event.claim, ...event.reasons].join(' · '),
          ...(!event.kept && { tone: 'warn' as const }),
        },
      ];
    case 'degraded':
      return [
        {
          label: `limited: ${event.degradation.component}`,
          note: `${event.degradation.detail} ${event.degradation.effect}`,
          tone: 'warn',
        },
      ];
    case 'erased':
      return [{ label: 'erased', note: `${event.events} events, whose documents were deleted`, tone: 'warn' }];
    case 'error':
      return [{ label: 'failed', note: event.problem.detail, tone: 'bad' }];
    case 'archive':
      return archiveRemarks(event.step);
    case 'chatted':
      return [{ label: 'answered' }];
    case 'done':
      return event.answer.abstained
        ? [{ label: 'no answer', note: event.answer.abstainReason ?? event.answer.answer, tone: 'warn' }]
        : [
            {
              label: 'answered',
              note: `${event.answer.claims.length} claims, ${event.answer.citations.length} citations`,
            },
          ];
    default:
      return [];
  }
}

/** A look at the archive of conversations, or a turn of it that was read. */
function archiveRemarks(step: unknown): readonly Remark[] {
  const { type, reason, hits, turn_id: turn, tokens } = step as Readonly<Record<string, unknown>>;
  if (type === 'peek') return [{ label: 'looked', note: `${String(reason)}: ${String(hits)} turns` }];
  return type === 'turn' ? [{ label: 'read a turn', note: `${String(turn)}, ${String(tokens)} tokens` }] : [];
}

/** Stretches of `from..to` in which none of the calls ran, which come in the order in which they began. */
function gapsOf(calls: readonly Row[], from: number, to: number): { readonly fromMs: number; readonly toMs: number }[] {
  const gaps: { fromMs: number; toMs: number }[] = [];
  let at = from;
  for (const { fromMs, toMs } of calls) {
    if (fromMs >= to) break;
    if (fromMs > at) gaps.push({ fromMs: at, toMs: fromMs });
    at = Math.max(at, toMs);
  }
  if (to > at) gaps.push({ fromMs: at, toMs: to });
  return gaps;
}

export function stagesOf({ trace: { totalMs }, events }: SavedTrace): Stage[] {
  const growing: { key: string; label: string; fromMs: number; rows: Row[] }[] = [
    { key: 'start', label: 'Before', fromMs: 0, rows: [] },
  ];
  for (const { seq, atMs, event } of events) {
    const rows = growing.at(-1)?.rows;
    if (event.type === 'status')
      growing.push({ key: `s${seq}`, label: stageNames[event.stage] ?? event.stage, fromMs: atMs, rows: [] });
    else if (event.type === 'call') {
      const { call } = event;
      const fromMs = Math.max(0, atMs - call.latencyMs);
      // It is told where it ended, and belongs where it began: a model writes on while its first claims are checked.
      const stage = growing.findLast((one) => one.fromMs <= fromMs + leastMs) ?? growing[0];
      stage?.rows.push({
        key: String(seq),
        label: `${call.port}.${call.method}`,
        fromMs,
        toMs: atMs,
        call,
        ...(call.error && { tone: 'bad' as const, note: `${call.error.code}: ${call.error.message}` }),
      });
    } else
      for (const [at, remark] of remarksOf(event).entries())
        rows?.push({ key: `${seq}.${at}`, fromMs: atMs, toMs: atMs, ...remark });
  }
  const stages = growing.filter(({ key, rows }) => key !== 'start' || rows.length > 0 || growing.length === 1);
  const calls = growing
    .flatMap(({ rows }) => rows.filter(({ call }) => call))
    .toSorted((one, other) => one.fromMs - other.fromMs);
  return stages.map(({ rows, ...stage }, at) => {
    const toMs = stages[at + 1]?.fromMs ?? totalMs;
    const gaps = gapsOf(calls, stage.fromMs, toMs);
    const drawn = gaps
      .filter((gap) => gap.toMs - gap.fromMs >= leastOwnShare * totalMs)
      .map((gap, number) => ({ key: `${stage.key}o${number}`, label: ownWork, ...gap }));
    return {
      ...stage,
      toMs,
      ownMs: gaps.reduce((sum, gap) => sum + gap.toMs - gap.fromMs, 0),
      rows: [...rows, ...drawn].toSorted((one, other) => one.fromMs - other.fromMs),
    };
  });
}

export type Scale = 'linear' | 'log';

/** Finest part of the whole that a scale of logarithms tells apart. */
const logParts = 1000;

/** Where a moment lies between 0 and 1. */
export function shareAt(ms: number, totalMs: number, scale: Scale): number {
  if (totalMs <= 0) return 0;
  const share = Math.min(1, Math.max(0, ms / totalMs));
  return scale === 'log' ? Math.log1p(share * logParts) / Math.log1p(logParts) : share;
}

export interface Spent {
  readonly label: string;
  readonly calls: number;
  readonly ms: number;
}

/** Whom a call asked, in plain words: who reads them for the first time knows no port. */
const asked: readonly (readonly [RegExp, string])[] = [
  [/@\d+$/, 'a model'],
  [/^store\./, 'a store'],
  [/^web\./, 'the web'],
  [/^(?:embedding|semantics|passage-scorer|rerank)\b/, 'the encoder'],
  [/^(?:record|sessions|chats|archive|memories|budget)\./, 'the record'],
];

export function plainly(label: string): string {
  const who = asked.find(([form]) => form.test(label))?.[1];
  return who === undefined ? label : `${who}: ${label}`;
}

/** Where the time went, most first: calls by their name, which may overlap, and own work. */
export function spentOf(stages: readonly Stage[]): Spent[] {
  const spent = new Map<string, { calls: number; ms: number }>();
  for (const { label, fromMs, toMs, call } of stages.flatMap(({ rows }) => rows)) {
    if (!call) continue;
    const known = spent.get(label) ?? { calls: 0, ms: 0 };
    spent.set(label, { calls: known.calls + 1, ms: known.ms + toMs - fromMs });
  }
  const own = stages.reduce((sum, { ownMs }) => sum + ownMs, 0);
  return [...[...spent].map(([label, one]) => ({ label, ...one })), { label: ownWork, calls: 0, ms: own }].toSorted(
    (one, other) => other.ms - one.ms,
  );
}
