// What the form of a passage states of what a part asks for: a row or a section.
import type { VerifiedClaim } from '../../answer/claims/draft.ts';
import type { Evidence } from '../../core/search.ts';
import { bareOf } from '../plan/phrases.ts';
import type { SubQuery } from '../plan/plan.ts';
import { askedCellClaims } from './asked-cells.ts';
import { columnClaims } from './column-rows.ts';
import { lackOf } from './fitting.ts';
import { ownersIn } from './owned.ts';
import type { Reading } from './read-claims.ts';
import { statedClaims } from './stated.ts';
import { titledClaims } from './titled.ts';
import { toldBy } from './told.ts';
import { lackOfTime } from './told-time.ts';

export interface FormQuestion {
  readonly subQuery: SubQuery;
  /** As it was asked, with what the part before it came to. */
  readonly asked: string;
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
  reading: Reading,
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
  return all.filter((claim) => lackOf(question.asked, toldBy(claim, evidence))?.isWithout !== true);
}

/** With which words to look by itself for the date or the versions of one that is named with its version; undefined where the part asks for none. */
export function ownLook({ subQuery: { thing, criterion } }: FormQuestion): string | undefined {
  if (thing === undefined || criterion === undefined) return undefined;
  if (!/ v?\p{Nd}{1,4}(?:\.\p{Nd}{1,4}){0,3}$/u.test(thing.name)) return undefined;
  return `${thing.name}: ${criterion === 'date' ? 'release date' : criterion}, versions`;
}
