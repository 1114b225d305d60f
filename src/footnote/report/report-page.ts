// The evidence of one answer as one page for whoever has to check: no script, nothing from elsewhere, and the data that it was made of inside.
// Invariants: the page is a function of the data alone, so that making it again shows whether it was changed; words of documents are text.
import { hash } from 'node:crypto';
import { type Answer, assertedOf, type Citation, type Claim } from '../../core/answer.ts';
import type { EvidenceReport, ReportDocument, ReportPassage } from '../../core/answers/evidence-report.ts';
import { cutAtMarks } from '../../core/marked-text.ts';
import { escapeHtml, escapeName, escapeText } from './inert-html.ts';
import { madeSection } from './report-made.ts';
import { reportStyle } from './report-style.ts';

/** Raised whenever the same data make another page. */
export const reportLayout = 2;

/** Nothing is loaded and nothing runs: only our own style, by its hash. */
export const reportStyleSource = `'sha256-${hash('sha256', reportStyle, 'base64')}'`;
export const reportPolicy = `default-src 'none'; style-src ${reportStyleSource}; base-uri 'none'; form-action 'none'`;

const kinds: Readonly<Record<NonNullable<Claim['kind']>, string>> = {
  quoted: 'The quotes say it.',
  derived: 'It was computed from what the quotes say.',
  judged: 'A judge that saw only the claim and its quotes says that they carry it, and nothing forbids it.',
  reworded: 'In the words of a model, not confirmed.',
};

const standings: Readonly<Record<ReportDocument['standing'], readonly [style: string, words: string]>> = {
  same: ['good', 'stands as cited'],
  changed: ['warn', 'changed since'],
  gone: ['bad', 'not to be read any more'],
  passing: ['warn', 'came with the request, not kept'],
};

export const badge = (style: string, words: string): string =>
  `<span class="badge ${style}">${escapeHtml(words)}</span>`;

/** The text of the answer with its marks as links to the quotes. */
const withMarks = ({ answer, marks = [] }: Answer): string =>
  cutAtMarks({ text: answer, marks })
    .map(({ text, citation }) => (citation === undefined ? escapeText(text) : `<a href="#c${citation}">${text}</a>`))
    .join('');

const marks = (citations: readonly number[]): string =>
  `<span class="cites">${citations.map((index) => `<a href="#c${index}">[${index}]</a>`).join(' ')}</span>`;

function claimItem({ text, citations, support, kind, derivation, judgedBy }: Claim): string {
  const told =
    kind === undefined
      ? ''
      : `${badge(kind === 'judged' ? 'warn' : 'good', kind)} <span class="soft small">${escapeHtml(kinds[kind])}${judgedBy === undefined ? '' : ` Judged by ${escapeName(judgedBy)}.`} Support ${support.toFixed(2)}.</span>`;
  return `<li><p class="claim" dir="auto">${escapeText(text)} ${marks(citations)}</p>${told}${derivation === undefined ? '' : `<p class="derivation" dir="auto">${escapeText(derivation)}</p>`}</li>`;
}

export function placeWords({ page, lines, place, start, end, timestamp }: Citation): string {
  const words = [
    page === undefined ? undefined : `page ${page}`,
    lines === undefined ? undefined : lines[0] === lines[1] ? `line ${lines[0]}` : `lines ${lines[0]}–${lines[1]}`,
    place,
    timestamp === undefined ? undefined : `said ${timestamp}`,
    `characters ${start}–${end}`,
  ];
  return words.filter((one) => one !== undefined).join(' · ');
}

function quoteCard(
  citation: Citation,
  passage: ReportPassage | undefined,
  document: ReportDocument | undefined,
): string {
  const { index, title, quote, lines, alsoIn } = citation;
  const { before = '', after = '', headings = [], chunkHash } = passage ?? {};
  const [style, words] = standings[document?.standing ?? 'gone'];
  const around = (text: string): string => (text === '' ? '' : `<span class="around">${escapeText(text)}</span>`);
  const isCode = document?.kind === 'code' || (lines !== undefined && document?.mime !== 'text/markdown');
  const more =
    alsoIn.length === 0 ? '' : ` · the same stands in ${alsoIn.map((one) => escapeName(one.source)).join(', ')}`;
  return `<article id="c${index}"><header><h3><span class="no">[${index}]</span><bdi>${escapeName(title)}</bdi></h3>${badge(style, words)}</header>
${headings.length === 0 ? '' : `<p class="soft small"><bdi>${headings.map(escapeName).join(' › ')}</bdi></p>\n`}<blockquote dir="auto"${isCode ? ' class="code"' : ''}>${around(before)}<mark>${escapeText(quote)}</mark>${around(after)}</blockquote>
<footer>${escapeName(placeWords(citation))}${more}${chunkHash === undefined ? '' : `<br>passage <span class="hash">${escapeHtml(chunkHash)}</span>`}</footer></article>`;
}

function conflictsSection({ conflicts }: Answer): string {
  if (conflicts.length === 0) return '';
  const items = conflicts.map(({ about, kind, judgedBy, positions, follows }) => {
    const sides = positions.map(
      ({ statement, citations }, place) =>
        `<li dir="auto">${escapeText(statement)} ${marks(citations)}${follows?.position === place + 1 ? ` ${badge('good', `followed: ${follows.because}`)}` : ''}</li>`,
    );
    const judged = kind === 'judged' ? ` ${badge('warn', `judged by ${judgedBy ?? 'a model'}`)}` : '';
    return `<p>The sources disagree about <b><bdi>${escapeName(about)}</bdi></b>${judged}${follows ? '' : ', and which of them holds cannot be told from them'}:</p><ul>${sides.join('')}</ul>`;
  });
  return `<h2>What the sources disagree about</h2>\n${items.join('\n')}\n`;
}

function partsSection({ parts }: Answer): string {
  if (!parts || parts.length === 0) return '';
  const items = parts.map(
    ({ question, claims, missing }) =>
      `<li dir="auto">${escapeText(question)} — ${claims.length > 0 ? `claim ${claims.join(', ')}` : `<span class="bad">nothing answers it${missing === undefined ? '' : `: ${escapeText(missing)}`}</span>`}</li>`,
  );
  return `<h2>The parts of the question</h2>\n<ul>${items.join('')}</ul>\n`;
}

function degradedSection({ degraded, erased, disclaimer }: Answer): string {
  const items = degraded.map(
    ({ component, code, detail, effect }) =>
      `<li><b>${escapeName(component)}</b> <code>${escapeName(code)}</code>: <bdi>${escapeText(detail)}</bdi> <bdi>${escapeText(effect)}</bdi></li>`,
  );
  if (erased)
    items.push(
      `<li><b>erased</b>: ${erased.claims} claims and ${erased.citations} quotes went on ${escapeHtml(erased.at)} with documents that were deleted.</li>`,
    );
  if (disclaimer !== undefined) items.push(`<li dir="auto">${escapeText(disclaimer)}</li>`);
  return items.length === 0 ? '' : `<h2>What could not serve</h2>\n<ul>${items.join('')}</ul>\n`;
}

function documentsSection(documents: readonly ReportDocument[]): string {
  if (documents.length === 0) return '';
  const rows = documents.map(
    ({ id, title, uri, source, kind, revision, version, publishedAt, updatedAt, textHash, contentHash, standing }) => {
      const [style, words] = standings[standing];
      const edition = [
        kind,
        revision === undefined ? undefined : `revision ${revision}`,
        version === undefined ? undefined : `version ${version}`,
        publishedAt === undefined ? undefined : `published ${publishedAt}`,
        updatedAt === undefined ? undefined : `recorded ${updatedAt}`,
      ].filter((one) => one !== undefined);
      const hashes = [
        textHash === undefined ? '' : `<br>text <span class="hash">${escapeHtml(textHash)}</span>`,
        contentHash === undefined ? '' : `<br>file <span class="hash">${escapeHtml(contentHash)}</span>`,
      ].join('');
      return `<tr><td><b><bdi>${escapeName(title)}</bdi></b><br><bdi>${escapeName(source)}</bdi> · <bdi>${escapeName(uri)}</bdi><br><span class="soft small">${escapeName(edition.join(' · '))}<br>${escapeName(id)}${hashes}</span></td><td>${badge(style, words)}</td></tr>`;
    },
  );
  return `<h2>The documents, in the edition that was read</h2>\n<table><tbody>${rows.join('\n')}</tbody></table>\n`;
}

/** What turns the order of what is read stands by its number: the data are looked at, too. */
const toData = (report: EvidenceReport): string =>
  JSON.stringify(report).replace(
    /[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g,
    (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** The whole page. */
export const reportPage = (report: EvidenceReport): string =>
  reportPieces(report)
    .map((piece) => piece())
    .join('');

/** Its pieces in their order, each to be made when it is needed: how much there is to make is the choice of whoever hands in a report. */
export function reportPieces(report: EvidenceReport): readonly (() => string)[] {
  const { answer, documents, passages, trace, writtenAt, program } = report;
  const { citations, abstained } = answer;
  // What nothing confirms supports nothing.
  const claims = assertedOf(answer.claims);
  const asked = trace?.question ?? 'A question that is no longer kept';
  const title = escapeName(asked.length > 120 ? `${asked.slice(0, 117)}…` : asked);
  const ofDocument = new Map(documents.map((document) => [document.id, document]));
  const ofPassage = new Map(passages.map((passage) => [passage.index, passage]));
  const cards = citations.map(
    (citation) => () =>
      quoteCard(citation, ofPassage.get(citation.index), ofDocument.get(citation.memoryId ?? citation.documentId)),
  );
  const dropped = trace?.droppedClaims.length ?? 0;
  const counted: readonly (readonly [count: number, one: string, many: string])[] = [
    [claims.length, 'claim', 'claims'],
    [citations.length, 'quote', 'quotes'],
    [documents.length, 'document', 'documents'],
    [dropped, 'claim dropped', 'claims dropped'],
    [answer.conflicts.length, 'conflict', 'conflicts'],
  ];
  const tally = counted.map(([count, one, many]) => `<li><b>${count}</b> ${count === 1 ? one : many}</li>`);
  const head = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="content-security-policy" content="${escapeHtml(reportPolicy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>Evidence: ${title}</title>
<style>${reportStyle}</style>
</head>
<body>
<header>
<p class="kicker">Evidence report · Footnote ${escapeName(program)}</p>
<h1 dir="auto">${escapeText(asked)}</h1>
<p class="soft small">${trace ? `Asked ${escapeHtml(trace.startedAt)}. ` : ''}Report written ${escapeHtml(writtenAt)}. Answer <code>${escapeName(answer.id)}</code></p>
<ul class="tally">${tally.join('')}</ul>
</header>
<main>
<h2>The answer${abstained ? ` ${badge('warn', 'it abstains')}` : ''}</h2>
`;
  const check = `
<section class="check"><p><b>To check this page:</b> <code>footnote verify FILE.html</code> makes it again from the record and tells every place that differs, and reads each quote back from its document. The page holds its own data (<code>#footnote-report</code>) as JSON.</p></section>
</main>
`;
  return [
    () => head,
    () => `<p class="answer" dir="auto">${withMarks(answer)}</p>\n`,
    ...listed(
      claims.map((claim) => () => claimItem(claim)),
      ['<h2>What it claims, and on whose word</h2>\n<ol class="claims">', '</ol>\n'],
    ),
    () => partsSection(answer),
    () => conflictsSection(answer),
    ...listed(cards, ['<h2>The quotes, where they stand</h2>\n', '\n']),
    () => documentsSection(documents),
    () => degradedSection(answer),
    () => madeSection(report),
    () => check,
    () => `<pre id="footnote-report" hidden>${escapeHtml(toData(report))}</pre>\n</body>\n</html>\n`,
  ];
}

/** Nothing where there are no items. */
const listed = (items: readonly (() => string)[], [before, behind]: readonly [string, string]): (() => string)[] =>
  items.length === 0
    ? []
    : [() => before, ...items.map((item, at) => () => `${at === 0 ? '' : '\n'}${item()}`), () => behind];
