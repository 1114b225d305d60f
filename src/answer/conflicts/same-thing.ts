// Whether two passages may speak of one thing, by what stands over them. Invariant: what is named by other codes, years or versions, or as another one
// of a kind ("Office Bergen", "Office Malmö"), is never held against each other; precision comes before recall, until a model of pairs decides.
import type { Evidence } from '../../core/search.ts';
import { termSet } from '../../text/terms.ts';
import type { Statement } from './contradiction.ts';

/** What names of what a statement is. */
export interface Named extends Pick<Statement, 'text' | 'words'> {
  readonly evidence: Pick<Evidence, 'title' | 'headingPath'>;
}

interface Head {
  readonly words: ReadonlySet<string>;
  /** Words with digits: years, versions, codes, numbers of invoices. */
  readonly figures: ReadonlySet<string>;
}

/** "3.2 Pressure": the place of a section in its document names nothing. */
const numbering = /^(?:\d+\.)*\d+\.?\s+(?=\p{L})/u;
/** Of a document that is called as its file is. */
const extension = /\.\p{L}{2,4}$/u;
const figure = /[\p{L}\p{N}]+(?:[-./_][\p{L}\p{N}]+)*/gu;
const isYear = (word: string): boolean => /^(?:19|20)\d\d$/u.test(word);

function headOf({ title, headingPath }: Named['evidence']): Head {
  const text = [title.replace(extension, ''), ...headingPath].map((one) => one.replace(numbering, '')).join('. ');
  const figures = (text.toLowerCase().match(figure) ?? []).filter((word) => /\p{Nd}/u.test(word));
  return { words: termSet(text), figures: new Set(figures) };
}

/** "Amount due: 87.50 EUR" says of nothing but what stands over it what it is. */
const isLabelled = ({ text }: Named): boolean => /^[^:.!?]{1,60}:\s/u.test(text);
const names = ({ words }: Named): readonly string[] => words.flatMap(({ name, lower }) => (name ? lower : []));

/** Addresses differ from page to page, and state nothing that two pages could disagree about. */
const isAddress = ({ text }: Named): boolean => /\bhttps?:\/\//iu.test(text);

export function areOfDifferentThings(one: Named, other: Named): boolean {
  if (isAddress(one) || isAddress(other)) return true;
  const [mine, theirs] = [headOf(one.evidence), headOf(other.evidence)];
  const isOneIn =
    mine.words.isSubsetOf(theirs.words.union(termSet(other.text))) ||
    theirs.words.isSubsetOf(mine.words.union(termSet(one.text)));
  const shared = mine.figures.intersection(theirs.figures);
  if (mine.figures.size > 0 && theirs.figures.size > 0 && shared.size === 0) return true;
  if (isOneIn || shared.values().some((word) => !isYear(word))) return false;
  // Each head has words of its own: of a labelled value they alone say what it is of, of a sentence they do where it names nobody itself.
  if (isLabelled(one) && isLabelled(other)) return true;
  const own = names(other);
  return !mine.words.isDisjointFrom(theirs.words) && !names(one).some((name) => own.includes(name));
}
