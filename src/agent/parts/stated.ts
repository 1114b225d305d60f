// What passages state of a thing under a criterion by their form: a row that is called by the thing, under the column that is called by the criterion, and
// a section with the criterion over it in what is about the thing. Invariant: each claim was read back from the record and verified like any other.
import { claimTextOf } from '../../answer/claim-text.ts';
import type { SpanReader, SpanReference, VerifiedClaim, VerifiedSpan } from '../../answer/claims/draft.ts';
import { readPieces } from '../../answer/extract/readings.ts';
import { termSet } from '../../answer/question/terms.ts';
import { candidatePlaces } from '../../answer/support/compared/candidates.ts';
import { isCalledUnder, labelsOf } from '../../answer/support/compared/readings.ts';
import { isSameThing } from '../../answer/support/compared/things.ts';
import { mayNameColumns } from '../../answer/tables/columns.ts';
import { barCells, type Cell, isBarRow, isDelimiterRow, rowsOf } from '../../answer/tables/rows.ts';
import type { Evidence } from '../../core/search.ts';
import { countWords } from '../../text/sentences.ts';
import type { SubQuery } from '../plan/plan.ts';
import { isCalledLike } from './called/column-names.ts';
import { bare, isCalled, isOfProduct, isTitledLike, shorterNames, version } from './called/row-names.ts';
import { claimsThat, type Reading } from './read-claims.ts';

/** Places that are read back, and claims that are made of them. */
const mostReads = 6;
const longestPassage = 20_000;
const mostHeaderLines = 4;
const mostSectionWords = 60;
const mostSentences = 2;
const fewestWords = 3;

/** Of parts that ask when (plan/decompose.ts). */
const dateCriterion = 'date';
const dated =
  /\b(?:releas\w*|found\w*|establish\w*|launch\w*|introduc\w*|publi\w*|open\w*|built|born|birth|date|year)\b/iu;

/** "End of support date": when it ceases is not when it came about. */
const ending = /\b(?:end|ends|ending|expir\w*|deprecat\w*|retire\w*|clos\w*|until|eol)\b/iu;

/** `query`: in whose words the event is named whose date is asked for. */
export type StatedQuestion = Pick<SubQuery, 'criterion' | 'thing'> & { readonly query?: string };

interface Place {
  readonly start: number;
  readonly end: number;
}
/** `above`: the lines that name the columns, where nobody else can say which line names which. */
interface Stated {
  readonly kind: 'row' | 'section' | 'sentence';
  readonly evidence: Evidence;
  readonly place: Place;
  readonly above?: Place;
}
interface Asked {
  readonly query: string;
  readonly criterion: string;
  readonly thing: NonNullable<SubQuery['thing']>;
}

/** Claims that state it, the first passages first; none where no form says so. Throws what the reader throws. */
export async function statedClaims(
  { criterion, thing, query = '' }: StatedQuestion,
  evidence: readonly Evidence[],
  {
    readSpan,
    signal,
    rowsOnly = false,
    fits,
  }: {
    readonly readSpan: SpanReader;
    readonly signal: AbortSignal;
    readonly rowsOnly?: boolean;
    /** Whether what is said is of the time that was asked about. */
    readonly fits?: (said: string) => boolean;
  },
): Promise<readonly VerifiedClaim[]> {
  if (criterion === undefined || thing === undefined) return [];
  const asked: Asked = { criterion, thing, query };
  // A table of versions need not name the product that its document is about.
  const textOfDocument = (id: string): string =>
    evidence.flatMap((one) => (one.documentId === id ? [one.text.slice(0, longestPassage)] : [])).join('\n');
  const all = evidence.flatMap((one) => [
    ...rowsIn(one, asked, version.test(thing.name) ? textOfDocument(one.documentId) : ''),
    ...(rowsOnly ? [] : sectionsIn(one, asked)),
  ]);
  const places = [...all.filter(({ kind }) => kind === 'row'), ...all.filter(({ kind }) => kind === 'section')];
  return firstOf(places, asked, { readSpan, signal, fits });
}

const ofFeatures = /\b(?:features?|functions?|capabilit(?:y|ies)|equipment|extras?)\b/iu;
/** Who has what: a name or a pronoun, and what it has behind the verb. */
const hasWhat =
  /^(?<subject>[^,;:]{1,60}?) (?:has|have|offers?|includes?|supports?|provides?|features|comes with) \p{L}/u;
const pronoun = /^(?:it|they|the \p{Ll}[\p{L}-]*)$/iu;

/** What a sentence says that the thing has, where features are asked for and nothing else states them. */
export async function featuredClaims(
  { criterion, thing, query = '' }: StatedQuestion,
  evidence: readonly Evidence[],
  ports: Reading,
): Promise<readonly VerifiedClaim[]> {
  if (criterion === undefined || thing === undefined || !ofFeatures.test(criterion)) return [];
  const places = evidence.flatMap((one): readonly Stated[] => {
    const text = one.text.slice(0, longestPassage);
    const isTitled = isSameThing(one.title, thing.name);
    return readPieces(text)
      .filter(({ kind, start, end }) => {
        const { subject } = hasWhat.exec(text.slice(start, end))?.groups ?? {};
        if (kind !== 'sentence' || subject === undefined) return false;
        return isSameThing(subject, thing.name) || (isTitled && pronoun.test(subject));
      })
      .map((place) => ({ kind: 'sentence', evidence: one, place }));
  });
  return firstOf(places, { criterion, thing, query }, ports);
}

/** When the thing came about, by a sentence that says so outright, or by one of a document that is called like it; for parts that nothing else answers. */
export async function datedClaims(
  { criterion, thing, query = '' }: StatedQuestion,
  evidence: readonly Evidence[],
  ports: Reading,
): Promise<readonly VerifiedClaim[]> {
  if (criterion !== dateCriterion || thing === undefined) return [];
  const outright = evidence.flatMap((one): readonly Stated[] =>
    candidatePlaces(one, thing.name, { by: 'time', wants: 'first' })
      // Of what a row is its columns tell where it is read back: until then it may be of anything.
      .filter(({ start, end }) => !isBarRow(one.text.slice(start, end)) || isTitledLike(one.title, thing.name))
      .map((place) => ({ kind: 'sentence', evidence: one, place })),
  );
  const ofDocument = evidence.filter(({ title }) => isSameThing(title, thing.name)).flatMap(datedSentences);
  return firstOf([...outright, ...ofDocument], { criterion, thing, query }, ports);
}

const eventful =
  /\b(?:first|founded|established|released|launched|published|introduced|opened|built|created|started|began|on the market since|available since)\b/iu;
/** Whether a sentence says that something came about. */
export const tellsBeginning = (sentence: string): boolean => eventful.test(sentence);

function datedSentences(evidence: Evidence): readonly Stated[] {
  const text = evidence.text.slice(0, longestPassage);
  return readPieces(text)
    .filter(({ kind, start, end }) => {
      const said = text.slice(start, end);
      return kind === 'sentence' && eventful.test(said) && /\b[12]\d{3}\b/u.test(said);
    })
    .map((place) => ({ kind: 'sentence', evidence, place }));
}

/** The first of the places that makes a claim which passes the check. */
async function firstOf(
  places: readonly Stated[],
  asked: Asked,
  {
    readSpan,
    signal,
    fits = () => true,
  }: {
    readonly readSpan: SpanReader;
    readonly signal: AbortSignal;
    readonly fits?: ((said: string) => boolean) | undefined;
  },
): Promise<readonly VerifiedClaim[]> {
  const claims: VerifiedClaim[] = [];
  for (const stated of places.slice(0, mostReads)) {
    const spans = await spansOf(stated, readSpan, signal);
    if (!spans) continue;
    const text = textOf(stated, spans, asked);
    if (text === undefined || !fits(text)) continue;
    claims.push(...(await claimsThat(text, spans, { readSpan, signal })));
    if (claims.length > 0) break;
  }
  return claims;
}

async function spansOf(
  { evidence: { documentId, chunkId, start }, place, above }: Stated,
  readSpan: SpanReader,
  signal: AbortSignal,
): Promise<readonly VerifiedSpan[] | undefined> {
  const reference = (one: Place): SpanReference => ({
    documentId,
    chunkId,
    start: start + one.start,
    end: start + one.end,
  });
  const [own, header] = await Promise.all([
    readSpan(reference(place), signal),
    above && readSpan(reference(above), signal),
  ]);
  if (!own) return undefined;
  return header ? [header, own] : [own];
}

/** As a claim says it; undefined where the columns say nothing of the criterion. */
function textOf({ kind, above }: Stated, spans: readonly VerifiedSpan[], asked: Asked): string | undefined {
  const own = spans.at(-1);
  if (!own) return undefined;
  if (kind !== 'row') return claimTextOf(own.quote);
  const [row] = rowsOf(own.quote, own.columns);
  const said = saidAcross(row?.cells ?? [], asked) ?? saidOfRow(row?.cells ?? [], asked);
  if (said !== undefined) return said;
  return above && spans.length > 1 ? spans.map(({ quote }) => quote.replace(/\s+/gu, ' ').trim()).join(' ') : undefined;
}

/** Of a thing that stands over its column. */
function saidAcross([label, ...cells]: readonly Cell[], { criterion, thing, query }: Asked): string | undefined {
  const across = cells.find(({ name }) => isSameThing(bare(name), thing.name));
  if (!label || !across || !isAcross(label.value, { criterion, query, wanted: namingTerms(criterion) }))
    return undefined;
  if (criterion === dateCriterion && !/\d{4}/u.test(across.value)) return undefined;
  return `${label.value}: ${across.name}: ${across.value}`;
}

/** Of a thing that a row is called by. */
function saidOfRow(cells: readonly Cell[], { criterion, thing, query }: Asked): string | undefined {
  const [first] = cells;
  const label = labelsOf(cells).find((cell) => isCalled(cell.value, thing.name) || isCalledUnder(cell, thing.name));
  const beside = cells.filter((cell) => cell !== label && cell !== first);
  const asked = criterion === dateCriterion ? datesAmong(beside, query) : columnsAmong(beside, criterion);
  if (!label || asked.length === 0) return undefined;
  const called = label === first ? `${label.value}:` : `${label.name}: ${label.value};`;
  const told = criterion === dateCriterion ? asked : withBeside(cells, asked);
  return `${called} ${told.map(({ name, value }) => `${name}: ${value}`).join('; ')}`;
}

/** What the columns are called by that, or else by other words for it. */
function columnsAmong(cells: readonly Cell[], criterion: string): readonly Cell[] {
  const wanted = namingTerms(criterion);
  const named = cells.filter(({ name }) => wanted.isSubsetOf(termSet(name)));
  return named.length > 0 ? named : cells.filter(({ name }) => isCalledLike(name, criterion));
}

/** Dates of the very event that is asked for, or else those of which things come about: "When did Ann join?" is told under "Joined". */
function datesAmong(cells: readonly Cell[], query: string): readonly Cell[] {
  const dates = cells.filter(({ value }) => /\d{4}/u.test(value));
  const asked = termSet(query);
  const own = dates.filter(({ name }) => !asked.isDisjointFrom(termSet(name)));
  return own.length > 0 ? own : dates.filter(({ name }) => dated.test(name) && !ending.test(name));
}

/** With the period that the row is of, and the currency of what it costs. */
function withBeside(row: readonly Cell[], told: readonly Cell[]): readonly Cell[] {
  const others = row.filter((cell) => !told.includes(cell));
  const money = told.some(({ name }) => priced.test(name)) ? others.filter(({ name }) => currency.test(name)) : [];
  return [...others.filter(({ name }) => period.test(name)), ...told, ...money];
}
const currency = /^currency$/iu;
const priced = /\b(?:price|cost|fee|amount|total|revenue|sales)s?\b/iu;

/** What a row is called by says the criterion and nothing else. */
function isLabelled(cell: string, wanted: ReadonlySet<string>): boolean {
  const said = termSet(bare(cell));
  return said.size > 0 && said.size === wanted.size && said.isSubsetOf(wanted);
}

/** Whether the row is called by what is asked of the things over its columns. */
function isAcross(
  label: string,
  { criterion, query, wanted }: Pick<Asked, 'criterion' | 'query'> & { readonly wanted: ReadonlySet<string> },
): boolean {
  if (criterion === dateCriterion) return !termSet(label).isDisjointFrom(termSet(query)) || dated.test(label);
  return (
    isLabelled(label, wanted) ||
    isCalledLike(label, criterion) ||
    isLabelled(label.replace(/^(?:monthly|yearly|annual|total|net|gross) /iu, ''), wanted)
  );
}

const period = /^(?:(?:fiscal )?year|quarter|month|period|season|half|fy)$/iu;
const framing = termSet('supported required versions numbers');
/** Without what a head of a column leaves out: "supported Node.js versions" stand under "Node.js". */
function namingTerms(criterion: string): ReadonlySet<string> {
  const all = termSet(criterion);
  const named = all.difference(framing);
  return named.size > 0 ? named : all;
}

/** Rows with a cell that is the thing, with the lines at the top of their table where it is the first. */
function rowsIn(evidence: Evidence, { criterion, thing, query }: Asked, ofDocument: string): readonly Stated[] {
  const text = evidence.text.slice(0, longestPassage);
  const found: Stated[] = [];
  if (!isOfProduct(evidence, thing.name, ofDocument)) return found;
  const wanted = termSet(criterion);
  // "The Freeze zone" may be the row "Freeze" under "Zone": its columns tell when it is read back.
  const names = [thing.name, ...shorterNames(thing.name)];
  let table: (Place & { readonly line: string })[] = [];
  for (const { 0: line, index } of text.matchAll(/[^\n]*(?:\n|$)/gu)) {
    const shown = line.trim();
    if (shown === '') {
      table = [];
      continue;
    }
    table.push({ line: shown, start: index, end: index + line.trimEnd().length });
    const isKeyed = !isBarRow(shown) && /;[ \t]/u.test(shown);
    if (!isKeyed && !isBarRow(shown)) continue;
    // Which cell calls the row, its columns tell when it is read back.
    const values = isKeyed
      ? (rowsOf(shown)[0]?.cells ?? []).map(({ value }) => value)
      : barCells(shown, false).filter((cell) => cell !== '');
    const called = values.findIndex((value) => names.some((name) => isCalled(value, name)));
    const mayBeAcross = !isKeyed && isAcross(values[0] ?? '', { criterion, query, wanted: namingTerms(criterion) });
    if (called < 0 && !mayBeAcross) continue;
    const place = { start: index + (line.length - line.trimStart().length), end: index + line.trimEnd().length };
    const isWhole = called === 0 && isCalled(values[0] ?? '', thing.name);
    const above = isKeyed || !isWhole ? undefined : headerIn(table.slice(0, -1), wanted);
    found.push({ kind: 'row', evidence, place, ...(above && { above }) });
  }
  return found;
}

/** The first lines of a table, up to the first one with figures, where they speak of what is wanted. */
function headerIn(
  table: readonly (Place & { readonly line: string })[],
  wanted: ReadonlySet<string>,
): Place | undefined {
  const rows = table.findIndex(({ line }) => !mayNameColumns(line));
  const header = table.slice(0, rows < 0 ? table.length : rows).slice(0, mostHeaderLines);
  const [first] = header;
  const last = header.at(-1);
  if (!first || !last || header.some(({ line }) => isDelimiterRow(line))) return undefined;
  const said = termSet(header.map(({ line }) => line).join(' '));
  return wanted.isSubsetOf(said) ? { start: first.start, end: last.end } : undefined;
}

/** What stands under a heading of the criterion, where the title or the headings above name the thing. */
function sectionsIn(evidence: Evidence, { criterion, thing }: Asked): readonly Stated[] {
  const text = evidence.text.slice(0, longestPassage);
  const wanted = termSet(criterion);
  const distinct = termSet(thing.name).difference(termSet(thing.others.join(' ')));
  if (wanted.size === 0 || distinct.size === 0) return [];
  const pieces = readPieces(text);
  const found: Stated[] = [];
  const over = [evidence.title, ...evidence.headingPath];
  for (const [at, piece] of pieces.entries()) {
    if (piece.kind !== 'heading') continue;
    const heading = text.slice(piece.start, piece.end);
    const said = termSet(heading);
    const isCriterion = wanted.isSubsetOf(said) && said.size <= wanted.size + 1;
    if (!isCriterion) {
      over.push(heading);
      continue;
    }
    if (!distinct.isSubsetOf(termSet(over.join(' ')))) continue;
    const place = sectionOf(pieces, at, text);
    if (place) found.push({ kind: 'section', evidence, place });
  }
  return found;
}

/** A list with the heading over it, or the first sentences. */
function sectionOf(
  pieces: readonly (Place & { readonly kind: string })[],
  at: number,
  text: string,
): Place | undefined {
  const heading = pieces[at];
  const first = pieces[at + 1];
  if (!heading || !first || (first.kind !== 'item' && first.kind !== 'sentence')) return undefined;
  // "MIT" alone does not say of what it is.
  const isBare = countWords(text.slice(first.start, first.end)) < fewestWords;
  const start = first.kind === 'item' || isBare ? heading.start : first.start;
  let end = first.end;
  let count = 1;
  for (const piece of pieces.slice(at + 2)) {
    const isMore = piece.kind === first.kind && (first.kind === 'item' || count < mostSentences);
    if (!isMore || countWords(text.slice(start, piece.end)) > mostSectionWords) break;
    // Another paragraph says something else.
    if (first.kind === 'sentence' && /\n[ \t]*\n/u.test(text.slice(end, piece.start))) break;
    end = piece.end;
    count += 1;
  }
  return { start, end };
}
