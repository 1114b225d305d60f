// Claims that people judged against evidence, each with all of the evidence that they had before them: a judge has to find what carries it.
import { join } from 'node:path';
import { analyzeText } from '../../src/text/analyze.ts';
import { sharedLines, sharedRoot } from '../../testkit/shared-data.ts';
import { wice as pairsOfWice } from '../answers/own-words/judged-sets.ts';

export interface LabelledClaim {
  readonly claim: string;
  /** Sentences or passages. */
  readonly evidence: readonly string[];
  readonly isCarried: boolean;
}

function readLines<Row>(...parts: string[]): Row[] {
  const rows = sharedLines<Row>(...parts);
  if (!rows) throw new Error(`${join(sharedRoot, ...parts)} is not there: the evaluation data is needed.`);
  return rows;
}

/** Sentences of Wikipedia against the pages that they cite; partly supported counts as not carried. */
export const wice = (): LabelledClaim[] =>
  readLines<{ claim: string; evidence: string[]; label: string }>('wice', 'claim.dev.jsonl.gz').map(
    ({ claim, evidence, label }) => ({ claim, evidence, isCarried: label === 'supported' }),
  );

/** Claims against each abstract that they were judged with; contradicted, or nothing found in it: not carried. */
export function scifact(split: 'train' | 'test'): LabelledClaim[] {
  const texts = new Map(
    readLines<{ _id: string; sentences: string[] }>('scifact', 'sentences.jsonl.gz').map((row) => [
      row._id,
      row.sentences,
    ]),
  );
  return readLines<{ claim: string; cited_doc_ids: string[]; evidence: { doc_id: string; label: string }[] }>(
    'scifact',
    `claims.${split}.jsonl`,
  ).flatMap(({ claim, cited_doc_ids, evidence }) =>
    cited_doc_ids.flatMap((id) => {
      const sentences = texts.get(String(id));
      if (!sentences) return [];
      const label = evidence.find(({ doc_id }) => String(doc_id) === String(id))?.label;
      return [{ claim, evidence: sentences, isCarried: label === 'SUPPORT' }];
    }),
  );
}

interface ExpertClaim {
  readonly claim_string: string;
  readonly evidence: readonly string[];
  readonly support: string;
}

/** Claims of generated answers with the evidence that they cite; partial and incomplete support count as not carried. */
export const expertQa = (): LabelledClaim[] =>
  readLines<{ answers: Record<string, { claims: ExpertClaim[] }> }>('expertqa', 'domain_test.jsonl.gz').flatMap(
    ({ answers }) =>
      Object.values(answers)
        .flatMap(({ claims }) => claims)
        .filter(({ evidence, support }) => evidence.length > 0 && /^(?:Complete|Partial|Incomplete)$/u.test(support))
        .map(({ claim_string, evidence, support }) => ({
          claim: claim_string.replace(/\s*\[\d+\]/gu, ''),
          evidence,
          isCarried: support === 'Complete',
        })),
  );

export interface QuotedClaim {
  readonly claim: string;
  /** What people found to speak for or against it; of nothing found, what shares most words with it. */
  readonly quote: string;
  readonly sentences: readonly string[];
  readonly label: 'supported' | 'partly' | 'contradicted' | 'not supported';
}

const mostSentences = 3;

/** The sentences that have most of the words of a claim. */
function closest(claim: string, evidence: readonly string[]): string[] {
  const asked = new Set(analyzeText(claim));
  const shared = (text: string): number => new Set(analyzeText(text).filter((word) => asked.has(word))).size;
  return evidence
    .map((text, at) => ({ text, at, count: shared(text) }))
    .toSorted((one, other) => other.count - one.count || one.at - other.at)
    .slice(0, mostSentences)
    .toSorted((one, other) => one.at - other.at)
    .map(({ text }) => text);
}

const wiceLabels = { supported: 'supported', partially_supported: 'partly', not_supported: 'not supported' } as const;

function wiceQuotes(): QuotedClaim[] {
  return readLines<{
    claim: string;
    evidence: string[];
    label: keyof typeof wiceLabels;
    supporting_sentences: number[][];
  }>('wice', 'claim.dev.jsonl.gz').map(({ claim, evidence, label, supporting_sentences: [chosen = []] }) => {
    const found = chosen.flatMap((at) => evidence[at] ?? []);
    const sentences = found.length > 0 ? found : closest(claim, evidence);
    return { claim, quote: sentences.join(' '), sentences, label: wiceLabels[label] };
  });
}

/** Test claims of SciFact with the rationale for them or against them. */
function scifactQuotes(): QuotedClaim[] {
  const texts = new Map(
    readLines<{ _id: string; sentences: string[] }>('scifact', 'sentences.jsonl.gz').map((row) => [
      row._id,
      row.sentences,
    ]),
  );
  return readLines<{ claim: string; evidence: { doc_id: string; label: string; sentences: number[] }[] }>(
    'scifact',
    'claims.test.jsonl',
  ).flatMap(({ claim, evidence }) =>
    evidence.flatMap(({ doc_id, label, sentences: places }): QuotedClaim[] => {
      const sentences = places.flatMap((at) => texts.get(String(doc_id))?.[at]?.trim() ?? []);
      if (sentences.length === 0) return [];
      const quote = sentences.join(' ');
      return [{ claim, quote, sentences, label: label === 'SUPPORT' ? 'supported' : 'contradicted' }];
    }),
  );
}

/** Claims with the sentences that people judged them by, of which the verifier was fitted on none: the other half of WiCE dev, SciFact's test split. */
export function judgedQuotes(): QuotedClaim[] {
  const fitted = new Set(pairsOfWice().flatMap(({ claim, isOpen }) => (isOpen ? [claim] : [])));
  return [...wiceQuotes().filter(({ claim }) => !fitted.has(claim)), ...scifactQuotes()];
}
