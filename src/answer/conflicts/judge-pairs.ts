// Conflicts that a model judges: the pairs that rules cannot decide (pairs-to-judge.ts) go to it in one call, and what it says contradicts is a conflict
// of kind `judged`. Invariants: its word adds such conflicts and nothing else, in the words of the documents and never in its own; what rules found is
// not shown to it; it ends with its share of the time, and where it gave no verdict that is told.
import { z } from 'zod';
import type { ModelBudget } from '../../core/budget.ts';
import type { CallContext } from '../../core/context.ts';
import { toFootnoteError } from '../../core/errors.ts';
import type { Degradation, Evidence } from '../../core/search.ts';
import type { LanguageModel } from '../../models/language/language-model.ts';
import { askRole, type RoleFailure } from '../../models/role-question.ts';
import type { VerifiedClaim } from '../claims/draft.ts';
import { judgeConflictsMessages, judgeConflictsPromptName, type ShownSentence } from '../prompts/judge-conflicts.ts';
import { supportOf } from '../support.ts';
import { type FoundConflict, mostPositions, positionsOf } from './find-conflicts.ts';
import { type PairToJudge, pairsToJudge, type RuledConflict } from './pairs-to-judge.ts';
import { headOf, type Said } from './said.ts';

export interface JudgedConflicts {
  readonly found: readonly FoundConflict[];
  /** Some pairs have no verdict, and why. */
  readonly degraded?: Degradation;
}

/** Judges what the evidence says against claims beside `ruled`, what rules found. Throws only the request's own `cancelled` and `deadline-exceeded`. */
export type ConflictJudge = (
  claims: readonly VerifiedClaim[],
  evidence: readonly Evidence[],
  options: CallContext & { readonly ruled: readonly RuledConflict[] },
) => Promise<JudgedConflicts>;

export interface ConflictJudgeOptions {
  /** Its call is one `call` of port `answer.conflicts` in the trace. */
  readonly model: LanguageModel;
  /** Of this request. */
  readonly budget?: ModelBudget;
  /** Time that it may take; never more than a quarter of what is left of the request. Default 4,000. */
  readonly shareMs?: number;
  /** Default 1,000: what models that reason spend on it is included. */
  readonly maxOutputTokens?: number;
}

const pairVerdicts = ['contradict', 'agree', 'unrelated'] as const;
type PairVerdict = (typeof pairVerdicts)[number];
const judgementSchema = z.strictObject({
  verdicts: z.array(z.strictObject({ id: z.int(), verdict: z.enum(pairVerdicts) })),
});

const defaultShareMs = 4_000;
/** So that an answer is never lost to its judge. */
const mostOfRemaining = 0.25;
const mostJudged = 3;
/** Characters of the passage before a sentence that are shown with it. */
const surroundings = 200;

/** Makes the judge of one request. */
export function createConflictJudge({
  model,
  budget,
  shareMs = defaultShareMs,
  maxOutputTokens = 1_000,
}: ConflictJudgeOptions): ConflictJudge {
  return async (claims, evidence, { ruled, deadline, sink, clock }) => {
    const pairs = pairsToJudge(claims, evidence, ruled);
    if (pairs.length === 0) return { found: [] };
    const allowedMs = Math.min(shareMs, deadline.remainingMs() * mostOfRemaining);
    if (allowedMs <= 1)
      return {
        found: [],
        degraded: toDegradation({ code: 'deadline-exceeded', detail: 'No time was left for it.' }, pairs.length),
      };
    try {
      const asked = await askRole(
        model,
        {
          port: 'answer.conflicts',
          prompt: judgeConflictsPromptName,
          messages: judgeConflictsMessages(pairs.map(({ own, other }) => [shown(own), shown(other)])),
          schema: judgementSchema,
          maxOutputTokens,
        },
        { deadline, sink, clock, shareMs: allowedMs, budget },
      );
      if (!asked.ok) return { found: [], degraded: toDegradation(asked.failure, pairs.length) };
      const verdicts = pairs.map((_, at) => verdictOf(asked.value.verdicts.filter(({ id }) => id === at + 1)));
      const missing = verdicts.filter((verdict) => verdict === undefined).length;
      const found = toConflicts(
        pairs.filter((_, at) => verdicts[at] === 'contradict'),
        asked.model,
      );
      if (missing === 0) return { found };
      return {
        found,
        degraded: toDegradation({ code: 'judge-unclear', detail: 'The judge gave no clear verdict.' }, missing),
      };
    } catch (thrown) {
      deadline.check();
      const { code, message } = toFootnoteError(thrown);
      return { found: [], degraded: toDegradation({ code, detail: message }, pairs.length) };
    }
  };
}

/** None, or two that differ, are no verdict. */
function verdictOf(said: readonly { readonly verdict: PairVerdict }[]): PairVerdict | undefined {
  const [first] = said;
  return first && said.every(({ verdict }) => verdict === first.verdict) ? first.verdict : undefined;
}

const toDegradation = ({ code, detail }: RoleFailure, count: number): Degradation => ({
  component: 'conflict-judge',
  code,
  detail: `${detail} ${count === 1 ? 'One pair of sentences was' : `${count} pairs of sentences were`} not judged.`,
  effect: 'Disagreements that only a model sees may be missing; those that rules find are told.',
});

function shown({ text, span, evidence }: Said): ShownSentence {
  const at = evidence.start <= span.start && span.end <= evidence.end ? span.start - evidence.start : 0;
  const before = evidence.text.slice(Math.max(0, at - surroundings), at).toWellFormed();
  return { over: headOf(evidence), before, text };
}

/** One for each claim, the nearest first; what is carried by another's words stands on the same side. */
function toConflicts(pairs: readonly PairToJudge[], judgedBy: string): FoundConflict[] {
  const byClaim = [...Map.groupBy(pairs, ({ own }) => own)].slice(0, mostJudged);
  return byClaim.map(([own, against]) => {
    const [{ claim, about }] = against as [PairToJudge, ...PairToJudge[]];
    const sides: Said[][] = [[own]];
    for (const { other } of against) {
      const side = sides
        .slice(1)
        .find(([first]) => first && supportOf(first.written, other.text).verdict === 'supported');
      if (side) side.push(other);
      else if (sides.length < mostPositions) sides.push([other]);
    }
    return { kind: 'judged', judgedBy, about, ...positionsOf(claim, sides) };
  });
}
