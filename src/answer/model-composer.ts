// Answers by a model: the model proposes claims with quotes, the verifier decides on each. Invariants: nothing that the model wrote is
// released but a claim that verify.ts kept; where none is left, or the model fails, the extractive composer answers and `degraded` says so.
import { isFootnoteError, toFootnoteError } from '../core/errors.ts';
import type { Degradation } from '../core/search.ts';
import type { LanguageModel } from '../models/language-model.ts';
import type { ModelBudget } from '../models/model-budget.ts';
import { guessLanguage } from '../text/language.ts';
import { countTokens } from '../text/tokens.ts';
import { isCompound } from './agreement.ts';
import { composeAnswer } from './compose.ts';
import {
  type ComposePorts,
  type ComposeRequest,
  type Composer,
  type Composition,
  extractiveComposer,
  readPassages,
} from './composer.ts';
import type { Context, ContextBlock, VerifiedClaim } from './draft.ts';
import { answerModelComponent, createModelAsker, type ModelAsker } from './model-ask.ts';
import { type CheckedClaim, checkModelClaim, showBlocks, splitClaim } from './model-check.ts';
import { assembleForModel } from './model-context.ts';
import { numberBlocks } from './model-evidence.ts';
import type { ModelClaim } from './model-output.ts';
import { createRelevance } from './model-relevance.ts';
import { isRepairable, type Repaired, repairClaim } from './model-repair.ts';
import { answerMessages, answerPromptName } from './prompts/answer.ts';
import { repairPromptName } from './prompts/repair-claim.ts';
import { analyzeQuestion } from './question.ts';

export interface ModelComposerOptions {
  /** Wrapped by the recorder, so that every prompt and answer is in the trace. */
  readonly model: LanguageModel;
  /** Of this request; what is above it (session, key, day) is a part of the budget itself. */
  readonly budget?: ModelBudget;
  /** Default 4,000: what models that reason spend on it is included. */
  readonly maxOutputTokens?: number;
}

/** At most so many claims are repaired, each with one search and one question to the model. */
const mostRepairs = 2;
const repairTokens = 1_200;
/** Claims looked at; a model that writes on without end is cut here, and what is left out is counted. */
const mostProposed = 12;
/** A context smaller than this shows no passage whole. */
const leastContextTokens = 200;
/**
 * Where the model finds no answer and the evidence is no surer than this, nothing is shown. Refusing up to here costs 0.8 points of
 * answerable questions (docs/answers.md, the table of thresholds): a model that wrongly gives up cannot take more.
 */
const insufficientConfidence = 0.251;

const asSentencesStand = 'Sentences of the documents are shown as they stand.';

/** Makes the composer of one request. */
export function createModelComposer(options: ModelComposerOptions): Composer {
  return { compose: (request, ports) => composeByModel(request, ports, options) };
}

async function composeByModel(
  request: ComposeRequest,
  ports: ComposePorts,
  { model, budget, maxOutputTokens = 4_000 }: ModelComposerOptions,
): Promise<Composition> {
  const { sink, timed, deadline } = ports;
  const { question } = request;
  if (request.evidence.length === 0) return extractiveComposer.compose(request, ports);
  const statistics = await timed('statisticsMs', () => ports.statistics());
  const twinPorts = { ...ports, statistics: async () => statistics };
  // What the evidence is worth is not the model's to say.
  const twin = await timed('composeMs', () =>
    composeAnswer({ question, context: readPassages(request), ...(statistics && { statistics }) }),
  );
  const reading = languagesOf(request);
  const asked = analyzeQuestion(question, reading.evidence);
  const maxClaims = asked.several || isCompound(asked, 1) ? 5 : 3;
  const outputTokens = Math.min(maxOutputTokens, Math.floor((model.contextTokens ?? Number.POSITIVE_INFINITY) / 4));
  const frame = answerMessages({ question, blocks: [], maxClaims, language: reading.name });
  const frameTokens = frame.reduce((total, { content }) => total + countTokens(content) + 10, 400);
  const budgetTokens = Math.min(
    request.contextTokens,
    (model.contextTokens ?? Number.POSITIVE_INFINITY) - outputTokens - frameTokens,
  );
  const asker = createModelAsker({ model, ...(budget && { budget }), deadline, maxOutputTokens: outputTokens, sink });

  const serveTwin = async (degraded: readonly Degradation[], dropped = 0): Promise<Composition> => {
    for (const degradation of degraded) sink({ type: 'degraded', degradation });
    const composition = await extractiveComposer.compose(request, twinPorts);
    return {
      ...composition,
      dropped: composition.dropped + dropped,
      degraded: [...degraded, ...composition.degraded],
      usage: asker.spent(),
    };
  };
  const instead = (code: string, detail: string): Degradation => ({
    component: answerModelComponent,
    code,
    detail,
    effect: asSentencesStand,
  });

  if (budgetTokens < Math.min(leastContextTokens, request.contextTokens))
    return serveTwin([
      instead(
        'too-large',
        `The model reads ${model.contextTokens} tokens; instructions and answer leave no room for passages.`,
      ),
    ]);
  const startedAt = performance.now();
  const context = assembleForModel({ question, evidence: request.evidence, budgetTokens });
  traceContext(context, { budgetTokens, latencyMs: performance.now() - startedAt }, sink);
  if (context.blocks.length === 0)
    return serveTwin([instead('too-large', `No passage fits the ${budgetTokens} tokens that the model may read.`)]);

  sink({ type: 'status', stage: 'answering' });
  const blocks = numberBlocks(context.blocks);
  const { value, failure } = await timed('modelMs', () =>
    asker.ask('answer', answerMessages({ question, blocks, maxClaims, language: reading.name })),
  );
  if (!value) return serveTwin([{ ...instead('internal', 'The model gave no answer.'), ...failure }]);
  if (value.claims.length === 0) {
    if (!value.insufficient)
      return serveTwin([
        instead('model-empty', 'The model proposed no claim, and did not say that the passages are insufficient.'),
      ]);
    if (twin.confidence >= insufficientConfidence)
      return serveTwin([
        instead(
          'model-insufficient',
          'The model found no answer in the passages, which hold sentences that fit the question.',
        ),
      ]);
    sink({ type: 'status', stage: 'verifying' });
    return {
      context,
      dropped: 0,
      coverage: 0,
      confidence: twin.confidence,
      abstainReason:
        twin.abstainReason ?? 'The passages found touch on this but, as the model read them, do not answer it.',
      degraded: [],
      usage: asker.spent(),
    };
  }

  sink({ type: 'status', stage: 'verifying' });
  const relevance = createRelevance({ question: asked, context, language: reading.evidence, statistics });
  const released = await timed('verifyMs', () =>
    releaseClaims({
      request,
      claims: value.claims.flatMap(splitClaim),
      maxClaims,
      context,
      asker,
      ports,
      relevance,
      language: reading.name,
    }),
  );
  if (released.claims.length === 0)
    return serveTwin(
      [
        ...released.degraded,
        instead(
          'claims-unsupported',
          `The cited text carries none of the ${released.dropped} claims that the model proposed.`,
        ),
      ],
      released.dropped,
    );
  for (const degradation of released.degraded) sink({ type: 'degraded', degradation });
  return {
    context: {
      ...context,
      blocks: [...context.blocks, ...released.blocks],
      tokens: context.tokens + tokensOf(released.blocks),
    },
    dropped: released.dropped,
    coverage: relevance.together(released.claims.map(({ text, spans }) => ({ text, title: spans[0]?.title ?? '' }))),
    confidence: twin.confidence,
    degraded: released.degraded,
    usage: asker.spent(),
  };
}

interface ReleaseTask {
  readonly request: ComposeRequest;
  readonly claims: readonly ModelClaim[];
  readonly maxClaims: number;
  readonly context: Context;
  readonly asker: ModelAsker;
  readonly ports: ComposePorts;
  readonly relevance: ReturnType<typeof createRelevance>;
  readonly language: string | undefined;
}

interface Released {
  readonly claims: VerifiedClaim[];
  dropped: number;
  readonly degraded: Degradation[];
  readonly blocks: ContextBlock[];
}

/** Checks claim by claim, in the model's order, and releases each that is kept before the next is looked at. */
async function releaseClaims(task: ReleaseTask): Promise<Released> {
  const { request, claims, maxClaims, context, asker, ports, relevance, language } = task;
  const { sink, readSpan, deadline } = ports;
  const shown = showBlocks(numberBlocks(context.blocks));
  const released: Released = { claims: [], dropped: 0, degraded: [], blocks: [] };
  let repairs = 0;
  const drop = ({ text, support, reasons }: Pick<CheckedClaim, 'text' | 'support' | 'reasons'>): void =>
    sink({ type: 'verdict', claim: text, support, kept: false, reasons });
  const tryRepair = async (failed: CheckedClaim): Promise<CheckedClaim | undefined> => {
    if (repairs >= mostRepairs || !isRepairable(failed, asker)) return undefined;
    repairs += 1;
    const repaired = await repairClaim(
      {
        question: request.question,
        failed,
        shown: context.blocks,
        budgetTokens: Math.min(repairTokens, request.contextTokens),
        language,
      },
      { search: ports.search, readSpan, asker, relevance, signal: deadline.signal },
    ).catch((thrown: unknown): Repaired => {
      deadline.check();
      const { code, message } = toFootnoteError(thrown);
      return { blocks: [], failure: { component: answerModelComponent, code, detail: message } };
    });
    released.blocks.push(
      ...repaired.blocks.filter(
        (block) => !released.blocks.some(({ evidence }) => evidence.chunkId === block.evidence.chunkId),
      ),
    );
    if (repaired.failure && released.degraded.length === 0)
      released.degraded.push({
        ...repaired.failure,
        effect: 'A claim that its quotes did not carry was left out without a second look.',
      });
    return repaired.checked;
  };

  for (const [at, claim] of claims.entries()) {
    if (released.claims.length === maxClaims || at === mostProposed) {
      drop({
        text: `${claims.length - at} more`,
        support: 0,
        reasons: [`more-than-asked: ${maxClaims} claims at most`],
      });
      break;
    }
    try {
      deadline.check();
      const first = await checkModelClaim(claim, shown, { readSpan, relevance, signal: deadline.signal });
      const second = first.kept ? undefined : await tryRepair(first);
      const checked = second?.kept
        ? { ...second, reasons: [...second.reasons, `repaired: ${first.text}`, ...first.reasons] }
        : first;
      const { kept } = checked;
      if (!kept) {
        released.dropped += 1;
        drop(
          second
            ? { ...first, reasons: [...first.reasons, ...second.reasons.map((reason) => `after repair: ${reason}`)] }
            : first,
        );
      } else if (released.claims.some((earlier) => saysTheSame(earlier, kept))) {
        drop({ text: kept.text, support: kept.support, reasons: ['said-before'] });
      } else {
        sink({ type: 'verdict', claim: kept.text, support: kept.support, kept: true, reasons: checked.reasons });
        released.claims.push(kept);
        ports.release(kept);
      }
    } catch (thrown) {
      // What was released stands; a request that ran out of time ends with it.
      const isLate = deadline.remainingMs() === 0 && !(isFootnoteError(thrown) && thrown.code === 'cancelled');
      if (!isLate || released.claims.length === 0) throw thrown;
      released.degraded.push({
        component: answerModelComponent,
        code: 'deadline-exceeded',
        detail: 'The time allowed for this request ran out.',
        effect: `${claims.length - at} claims of the model were not checked and are left out.`,
      });
      break;
    }
  }
  return released;
}

/** The same words in the same order, whatever stands between them, or a part of them from the same span. */
function saysTheSame(a: VerifiedClaim, b: VerifiedClaim): boolean {
  const plain = ({ text }: VerifiedClaim): string => (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(' ');
  const [one, other] = [plain(a), plain(b)];
  if (one === other) return true;
  const isSameSpan = a.spans.some((span) =>
    b.spans.some(
      ({ documentId, start, end }) => span.documentId === documentId && span.start === start && span.end === end,
    ),
  );
  return isSameSpan && (` ${one} `.includes(` ${other} `) || ` ${other} `.includes(` ${one} `));
}

const tokensOf = (blocks: readonly ContextBlock[]): number => blocks.reduce((total, { tokens }) => total + tokens, 0);

/** What was shown and what was not, and why: kept in the trace. */
function traceContext(
  context: Context,
  { budgetTokens, latencyMs }: { budgetTokens: number; latencyMs: number },
  sink: ComposePorts['sink'],
): void {
  const blocks = context.blocks.map(({ evidence: { chunkId, start, end }, tokens }, at) => ({
    id: at + 1,
    chunkId,
    start,
    end,
    tokens,
  }));
  sink({
    type: 'call',
    call: {
      port: 'answer.context',
      method: 'assemble',
      request: { budgetTokens, prompts: [answerPromptName, repairPromptName] },
      response: { tokens: context.tokens, blocks, dropped: context.dropped },
      latencyMs,
    },
  });
}

const languageNames = new Intl.DisplayNames(['en'], { type: 'language' });

/**
 * The language of the evidence; its name where the question is in it too, and so can be asked of the model (a claim in another language
 * than its quote cannot be checked); its code where all passages are in it, and so can be demanded.
 */
function languagesOf({ question, evidence }: ComposeRequest): {
  evidence: string;
  name: string | undefined;
  checked: string | undefined;
} {
  const spoken = guessLanguage(
    evidence
      .slice(0, 3)
      .map(({ text }) => text)
      .join('\n'),
  );
  if (guessLanguage(question, [spoken]) !== spoken) return { evidence: spoken, name: undefined, checked: undefined };
  const isOne = evidence.every(({ text }) => guessLanguage(text, [spoken]) === spoken);
  return { evidence: spoken, name: languageNames.of(spoken), checked: isOne ? spoken : undefined };
}
