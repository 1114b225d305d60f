// Every file of the shared documents, Markdown pages and hostile files, through the pool as ingestion does it: what became of each,
// how long it took, whether its characters and words are those that are expected of it, and what it said where it was refused.
//
//   npm run bench documents-all [-- part of a path]
import { readFileSync } from 'node:fs';
import { basename, extname, join, relative } from 'node:path';
import type { ParseInput } from '@footnote/readers/reader';
import { type DefaultTreeAdapterTypes as Html, parse as parseHtml } from '../../packages/readers/testkit/libraries.ts';
import type { ParsedDocument } from '../../src/core/document.ts';
import { isFootnoteError, toFootnoteError } from '../../src/core/errors.ts';
import { createParserPool } from '../../src/ingest/read/parser-pool.ts';
import { sharedData } from '../../testkit/shared-data.ts';
import { writeResult } from '../report.ts';
import { filesIn, tableOf, visible } from './document-files.ts';

const wantedWords = 0.97;
const characterTolerance = 0.05;
const wantedSeconds = 20;
const unpackLimits = { maxFiles: 10_000, maxFileBytes: 100 * 1024 * 1024, maxTotalBytes: 1024 * 1024 * 1024 };
/** Fewer characters than this say nothing about a share. */
const tellingCharacters = 500;

interface Row {
  readonly file: string;
  readonly group: string;
  readonly state: 'read' | 'archive' | 'refused' | 'untyped';
  readonly seconds: number;
  readonly code: string;
  readonly message: string;
  readonly characters?: number | undefined;
  readonly expectedCharacters?: number | undefined;
  readonly words?: number | undefined;
  readonly warnings: readonly string[];
}

const documents = sharedData('documents');
if (documents === undefined) throw new Error('This bench needs the shared evaluation data: set FOOTNOTE_SHARED_DATA.');
const roots = [documents, sharedData('markdown'), sharedData('hostile')].filter((root) => root !== undefined);
const only = process.argv[2];

/**
 * Why characters differ by more than 5 % although nothing is wrong, by file. pdftotext, whose count is the expectation, leaves out
 * what these hold or prints other characters for them.
 */
const explained: Readonly<Record<string, string>> = {
  'pdf/XiaoBiaoSong.pdf':
    'GB-encoded Chinese without a character map: pdftotext prints two Latin letters for each character, we print the character.',
  'pdf/graphrag.pdf':
    'Slides whose character map lacks most letters: pdftotext counts what is left of them, we read the pages by text recognition.',
};

const facts = new Map(
  tableOf(readFileSync(join(documents, 'documents.tsv'), 'utf8')).map((row) => [row['file'] ?? '', row] as const),
);
const pool = createParserPool({ size: 1 });
const rows: Row[] = [];
for (const root of roots) {
  for (const path of filesIn(root)) {
    const file = relative(root === documents ? documents : join(root, '..'), path);
    if (isExpectation(path) || (only !== undefined && !file.includes(only))) continue;
    rows.push(await look(path, file, facts.get(file)));
  }
}
await pool.close();

const read = rows.filter(({ state }) => state === 'read');
const hurting = rows.filter(({ group }) => ['pdf-broken', 'pdf-encrypted', 'hostile'].includes(group));
const slow = hurting.filter(({ seconds }) => seconds > wantedSeconds);
const longestHurting = Math.max(0, ...hurting.map(({ seconds }) => seconds));
const untyped = rows.filter(({ state }) => state === 'untyped');
const worded = rows.filter(({ words }) => words !== undefined);
const wordy = worded.filter(({ words = 0 }) => words >= wantedWords);
const counted = rows.filter(
  ({ file, expectedCharacters = 0 }) => file.endsWith('.pdf') && expectedCharacters >= tellingCharacters,
);
const close = counted.filter((row) => isClose(row) || row.file in explained);
const locked = [...facts.values()].filter((row) => (row['password'] ?? '') !== '').map((row) => row['file'] ?? '');
const unlocked = rows.filter(({ file, state }) => locked.includes(file) && state === 'read');
const shouldRead = rows.filter(
  ({ file, group }) => ['pdf', 'office', 'html', 'markdown'].includes(group) && !file.endsWith('random.bin'),
);
const wrongly = shouldRead.filter(
  ({ state, message }) => state !== 'read' && !/empty|nothing stands|shows no text/i.test(message),
);
const random = rows.find(({ file }) => file.endsWith('random.bin'));
const missed = rows.filter(
  (row) =>
    row.state === 'untyped' ||
    wrongly.includes(row) ||
    slow.includes(row) ||
    (row.words !== undefined && row.words < wantedWords) ||
    (counted.includes(row) && !close.includes(row)),
);
const vague = [
  ...Map.groupBy(
    rows.filter(({ state }) => state === 'refused'),
    ({ file, message }) => message.replaceAll(basename(file), 'FILE'),
  ),
].filter(([, list]) => list.length > 1);

if (only === undefined)
  await writeResult('documents-all', {
    title: 'Every kind of file: what became of each',
    command: 'npm run bench documents-all',
    seed: null,
    data: roots,
    metrics: {
      files: rows.length,
      read: read.length,
      refused: rows.filter(({ state }) => state === 'refused').length,
      'without a typed outcome': untyped.length,
      'files with an expected text': worded.length,
      'of those, 97 % of the words or more': wordy.length,
      'PDFs of 500 characters or more': counted.length,
      'of those, within 5 % or explained': close.length,
      'longest file, seconds': Math.max(...rows.map(({ seconds }) => seconds)),
      'read with a warning': read.filter(({ warnings }) => warnings.length > 0).length,
    },
    goals: [
      { what: 'Files without a result or a typed error', wanted: '0', got: untyped.length, met: untyped.length === 0 },
      {
        what: 'PDFs, office and mail files, web pages and Markdown read (empty ones told)',
        wanted: `${shouldRead.length} of ${shouldRead.length}`,
        got: shouldRead.length - wrongly.length,
        met: wrongly.length === 0,
      },
      { what: 'random.bin', wanted: 'refused', got: random?.state ?? 'missing', met: random?.state === 'refused' },
      {
        what: 'Files with >= 97 % of the expected words',
        wanted: `${worded.length} of ${worded.length}`,
        got: wordy.length,
        met: wordy.length === worded.length,
      },
      {
        what: 'PDFs within 5 % of the expected characters, or explained',
        wanted: `${counted.length} of ${counted.length}`,
        got: close.length,
        met: close.length === counted.length,
      },
      {
        what: 'PDFs that their password opens',
        wanted: `${locked.length} of ${locked.length}`,
        got: unlocked.length,
        met: unlocked.length === locked.length,
      },
      {
        what: 'Longest of the broken, encrypted and hostile files, seconds',
        wanted: `<= ${wantedSeconds}`,
        got: longestHurting,
        met: slow.length === 0,
      },
    ],
    tables: [
      {
        title: 'What misses a goal',
        columns: ['file', 'state', 'characters', 'expected', 'words found', 'seconds', 'message'],
        rows: missed.map(toCells),
      },
      {
        title: 'Documents',
        columns: ['file', 'state', 'characters', 'expected', 'words found', 'seconds', 'message'],
        rows: rows.filter(({ group }) => group !== 'hostile' && group !== 'markdown').map(toCells),
      },
      {
        title: 'Markdown pages and hostile files, by outcome',
        columns: ['group', 'outcome', 'files'],
        rows: [
          ...Map.groupBy(
            rows.filter(({ group }) => group === 'hostile' || group === 'markdown'),
            ({ group, state, code }) => `${group}\t${code === '' ? state : code}`,
          ),
        ].map(([key, list]) => [...key.split('\t'), list.length]),
      },
      {
        title: 'Messages that several files share',
        columns: ['message', 'files'],
        rows: vague.map(([message, list]) => [message.slice(0, 160), list.length]),
      },
      { title: 'Characters that differ for a reason', columns: ['file', 'reason'], rows: Object.entries(explained) },
    ],
    notes: [
      'Words found: of the words of the expected text, with repeats, the share that stands in ours; Markdown and HTML marks of the expectation are taken away first.',
      'Characters are without white space and without the marks that we put between cells, running heads included. Seconds are of one pool with one child, start included where a file killed the one before.',
      'Pages without text, or whose text is not what is printed, are recognised: that takes seconds a page, and is the longest of what is read.',
      'Files are read with the password of documents.tsv where it names one.',
    ],
  });
for (const row of only === undefined ? missed : rows) console.log(toCells(row).join('\t'));

async function look(path: string, file: string, known: Record<string, string> | undefined): Promise<Row> {
  const password = known?.['password'] ?? '';
  const input: ParseInput = {
    bytes: new Uint8Array(readFileSync(path)),
    name: basename(path),
    ...(password !== '' && { password }),
  };
  const startedMs = performance.now();
  const group = file.split('/')[0] ?? '';
  const end = () => ({ file, group, seconds: (performance.now() - startedMs) / 1000 });
  try {
    const document = await pool.parse(input);
    const done = end();
    const expected = expectedText(path);
    const heads = document.runningHeads.map(({ text }) => text).join('');
    // Between the cells of a row there is a line of ours.
    const characters = visible(document.text.replaceAll(' | ', ' ')) + visible(heads);
    return {
      ...done,
      state: 'read',
      code: '',
      message: document.warnings.join(' '),
      characters,
      expectedCharacters: Number(known?.['text_chars'] ?? 0) || undefined,
      words: expected === undefined ? undefined : shareOfWords(expected, withHeads(document)),
      warnings: document.warnings,
    };
  } catch (thrown) {
    const error = toFootnoteError(thrown);
    if ('archive' in error.details) return { ...(await unpack(input, path)), ...end() };
    const isTyped = isFootnoteError(thrown) && error.code !== 'internal';
    return {
      ...end(),
      state: isTyped ? 'refused' : 'untyped',
      code: error.code,
      message: error.message,
      expectedCharacters: Number(known?.['text_chars'] ?? 0) || undefined,
      warnings: [],
    };
  }
}

async function unpack(input: ParseInput, path: string): Promise<Omit<Row, 'file' | 'group' | 'seconds'>> {
  let [taken, refused] = [0, 0];
  try {
    for await (const files of pool.unpack(input, unpackLimits))
      for (const { content } of files)
        if (content instanceof Uint8Array) taken += 1;
        else refused += 1;
    return {
      state: 'archive',
      code: '',
      message: `${taken} files in it${refused > 0 ? `, ${refused} more refused` : ''}`,
      warnings: [],
    };
  } catch (thrown) {
    const error = toFootnoteError(thrown);
    const isTyped = isFootnoteError(thrown) && error.code !== 'internal';
    return {
      state: isTyped ? 'refused' : 'untyped',
      code: error.code,
      message: `${error.message}${taken > 0 ? ` (after ${taken} files of ${basename(path)})` : ''}`,
      warnings: [],
    };
  }
}

function withHeads({ text, runningHeads }: ParsedDocument): string {
  return `${text}\n${runningHeads.map((head) => head.text).join('\n')}`;
}

/** The text that somebody else made of the file, without marks; undefined where there is none. */
function expectedText(path: string): string | undefined {
  const stem = path.slice(0, -extname(path).length);
  const [markdown, html] = [`${stem}.expected.md`, `${stem}.expected.html`].map((name) => {
    try {
      return readFileSync(name, 'utf8');
    } catch {
      return undefined;
    }
  });
  if (html !== undefined) return textOfHtml(html);
  return markdown?.replaceAll(/^[\s|:-]+$/gmu, ' ').replaceAll(/[|*_#`]/gu, ' ');
}

function textOfHtml(html: string): string {
  const parts: string[] = [];
  const open: Html.ChildNode[] = [...parseHtml(html).childNodes].reverse();
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.nodeName === 'script' || node.nodeName === 'style') continue;
    if ('value' in node) parts.push(node.value);
    else parts.push(' ');
    if ('childNodes' in node) open.push(...node.childNodes.toReversed());
  }
  return parts.join('');
}

/** Of the words of the expectation, with repeats: the share that the text has. */
function shareOfWords(expected: string, text: string): number {
  const left = new Map<string, number>();
  for (const word of wordsOf(text)) left.set(word, (left.get(word) ?? 0) + 1);
  let found = 0;
  const wanted = wordsOf(expected);
  for (const word of wanted) {
    const count = left.get(word) ?? 0;
    if (count === 0) continue;
    left.set(word, count - 1);
    found += 1;
  }
  return found / Math.max(1, wanted.length);
}

function wordsOf(text: string): readonly string[] {
  return (
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}\p{M}]+/gu) ?? []
  );
}

function isClose({ characters = 0, expectedCharacters = 0 }: Row): boolean {
  return Math.abs(characters / expectedCharacters - 1) <= characterTolerance;
}

function toCells(row: Row): (string | number | null)[] {
  return [
    row.file,
    row.code === '' ? row.state : row.code,
    row.characters ?? null,
    row.expectedCharacters ?? null,
    row.words === undefined ? null : Math.round(row.words * 1000) / 1000,
    Math.round(row.seconds * 100) / 100,
    row.message.slice(0, 160),
  ];
}

function isExpectation(path: string): boolean {
  return /\.expected(-metadata)?\.(md|html|json)$|documents\.tsv$/u.test(path);
}
