// A model of natural language inference from a local folder, behind the port of language models: it writes nothing, and is asked for the chances that a passage (the first
// message) carries a statement (the second). Nothing is downloaded and nothing leaves the machine. Invariant: nothing is read before it is first asked.
import { FootnoteError } from '../../core/errors.ts';
import { joinedAbort } from '../../core/signals/joined-abort.ts';
import type { CallOptions } from '../language/call-options.ts';
import type { GenerateRequest, GenerateResult } from '../language/generation.ts';
import type { LanguageModel } from '../language/language-model.ts';
import { asObject, asText, factsOf, type LocalFacts, localFault, openLocalFiles } from './files.ts';
import { type LocalKind, type LocalPlace, type OpenedLocal, openLocal } from './open-local.ts';
import { hasTypes } from './reranker-folder.ts';

export interface EntailmentFolder extends LocalFacts {
  readonly hasTypes: boolean;
  /** What its classes mean, in their order: `entailment` is one of them. */
  readonly labels: readonly string[];
}

/** The weights are not read. Throws `config-invalid` with `details.fault`. */
export async function readEntailmentFolder(folder: string, name: string): Promise<EntailmentFolder> {
  const files = await openLocalFiles(folder, name, { setting: 'MODEL_JUDGE', task: 'text-classification' });
  const { path, config } = files;
  const named = asObject(config['id2label']);
  const labels = Object.keys(named).map((_, at) => (asText(named[String(at)]) ?? '').toLowerCase());
  if (!labels.includes('entailment') || new Set(labels).size !== labels.length)
    throw localFault(
      'not-judge',
      `${path} is no judge: config.json names the classes ${labels.join(', ') || 'of nothing'}, and none is "entailment". Choose a model that was trained for natural language inference.`,
    );
  return { ...(await factsOf(files, 8)), hasTypes: hasTypes(files), labels };
}

const kind: LocalKind<EntailmentFolder> = {
  read: readEntailmentFolder,
  toSetup: ({ hasTypes, labels }) => ({ task: 'rerank', hasTypes, relevantClass: 1, classes: labels.length }),
  batchTokens: 512,
  changed: 'changed while the judge was in use. It is read anew.',
};
const idleMs = 600_000;

/** Reads and loads nothing. */
export function openEntailment(
  name: string,
  place: Omit<LocalPlace, 'name'>,
): LanguageModel & { close(): Promise<void> } {
  let opening: Promise<OpenedLocal<EntailmentFolder>> | undefined;
  const forget = (): void => {
    opening = undefined;
  };
  const opened = (): Promise<OpenedLocal<EntailmentFolder>> => {
    opening ??= openLocal({ idleMs, ...place, name }, kind);
    opening.catch(forget);
    return opening;
  };
  const model = `onnx:${name}`;

  async function generate({ messages, choices }: GenerateRequest, { deadline, signal }: CallOptions) {
    const [passage, statement] = messages.map(({ content }) => content);
    if (!choices || passage === undefined || statement === undefined)
      throw new FootnoteError(
        'config-invalid',
        `${model} judges statements and writes nothing: give this role a model that writes.`,
      );
    const leftMs = deadline.remainingMs();
    const leaving = joinedAbort([deadline.signal, ...(signal ? [signal] : [])]);
    const { folder, process } = await opened();
    try {
      const work = { kind: 'rerank', query: passage, texts: [statement], urgent: true } as const;
      const { vectors } = await process.run(work, leaving.signal);
      const chances = folder.labels.map((label, at) => [label, Math.round(1000 * (vectors[at] ?? 0)) / 1000]);
      return resultOf(JSON.stringify(Object.fromEntries(chances)), model, leftMs - deadline.remainingMs());
    } catch (thrown) {
      // Its files are others now: the next question gets what they have become.
      if (thrown instanceof FootnoteError && thrown.code === 'conflict') {
        forget();
        await process.close();
      }
      if (leaving.signal.aborted) deadline.check();
      throw thrown;
    } finally {
      leaving.release();
    }
  }

  return {
    id: name,
    provider: 'onnx',
    generate,
    async *stream(request, options) {
      yield { type: 'end', result: await generate(request, options) };
    },
    async close() {
      await opening?.then(({ process }) => process.close()).catch(() => undefined);
    },
  };
}

const resultOf = (text: string, model: string, latencyMs: number): GenerateResult => ({
  text,
  finish: 'stop',
  usage: { inputTokens: 0, outputTokens: 0, cachedInputTokens: 0, reasoningTokens: 0, isEstimated: true },
  model,
  costUsd: 0,
  attempts: [{ model, latencyMs }],
});
