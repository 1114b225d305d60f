// Answers, evidence and runs as a person reads them in a terminal.
import type { Answer, Citation } from '../../core/answer.ts';
import { highlightsOf } from '../../core/answers/answer-text.ts';
import { toInert } from '../../core/answers/inert-text.ts';
import type { SourceSpan } from '../../core/document.ts';
import { systemClock } from '../../core/ids.ts';
import { cutAtMarks, type MarkedText } from '../../core/marked-text.ts';
import type { Degradation, SearchResponse } from '../../core/search.ts';
import { toPrice } from '../terminal/figures.ts';
import type { FindPlace } from '../terminal/places.ts';
import { type Terminal, toPrintable } from '../terminal/terminal.ts';
import { explanationLines, legLines } from './explanation.ts';
import { keptLines, type Provenance, provenanceOf } from './provenance.ts';

export const oneLine = (text: string): string => toPrintable(text).replace(/\s+/g, ' ').trim();

export const plural = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`;

/** Cut to `length` characters, at a word if one is near. */
export function shorten(text: string, length: number): string {
  const line = oneLine(text);
  if (line.length <= length) return line;
  const cut = line.slice(0, length - 1);
  const space = cut.lastIndexOf(' ');
  return `${(space > length * 0.6 ? cut.slice(0, space) : cut).toWellFormed()}…`;
}

export function spot(citation: {
  readonly page?: number | undefined;
  readonly lines?: readonly [number, number] | undefined;
  readonly place?: string | undefined;
}): string {
  if (citation.page !== undefined)
    return `, page ${citation.page}${citation.place === undefined ? '' : ` (${citation.place})`}`;
  if (citation.place !== undefined) return `, ${citation.place}`;
  if (!citation.lines) return '';
  const [first, last] = citation.lines;
  return first === last ? `, line ${first}` : `, lines ${first} to ${last}`;
}

export function renderDegraded(terminal: Terminal, degraded: readonly Degradation[]): void {
  for (const { component, detail, effect } of degraded)
    terminal.line(terminal.paint('yellow', toPrintable(`note (${component}): ${detail} ${effect}`)));
}

/** One line beneath the address, where more is known of it than the address. */
function renderProvenance(terminal: Terminal, told: Provenance, indent: string): void {
  const line = provenanceOf(told, Date.parse(systemClock.now()));
  if (line !== undefined) terminal.line(`${indent}${terminal.paint(told.trust ? 'yellow' : 'dim', line)}`);
}

function renderCitation(
  terminal: Terminal,
  citation: Citation,
  { place, isShown }: { readonly place: FindPlace; readonly isShown: boolean },
): void {
  const { index, title, quote } = citation;
  terminal.line(`${terminal.paint('cyan', `[${index}]`)} ${terminal.paint('bold', oneLine(title))}${spot(citation)}`);
  if (!isShown) terminal.line(`    “${shorten(quote, 400)}”`);
  terminal.line(`    ${terminal.paint('dim', toPrintable(place(citation)))}`);
  renderProvenance(terminal, citation, '    ');
}

/** Words of others as they may be printed, our marks in colour, and the parts that answer in bold. */
export function withMarks(terminal: Terminal, told: MarkedText, highlights: readonly SourceSpan[] = []): string {
  let at = 0;
  return cutAtMarks(told)
    .map(({ text, citation }) => {
      const start = at;
      at += text.length;
      return citation === undefined ? highlighted(terminal, text, { start, highlights }) : terminal.paint('cyan', text);
    })
    .join('');
}

/** A piece of the text that begins at `start` in it. */
function highlighted(
  terminal: Terminal,
  text: string,
  { start, highlights }: { readonly start: number; readonly highlights: readonly SourceSpan[] },
): string {
  let from = 0;
  let printed = '';
  for (const highlight of highlights) {
    const [begin, end] = [highlight.start - start, highlight.end - start];
    if (begin < from || end > text.length) continue;
    printed += toPrintable(text.slice(from, begin)) + terminal.paint('bold', toPrintable(text.slice(begin, end)));
    from = end;
  }
  return printed + toPrintable(text.slice(from));
}

export function renderAnswer(terminal: Terminal, answer: Answer, place: FindPlace): void {
  if (answer.abstained) {
    terminal.line(
      terminal.paint('yellow', 'No answer: ') + toPrintable(answer.abstainReason ?? 'the documents do not say.'),
    );
    if (answer.answer !== '' && answer.answer !== answer.abstainReason) terminal.line(toPrintable(answer.answer));
  } else {
    terminal.line(
      withMarks(
        terminal,
        { text: answer.answer, marks: answer.marks ?? [] },
        answer.sections ? [] : highlightsOf(answer),
      ),
    );
  }
  for (const line of kindLines(answer)) terminal.line(terminal.paint('dim', line));
  renderReworded(terminal, answer);
  if (answer.disclaimer !== undefined) terminal.line(terminal.paint('yellow', toPrintable(answer.disclaimer)));
  if (answer.citations.length > 0) terminal.line();
  // A passage that the answer shows whole is not shown again.
  const marked = new Set(answer.marks?.map(({ citation }) => citation));
  const below = new Set(writtenByModel(answer) ? answer.passages?.flatMap(({ citations }) => citations) : []);
  // What only `passages` cite stands in --json, but below what a model wrote.
  for (const citation of answer.citations.filter(
    ({ index }) => marked.size === 0 || marked.has(index) || below.has(index),
  ))
    renderCitation(terminal, citation, { place, isShown: answer.answer.includes(toInert(citation.quote)) });
  for (const conflict of answer.conflicts) {
    // The answer's own sentence says it already.
    if (conflict.positions.every(({ statement }) => answer.answer.includes(statement))) continue;
    terminal.line();
    terminal.line(terminal.paint('yellow', `The sources disagree about ${oneLine(conflict.about)}:`));
    for (const { statement, citations } of conflict.positions)
      terminal.line(`  ${oneLine(statement)} ${citations.map((index) => `[${index}]`).join('')}`);
  }
  if (answer.degraded.length > 0) terminal.line();
  renderDegraded(terminal, answer.degraded);
  const spent = spending(answer.usage);
  const writers = (answer.models ?? []).flatMap(({ role, model }) => (role === 'answer' ? [model] : []));
  const by = writers.length === 0 ? '' : ` · written by ${toPrintable(writers.join(', '))}`;
  const closest = answer.closestPassages ? 'closest passages, ' : '';
  const confidence = `${closest}confidence ${answer.confidence.toFixed(2)}, coverage ${answer.coverage.toFixed(2)}`;
  terminal.line();
  for (const line of keptLines(answer.routing)) terminal.line(terminal.paint('dim', line));
  terminal.line(
    terminal.paint('dim', `${confidence}, ${Math.round(answer.timings.totalMs)} ms${by}${spent} · answer ${answer.id}`),
  );
}

const writtenByModel = ({ claims: [first] }: Answer): boolean => first !== undefined && first.form === undefined;

/** What a model said and nothing confirms, each above the passage that it may misread. */
function renderReworded(terminal: Terminal, { claims, citations }: Answer): void {
  for (const { text, citations: cited } of claims.filter(({ confirmed }) => confirmed === false)) {
    terminal.line();
    terminal.line(terminal.paint('dim', `In the model's words, not confirmed: ${oneLine(text)}`));
    for (const { index, quote } of citations.filter(({ index }) => cited.includes(index)))
      terminal.line(`    [${index}] “${shorten(quote, 800)}”`);
  }
}

/** Which claims are more than what their quotes say; nothing where there are none. */
function kindLines({ claims, conflicts }: Answer): string[] {
  const ofConflicts = conflicts.flatMap(({ about, kind, judgedBy }) =>
    kind === 'judged'
      ? [
          `That sources disagree about “${shorten(about, 80)}” is judged by ${oneLine(judgedBy ?? 'a model')}; no rule says so.`,
        ]
      : [],
  );
  const ofClaims = claims.flatMap(({ text, citations, kind, derivation, judgedBy }) => {
    if (kind !== 'derived' && kind !== 'judged') return [];
    const marks = citations.map((index) => `[${index}]`).join('');
    const how =
      kind === 'derived'
        ? `computed from its quotes${derivation === undefined ? '' : `: ${shorten(derivation, 200)}`}`
        : `judged to follow from its quotes by ${oneLine(judgedBy ?? 'a model')}; no rule checks that`;
    return [`“${shorten(text, 80)}” ${marks} is ${how}.`];
  });
  return [...ofClaims, ...ofConflicts];
}

/** What models took for an answer; nothing where none was asked. */
function spending({ inputTokens, outputTokens, costUsd, unpricedCalls = 0, claims }: Answer['usage']): string {
  if (inputTokens + outputTokens === 0) return '';
  const cost = unpricedCalls > 0 && costUsd === 0 ? 'price unknown' : toPrice(costUsd);
  const { shown = 0, proposed = 0 } = claims ?? {};
  const kept = claims ? ` · ${shown} of ${plural(proposed, 'claim')} of the model shown` : '';
  return `${kept} · ${inputTokens} + ${outputTokens} tokens, ${cost}`;
}

export function renderSearch(terminal: Terminal, response: SearchResponse, place: FindPlace): void {
  if (response.results.length === 0) terminal.line('Nothing found.');
  for (const [position, evidence] of response.results.entries()) {
    const path = evidence.headingPath.filter((heading) => heading !== evidence.title);
    const heading = path.length > 0 ? ` › ${shorten(path.join(' › '), 120)}` : '';
    const score = terminal.paint('dim', evidence.score.toFixed(3));
    terminal.line(
      `${terminal.paint('cyan', `${position + 1}.`)} ${terminal.paint('bold', oneLine(evidence.title))}${heading}${spot(evidence)}  ${score}`,
    );
    terminal.line(`   ${shorten(evidence.text, 240)}`);
    terminal.line(`   ${terminal.paint('dim', toPrintable(place(evidence)))}`);
    renderProvenance(terminal, evidence, '   ');
    for (const line of explanationLines(evidence)) terminal.line(`     ${toPrintable(line)}`);
  }
  const legs = legLines(response);
  if (legs.length > 0) terminal.line();
  for (const line of legs) terminal.line(line);
  if (response.degraded.length > 0) terminal.line();
  renderDegraded(terminal, response.degraded);
}
