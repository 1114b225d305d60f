// The process that a writer from a GGUF file runs in: loads it, then writes one text after another. Whatever goes wrong goes back as a typed
// error. Invariants: a text that is cancelled is left at the next token, or at the next piece of its prompt; what a prompt shares with the one
// before it from its start is not read again.
import { FootnoteError } from '../../core/errors.ts';
import { childSetup } from '../../threads/child.ts';
import { reply, replyFailure } from '../../threads/replies.ts';
import { ggufFault } from './gguf-file.ts';
import type { ChatItem, GgufFileInfo, Llama, LlamaChat, LlamaModule, LlamaSequence, Token } from './llama.ts';
import type { WriteOrder, WriterSetup, WriteWork, Written } from './protocol.ts';

type Work = WriteWork & { readonly task: number };

/** Tokens of a prompt that are read at once; between two pieces a call can be cancelled. */
const pieceTokens = 128;

const setup = childSetup<WriterSetup>();
const queue: Work[] = [];
let current: { readonly task: number; readonly stop: AbortController } | undefined;

interface Writer {
  readonly llama: Llama;
  readonly chat: LlamaChat;
  readonly sequence: LlamaSequence;
}

async function open(): Promise<Writer> {
  const { path, contextTokens, threads } = setup;
  const runtime = (await import(setup.runtime).catch((thrown: unknown) => {
    throw ggufFault(
      'runtime-broken',
      `The runtime of GGUF models at ${setup.runtime} cannot be loaded. Install it again.`,
      thrown,
    );
  })) as LlamaModule;
  const info = await runtime.readGgufFileInfo(path, { logWarnings: false }).catch((thrown: unknown) => {
    throw ggufFault(
      'file-damaged',
      `${path} has a damaged GGUF header: it is cut off, or no GGUF file. Fetch it again.`,
      thrown,
    );
  });
  checkWhole(info);
  const { architecture = 'unnamed' } = info.metadata.general ?? {};
  if (!Object.values(runtime.GgufArchitectureType).includes(architecture))
    throw ggufFault(
      'architecture',
      `${path} has the architecture "${architecture}", which this runtime does not know. Take another model, or a newer Footnote.`,
    );
  const quiet = { build: 'never', skipDownload: true, progressLogs: false, logLevel: 'disabled' } as const;
  const llama = await runtime
    .getLlama({ gpu: 'auto', ...quiet })
    .catch(() => runtime.getLlama({ gpu: false, ...quiet }));
  try {
    const model = await llama.loadModel({ modelPath: path });
    const max = Math.min(contextTokens, model.trainContextSize);
    const context = await model.createContext({ contextSize: { max }, batchSize: pieceTokens, threads });
    const sequence = context.getSequence();
    return { llama, sequence, chat: new runtime.LlamaChat({ contextSequence: sequence }) };
  } catch (thrown) {
    throw ggufFault(
      'weights-damaged',
      `${path} cannot be loaded: ${thrown instanceof Error ? thrown.message : String(thrown)}.`,
      thrown,
    );
  }
}

/** Tensors stand one behind another: a file that ends before the last one begins was cut off. */
function checkWhole({ infoEndOffset, tensorInfo = [] }: GgufFileInfo): void {
  const last = tensorInfo.reduce((most, { offset }) => Math.max(most, Number(offset)), 0);
  const least = Number(infoEndOffset) + last;
  if (setup.sizeBytes <= least)
    throw ggufFault(
      'file-cut-off',
      `${setup.path} is cut off: it has ${setup.sizeBytes} bytes, and its header speaks of more than ${least}. Fetch it again.`,
    );
}

const toItem = ({ role, content }: WriteWork['messages'][number]): ChatItem =>
  role === 'assistant' ? { type: 'model', response: [content] } : { type: role, text: content };

async function write({ chat, sequence, llama }: Writer, work: Work, stop: AbortSignal): Promise<Written> {
  const grammar = work.schema && (await llama.createGrammarForJsonSchema(work.schema).catch(() => undefined));
  const before = sequence.tokenMeter.getState();
  const history = [...work.messages.map(toItem), { type: 'model', response: [] } as const];
  const last = await readPrompt(history, chat, stop);
  const { response, metadata } = work.choices
    ? { response: await weigh(work.choices, last, chat), metadata: { stopReason: 'eogToken' } }
    : await chat.generateResponse(history, {
        onTextChunk: (part) => reply({ kind: 'part', task: work.task, part }),
        signal: stop,
        maxTokens: work.maxTokens,
        temperature: work.temperature,
        budgets: { thoughtTokens: 0 },
        ...(grammar && { grammar }),
      });
  const { usedInputTokens: read, usedOutputTokens: outputTokens } = sequence.tokenMeter.diff(before);
  const inputTokens = Math.max(read, sequence.nextTokenIndex - outputTokens);
  return {
    text: response,
    isCut: metadata.stopReason === 'maxTokens',
    inputTokens,
    cachedTokens: inputTokens - read,
    outputTokens,
  };
}

/** Reads all but its last token, which it hands back: that is read with the first that is written. The runtime alone would hear of a cancelled text only behind its whole prompt. */
async function readPrompt(history: readonly ChatItem[], chat: LlamaChat, stop: AbortSignal): Promise<Token> {
  const { sequence, chatWrapper, model } = chat;
  const tokens = chatWrapper.generateContextState({ chatHistory: history }).contextText.tokenize(model.tokenizer);
  if (tokens.length >= sequence.contextSize) throw new Error('The prompt is too long.');
  await sequence.adaptStateToTokens(tokens.slice(0, -1), false);
  while (sequence.nextTokenIndex < tokens.length - 1) {
    stop.throwIfAborted();
    const from = sequence.nextTokenIndex;
    const piece = tokens.slice(from, Math.min(from + pieceTokens, tokens.length - 1));
    await sequence.evaluateWithoutGeneratingNewTokens(piece);
    reply({ kind: 'step' });
  }
  return tokens.at(-1) ?? 0;
}

/** Chances smaller than this decide nothing. */
const leastChance = 1e-4;

/** Where words that were not asked for are likelier together, shares of the others would be made of crumbs. */
const leastTogether = 0.5;

/** How likely each word is to come behind the token, out of all of them, as JSON, `{}` where others are likelier; small letters and large ones are the same. */
async function weigh(words: readonly string[], last: Token, { sequence, model }: LlamaChat): Promise<string> {
  const asked = { generateNext: { probabilities: true, options: { temperature: 1 } } } as const;
  const [told] = await sequence.controlledEvaluate([[last, asked]]);
  const chances = new Map(words.map((word) => [word.toLowerCase(), 0]));
  for (const [token, chance] of told?.next.probabilities ?? []) {
    if (chance < leastChance) break;
    const word = model.detokenize([token]).trim().toLowerCase();
    const before = chances.get(word);
    if (before !== undefined) chances.set(word, before + chance);
  }
  const all = [...chances.values()].reduce((sum, chance) => sum + chance, 0);
  if (all < leastTogether) return '{}';
  const share = (word: string): number => Math.round((1000 * (chances.get(word.toLowerCase()) ?? 0)) / all) / 1000;
  return JSON.stringify(Object.fromEntries(words.map((word) => [word, share(word)])));
}

async function work(writer: Writer): Promise<void> {
  if (current) return;
  for (let next = queue.shift(); next; next = queue.shift()) {
    const { task } = next;
    current = { task, stop: new AbortController() };
    try {
      const result = await write(writer, next, current.stop.signal);
      reply({ kind: 'done', task, result });
    } catch (thrown) {
      // A text is left between two tokens: what was read by then stands. After anything else that is not known.
      if (current.stop.signal.aborted) reply({ kind: 'step' });
      else {
        await writer.sequence.clearHistory().catch(() => undefined);
        replyFailure(toFault(thrown), task);
      }
    }
  }
  current = undefined;
}

function toFault(thrown: unknown): unknown {
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return /context (?:size|shift)|too (?:long|large|small)/iu.test(message)
    ? new FootnoteError('too-large', 'The prompt and its answer do not fit the context of this model.', {
        cause: thrown,
      })
    : new FootnoteError('upstream-invalid', `The runtime of GGUF models failed: ${message}`, { cause: thrown });
}

try {
  const writer = await open();
  process.on('message', (order: WriteOrder) => {
    if (!('kind' in order)) {
      // Who asks about a text that was just written goes before those who want another one: all but the question is read.
      if (order.choices) queue.unshift(order);
      else queue.push(order);
      void work(writer);
    } else if (order.kind === 'close') process.disconnect();
    else if (current?.task === order.task) current.stop.abort();
    else {
      const at = queue.findIndex(({ task }) => task === order.task);
      if (at >= 0) queue.splice(at, 1);
    }
  });
  reply({ kind: 'ready' });
} catch (thrown) {
  replyFailure(thrown);
}
