import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { createSearchGatherer } from '../../src/agent/turn/gatherer.ts';
import { runTurn } from '../../src/agent/turn.ts';
import { passageComposer } from '../../src/answer/passages/passage-composer.ts';
import { createModelComposer } from '../../src/answer/write/model-composer.ts';
import type { Evidence } from '../../src/core/search.ts';
import { containsAnswer } from '../../src/evals/judges/matching.ts';
import { createScriptedModel, type ScriptedModel } from '../../src/models/language/scripted-model.ts';
import type { Retriever } from '../../src/retrieval/retrieve.ts';
import { analyzeText } from '../../src/text/analyze.ts';
import { segmentSentences } from '../../src/text/sentences.ts';
import { evidenceOf } from '../../testkit/evidence-of.ts';
import { requestContext } from '../../testkit/request-context.ts';
import { sharedData } from '../../testkit/shared-data.ts';
import { modelText, readerOf } from './model-turn.ts';

interface Line {
  readonly _id: string;
  readonly title?: string;
  readonly text: string;
  readonly metadata?: { readonly answers: readonly { readonly text: string }[] };
}

const corpusPath = sharedData('xquad-en', 'corpus.jsonl');
const queriesPath = sharedData('xquad-en', 'queries.jsonl');
const linesOf = (path: string): Line[] =>
  readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);

/** Paragraphs by BM25, enough of a search to tell composers apart. */
function createSearch(documents: readonly Line[]) {
  const terms = documents.map(({ title = '', text }) => analyzeText(`${title} ${text}`, { language: 'en' }));
  const frequencies = new Map<string, number>();
  for (const list of terms) for (const term of new Set(list)) frequencies.set(term, (frequencies.get(term) ?? 0) + 1);
  const mean = terms.reduce((sum, list) => sum + list.length, 0) / documents.length;
  const idf = (term: string): number => {
    const found = frequencies.get(term) ?? 0;
    return Math.log(1 + (documents.length - found + 0.5) / (found + 0.5));
  };
  const find = (query: string): Evidence[] => {
    const wanted = [...new Set(analyzeText(query, { language: 'en' }))];
    const scored = documents.map(({ _id, title = '', text }, at) => {
      const list = terms[at] ?? [];
      const score = wanted.reduce((sum, term) => {
        const count = list.filter((other) => other === term).length;
        return sum + (idf(term) * count * 2.2) / (count + 1.2 * (0.25 + (0.75 * list.length) / mean));
      }, 0);
      return evidenceOf({ id: _id, documentId: _id, title, text, score });
    });
    return scored.sort((a, b) => b.score - a.score).slice(0, 10);
  };
  const statistics = async (query: string) => ({
    chunks: documents.length,
    languages: [],
    frequencies: Object.fromEntries(
      analyzeText(query, { language: 'en' }).map((term) => [term, frequencies.get(term) ?? 0]),
    ),
  });
  return { find, statistics };
}

interface Figures {
  /** Percent of the questions. */
  readonly right: number;
  readonly abstained: number;
}

type Writer = (sentence: string, id: number) => string;
const nothing = '{"claims": [], "insufficient": true}';

/** Reads the prompt as a model does; writes by the first sentence that holds the right answer, or gives up. */
function createWriter(gold: readonly string[], write: Writer): ScriptedModel {
  const reply = (prompt: string): string => {
    if (prompt.includes('<claim>')) return nothing;
    for (const [, id, body = ''] of prompt.matchAll(/<passage id="(\d+)"[^\n]*\n([\s\S]*?)\n<\/passage>/gu)) {
      const text = body.replace(/^\| /gmu, '');
      for (const { start, end } of segmentSentences(text)) {
        const sentence = text.slice(start, end);
        if (gold.some((answer) => containsAnswer(sentence, answer))) return write(sentence, Number(id));
      }
    }
    return nothing;
  };
  const step = {
    reply: ({ messages }: { messages: readonly { content: string }[] }) => reply(messages.at(-1)?.content ?? ''),
  };
  return createScriptedModel(Array.from({ length: 6 }, () => step));
}

const lie = (sentence: string): string => {
  const changed = sentence
    .replace(/\d/gu, (digit) => String((Number(digit) + 3) % 10))
    .replace(/\b(is|are|was|were|had|has)\b/u, '$1 not');
  return changed === sentence ? `${sentence.replace(/[.\s]+$/u, '')} in 1789.` : changed;
};

describe.skipIf(!corpusPath || !queriesPath)('answers by a model, over every sixth question of XQuAD-en', () => {
  let plain: Figures;
  let measure: (write?: Writer) => Promise<Figures>;

  beforeAll(async () => {
    const documents = linesOf(corpusPath as string);
    const questions = linesOf(queriesPath as string).filter((_, at) => at % 6 === 0);
    const { find, statistics } = createSearch(documents);
    const readSpan = readerOf(
      documents.map(({ _id, title = '', text }) => evidenceOf({ id: _id, documentId: _id, title, text })),
    );
    const retriever: Retriever = {
      retrieve: async ({ query }) => ({ evidence: find(query), routing: { sources: [], reason: 'all' }, degraded: [] }),
      statistics,
    };
    measure = async (write) => {
      let right = 0;
      let abstained = 0;
      for (const { text, metadata } of questions) {
        const gold = (metadata?.answers ?? []).map((answer) => answer.text);
        const composer = write ? createModelComposer({ model: createWriter(gold, write) }) : passageComposer;
        const answer = await runTurn(
          { question: text, mode: 'embedded', degraded: [] },
          {
            gatherer: createSearchGatherer(retriever),
            readSpan,
            contextTokens: 2000,
            spanUrl: () => '/',
            composerFor: () => composer,
          },
          requestContext(),
        );
        if (answer.abstained) abstained += 1;
        else if (gold.some((one) => containsAnswer(answer.answer, one))) right += 1;
      }
      return { right: (100 * right) / questions.length, abstained: (100 * abstained) / questions.length };
    };
    plain = await measure();
  }, 120_000);

  it('a model that copies well is at least as right as passages alone', { timeout: 120_000 }, async () => {
    const copied = await measure((sentence, id) => modelText([[sentence, [id, sentence]]]));
    expect(copied.right).toBeGreaterThanOrEqual(plain.right);
    // Where the sentence is not among what it was shown it says so, and is believed.
    expect(copied.abstained).toBeLessThanOrEqual(plain.abstained + 1.5);
  });

  it('so is one that puts words around what it copies', { timeout: 120_000 }, async () => {
    const wordy = await measure((sentence, id) =>
      modelText([[`What is asked comes down to this: ${sentence}`, [id, sentence]]]),
    );
    // A passage holds more than the sentence that is copied: one question of two hundred.
    expect(wordy.right).toBeGreaterThanOrEqual(plain.right - 1);
  });

  it('one that lies asserts nothing', { timeout: 120_000 }, async () => {
    const lied = await measure((sentence, id) => modelText([[lie(sentence), [id, lie(sentence)]]]));
    expect(lied.right).toBe(0);
    expect(lied.abstained).toBe(100);
  });

  it('one that gives up on everything is believed', { timeout: 120_000 }, async () => {
    expect(await measure(() => nothing)).toEqual({ right: 0, abstained: 100 });
  });
});
