// The figures of success, from what the record holds: traces of answers, what judges said, replays, and two runs of a suite where they are given.
// Invariant: what cannot be measured here is told with the reason and what would measure it; no figure is made up.
import type { Answer } from '../../core/answer.ts';
import type { SavedTrace } from '../../core/trace-file.ts';
import { percentile95 } from '../../trace/telemetry/percentile.ts';
import { correlationOf } from '../online/standing.ts';
import type { RunComparison } from '../suite/compare.ts';

export interface Goal {
  readonly name: string;
  /** As people write it. */
  readonly wanted: string;
  /** Absent: it could not be measured; `reason` says why. */
  readonly value?: number;
  readonly unit: 'sources' | 'share' | 'ms' | 'r' | 'MB';
  readonly met?: boolean;
  /** Of how many. */
  readonly of?: number;
  readonly reason?: string;
}

export interface GoalFacts {
  /** Of answers, with all events. */
  readonly traces: readonly SavedTrace[];
  /** Citations of the answers of these traces that were checked against the record as it is now, and those that hold. */
  readonly citations: { readonly checked: number; readonly sound: number };
  readonly replays: { readonly tried: number; readonly same: number };
  /** One suite, run without and with questions taken apart. */
  readonly decomposed?: Pick<RunComparison, 'changed'>;
}

const least = 5;

type Wanted = readonly [name: string, unit: Goal['unit'], wanted: string, isMet: (value: number) => boolean];

interface Measured {
  readonly of: number;
  readonly value: number;
  readonly lacking: string;
}

const measured = ([name, unit, wanted, isMet]: Wanted, { of, value, lacking }: Measured): Goal =>
  of < least
    ? { name, wanted, unit, of, reason: `${lacking} (${of} of at least ${least}).` }
    : { name, wanted, unit, of, value, met: isMet(value) };

const share = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole);

/** Answers with claims: greetings and abstentions cite nothing. */
function answersOf(traces: readonly SavedTrace[]): Answer[] {
  return traces.flatMap(({ events }) =>
    events.flatMap(({ event }) =>
      event.type === 'done' && !event.answer.abstained && event.answer.intent !== 'conversational'
        ? [event.answer]
        : [],
    ),
  );
}

/** What a critic said of a draft beside what the judges by rules said of the answer. */
function agreementOf(traces: readonly SavedTrace[]): Goal {
  const [name, wanted, unit] = ['critic and independent judge', 'r >= 0.7', 'r'] as const;
  const pairs = traces.flatMap(({ events }) => {
    let [critic, judged]: (number | undefined)[] = [];
    for (const { event } of events)
      if (event.type === 'critic') critic = event.groundedness;
      else if (event.type === 'evals' && event.by === 'rules') judged = event.groundedness;
    return critic === undefined || judged === undefined ? [] : [{ critic, judged }];
  });
  const of = pairs.length;
  const lacking = `Too few answers have both: set ENABLE_ONLINE_EVALS=true, and the critic on (${of} of at least ${least}).`;
  if (of < least) return { name, wanted, unit, of, reason: lacking };
  const value = correlationOf(pairs);
  const alike =
    'One of both says the same of all answers: there is no agreement to measure. "npm run bench critic" has drafts that vary.';
  return value === undefined
    ? { name, wanted, unit, of, reason: alike }
    : { name, wanted, unit, of, value, met: value >= 0.7 };
}

export function goalsOf({ traces, citations, replays, decomposed }: GoalFacts): Goal[] {
  const events = traces.flatMap((trace) => trace.events.map(({ event }) => event));
  const searches = events.flatMap((event) => (event.type === 'retrieval' && event.sources ? [event] : []));
  const several = searches.filter(({ sources = [] }) => sources.length > 1);
  const answers = answersOf(traces);
  const crossing = answers.filter((answer) => new Set(answer.citations.map(({ source }) => source)).size > 1);
  const recalls = events.flatMap((event) =>
    event.type === 'call' && event.call.port === 'memories' && event.call.method === 'recall'
      ? [event.call.latencyMs]
      : [],
  );
  const recalling = traces.filter((trace) =>
    trace.events.some(({ event }) => event.type === 'semantic_memory' && event.recalled > 0),
  );
  const helped = recalling.filter((trace) =>
    trace.events.some(
      ({ event }) => event.type === 'done' && event.answer.citations.some(({ memoryId }) => memoryId !== undefined),
    ),
  );
  const won = decomposed?.changed.filter(({ balance }) => balance > 0).length ?? 0;
  const lost = decomposed?.changed.filter(({ balance }) => balance < 0).length ?? 0;
  // A question by itself is a session of one turn.
  const sessions = new Set(traces.map(({ trace }) => trace.sessionId ?? trace.id)).size;
  const bytes = traces.reduce((sum, { trace }) => sum + (trace.bytes ?? 0), 0);
  const web = webGainOf(traces);
  const team = contextSavedOf(traces);
  const noTraces = 'Too few searches or answers are in the record: ask some questions first';
  return [
    measured(['sources per query', 'sources', '>= 2', (value) => value >= 2], {
      of: searches.length,
      value: share(
        searches.reduce((sum, { sources = [] }) => sum + sources.length, 0),
        searches.length,
      ),
      lacking: noTraces,
    }),
    measured(['answers that cite several sources', 'share', '> 40 %', (value) => value > 0.4], {
      of: answers.length,
      value: share(crossing.length, answers.length),
      lacking: noTraces,
    }),
    measured(['citations that hold', 'share', '> 95 %', (value) => value > 0.95], {
      of: citations.checked,
      value: share(citations.sound, citations.checked),
      lacking: noTraces,
    }),
    measured(['searches of several sources, p95', 'ms', '< 500 ms', (value) => value < 500], {
      of: several.length,
      value: percentile95(several.map(({ latencyMs }) => latencyMs)) ?? 0,
      lacking: 'Too few searches found something in several sources',
    }),
    measured(['recall of memories, p95', 'ms', '< 100 ms', (value) => value < 100], {
      of: recalls.length,
      value: percentile95(recalls) ?? 0,
      lacking: 'Too few questions recalled memories: set ENABLE_SEMANTIC_MEMORY=true',
    }),
    measured(['questions that memories help', 'share', '>= 30 %', (value) => value >= 0.3], {
      of: recalling.length,
      value: share(helped.length, recalling.length),
      lacking: 'Too few questions found a memory',
    }),
    decomposed
      ? measured(['questions taken apart that are answered better', 'share', '>= 70 %', (value) => value >= 0.7], {
          of: won + lost,
          value: share(won, won + lost),
          lacking: 'Too few questions changed between the two runs',
        })
      : {
          name: 'questions taken apart that are answered better',
          wanted: '>= 70 %',
          unit: 'share',
          reason:
            'The record has each question answered one way. Run a suite with ENABLE_QUERY_DECOMPOSITION=false and true, and give both with --plain and --decomposed.',
        },
    measured(['gain of reranking web results, top 3', 'share', '>= +15 %', (value) => value >= 0.15], {
      of: web.gain === undefined ? 0 : web.answers,
      value: web.gain ?? 0,
      lacking: 'Too few answers cite the web: set WEB_SEARCH_PROVIDER and ENABLE_WEB_RERANKING=true',
    }),
    agreementOf(traces),
    measured(['context that workers save', 'share', '>= 40 %', (value) => value >= 0.4], {
      of: team.requests,
      value: team.saved,
      lacking: 'Too few questions were worked on by a team: set ENABLE_MULTI_AGENT=true',
    }),
    measured(['traces that replay to the same answer', 'share', '>= 95 %', (value) => value >= 0.95], {
      of: replays.tried,
      value: share(replays.same, replays.tried),
      lacking: noTraces,
    }),
    measured(['traces of 10,000 sessions on disk', 'MB', '<= 100 MB', (value) => value <= 100], {
      of: sessions,
      value: (share(bytes, sessions) * 10_000) / 1e6,
      lacking: noTraces,
    }),
  ];
}

interface WebGain {
  /** Answers that cite passages of the web, which were reranked for them. */
  readonly answers: number;
  /** By how much more of the first three are cited than in the order before; undefined where none of those is. */
  readonly gain?: number;
}

/** A passage counts as right where the answer cites it: its quote passed the check. */
function webGainOf(traces: readonly SavedTrace[]): WebGain {
  let [answers, before, after] = [0, 0, 0];
  for (const { events } of traces) {
    const cited = new Set(
      events.flatMap(({ event }) =>
        event.type === 'done' ? event.answer.citations.map(({ chunkId }) => chunkId) : [],
      ),
    );
    const firsts = events.flatMap(({ event }) => (event.type === 'reranking' && event.first ? [event.first] : []));
    const isCited = (id: string): boolean => cited.has(id);
    if (!firsts.some((first) => [...first.before, ...first.after].some(isCited))) continue;
    answers += 1;
    for (const first of firsts) {
      before += first.before.filter(isCited).length;
      after += first.after.filter(isCited).length;
    }
  }
  return { answers, ...(before > 0 && { gain: after / before - 1 }) };
}

interface ContextSaved {
  /** Requests in which workers looked for evidence. */
  readonly requests: number;
  /** Share of what they gathered that no single context had to hold. */
  readonly saved: number;
}

const gathering: ReadonlySet<string> = new Set(['retrieve', 'web']);

/** One context alone would hold all that the workers gathered; of a team the largest context of any worker counts. */
function contextSavedOf(traces: readonly SavedTrace[]): ContextSaved {
  let [requests, gathered, held] = [0, 0, 0];
  for (const { events } of traces) {
    const kinds = new Map(
      events.flatMap(({ event }) => (event.type === 'worker_start' ? [[event.taskId, event.kind] as const] : [])),
    );
    const read = events.flatMap(({ event }) => (event.type === 'worker_complete' ? [event] : []));
    const sum = read.reduce(
      (total, { taskId, tokensUsed }) => total + (gathering.has(kinds.get(taskId) ?? '') ? tokensUsed : 0),
      0,
    );
    if (sum === 0) continue;
    requests += 1;
    gathered += sum;
    held += Math.min(sum, Math.max(...read.map(({ tokensUsed }) => tokensUsed)));
  }
  return { requests, saved: gathered === 0 ? 0 : 1 - held / gathered };
}
