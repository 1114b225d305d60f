// A language model from a GGUF file behind the port: node-llama-cpp in a child process, one text at a time. Nothing is fetched and nothing leaves the
// machine. Invariants: nothing is loaded before the first call or where memory does not suffice; a caller that waits is told its place; an idle child is given back.
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { FootnoteError } from '../../core/errors.ts';
import { joinedAbort } from '../../core/signals/joined-abort.ts';
import { entryFile } from '../../threads/entry-file.ts';
import { createModelProcess } from '../../threads/model-process.ts';
import type { CallOptions } from '../language/call-options.ts';
import type { GenerateRequest, GenerateResult, StreamPart } from '../language/generation.ts';
import type { LanguageModel } from '../language/language-model.ts';
import { type GgufFile, ggufFault, ggufFileOf } from './gguf-file.ts';
import type { WriterSetup, WriteWork, Written } from './protocol.ts';
import { findRuntime } from './runtime.ts';

export interface WriterOptions {
  /** Folder of local models (MODELS_FOLDER). */
  readonly folder: string;
  readonly leastYes?: number | undefined;
  /** Default 8,192. */
  readonly contextTokens?: number;
  /** Called each time that it is about to be loaded. */
  readonly onLoad?: () => void;
  /** Bytes that may be taken. Default: what the system says. */
  readonly availableMemory?: () => number;
  /** The child's file; tests give another one. */
  readonly entry?: URL;
  readonly idleMs?: number;
}

export interface Writer extends LanguageModel {
  close(): Promise<void>;
}

/** A conversation pauses; a gigabyte that nobody uses is given back after it. */
const idleMs = 300_000;
/** A prompt of the whole context, read on a slow machine, says nothing for long. */
const stepTimeoutMs = 180_000;
const usualContextTokens = 8_192;
/** So often whoever waits hears that it is at work. */
const workingMs = 500;
/** Beside the weights: the program, and what a context of usual size takes. */
const besideWeights = 600e6;

/** Reads and loads nothing. */
export function openWriter(name: string, options: WriterOptions): Writer {
  const { folder, contextTokens = usualContextTokens, availableMemory = () => process.availableMemory() } = options;
  const model = `gguf:${name}`;
  const child = createModelProcess<WriteWork, Written, string>({
    entry: options.entry ?? entryFile('./writer-child', import.meta.url),
    idleMs: options.idleMs ?? idleMs,
    stepTimeoutMs,
    async prepare(): Promise<WriterSetup> {
      const [file, runtime] = await Promise.all([ggufFileOf(folder, name), findRuntime(folder)]);
      if (runtime === undefined)
        throw ggufFault(
          'no-runtime',
          'GGUF models need the package node-llama-cpp beside them, which is not there: "footnote models get runtime" installs it, after asking.',
        );
      checkMemory(file, availableMemory());
      options.onLoad?.();
      return {
        ...file,
        runtime: pathToFileURL(join(runtime, 'dist/index.js')).href,
        contextTokens,
        threads: freeProcessors(),
      };
    },
  });

  /** Whoever is served and those who wait, in their order. */
  const line: ((ahead: number) => void)[] = [];
  /** Hands back what leaves it: then those behind are told their new place. */
  function enter(waits: NonNullable<CallOptions['waits']>): () => void {
    // Each caller is another one, whoever listens.
    const tell = (ahead: number): void => waits(ahead);
    if (line.push(tell) > 1) tell(line.length - 1);
    return () => {
      const at = line.indexOf(tell);
      line.splice(at, 1);
      for (const [ahead, told] of line.entries()) if (ahead >= at) told(ahead);
    };
  }

  async function* stream(request: GenerateRequest, options: CallOptions): AsyncGenerator<StreamPart, void, void> {
    const work = workOf(request);
    const parts: string[] = [];
    let wake: (() => void) | undefined;
    let settled: { readonly written: Written } | { readonly thrown: unknown } | undefined;
    const leaving = joinedAbort([options.deadline.signal, ...(options.signal ? [options.signal] : [])]);
    const startedAt = performance.now();
    const leave = enter(options.waits ?? (() => undefined));
    // A prompt is read for long before the first word comes.
    const working = setInterval(() => options.heard?.(), workingMs);
    const settle = (outcome: typeof settled): void => {
      settled = outcome;
      wake?.();
    };
    child
      .run(work, leaving.signal, (part) => {
        parts.push(part);
        wake?.();
      })
      .then(
        (written) => settle({ written }),
        (thrown: unknown) => settle({ thrown }),
      );
    try {
      while (parts.length > 0 || !settled) {
        const text = parts.splice(0).join('');
        if (text !== '') yield { type: 'delta', text };
        else
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
      }
      if ('thrown' in settled) {
        if (leaving.signal.aborted) options.deadline.check();
        throw settled.thrown;
      }
      const { written } = settled;
      yield { type: 'end', result: toResult(written, model, performance.now() - startedAt) };
    } finally {
      leave();
      clearInterval(working);
      leaving.abort(new FootnoteError('cancelled', 'The text of a model was left.'));
      leaving.release();
    }
  }

  return {
    id: name,
    provider: 'gguf',
    contextTokens,
    ...(options.leastYes !== undefined && { leastYes: options.leastYes }),
    stream,
    async generate(request, options) {
      for await (const part of stream(request, options)) if (part.type === 'end') return part.result;
      throw new FootnoteError('upstream-invalid', 'The text of a model had no end.');
    },
    close: () => child.close(),
  };
}

/** All of them; half of them where others wait for these already. */
function freeProcessors(): number {
  const all = availableParallelism();
  return (loadavg()[0] ?? 0) > 1.5 * all ? Math.ceil(all / 2) : all;
}

function checkMemory({ path, sizeBytes }: GgufFile, available: number): void {
  const needed = sizeBytes * 1.05 + besideWeights;
  if (needed <= available) return;
  const inGigabytes = (bytes: number): string => `${(bytes / 1e9).toFixed(1)} GB`;
  throw new FootnoteError(
    'upstream-unavailable',
    `${path} needs about ${inGigabytes(needed)} of memory, and ${inGigabytes(available)} are free. Take a smaller model, or free memory.`,
    { details: { fault: 'memory', neededBytes: Math.round(needed), availableBytes: available } },
  );
}

function workOf({ messages, maxOutputTokens, temperature = 0, json, choices, tools = [] }: GenerateRequest): WriteWork {
  if (tools.length > 0)
    throw new FootnoteError(
      'config-invalid',
      'A GGUF model calls no tools here: give this role a model of a provider.',
      {
        details: { fault: 'no-tools' },
      },
    );
  return {
    messages: messages.flatMap(({ role, content }) => (role === 'tool' ? [] : [{ role, content }])),
    maxTokens: maxOutputTokens,
    temperature,
    ...(json && { schema: json.schema }),
    ...(choices && { choices }),
  };
}

function toResult(written: Written, model: string, latencyMs: number): GenerateResult {
  const { text, isCut, inputTokens, cachedTokens, outputTokens } = written;
  return {
    text,
    finish: isCut ? 'length' : 'stop',
    usage: { inputTokens, outputTokens, cachedInputTokens: cachedTokens, reasoningTokens: 0, isEstimated: false },
    model,
    costUsd: 0,
    attempts: [{ model, latencyMs }],
  };
}
