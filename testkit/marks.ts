// What is wrong with the marks of an answer, told without the code that makes them: they stand where the text has `[n]`, each claim, agreement and
// conflict has its own, whatever else looks like one stands in words of others, and the pieces of a stream have the same marks as the whole.
import type { Answer } from '../src/core/answer.ts';
import type { Mark } from '../src/core/marked-text.ts';

interface Told extends Pick<Answer, 'answer' | 'marks'> {
  readonly citations: readonly { readonly index: number }[];
  readonly claims?: readonly {
    readonly text: string;
    readonly citations: readonly number[];
    readonly form?: string | undefined;
    readonly headingPath?: readonly string[] | undefined;
  }[];
  readonly conflicts?: Answer['conflicts'];
  readonly agreements?: Answer['agreements'];
}

type Event = { readonly type: string; readonly text?: string; readonly marks?: readonly Mark[] };

const bracketed = (text: string): number => [...text.matchAll(/\[\d+\]/gu)].length;

export function faultsOfMarks(told: Told, events?: readonly object[]): string[] {
  const { answer, marks, citations, claims = [], conflicts = [], agreements = [] } = told;
  if (!marks) return ['the answer has no marks'];
  const faults: string[] = [];
  let rest = '';
  let at = 0;
  for (const { start, end, citation } of marks) {
    if (start < at) faults.push(`mark ${start}-${end} stands in or before another one`);
    if (answer.slice(start, end) !== `[${citation}]`) faults.push(`${answer.slice(start, end)} is no [${citation}]`);
    if (!citations.some(({ index }) => index === citation)) faults.push(`there is no citation ${citation}`);
    rest += answer.slice(at, start);
    at = end;
  }
  rest += answer.slice(at);
  if (told.claims) {
    const expected = [
      ...claims.flatMap((claim) => claim.citations),
      ...agreements.flatMap((one) => [...one.citations, ...(claims[one.claim - 1]?.citations ?? [])]),
      ...conflicts.flatMap(({ positions, follows }) => [
        ...positions.flatMap((one) => one.citations),
        ...(follows ? (positions[follows.position - 1]?.citations ?? []) : []),
      ]),
    ];
    const found = marks.map(({ citation }) => citation);
    if (JSON.stringify(found) !== JSON.stringify(expected) && claims.length > 0)
      faults.push(`marks ${found.join()} are not ${expected.join()}`);
    const others = [
      ...claims.map(({ text }) => text),
      // A passage stands under its headings; the sentence that leads does not.
      ...claims.flatMap(({ form = 'sentence', headingPath = [] }) => (form === 'sentence' ? [] : headingPath)),
      ...conflicts.flatMap(({ about, positions }) => [about, ...positions.map(({ statement }) => statement)]),
    ];
    const planted = others.reduce((sum, text) => sum + bracketed(text), 0);
    if (claims.length > 0 && bracketed(rest) !== planted)
      faults.push(`${bracketed(rest)} brackets are left, and ${planted} stand in words of others`);
  }
  if (events) {
    const deltas = (events as readonly Event[]).filter(({ type }) => type === 'delta');
    if (deltas.map(({ text }) => text).join('') !== answer) faults.push('the stream has another text');
    const streamed = deltas.flatMap((delta) => delta.marks ?? []);
    if (JSON.stringify(streamed) !== JSON.stringify(marks)) faults.push('the stream has other marks');
    let length = 0;
    for (const { text = '', marks: own = [] } of deltas) {
      const end = length + text.length;
      if (own.some((mark) => mark.start < length || mark.end > end))
        faults.push('a mark came before or after its piece');
      length = end;
    }
  }
  return faults;
}
