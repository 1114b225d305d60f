// One hostile model for one run: what the gallery sends, cut where the seed says, behind the product's own chain of retries and budgets.
// Invariant: equal seeds give equal runs; nobody waits — pauses pass at once, and a model that never answers ends with its deadline.
import type { ModelBudget } from '../../src/core/budget.ts';
import type { Deadline } from '../../src/core/deadline.ts';
import { FootnoteError } from '../../src/core/errors.ts';
import { createModelChain } from '../../src/models/calls/chain.ts';
import { createCircuit } from '../../src/models/calls/circuit.ts';
import type { Finish, GenerateRequest, GenerateResult, StreamPart } from '../../src/models/language/generation.ts';
import type { LanguageModel } from '../../src/models/language/language-model.ts';
import { toUsage } from '../../src/models/language/model-usage.ts';
import { createOutputLimit } from '../../src/models/language/output-limit.ts';
import { parsePrices } from '../../src/models/money/prices.ts';
import type { FakeReply } from '../../src/testing/fake-reply.ts';
import type { HostileBehaviour } from '../../testkit/models/hostile-gallery.ts';

export interface HostileRun {
  /** For the first call, the second and so on; the last one stays. */
  readonly behaviours: readonly HostileBehaviour[];
  readonly honest: string;
  readonly random: () => number;
  readonly budget: ModelBudget;
  readonly contextTokens?: number;
}

export interface HostileModel {
  readonly model: LanguageModel;
  readonly calls: () => number;
}

const finishOf = ({ refusal, stop, toolCalls }: FakeReply): Finish => {
  if (refusal !== undefined) return 'refusal';
  if (stop === 'length' || stop === 'content-filter') return stop;
  return toolCalls ? 'tool-calls' : 'stop';
};

/** Pieces of 1 to 2 × `size` UTF-16 units, so that characters, keys and numbers are cut in two. */
function* cut(text: string, size: number, random: () => number): Generator<string> {
  for (let from = 0; from < text.length; ) {
    const to = from + 1 + Math.floor(random() * 2 * size);
    yield text.slice(from, to);
    from = to;
  }
}

const ended = (deadline: Deadline): Promise<void> =>
  new Promise((resolve) => {
    if (deadline.signal.aborted) resolve();
    else deadline.signal.addEventListener('abort', () => resolve(), { once: true });
  });

export function openHostileModel({ behaviours, honest, random, budget, contextTokens }: HostileRun): HostileModel {
  let index = 0;
  const next = (request: GenerateRequest): FakeReply => {
    const behaviour = behaviours[Math.min(index, behaviours.length - 1)] as HostileBehaviour;
    const prompt = request.messages.map(({ content }) => content).join('\n');
    const reply = behaviour.reply({ index, prompt, honest, random });
    index += 1;
    return reply;
  };
  async function* speak(
    request: GenerateRequest,
    { deadline }: { readonly deadline: Deadline },
  ): AsyncGenerator<StreamPart, void, void> {
    const reply = next(request);
    deadline.check();
    if (reply.error) throw new FootnoteError('upstream-unavailable', 'The provider failed.');
    const written = reply.text ?? reply.refusal ?? '';
    // As adapters cut.
    const text = createOutputLimit(request.maxOutputTokens).take(written);
    const size = Math.max(1, Math.ceil(text.length / (2 + Math.floor(random() * 40))));
    // Somewhere in the text, or before its first word.
    const breaksAt =
      reply.cutAfter !== undefined || reply.hangAfter !== undefined || reply.betweenMs !== undefined
        ? Math.floor(random() * text.length)
        : Number.POSITIVE_INFINITY;
    let said = '';
    for (const delta of cut(text, size, random)) {
      if (said.length + delta.length > breaksAt) {
        if (reply.cutAfter === undefined) await ended(deadline);
        deadline.check();
        throw new FootnoteError('upstream-unavailable', 'Its answer broke off before the end.');
      }
      said += delta;
      yield { type: 'delta', text: delta };
    }
    const reported = reply.usage === 'none' ? undefined : reply.usage;
    const result: GenerateResult = {
      text: said,
      finish: text.length < written.length ? 'length' : finishOf(reply),
      usage: toUsage({ input: reported?.input, output: reported?.output }, request, said),
      model: 'test:hostile',
      attempts: [],
    };
    yield { type: 'end', result };
  }
  const alone: LanguageModel = {
    id: 'hostile',
    provider: 'test',
    ...(contextTokens === undefined ? {} : { contextTokens }),
    async generate(request, options) {
      for await (const part of speak(request, options)) if (part.type === 'end') return part.result;
      throw new FootnoteError('internal', 'There was no end.');
    },
    stream: speak,
  };
  let nowMs = 0;
  const elapsedMs = (): number => nowMs;
  const chain = createModelChain([{ model: alone, circuit: createCircuit({ elapsedMs }) }], {
    prices: parsePrices('test:hostile = 1 / 2'),
    random,
    // Time passes for the chain alone.
    wait: async (ms) => {
      nowMs += ms;
    },
    elapsedMs,
  });
  // The composer's own budget is the request's; a run may give a smaller one.
  const withBudget = (options: Parameters<LanguageModel['generate']>[1]) => ({ ...options, budget });
  return {
    calls: () => index,
    model: {
      ...chain,
      generate: (request, options) => chain.generate(request, withBudget(options)),
      stream: (request, options) => chain.stream(request, withBudget(options)),
    },
  };
}
