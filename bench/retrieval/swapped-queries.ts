// Judged queries asked by the other name: short forms replaced by what the corpus says they are short for, long forms by their
// short form. The information wanted is the same, so the judgments are. Only names that two documents define, and that mean
// nothing else in four of five definitions, are exchanged: what the other name is must not be in question.
import type { EvaluatedDocument } from '../../src/evals/system.ts';
import { analyzeText } from '../../src/text/analyze.ts';
import { findDefinitions, isShortForm, shortFormKey } from '../../src/text/words/acronyms.ts';

interface LongForm {
  readonly long: string;
  readonly documents: Set<string>;
}

export interface NamePair {
  readonly short: string;
  readonly long: string;
}

const leastDocuments = 2;
const leastShare = 0.8;

/** The undisputed definitions of a collection. */
export async function readNames(documents: AsyncIterable<EvaluatedDocument>): Promise<readonly NamePair[]> {
  const byShort = new Map<string, { short: string; longs: Map<string, LongForm> }>();
  for await (const { id, title, text } of documents)
    for (const { short, long } of findDefinitions(`${title}\n\n${text}`)) {
      const entry = byShort.get(shortFormKey(short)) ?? { short, longs: new Map<string, LongForm>() };
      const key = analyzeText(long, { language: 'en' }).join(' ');
      const form = entry.longs.get(key) ?? { long, documents: new Set<string>() };
      form.documents.add(id);
      entry.longs.set(key, form);
      byShort.set(shortFormKey(short), entry);
    }
  const pairs: NamePair[] = [];
  for (const { short, longs } of byShort.values()) {
    const forms = [...longs.values()].sort((one, other) => other.documents.size - one.documents.size);
    const best = forms[0];
    const all = forms.reduce((sum, form) => sum + form.documents.size, 0);
    if (best && best.documents.size >= leastDocuments && best.documents.size / all >= leastShare)
      pairs.push({ short: short.replace(/(?<=\p{Lu})s$/u, ''), long: best.long });
  }
  return pairs.sort((one, other) => other.long.length - one.long.length);
}

/** The query by the other name of the first thing that has one; undefined where nothing has, or where the query gives both. */
export function swapName(query: string, pairs: readonly NamePair[]): string | undefined {
  for (const { short, long } of pairs) {
    const spelled = new RegExp(`(?<![\\p{L}\\p{N}-])${literal(long)}(?![\\p{L}\\p{N}-])`, 'iu');
    const written = [...query.matchAll(/[\p{L}\p{N}][\p{L}\p{N}-]*/gu)].find(
      ([word]) => isShortForm(word) && shortFormKey(word) === shortFormKey(short),
    );
    if (spelled.test(query)) return written ? undefined : query.replace(spelled, () => short);
    if (written) {
      const { index } = written;
      return `${query.slice(0, index)}${long}${query.slice(index + written[0].length)}`;
    }
  }
  return undefined;
}

const literal = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/gu, '\\$&');
