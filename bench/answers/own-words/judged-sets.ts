// Claims in words of their own that people judged: each set as (claim, quote, whether the quote carries it). Every set is parted
// by what it was made from (a passage, a page, an article): one half may be fitted on, the other is only reported.
import { sharedLines } from '../../../testkit/shared-data.ts';

export interface JudgedPair {
  readonly set: string;
  readonly claim: string;
  readonly quote: string;
  readonly context?: string;
  /** What the claim answers, where that is known. */
  readonly question?: string;
  readonly isTrue: boolean;
  /** In the half that may be fitted on. */
  readonly isOpen: boolean;
}

type Row = Record<string, unknown>;
const readLines = (...parts: string[]): Row[] => sharedLines<Row>(...parts) ?? [];

/** FNV-1a: which half a passage falls into must not depend on its place in the file. */
function isEven(text: string): boolean {
  let hash = 0x811c_9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x0100_0193);
  return ((hash >>> 7) & 1) === 0;
}

export function faithBench(): JudgedPair[] {
  return readLines('faithbench', 'claims.dev.jsonl.gz').map(({ claim, quote, label }) => ({
    set: 'FaithBench',
    claim: String(claim),
    quote: String(quote),
    isTrue: label === 'supported',
    isOpen: isEven(String(quote)),
  }));
}

/** Supported against partly and not supported; the quote is every sentence that some annotator found to support it. */
export function wice(): JudgedPair[] {
  return readLines('wice', 'claim.dev.jsonl.gz').map(({ label, claim, evidence, supporting_sentences }) => {
    const chosen = [...new Set((supporting_sentences as number[][]).flat())].sort((a, b) => a - b);
    const all = evidence as string[];
    return {
      set: 'WiCE',
      claim: String(claim),
      quote: (chosen.length > 0 ? chosen.map((at) => all[at] ?? '') : all.slice(0, 20)).join('\n'),
      isTrue: label === 'supported',
      isOpen: isEven(String(claim)),
    };
  });
}

export function sciFact(): JudgedPair[] {
  const texts = new Map(
    readLines('scifact', 'sentences.jsonl.gz').map((row) => [row['_id'], row['sentences'] as string[]]),
  );
  return (['train', 'test'] as const).flatMap((split) =>
    readLines('scifact', `claims.${split}.jsonl`).flatMap(({ claim, evidence }) =>
      (evidence as { doc_id: string; label: string; sentences: number[] }[]).map(({ doc_id, label, sentences }) => ({
        set: 'SciFact',
        claim: String(claim),
        quote: sentences.map((at) => texts.get(doc_id)?.[at] ?? '').join(' '),
        isTrue: label === 'SUPPORT',
        isOpen: split === 'train',
      })),
    ),
  );
}

export function climateFever(): JudgedPair[] {
  return readLines('climate-fever', 'climate-fever.jsonl.gz').flatMap(({ claim, evidences }) =>
    (evidences as { evidence: string; evidence_label: string }[])
      .filter(({ evidence_label }) => evidence_label !== 'NOT_ENOUGH_INFO' || isEven(`${String(claim)}!`))
      .map(({ evidence, evidence_label }) => ({
        set: 'Climate-FEVER',
        claim: String(claim),
        quote: evidence,
        isTrue: evidence_label === 'SUPPORTS',
        isOpen: isEven(String(claim)),
      })),
  );
}

interface ExpertClaim {
  readonly claim_string: string;
  readonly evidence: readonly string[];
  readonly support: string;
}

/** Claims with evidence alone; complete support against all else. The evidence is cut where the verifier stops reading. */
export function expertQa(): JudgedPair[] {
  return readLines('expertqa', 'domain_test.jsonl.gz').flatMap(({ question, answers }) =>
    Object.values(answers as Record<string, { claims: ExpertClaim[] }>)
      .flatMap(({ claims }) => claims)
      .filter(({ evidence, support }) => evidence.length > 0 && /^(?:Complete|Partial|Incomplete)$/u.test(support))
      .map(({ claim_string, evidence, support }) => ({
        set: 'ExpertQA',
        claim: claim_string.replace(/\s*\[\d+\]/gu, ''),
        quote: evidence.join('\n\n').slice(0, 8_000),
        question: String(question),
        isTrue: support === 'Complete',
        isOpen: isEven(String(question)),
      })),
  );
}

/** Sentences of XQuAD's paragraphs, on one line each. */
export function xquadSentences(
  segment: (text: string) => readonly { readonly start: number; readonly end: number }[],
): string[] {
  return readLines('xquad-en', 'corpus.jsonl').flatMap(({ text }) =>
    segment(String(text)).map(({ start, end }) => String(text).slice(start, end).replace(/\s+/gu, ' ').trim()),
  );
}
