// A team for one request: who retrieves and who searches the web work beside each other, then one synthesizes, then one checks the facts. Invariants:
// each reads its own context and nothing else, and never more than its limit; whoever fails is disclosed, and the others go on.

import type { VerifiedClaim } from '../../answer/claims/draft.ts';
import type { Composer } from '../../answer/composer.ts';
import type { Judge } from '../../answer/judge/judge.ts';
import { createJudging } from '../../answer/judge/judge-claims.ts';
import { readPassages, withinBudget } from '../../answer/passages/read-context.ts';
import type { RequestContext } from '../../core/context.ts';
import type { Degradation } from '../../core/search.ts';
import { readFrame } from '../../passages/frame.ts';
import { countTokens } from '../../text/tokens/tokens.ts';
import { type HeldDraft, type Reviser, withClaim, withDegraded } from '../revise/held-draft.ts';
import type { FurtherSearch } from '../tools/palette.ts';
import type { Gatherer } from '../turn/gatherer.ts';
import { evidenceInTurn } from '../turn/in-turn.ts';
import type { Gathering, Understood } from '../turn/turn-state.ts';
import { createCrew } from './crew.ts';
import { type Worker, workers } from './worker.ts';

export interface TeamOptions {
  /** Who searches for the retrieval specialist: one search, or a model with tools. */
  readonly retrieving: Gatherer;
  /** What the web researcher can search; none: there is no web researcher. */
  readonly web?: readonly FurtherSearch[] | undefined;
  /** Checks the facts; none: there is no fact checker. */
  readonly judge?: Judge | undefined;
  readonly mostAtOnce: number;
}

export interface Team {
  /** Looks for evidence: retrieval and web beside each other. */
  readonly gatherer: Gatherer;
  /** The composer in the place of the synthesizer, with its context. */
  synthesizing(composer: Composer): Composer;
  /** Has each claim of the draft judged by itself. */
  readonly check: Reviser;
}

const component = 'worker';
/** Pages that a web researcher asks for. */
const webLimit = 8;

const told = (
  worker: Worker,
  { code, message }: { readonly code: string; readonly message: string },
  effect: string,
): Degradation => ({
  component,
  code,
  detail: `The ${worker.agent} failed: ${message}`,
  effect,
});

export function createTeam({ retrieving, web = [], judge, mostAtOnce }: TeamOptions): Team {
  const crew = createCrew(mostAtOnce);

  /** What fits into the context of a worker, best first; the rest is none of its business. */
  const read = (worker: Worker, state: Understood, found: Gathering) => {
    const { contextTokens } = worker;
    const { question } = state.request;
    const { context } = withinBudget(readPassages(readFrame(question), found.evidence), contextTokens);
    const held = new Set(context.blocks.map(({ evidence }) => evidence.chunkId));
    const evidence = found.evidence.filter(({ chunkId }) => held.has(chunkId));
    return { result: { ...found, evidence }, tokensUsed: context.tokens };
  };

  async function gather(state: Understood, context: RequestContext): Promise<Gathering> {
    const { sink } = context;
    const retrieved = crew.run(
      workers.retrieve,
      async (deadline) => read(workers.retrieve, state, await retrieving.gather(state, { ...context, deadline })),
      context,
    );
    const searched = web.map((one) =>
      crew.run(
        workers.web,
        async (deadline) =>
          read(workers.web, state, await one.search(state.request.question, webLimit, { ...context, deadline })),
        context,
      ),
    );
    const [own, ...others] = await Promise.all([retrieved, ...searched]);
    const found = [own, ...others].flatMap((one) => (one.ok ? [one.result] : []));
    if (!own.ok && found.length === 0) throw own.error;
    const failed = [own, ...others].flatMap((one, at) =>
      one.ok
        ? []
        : [told(at === 0 ? workers.retrieve : workers.web, one.error, 'What it would have found is missing.')],
    );
    for (const degradation of failed) sink({ type: 'degraded', degradation });
    const [first] = found;
    return {
      evidence: evidenceInTurn(found.map(({ evidence }) => evidence)),
      routing: first?.routing ?? { sources: [], reason: 'nothing was searched' },
      degraded: [...found.flatMap(({ degraded }) => degraded), ...failed],
      toolCalls: found.reduce((sum, { toolCalls }) => sum + toolCalls, 0),
      ...(found.some(({ usedFallback }) => usedFallback) && { usedFallback: true }),
    };
  }

  /** The judge has a word on each claim by itself; without one claims stand as the verifier left them. */
  const check: Reviser = async (draft, { context }) => {
    if (!judge || draft.claims.length === 0) return draft;
    const outcome = await crew.run(
      workers.check,
      async (deadline) => {
        const judging = createJudging({ judge, context: { ...context, deadline } });
        const evidence = draft.state.findings.evidence();
        const tokens = draft.claims.map(tokensOf);
        const words = await Promise.all(
          draft.claims.map(async (claim, at) => {
            // A claim that no context holds is left to what the verifier said before.
            const fits = (tokens[at] ?? 0) <= workers.check.contextTokens;
            const decision = fits ? await judging.decide(claim, evidence) : undefined;
            return { claim, isRefused: decision?.isRefused === true, reasons: decision?.reasons ?? [] };
          }),
        );
        const largest = Math.max(0, ...tokens.filter((one) => one <= workers.check.contextTokens));
        return { result: { words, degraded: judging.degraded() }, tokensUsed: largest };
      },
      context,
    );
    if (!outcome.ok)
      return disclosed(draft, told(workers.check, outcome.error, 'Claims stand as the verifier left them.'), context);
    const { words, degraded } = outcome.result;
    let next = withDegraded(draft, degraded);
    for (const { claim, isRefused, reasons } of words) {
      if (!isRefused) continue;
      context.sink({
        type: 'verdict',
        claim: claim.text,
        support: claim.support,
        kept: false,
        reasons: ['fact-checker', ...reasons],
      });
      next = withClaim(next, claim, undefined);
      next = { ...next, composition: { ...next.composition, dropped: next.composition.dropped + 1 } };
    }
    return next;
  };

  return {
    gatherer: { gather, gatherMore: retrieving.gatherMore, statistics: retrieving.statistics },
    synthesizing: (composer) => ({
      ...(composer.isByModel && { isByModel: true as const }),
      async compose(request, composing) {
        const { contextTokens } = workers.synthesize;
        const outcome = await crew.run(
          workers.synthesize,
          async (deadline) => {
            const fitted = Math.min(contextTokens, request.contextTokens);
            const fitting = { ...request, contextTokens: fitted, modelContextTokens: fitted };
            const composition = await composer.compose(fitting, { ...composing, deadline });
            return { result: composition, tokensUsed: composition.context.tokens };
          },
          composing,
        );
        if (outcome.ok) return outcome.result;
        throw outcome.error;
      },
    }),
    check,
  };
}

const tokensOf = ({ text, spans }: VerifiedClaim): number =>
  countTokens(text) + spans.reduce((sum, { quote }) => sum + countTokens(quote), 0);

function disclosed(draft: HeldDraft, degradation: Degradation, { sink }: Pick<RequestContext, 'sink'>): HeldDraft {
  sink({ type: 'degraded', degradation });
  return withDegraded(draft, [degradation]);
}
