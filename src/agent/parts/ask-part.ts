// One part of a question that was taken apart: searched, read and checked by itself, and looked for once more, deeper and in other words, where
// the first look answers nothing. Invariant: a part ends with verified claims or with the reason why it has none.
import type { Composition } from '../../answer/composer.ts';
import { type Composer, extractiveComposer } from '../../answer/composer.ts';
import type { SpanReader, VerifiedClaim } from '../../answer/draft.ts';
import type { Deadline } from '../../core/deadline.ts';
import type { EventSink } from '../../core/events.ts';
import { findNames } from '../../text/words/names.ts';
import { type EarlierPart, filledQuery } from '../plan/fill.ts';
import type { SubQuery } from '../plan/plan.ts';
import type { Outcome } from '../plan/run-plan.ts';
import { createFindings } from '../steps/gather.ts';
import type { Gatherer } from '../turn/gatherer.ts';
import type { Findings, Planned, TurnContext } from '../turn/turn-state.ts';

export interface AskedPart extends EarlierPart {
  /** As it was searched and answered. */
  readonly asked: string;
  readonly claims: readonly VerifiedClaim[];
  readonly findings: Findings;
  readonly composition: Composition;
}

export interface AskPartPorts {
  readonly gatherer: Gatherer;
  /** Looks for what the first look did not find. */
  readonly deeper: Gatherer;
  readonly readSpan: SpanReader;
  /** Default: the documents' own sentences. */
  readonly composer?: Composer | undefined;
  /** Of this part alone. */
  readonly contextTokens: number;
  /** At most so many claims. */
  readonly maxClaims: number;
  /** Looks for evidence, 1 or more. */
  readonly rounds: number;
}

/** Chunks that a second look reads: twice the first. */
const deeperTopK = 20;

/** Throws like a gatherer. */
export async function askPart(
  subQuery: SubQuery,
  {
    state,
    earlier,
    deadline,
  }: { readonly state: Planned; readonly earlier: readonly Outcome<AskedPart>[]; readonly deadline: Deadline },
  { ports, context }: { readonly ports: AskPartPorts; readonly context: TurnContext },
): Promise<AskedPart> {
  const { gatherer, readSpan, composer = extractiveComposer, contextTokens, maxClaims, rounds } = ports;
  const { sink: outer, clock } = context;
  const asked = filledQuery(
    subQuery,
    earlier.flatMap((one) => (one.ok ? [one.result] : [])),
  );
  // Stages are told of the whole.
  const sink: EventSink = (event) => {
    if (event.type !== 'status') outer(event);
  };
  const own: TurnContext = { ...context, deadline, sink };
  const ask = (question: string, topK?: number): Planned => ({
    ...state,
    request: {
      ...state.request,
      question,
      ...(topK !== undefined && { topK: Math.max(topK, state.request.topK ?? 0) }),
    },
  });
  let findings: Findings | undefined;
  let query = asked;
  for (let round = 1; ; round += 1) {
    const gathering = await (round > 1 ? ports.deeper : gatherer).gather(
      ask(query, round > 1 ? deeperTopK : undefined),
      own,
    );
    if (findings) findings.add(gathering);
    else findings = createFindings(gathering);
    const all = findings;
    const claims: VerifiedClaim[] = [];
    const evidence = round === 1 ? all.first : [...gathering.evidence];
    const composition = await composer.compose(
      { question: asked, evidence, contextTokens, maxClaims },
      {
        readSpan,
        statistics: () => gatherer.statistics(ask(asked), own),
        search: async (more) => {
          const found = await gatherer.gatherMore(more, ask(asked), own);
          all.add(found);
          return found.evidence;
        },
        release: (claim) => void claims.push(claim),
        // Times of parts that run at once are no times of steps.
        timed: async (_, work) => work(),
        sink,
        deadline,
        clock,
      },
    );
    const part = { id: subQuery.id, question: subQuery.query, asked, claims, findings: all, composition };
    const tell = (verdict: 'answer' | 'fill-gap' | 'unanswerable', reason: string, next?: string): void =>
      sink({
        type: 'assessment',
        round,
        part: subQuery.id,
        verdict,
        reason,
        ...(next !== undefined && { query: next }),
      });
    if (claims.length > 0) {
      tell('answer', claims.length === 1 ? 'One claim answers it.' : `${claims.length} claims answer it.`);
      return part;
    }
    const why = composition.abstainReason ?? 'No claim could be verified against the documents found.';
    const rewritten = rewrittenQuery(asked, state.request.question);
    const isSpent = gathering.degraded.some(({ component }) => component === 'budget');
    if (round >= rounds || isSpent || (rewritten === query && gathering.evidence.length < deeperTopK / 2)) {
      tell('unanswerable', why);
      return part;
    }
    tell('fill-gap', why, rewritten);
    query = rewritten;
  }
}

/** A part with the names that the whole question gives and it does not: they say what it is about. */
function rewrittenQuery(part: string, whole: string): string {
  const known = part.toLowerCase();
  const names = findNames(whole)
    .filter(({ initial }) => !initial)
    .map(({ text }) => text)
    .filter((name) => !known.includes(name.toLowerCase()));
  return names.length === 0
    ? part
    : `${part.replace(/(?<![?？؟])[?？؟]+$/u, '')} ${[...new Set(names)].slice(0, 3).join(' ')}`;
}
