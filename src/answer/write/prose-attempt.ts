// A question to a model that answers in plain sentences, each a claim: the best passages within its budget, in one call. A file of this machine, which reads slowly
// and keeps what it read, is shown two thirds of them first, and the rest only where nothing came of those. Invariant: a sentence reaches the reader only
// as any other claim does, through the releaser.
import { namedModel } from '../../core/named-model.ts';
import { givesChances } from '../../models/language/generation.ts';
import type { LanguageModel } from '../../models/language/language-model.ts';
import { modelName } from '../../models/language/model-name.ts';
import type { Frame } from '../../passages/frame.ts';
import type { Context, ContextBlock, VerifiedClaim } from '../claims/draft.ts';
import type { ComposePorts, ComposeRequest } from '../composer.ts';
import { numberBlocks } from '../context/evidence.ts';
import { bestPassages } from '../passages/passage-composer.ts';
import { answerInProseName, proseMessages } from '../prompts/answer-in-prose.ts';
import { answerModelComponent, type ModelAsker } from './ask.ts';
import type { Proposed } from './outcome.ts';
import { claimOf, createSentenceReader, type ProseClaim, saysNotFound } from './prose.ts';
import type { Releaser } from './release.ts';
import { createRelevance } from './relevance.ts';

export interface ProseTask {
  readonly request: ComposeRequest;
  readonly asked: Frame;
  readonly language: string | undefined;
  readonly model: Pick<LanguageModel, 'id' | 'provider'>;
  readonly asker: ModelAsker;
  readonly count: (text: string) => number;
  /** Most tokens of passages. */
  readonly budgetTokens: number;
  readonly ports: ComposePorts;
  readonly releaserOf: (context: Context, relevance: Proposed['relevance']) => Releaser;
  readonly wordingOf: (text: string) => string;
  /** Told what it is shown. */
  readonly onContext: (context: Context) => void;
  /** Told which passages stand below what it writes. */
  readonly onPassages: (passages: readonly VerifiedClaim[]) => void;
}

/** Fewer than two leave no choice. */
const shown = { least: 2, most: 8 };
/** Of what it may read: with less a small model finds the wrong passage more often. */
const firstShare = 2 / 3;
/** Around each passage: its number, headings and bars. */
const aroundPassage = 24;
const mostSentences = 3;
const mostBelow = 3;
const mostTokens = 200;

export interface ProposedInProse extends Proposed {
  /** The passages that come closest. */
  readonly best: readonly VerifiedClaim[];
}

/** Undefined: there is no passage to show. Throws what the asker and the reader throw. */
export async function attemptInProse(task: ProseTask): Promise<ProposedInProse | undefined> {
  const { request, ports, model, asker, budgetTokens } = task;
  const { clock } = ports;
  const best = await bestPassages(request, ports, shown.most);
  const evidence = best.map((one) => one.evidence);
  const below = best.slice(0, mostBelow).map(({ claim }) => claim);
  task.onPassages(below);
  if (!givesChances(model)) return look(contextOf(evidence, task), below, task);
  const startedAt = clock.elapsedMs();
  const some = contextOf(evidence, { ...task, budgetTokens: budgetTokens * firstShare });
  const first = await look(some, below, task);
  if (!first || first.failure) return first;
  const { released, reworded } = first.releaser;
  if (released.length + reworded.length > 0) return first;
  // A second look that would not end in time is none.
  const isLate = asker.remainingMs() < 2 * (clock.elapsedMs() - startedAt);
  const all = contextOf(evidence, task, some.blocks);
  if (all.blocks.length === some.blocks.length) return first;
  if (!isLate) return look(all, below, task);
  return first.value?.insufficient ? { ...first, value: undefined, failure: unread(first.writer) } : first;
}

/** Of a part it found that it does not answer: of all passages it did not say so. */
const unread = (writer: string): Proposed['failure'] => ({
  component: answerModelComponent,
  code: 'deadline-exceeded',
  detail: namedModel(
    writer,
    'The model found no answer in the first passages, and there was no time to show it the rest.',
  ),
});

async function look(
  context: Context,
  below: readonly VerifiedClaim[],
  { request, asked, language, model, asker, ports, releaserOf, wordingOf, onContext }: ProseTask,
): Promise<ProposedInProse | undefined> {
  onContext(context);
  if (context.blocks.length === 0) return undefined;
  const relevance = createRelevance(asked);
  const releaser = releaserOf(context, relevance);
  const blocks = numberBlocks(context.blocks);
  const reader = createSentenceReader();
  let sentences = 0;
  let isRefused = false;
  const take = async (sentence: string): Promise<boolean> => {
    sentences += 1;
    let claim: ProseClaim | undefined;
    const read = (): ProseClaim => (claim ??= claimOf(wordingOf(sentence), blocks, request.question));
    if (saysNotFound(sentence, () => read().isCarried === true)) isRefused = true;
    else {
      if (sentences === 1) ports.sink({ type: 'status', stage: 'verifying' });
      if (!(await releaser.take(read()))) return false;
    }
    return sentences < mostSentences;
  };
  const { failure, model: writer = modelName(model) } = await ports.timed('modelMs', async () => {
    try {
      const prompt = {
        name: answerInProseName,
        messages: proseMessages({ question: request.question, blocks, language }),
      };
      return await asker.write(prompt, {
        maxOutputTokens: mostTokens,
        reader,
        take,
        waits: (ahead) =>
          ports.sink(ahead > 0 ? { type: 'status', stage: 'waiting', ahead } : { type: 'status', stage: 'answering' }),
      });
    } catch (thrown) {
      releaser.end(thrown);
      return {};
    } finally {
      await releaser.finish();
    }
  });
  return {
    context,
    relevance,
    releaser,
    failure,
    writer,
    value: { claims: [], insufficient: isRefused },
    isSmall: true,
    best: below,
  };
}

/** Those that were read stand first, so that they are not read again. */
function contextOf(
  best: readonly ContextBlock['evidence'][],
  { count, budgetTokens }: Pick<ProseTask, 'count' | 'budgetTokens'>,
  read: readonly ContextBlock[] = [],
): Context {
  const blocks = [...read];
  const dropped: { chunkId: string; reason: string }[] = [];
  let tokens = read.reduce((sum, block) => sum + block.tokens, 0);
  for (const evidence of best) {
    if (read.some((block) => block.evidence === evidence)) continue;
    const own = count(evidence.text) + aroundPassage;
    if (blocks.length < shown.least || tokens + own <= budgetTokens) {
      tokens += own;
      blocks.push({ evidence, tokens: own });
    } else dropped.push({ chunkId: evidence.chunkId, reason: `budget: ${budgetTokens} tokens of passages` });
  }
  return { blocks, tokens, dropped };
}
