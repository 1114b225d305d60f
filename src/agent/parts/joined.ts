// What becomes of works that answered parts of one request, side by side: their findings and compositions as those of one answer. Invariant: what
// a part could not do is told, and is no "nothing found".
import type { Composition } from '../../answer/composition.ts';
import type { FootnoteError } from '../../core/errors.ts';
import type { EventSink } from '../../core/events.ts';
import type { Degradation, Evidence } from '../../core/search.ts';
import type { Outcome } from '../plan/run-plan.ts';
import { createFindings } from '../steps/gather.ts';
import type { Findings, Gathering, TurnContext } from '../turn/turn-state.ts';

/** Of those that came to something. Throws the first error where none did, unless time ran out: that is an end like others, and its reason is told. */
export function resultsOf<Result>(outcomes: readonly Outcome<Result>[]): readonly Result[] {
  const results = outcomes.flatMap((one) => (one.ok ? [one.result] : []));
  const failed = errorsOf(outcomes);
  const [first] = failed;
  if (results.length === 0 && first && !failed.some(isOutOfTime)) throw first;
  return results;
}

const errorsOf = <Result>(outcomes: readonly Outcome<Result>[]): readonly FootnoteError[] =>
  outcomes.flatMap((one) => (one.ok ? [] : [one.error]));
const isOutOfTime = ({ code }: FootnoteError): boolean => code === 'deadline-exceeded';

/** Why nothing is said where all of them were lost; undefined where one was not. */
export function whyAllLost<Result>(outcomes: readonly Outcome<Result>[]): string | undefined {
  if (outcomes.some(({ ok }) => ok)) return undefined;
  const failed = errorsOf(outcomes);
  return (failed.find(isOutOfTime) ?? failed[0])?.message;
}

/** Those that failed or ran out of time; `told` says of each what it was and what is missing. */
export const lostOf = <Result>(
  outcomes: readonly Outcome<Result>[],
  told: (at: number, why: string) => Omit<Degradation, 'code'>,
): readonly Degradation[] =>
  outcomes.flatMap((one, at) => {
    if (one.ok) return [];
    const { component, ...rest } = told(at, one.error.message);
    return [{ component, code: one.error.code, ...rest }];
  });

/** A stream is told once where is searched. */
export function firstRoutingOnly(sink: EventSink): EventSink {
  let isTold = false;
  return (event) => {
    if (event.type === 'routing' && isTold) return;
    isTold ||= event.type === 'routing';
    sink(event);
  };
}

/** Stages are told of the whole, and times of works that run at once are no times of steps. */
export function withoutStages<Context extends Pick<TurnContext, 'sink' | 'timed'>>(context: Context): Context {
  const sink: EventSink = (event) => {
    if (event.type !== 'status') context.sink(event);
  };
  return { ...context, sink, timed: async (_, work) => work() };
}

/** `evidence`: of all of them, in the order in which it counts. */
export function joinFindings(all: readonly Findings[], evidence: readonly Evidence[]): Findings {
  const gathering: Gathering = {
    evidence,
    routing: all[0]?.routing() ?? { sources: [], reason: 'nothing was searched' },
    degraded: [],
    toolCalls: 0,
    ...(all.some((one) => one.usedFallback()) && { usedFallback: true }),
  };
  const joined = createFindings(gathering);
  for (const one of all)
    joined.add({ evidence: [], routing: one.routing(), degraded: one.degraded(), toolCalls: one.toolCalls() });
  return joined;
}

export const joinCompositions = (
  all: readonly Composition[],
): Pick<Composition, 'context' | 'dropped' | 'degraded'> => ({
  context: {
    blocks: all.flatMap(({ context }) => context.blocks),
    tokens: all.reduce((sum, { context }) => sum + context.tokens, 0),
    dropped: all.flatMap(({ context }) => context.dropped),
  },
  dropped: all.reduce((sum, { dropped }) => sum + dropped, 0),
  degraded: all.flatMap(({ degraded }) => degraded),
});
