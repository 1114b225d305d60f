// Places in a passage that may say of a thing what it is compared by: sentences, with the one before where a pronoun stands for the thing, rows, and
// records with the line over them. Pure; what they say is decided by what the record holds there.

import { nounsOf } from '../../answer/support/compared/amounts.ts';
import type { Relation } from '../../answer/support/compared/compare.ts';
import { amountReadings, eventOfColumn, eventReadings } from '../../answer/support/compared/readings.ts';
import { isRowUnder } from '../../answer/support/compared/things.ts';
import { barCells, isBarRow, isFieldLine } from '../../answer/tables/rows.ts';
import { segmentSentences } from '../../text/sentences.ts';

/** From the beginning of the passage. */
export interface Place {
  readonly start: number;
  readonly end: number;
}

const mostPlaces = 8;
const longestPassage = 20_000;
const longestHeading = 160;

export function candidatePlaces(
  { text: passage, title }: { readonly text: string; readonly title: string },
  thing: string,
  relation: Relation,
): readonly Place[] {
  const text = passage.slice(0, longestPassage);
  const places: Place[] = [];
  let above: Place | undefined;
  for (const { 0: paragraph, index } of text.matchAll(/\S(?:[^\n]|\n(?![ \t]*\n))*/gu)) {
    const own = { start: index, end: index + paragraph.trimEnd().length };
    places.push(...placesIn(paragraph.trimEnd(), own, above));
    above = own.end - own.start <= longestHeading && !paragraph.includes('\n') ? own : undefined;
  }
  const bareName = thing.toLowerCase().replace(/^(?:the|an?) /u, '');
  const states = ({ start, end }: Place): boolean => {
    const quoted = { quote: text.slice(start, end), title };
    if (!/\d/u.test(quoted.quote)) return false;
    if (isBarRow(quoted.quote)) {
      const [label = ''] = barCells(quoted.quote, false).filter((cell) => cell !== '');
      // What its columns are called is known where it is read back: until then every word beside the two names may be that.
      const isUnder = isRowUnder(label, { title, column: thing }, thing);
      return isUnder || mayTellAcross(label, relation) || quoted.quote.toLowerCase().includes(bareName);
    }
    return (
      (relation.by === 'time' ? eventReadings(quoted, thing) : amountReadings(quoted, thing, relation.what)).length > 0
    );
  };
  const held = places.filter(states);
  // What needs no sentence before it is quoted without.
  return held
    .filter(
      (place) =>
        !held.some(
          (other) =>
            other !== place && other.start >= place.start && other.end === place.end && other.start > place.start,
        ),
    )
    .slice(0, mostPlaces);
}

function placesIn(paragraph: string, { start: from, end }: Place, above: Place | undefined): readonly Place[] {
  const lines: Place[] = [];
  for (const { 0: line, index } of paragraph.matchAll(/[^\n]+/gu))
    lines.push({ start: from + index, end: from + index + line.trimEnd().length });
  const lineTexts = paragraph.split('\n').filter((line) => line !== '');
  const rows = lines.filter((_, at) => isBarRow(lineTexts[at] ?? '') || isFieldLine(lineTexts[at] ?? ''));
  const fields = lineTexts.every((line) => /^[^:;|\n]{1,100}:[ \t]/u.test(line.trim()));
  const record = fields ? [{ start: above?.start ?? from, end }] : [];
  const sentences = segmentSentences(paragraph, { language: 'en' }).map(({ start, end: to }) => ({
    start: from + start,
    end: from + to,
  }));
  const pairs = sentences
    .slice(1)
    .map((sentence, at) => ({ start: sentences[at]?.start ?? sentence.start, end: sentence.end }));
  return [...sentences, ...pairs, ...rows, ...record];
}

/** Whether a row may be the one that tells it of the things over its columns, by what the row is called. */
function mayTellAcross(label: string, relation: Relation): boolean {
  if (relation.by === 'time') return eventOfColumn(label) !== undefined;
  return nounsOf(relation.what).some((noun) => ` ${label.toLowerCase()}`.endsWith(` ${noun.toLowerCase()}`));
}
