// What the form of a passage states of what a part asks for: a row, a section, a dated, counting or signed line. Where the passages found hold none of these, the
// documents of whom it asks are looked into by themselves.
import type { VerifiedClaim } from '../../answer/claims/draft.ts';
import { termSet } from '../../answer/question/terms.ts';
import type { Evidence, Filter } from '../../core/search.ts';
import { bareOf } from '../plan/phrases.ts';
import type { SubQuery } from '../plan/plan.ts';
import { amountClaims, labelAsked } from './amount-rows.ts';
import { askedCellClaims } from './asked-cells.ts';
import { columnClaims } from './column-rows.ts';
import { lackOf } from './fitting.ts';
import { asksByline, formAsked, outrightClaims, wordsOfForm } from './outright.ts';
import { isOwnedBy, ownersIn } from './owned.ts';
import type { FormReading } from './read-claims.ts';
import { statedClaims } from './stated.ts';
import { titledClaims } from './titled.ts';
import { toldBy } from './told.ts';
import { lackOfTime } from './told-time.ts';

export interface FormQuestion {
  readonly subQuery: SubQuery;
  /** As it was asked, with what the part before it came to. */
  readonly asked: string;
  /** Where the part before it was answered, where this one names nobody. */
  readonly near: ReadonlySet<string>;
}

const mostDocuments = 5;

/** Passages of documents about whom the part asks of. */
export function ownPassages(
  { subQuery, asked, near }: FormQuestion,
  evidence: readonly Evidence[],
): readonly Evidence[] {
  const named = ownersIn(asked);
  const owners = named.length > 0 ? named : ownersIn(` ${subQuery.about ?? ''}`);
  const said = termSet(asked);
  const isTitled = ({ title }: Evidence): boolean => {
    const titled = termSet(title);
    return named.length === 0 && titled.size > 1 && titled.isSubsetOf(said);
  };
  const own = new Set(
    evidence
      .filter((one) => isOwnedBy(one, owners) || isTitled(one) || (named.length === 0 && near.has(one.documentId)))
      .map(({ documentId }) => documentId),
  );
  return evidence.filter(({ documentId }) => own.has(documentId));
}

const factOf =
  /^(?:what|which|who) (?:is|are|was|were) (?:the |its )?(?<criterion>\p{Ll}[\p{L} -]{0,60}?) of (?:the )?(?<name>.{2,80})$/iu;

/** "Which Node.js versions does Fjord 4 support?" */
const hadBy =
  /^(?:what|which) (?<criterion>\p{L}[\p{L}\p{N}. -]{0,60}?) (?:does|do|did) (?:the )?(?<name>.{2,80}?) (?:have|support|need|require|use|offer|include|run on)s?$/iu;

/** "What is the capital of Indonesia?", where nobody said yet of what it asks. */
function factAsked({ subQuery, asked }: FormQuestion): Pick<SubQuery, 'criterion' | 'thing'> | undefined {
  if (subQuery.criterion !== undefined) return undefined;
  const bare = bareOf(asked);
  const { criterion, name } = (factOf.exec(bare) ?? hadBy.exec(bare))?.groups ?? {};
  return criterion === undefined || name === undefined ? undefined : { criterion, thing: { name, others: [] } };
}

/** Claims by the surest form first; none where no form states it. Throws what the reader throws. */
export async function formClaims(
  question: FormQuestion,
  evidence: readonly Evidence[],
  reading: FormReading,
): Promise<readonly VerifiedClaim[]> {
  const fits = (said: string): boolean =>
    !lackOfTime(question.asked, { text: said, columns: '', over: '', before: '' });
  const all = await statedClaims(question.subQuery, evidence, { ...reading, fits });
  if (all.length === 0) {
    const fact = factAsked(question);
    const titled = await titledClaims({ ...question.subQuery, ...fact }, evidence, reading);
    if (titled.length > 0 && titled.every(({ text }) => fits(text))) return titled;
    const rows = fact ? await statedClaims(fact, evidence, { ...reading, fits, rowsOnly: true }) : [];
    if (rows.length > 0) return rows;
    const ofAll = await columnClaims(fact ?? question.subQuery, evidence, reading);
    if (ofAll.length > 0) return ofAll;
    const { about } = question.subQuery;
    const isNamed = about === undefined || about === '' || ownersIn(question.asked).length > 0;
    const asked = isNamed ? question.asked : `${bareOf(question.asked)} (${about})?`;
    const cells = await askedCellClaims(asked, evidence, reading);
    if (cells.length > 0) return cells;
  }
  const stated = all.filter((claim) => lackOf(question.asked, toldBy(claim, evidence))?.isWithout !== true);
  if (stated.length > 0) return stated;
  const own = ownPassages(question, evidence);
  const rows = await amountClaims(question.asked, own, reading);
  return rows.length > 0 ? rows : outrightClaims(question.asked, own, reading);
}

/** Whether a part asks for an amount: a row of the whole is looked for before any row is taken. */
export const asksAmount = ({ asked }: FormQuestion): boolean => labelAsked(asked) !== undefined;

/** Where to look by itself for what has such a form, and with which words; undefined where the part asks for none, or the documents are not known. */
export function ownLook(
  question: FormQuestion,
  evidence: readonly Evidence[],
): { readonly query: string; readonly filter?: Filter } | undefined {
  const { asked, subQuery } = question;
  const version = subQuery.thing?.name;
  if (
    version !== undefined &&
    / v?\p{Nd}{1,4}(?:\.\p{Nd}{1,4}){0,3}$/u.test(version) &&
    subQuery.criterion !== undefined
  )
    return { query: `${version}: ${subQuery.criterion === 'date' ? 'release date' : subQuery.criterion}, versions` };
  const label = labelAsked(asked);
  if (label === undefined && formAsked(asked) === undefined) return undefined;
  const passages = ownPassages(question, evidence);
  const documents = [...new Set(passages.map(({ documentId }) => documentId))];
  if (documents.length === 0) return undefined;
  const bare = bareOf(asked);
  const query = asksByline(asked)
    ? `${passages[0]?.title ?? ''}: ${bare}`
    : label === undefined
      ? wordsOfForm(asked)
      : `${bare}: consolidated statements, year ended`;
  return { query, filter: { op: 'in', field: 'id', values: documents.slice(0, mostDocuments) } };
}
