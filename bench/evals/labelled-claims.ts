// Claims that people judged against evidence, each with all of the evidence that they had before them: a judge has to find what carries it.
import { join } from 'node:path';
import { sharedLines, sharedRoot } from '../../testkit/shared-data.ts';

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
