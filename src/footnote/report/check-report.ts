// A report checked against the record: its page is made again from its data, its data are gathered again from the record, and its quotes are
// read back. Invariant: whatever was changed in the page or in its data is told; what changed in the documents since is told apart from it.
import type { AnswerCheck } from '../../answer/verify.ts';
import type { Answer } from '../../core/answer.ts';
import {
  type EvidenceReport,
  evidenceReportSchema,
  type ReportCheck,
  type ReportDocument,
  reportVersion,
} from '../../core/answers/evidence-report.ts';
import { FootnoteError } from '../../core/errors.ts';
import { isLoopbackHost } from '../../core/hosts/loopback.ts';
import { jsonShape } from '../../core/json/json-shape.ts';
import { nextTurn } from '../../core/waiting/pieces.ts';
import { withoutOrigins } from '../record/links.ts';
import { unescapeHtml } from './inert-html.ts';
import { reportLayout, reportPieces } from './report-page.ts';

const opening = '<pre id="footnote-report" hidden>';
const mostReasons = 20;
const mostValues = 50_000;
const mostDepth = 64;

/** Whether a file looks like a page, and not like JSON. */
export const looksLikePage = (text: string): boolean => /^\s*<(?:!doctype|html)/iu.test(text);

/** Throws `invalid-request` for what is no report, or one of a newer Footnote, and `too-large` for one that no answer has. */
export async function readReport(html: string): Promise<EvidenceReport> {
  const refuse = (why: string): never => {
    throw new FootnoteError(
      'invalid-request',
      `This is no evidence report (${why}). Make one with "footnote answers export ID".`,
    );
  };
  const from = html.lastIndexOf(opening);
  const to = from === -1 ? -1 : html.indexOf('</pre>', from);
  if (to === -1) return refuse('it holds no data');
  const data = unescapeHtml(html.slice(from + opening.length, to));
  await nextTurn();
  const { depth, values } = jsonShape(data, { depth: mostDepth, values: mostValues });
  if (depth > mostDepth || values > mostValues)
    throw new FootnoteError(
      'too-large',
      `The report holds more than ${mostValues} values or ${mostDepth} levels of them, which none of an answer does: it is not one of Footnote's.`,
    );
  let value: unknown;
  try {
    value = JSON.parse(data);
  } catch {
    return refuse('its data are not JSON');
  }
  await nextTurn();
  const version = (value as { readonly version?: unknown } | null)?.version;
  if (typeof version === 'number' && version > reportVersion)
    throw new FootnoteError(
      'invalid-request',
      `The report is of version ${version}, and this Footnote reads up to ${reportVersion}. Update Footnote.`,
    );
  const parsed = evidenceReportSchema.safeParse(value);
  if (parsed.success) return value as EvidenceReport;
  const issue = parsed.error.issues[0];
  return refuse(`${issue?.path.join('.') || 'the data'}: ${issue?.message ?? 'not valid'}`);
}

const shownLength = 90;

/** Two values as a sentence shows them: where they begin to differ. */
function shown(file: unknown, record: unknown): readonly [file: string, record: string] {
  const [one, other] = [JSON.stringify(file) ?? 'nothing', JSON.stringify(record) ?? 'nothing'];
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  const from = Math.max(0, at - shownLength / 2);
  const cut = (text: string): string =>
    `${from > 0 ? '…' : ''}${text.slice(from, from + shownLength)}${text.length > from + shownLength ? '…' : ''}`;
  return [cut(one), cut(other)];
}

/** Places at which two values of JSON differ, each once. */
function differences(file: unknown, record: unknown, at = ''): string[] {
  if (file === record) return [];
  const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
    typeof value === 'object' && value !== null;
  if (!isObject(file) || !isObject(record) || Array.isArray(file) !== Array.isArray(record))
    return [`${at} says ${shown(file, record).join(', and the record ')}.`];
  const names = new Set([...Object.keys(file), ...Object.keys(record)]);
  return [...names].flatMap((name) => differences(file[name], record[name], at === '' ? name : `${at}.${name}`));
}

interface CheckPorts {
  readonly answerOf: (id: string) => Promise<Answer | undefined>;
  readonly verify: (answer: Answer) => Promise<AnswerCheck>;
  readonly gather: (answer: Answer, report: EvidenceReport) => Promise<EvidenceReport>;
}

const since: Readonly<Record<ReportDocument['standing'], string>> = {
  same: 'stands again as it was cited',
  changed: 'was changed since the report was written',
  gone: 'was deleted since, or may not be read here',
  passing: 'is not kept',
};

/** What of the data a change of a document, or the pruning of a trace, explains: told in its own words, and compared no further. */
function settled(
  file: EvidenceReport,
  now: EvidenceReport,
): { readonly reasons: string[]; readonly now: EvidenceReport } {
  const reasons: string[] = [];
  const before = new Map(file.documents.map((document) => [document.id, document]));
  const moved = new Set<string>();
  const documents = now.documents.map((document) => {
    const then = before.get(document.id);
    if (!then || then.standing === document.standing) return document;
    reasons.push(`“${document.title}” (${document.id}) ${since[document.standing]}.`);
    moved.add(document.id);
    // Gone with it is what the record knew of its edition.
    return document.standing === 'gone' ? then : { ...document, standing: then.standing };
  });
  const ofMoved = new Set(
    now.answer.citations.flatMap(({ index, documentId, memoryId }) =>
      moved.has(memoryId ?? documentId) ? [index] : [],
    ),
  );
  const passages = now.passages.map((passage) => {
    const then = file.passages.find(({ index }) => index === passage.index);
    const isPart = then?.before.endsWith(passage.before) && then.after.startsWith(passage.after);
    return then && isPart && ofMoved.has(passage.index)
      ? { ...then, ...(passage.chunkHash !== undefined && { chunkHash: passage.chunkHash }) }
      : passage;
  });
  let { trace } = now;
  if (file.trace && !trace) {
    reasons.push('Its trace is no longer kept: what the page says of question, route and drops cannot be compared.');
    trace = file.trace;
  }
  return { reasons, now: { ...now, documents, passages, ...(trace && { trace }) } };
}

/** Where a server without a public address was found: on the machine that it ran on. */
const isOfAnyMachine = (origin: string): boolean => origin === '' || isLoopbackHost(URL.parse(origin)?.hostname ?? '');
const ledElsewhere = (origin: string): string =>
  `Its links lead to ${origin.slice(0, shownLength)}, which is not the address of this server.`;
/** What `escapeHtml` would write in another way: its data were not written by us, and may take long to write. */
const unwritten = /[<>"'\r\0]|&(?!(?:amp|lt|gt|quot|#39|#13);)/;

/** Whether the page is what its own data make. */
async function isOwnPage(html: string, file: EvidenceReport): Promise<boolean> {
  const from = html.lastIndexOf(opening) + opening.length;
  if (unwritten.test(html.slice(from, html.indexOf('</pre>', from)))) return false;
  let at = 0;
  for (const piece of reportPieces(file)) {
    const text = piece();
    if (!html.startsWith(text, at)) return false;
    at += text.length;
    await nextTurn();
  }
  return at === html.length;
}

export async function checkReport(html: string, { answerOf, verify, gather }: CheckPorts): Promise<ReportCheck> {
  const file = await readReport(html);
  await nextTurn();
  const reasons: string[] = [];
  if (file.layout !== reportLayout)
    reasons.push(
      `The page is laid out as edition ${file.layout} and this Footnote lays out edition ${reportLayout}: what it shows cannot be compared with its data. Export it again.`,
    );
  else if (!(await isOwnPage(html, file)))
    reasons.push('The page shows something else than its own data: it was changed after it was written.');
  const saved = await answerOf(file.answer.id);
  if (!saved) reasons.push(`The record holds no answer ${file.answer.id} that may be read here.`);
  else {
    const again = settled(file, await gather(saved, file));
    const [then, now] = [withoutOrigins(file.answer), withoutOrigins(again.now.answer)];
    reasons.push(
      ...again.reasons,
      ...differences({ ...file, answer: then.answer }, { ...again.now, answer: now.answer }),
      ...[...then.origins].filter((origin) => !now.origins.has(origin) && !isOfAnyMachine(origin)).map(ledElsewhere),
    );
  }
  await nextTurn();
  const check = await verify(file.answer);
  reasons.push(...check.reasons);
  for (const { index, ok, reasons: why } of check.citations) if (!ok) reasons.push(`[${index}] ${why.join('; ')}`);
  for (const { text, ok, reasons: why } of check.claims)
    if (!ok) reasons.push(`“${text.slice(0, 100)}”: ${why.join('; ')}`);
  return {
    answerId: file.answer.id,
    ok: reasons.length === 0 && check.ok,
    reasons: reasons.slice(0, mostReasons),
    citationsHeld: check.citations.filter(({ ok }) => ok).length,
    citations: check.citations.length,
  };
}
