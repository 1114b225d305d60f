// The product as evaluations drive it: a real Footnote over a throw-away data folder, put together as people run it, so
// that what is measured is what they use.
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Config } from '../../config.ts';
import type { Answer } from '../../core/answer.ts';
import { FootnoteError } from '../../core/errors.ts';
import { localScope } from '../../core/scope.ts';
import type { Filter } from '../../core/search.ts';
import type { JudgedContext } from '../../evals/judges/judged-answer.ts';
import { type AnswerJudge, createModelAnswerJudge } from '../../evals/judges-by-model.ts';
import type { EvaluatedDocument, EvaluatedIngestion, EvaluatedSystem } from '../../evals/system.ts';
import { createModelBudget } from '../../models/money/model-budget.ts';
import { openFootnote } from '../compose.ts';
import { readContext } from '../evals/read-context.ts';
import { readTurn } from '../evals/read-turn.ts';
import type { AddedDocument, Footnote } from '../facade.ts';
import { overFolder } from '../parts/where.ts';
import { openLanguageModels } from '../roles/language-models.ts';
import { readSpendingLimits } from '../roles/spending-limits.ts';
import { type ChatToRead, chatAsAnswer, contextOfChat } from './chat-as-answer.ts';

export interface ThrowAwaySystem extends EvaluatedSystem {
  readonly footnote: Footnote;
  /** Scores answers by the model of the judge role, where one is configured. */
  readonly modelJudge?: AnswerJudge;
  /** An answer of `ask` with the ids of documents that the record knows. */
  toRecorded(answer: Answer): Answer;
  /** The chunks that an answer of `ask` was composed from, best first; those that are gone are left out. */
  contextOf(answer: Answer): Promise<readonly JudgedContext[]>;
  /** Brings in past conversations, as `footnote import jsonl` does. */
  importConversations(path: string, signal?: AbortSignal): Promise<void>;
  /** Reads a folder or file as `footnote ingest` does; the files that could not be read. */
  ingestPath(path: string, signal?: AbortSignal): Promise<EvaluatedIngestion>;
}

const batchSize = 500;
const source = 'corpus';

/** Opens it in a new folder, which `close` removes. Settings other than the folder are those of `config`. */
export async function openEvaluatedSystem(config: Config): Promise<ThrowAwaySystem> {
  const folder = await mkdtemp(join(tmpdir(), 'footnote-eval-'));
  const opened = await openFootnote(overFolder(config, join(folder, 'data'))).catch(async (error: unknown) => {
    await rm(folder, { recursive: true, force: true });
    throw error;
  });
  const footnote = opened.forScope(localScope());
  const language = await openLanguageModels(config);
  const judging = language.models.of('judge');
  // An entailment model compares claims with passages, and scores no answers.
  const judge = judging?.provider === 'onnx' ? undefined : judging;
  const budget = createModelBudget(readSpendingLimits(config).day, { name: 'this evaluation', setting: 'BUDGET_DAY' });
  /** Vectors of what was put in last are there, of the model that this corpus gives. */
  let settled: Promise<void> | undefined;
  const settle = (): Promise<void> => (settled ??= opened.settle(localScope().tenant, { exact: true, whole: true }));
  /** Ids of the set that the record could not keep, both ways. */
  const renamed = new Map<string, string>();
  const original = new Map<string, string>();

  /** A filter speaks of the set's ids; the record may know a document by another one. */
  function translate(filter: Filter): Filter {
    if (renamed.size === 0) return filter;
    if (filter.op === 'and' || filter.op === 'or') return { op: filter.op, filters: filter.filters.map(translate) };
    if (filter.op === 'not') return { op: 'not', filter: translate(filter.filter) };
    if (!('field' in filter) || filter.field !== 'id') return filter;
    const known = (id: unknown): string => renamed.get(String(id)) ?? String(id);
    if (filter.op === 'in' || filter.op === 'nin') return { ...filter, values: filter.values.map(known) };
    if (filter.op === 'eq' || filter.op === 'ne') return { ...filter, value: known(filter.value) };
    if (filter.op === 'prefix') {
      const odd = [...renamed].filter(([id]) => id.startsWith(filter.value)).map(([, held]) => held);
      return odd.length === 0 ? filter : { op: 'or', filters: [filter, { op: 'in', field: 'id', values: odd }] };
    }
    return filter;
  }

  async function addBatch(batch: readonly EvaluatedDocument[], signal?: AbortSignal): Promise<EvaluatedIngestion> {
    const lines = batch.map(({ id, title, text, metadata, uri }) =>
      JSON.stringify({ _id: id, title, text, ...(metadata && { metadata }), ...(uri !== undefined && { uri }) }),
    );
    let added: readonly AddedDocument[];
    try {
      added = await footnote.documents.add(
        { bytes: new TextEncoder().encode(lines.join('\n')), name: 'corpus.jsonl', source },
        signal ? { signal } : {},
      );
    } catch (error) {
      if (!(error instanceof FootnoteError) || error.code !== 'invalid-media') throw error;
      return { documents: 0, chunks: 0, failed: batch.map(({ id }) => ({ id, reason: error.message })) };
    }
    const byUri = new Map(added.map((one) => [one.uri, one]));
    const failed: { id: string; reason: string }[] = [];
    let chunks = 0;
    for (const { id, uri } of batch) {
      const one = byUri.get(`corpus.jsonl#${id.trim()}`) ?? (uri === undefined ? undefined : byUri.get(uri));
      if (one === undefined) {
        failed.push({ id, reason: added[0]?.warnings.join(' ') || 'It has no text.' });
        continue;
      }
      chunks += one.chunks;
      if (one.id === id) continue;
      renamed.set(id, one.id);
      original.set(one.id, id);
    }
    return { documents: batch.length - failed.length, chunks, failed };
  }

  const withIds = (answer: Answer, ids: ReadonlyMap<string, string>): Answer => {
    if (ids.size === 0) return answer;
    const rename = <T extends { documentId: string }>(item: T): T => ({
      ...item,
      documentId: ids.get(item.documentId) ?? item.documentId,
    });
    return { ...answer, citations: answer.citations.map(rename), sources: answer.sources.map(rename) };
  };

  const turnOf: ChatToRead['turnOf'] = (name) => readTurn(footnote.conversations, name);

  return {
    footnote,
    ...(judge && { modelJudge: createModelAnswerJudge({ model: judge, budget }) }),
    toRecorded: (answer) => withIds(answer, renamed),
    contextOf: async (answer) => [
      ...(await readContext(footnote.documents, withIds(answer, renamed))),
      ...(await contextOfChat(answer, turnOf)),
    ],
    async ingest(documents, signal) {
      let total: EvaluatedIngestion = { documents: 0, chunks: 0, failed: [] };
      let batch: EvaluatedDocument[] = [];
      const flush = async (): Promise<void> => {
        if (batch.length === 0) return;
        const { documents: more, chunks, failed } = await addBatch(batch, signal);
        total = {
          documents: total.documents + more,
          chunks: total.chunks + chunks,
          failed: [...total.failed, ...failed],
        };
        batch = [];
      };
      for await (const document of documents) {
        batch.push(document);
        if (batch.length >= batchSize) await flush();
      }
      await flush();
      settled = undefined;
      return total;
    },
    async ingestPath(path, signal) {
      const name = `path-${(await footnote.sources.list()).length + 1}`;
      await footnote.sources.put({ name, type: 'docs', connector: { kind: 'folder', path } });
      const run = await footnote.sources.sync(name, signal ? { signal } : {});
      settled = undefined;
      if (run.state !== 'done')
        throw new FootnoteError('invalid-request', `${path} could not be read: ${run.error?.message ?? run.state}`);
      const failed = (await footnote.ingestions.files(run.id, { state: 'failed', limit: 1000 })).data;
      return {
        documents: run.counts.done,
        chunks: run.counts.chunks,
        failed: failed.map(({ uri, error }) => ({ id: uri, reason: error?.message ?? 'not read' })),
      };
    },
    async search(query, { mode, limit, filter, onDegraded }, signal) {
      await settle();
      const { results, degraded } = await footnote.search(
        { query, mode, topK: limit, ...(filter && { filter: translate(filter) }) },
        signal ? { signal } : {},
      );
      for (const one of degraded) onDegraded?.(one);
      // Documents with the very same text were folded into one result: each of them was found, with this score.
      return results.flatMap(({ documentId, score, alsoIn }) =>
        [documentId, ...alsoIn.map((twin) => twin.documentId)].map((id) => ({
          documentId: original.get(id) ?? id,
          score,
        })),
      );
    },
    async ask(question, { mode, filter }, signal) {
      await settle();
      const answer = await footnote.ask(
        { question, mode, ...(filter && { filter: translate(filter) }) },
        signal ? { signal } : {},
      );
      return withIds(answer, original);
    },
    async analyse(request, signal) {
      await settle();
      const { filter } = request;
      const asked = { ...request, ...(filter && { filter: translate(filter) }) };
      return withIds(await footnote.analyse(asked, signal ? { signal } : {}), original);
    },
    async importConversations(path, signal) {
      const details = { name: basename(path), format: 'jsonl' } as const;
      await footnote.conversations.import({ content: { path }, details }, signal ? { signal } : {});
    },
    async chat(messages, signal) {
      const from = performance.now();
      const answer = await footnote.conversations.chat({ messages }, signal ? { signal } : {});
      return chatAsAnswer(answer, {
        mode: config.defaultMode,
        totalMs: performance.now() - from,
        turnOf,
      });
    },
    async close() {
      await language.close();
      await opened.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Whether a folder holds a set in BEIR's layout rather than documents. */
export async function isBeirFolder(path: string): Promise<boolean> {
  try {
    return (await readdir(path)).some((name) => /^corpus\.jsonl(\.gz)?$/.test(name));
  } catch {
    return false;
  }
}
