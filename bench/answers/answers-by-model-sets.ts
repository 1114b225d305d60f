// The questions that scripted models are measured on, each with what a good reader would quote: gold supporting sentences where a set
// names them, else whatever sentence of the right document holds the answer.
import { z } from 'zod';
import type { AnswerCase } from '../../src/evals/answers.ts';
import { openRetrievalDataset, readJsonl } from '../../src/evals/datasets.ts';
import type { EvaluatedDocument } from '../../src/evals/system.ts';
import { sharedData } from '../../testkit/shared-data.ts';

export interface ModelCase extends AnswerCase {
  /** Any of them answers. */
  readonly gold: readonly string[];
  /** Texts of the documents that hold the answer; empty where every document may. */
  readonly rightTexts: readonly string[];
  /** Sentences that the answer rests on, as the set has them. */
  readonly supportingTexts: readonly string[];
}

export interface ModelSet {
  readonly name: string;
  readonly documents: readonly EvaluatedDocument[];
  readonly cases: readonly ModelCase[];
  /** Files that were read. */
  readonly files: readonly string[];
}

const answerTexts = z.array(z.object({ text: z.string() }));

async function xquad(): Promise<ModelSet | undefined> {
  const folder = sharedData('xquad-en');
  if (!folder) return undefined;
  const set = await openRetrievalDataset(folder);
  const documents = await Array.fromAsync(set.documents());
  const texts = new Map(documents.map(({ id, text }) => [id, text]));
  const cases = set.queries.map(({ id, text, metadata }): ModelCase => {
    const answers = answerTexts.parse(metadata['answers']).map((answer) => answer.text);
    const document = [...(set.judgments.get(id)?.keys() ?? [])][0] ?? '';
    const right = texts.get(document);
    return {
      id,
      question: text,
      answers,
      document,
      gold: answers,
      rightTexts: right === undefined ? [] : [right],
      supportingTexts: [],
    };
  });
  return { name: 'XQuAD-en', documents, cases, files: set.files };
}

async function hotpot(): Promise<ModelSet | undefined> {
  const folder = sharedData('hotpotqa-100');
  if (!folder) return undefined;
  const set = await openRetrievalDataset(folder);
  const documents = await Array.fromAsync(set.documents());
  const sentences = new Map(
    documents.map(({ id, metadata }) => [id, z.array(z.string()).parse(metadata?.['sentences'])]),
  );
  const texts = new Map(documents.map(({ id, text }) => [id, text]));
  const cases = set.queries.map(({ id, text, metadata }): ModelCase => {
    const supporting = z.record(z.string(), z.array(z.number())).parse(metadata['supporting_sentences']);
    const gold = [z.string().parse(metadata['answer'])];
    return {
      id,
      question: text,
      answers: gold,
      supporting,
      gold,
      rightTexts: Object.keys(supporting).flatMap((document) => texts.get(document) ?? []),
      supportingTexts: Object.entries(supporting).flatMap(([document, numbers]) =>
        numbers.flatMap((number) => sentences.get(document)?.[number] ?? []),
      ),
    };
  });
  return { name: 'HotpotQA-100', documents, cases, files: set.files };
}

async function rgb(): Promise<ModelSet | undefined> {
  const file = sharedData('rgb', 'en_fact.jsonl.gz');
  if (!file) return undefined;
  const passages = z.array(z.union([z.string(), z.array(z.string())]));
  const schema = z.object({ id: z.number(), query: z.string(), answer: z.unknown(), positive: passages });
  const documents: EvaluatedDocument[] = [];
  const cases: ModelCase[] = [];
  for await (const line of readJsonl(file, schema)) {
    const only = line.positive.flat().map((text, index) => {
      const id = `rgb${line.id}-positive-${index}`;
      documents.push({ id, title: '', text });
      return id;
    });
    const gold = [line.answer].flat(3).map(String);
    cases.push({
      id: String(line.id),
      question: line.query,
      answers: gold,
      only,
      gold,
      rightTexts: [],
      supportingTexts: [],
    });
  }
  return { name: 'RGB en_fact', documents, cases, files: [file] };
}

/** The sets that are beside this checkout. */
export async function openModelSets(): Promise<ModelSet[]> {
  return (await Promise.all([hotpot(), rgb(), xquad()])).flatMap((set) => set ?? []);
}
