// Answers by a model: the model proposes claims with quotes, the verifier decides on each. Invariants: nothing that the model wrote is
// released but a claim that verify.ts kept; where none is left, or the model fails, the extractive composer answers and `degraded` says so.
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
import type { Context, ContextBlock } from './draft.ts';
import { answerModelComponent, createModelAsker } from './model-ask.ts';
import { assembleForModel } from './model-context.ts';
import { numberBlocks } from './model-evidence.ts';
import { createReleaser } from './model-release.ts';
import { createRelevance } from './model-relevance.ts';
import { answerMessages, answerPromptName } from './prompts/answer.ts';
import { repairPromptName } from './prompts/repair-claim.ts';
import { analyzeQuestion } from './question.ts';

export interface ModelComposerOptions {
  /** Every prompt and answer of it is one `call` of port `answer.model` in the trace: no recorder is needed around it. */
  readonly model: LanguageModel;
  /** Of this request; what is above it (session, key, day) is a part of the budget itself. */
  readonly budget?: ModelBudget;
  /** Default 4,000: what models that reason spend on it is included. */
  readonly maxOutputTokens?: number;
}

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
  const language = reading.name;
  const relevance = createRelevance({ question: asked, context, language: reading.evidence, statistics });
  const releaser = createReleaser({ request, context, maxClaims, language, relevance, asker, ports });
  const messages = answerMessages({ question, blocks: numberBlocks(context.blocks), maxClaims, language });
  let isFirst = true;
  const { value, failure } = await timed('modelMs', () =>
    asker.propose({ name: answerPromptName, messages }, (claim) => {
      if (isFirst) sink({ type: 'status', stage: 'verifying' });
      isFirst = false;
      return releaser.take(claim);
    }),
  );
  const { released } = releaser;
  const dropped = releaser.dropped();
  if (released.length > 0) {
    const cut = failure && { ...failure, effect: 'What the model had still to say is missing from the answer.' };
    const degraded = [...releaser.degraded, ...(cut ? [cut] : [])];
    for (const degradation of degraded) sink({ type: 'degraded', degradation });
    const titled = released.map(({ text, spans }) => ({ text, title: spans[0]?.title ?? '' }));
    return {
      context: {
        ...context,
        blocks: [...context.blocks, ...releaser.blocks],
        tokens: context.tokens + tokensOf(releaser.blocks),
      },
      dropped,
      coverage: relevance.together(titled),
      confidence: twin.confidence,
      degraded,
      usage: asker.spent(),
    };
  }
  if (failure) return serveTwin([...releaser.degraded, { ...failure, effect: asSentencesStand }], dropped);
  if (dropped > 0) {
    const detail = `The cited text carries none of the ${dropped} claims that the model proposed.`;
    return serveTwin([...releaser.degraded, instead('claims-unsupported', detail)], dropped);
  }
  if (!value?.insufficient) {
    const detail = 'The model proposed no claim, and did not say that the passages are insufficient.';
    return serveTwin([instead('model-empty', detail)]);
  }
  if (twin.confidence >= insufficientConfidence) {
    const detail = 'The model found no answer in the passages, which hold sentences that fit the question.';
    return serveTwin([instead('model-insufficient', detail)]);
  }
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
 * The language of the evidence; and its name where the question is in it too, and so can be asked of the model: a claim in another language
 * than its quote cannot be checked.
 */
function languagesOf({ question, evidence }: ComposeRequest): { evidence: string; name: string | undefined } {
  const sample = evidence.slice(0, 3).map(({ text }) => text);
  const spoken = guessLanguage(sample.join('\n'));
  const isShared = guessLanguage(question, [spoken]) === spoken;
  return { evidence: spoken, name: isShared ? languageNames.of(spoken) : undefined };
}
