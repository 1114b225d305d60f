// A person's download folder goes in with one command: whatever can be read can be asked and is cited by page, sheet, slide, line or
// message; whatever cannot says why; and a dry run foretold all of it.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { localScope } from '../../src/core/scope.ts';
import { type OpenedFootnote, openFootnote } from '../../src/footnote/compose.ts';
import { type Outcome, openWorkplace, type Workplace } from '../cli/footnote-process.ts';
import { type MessyFolder, messyFolder } from './messy-folder-files.ts';

interface Line {
  readonly file: string;
  readonly state: string;
  readonly kind?: string;
  readonly reason?: { readonly code: string; readonly message: string };
  readonly warnings?: readonly string[];
}

let place: Workplace;
let folder: MessyFolder;
let looked: Outcome;
let read: Outcome;
let report: Map<string, Line>;
let opened: OpenedFootnote;

beforeAll(async () => {
  place = await openWorkplace();
  folder = await messyFolder();
  for (const [path, bytes] of folder.files) {
    await mkdir(dirname(join(place.folder, 'Downloads', path)), { recursive: true });
    await writeFile(join(place.folder, 'Downloads', path), bytes);
  }
  looked = await place.run(['ingest', 'Downloads', '--dry-run', '--json']);
  read = await place.run(['ingest', 'Downloads', '--report', 'outcome.jsonl']);
  const lines = (await readFile(join(place.folder, 'outcome.jsonl'), 'utf8')).trimEnd().split('\n');
  report = new Map(lines.map((line) => JSON.parse(line) as Line).map((line) => [line.file, line]));
  const config = loadConfig({ flags: { FOOTNOTE_DATA: { value: join(place.folder, '.footnote'), place: 'test' } } });
  opened = await openFootnote(config, { create: false });
}, 180_000);
afterAll(async () => {
  await opened?.close();
  await place.remove();
});

/** Nobody misses what an empty file says, and a film is no document. */
const skipped = new Set(['empty.txt', 'movie.mp4']);

/** A small table, notebook or film is one passage, which is cited whole. */
const passages: Readonly<Record<string, string>> = {
  'Costs!A2:B2': 'Costs!A1:B2',
  'row 3': 'row 2–4',
  'cell 2': 'cell 1–2',
  '00:01:02': '00:00:01 – 00:01:02',
};

describe('a messy download folder', () => {
  it('goes in with one command, which names what could not be read and why', () => {
    expect(read.err).not.toContain('internal');
    // 1: something that should have been read was not.
    expect(read.code).toBe(1);
    for (const { uri, reason } of folder.unreadable) {
      const line = report.get(uri);
      expect(line, uri).toMatchObject({ state: skipped.has(uri) ? 'skipped' : 'refused' });
      expect(line?.reason?.code, uri).not.toBe('internal');
      expect(line?.reason?.message, uri).toMatch(reason);
      if (line?.reason?.code !== 'unsupported-media') expect(read.out).toContain(uri);
    }
    const refused = [...report.values()].filter(({ state }) => state === 'refused' || state === 'skipped');
    expect(refused.map(({ file }) => file).sort()).toEqual(folder.unreadable.map(({ uri }) => uri).sort());
    expect(read.out).toContain('.mp4 1');
  });

  it('answers from every file that can be read, cited where a person finds it', async () => {
    const footnote = opened.forScope(localScope());
    const wrong: string[] = [];
    for (const { name, barrels, uri, ...where } of folder.cited) {
      const answer = await footnote.ask({ question: `How many barrels does the depot of ${name} store?` });
      const [citation] = answer.citations;
      const found =
        citation === undefined
          ? answer.abstainReason
          : { uri: citation.uri, page: citation.page, place: citation.place, lines: citation.lines };
      const isRight =
        answer.answer.includes(String(barrels)) &&
        citation !== undefined &&
        (citation.uri === uri || citation.alsoIn.length > 0) &&
        (where.page === undefined || citation.page === where.page) &&
        (where.place === undefined || [where.place, passages[where.place]].includes(citation.place)) &&
        (where.line === undefined || (citation.lines?.[0] ?? 0) <= where.line) &&
        (where.line === undefined || (citation.lines?.[1] ?? 0) >= where.line);
      if (!isRight) wrong.push(`${uri} ${JSON.stringify(where)}: ${JSON.stringify(found)}`);
    }
    expect(wrong).toEqual([]);
  }, 120_000);

  it('was foretold file by file, and the dry run left no trace', () => {
    expect(looked.code).toBe(0);
    const [preview] = looked.json().previews;
    const states = { done: 'read', failed: 'refused', unchanged: 'unchanged' } as Record<string, string>;
    const foretold = preview.files.map((file: { uri: string; state: string; change?: string }) => [
      file.uri,
      skipped.has(file.uri) ? 'skipped' : (file.change ?? states[file.state]),
    ]);
    expect(new Map(foretold)).toEqual(new Map([...report].map(([file, { state }]) => [file, state])));
    // The dry run came first: had it written anything, nothing would be new.
    expect(report.get('notes.md')).toMatchObject({ state: 'added', kind: 'Markdown' });
    expect(preview.counts.chunks).toBeGreaterThan(30);
  });

  it('costs nothing the second time, and says again what cannot be read', async () => {
    await opened.close();
    const again = await place.run(['sync', '--report', 'again.jsonl', '--json']);
    const lines = (await readFile(join(place.folder, 'again.jsonl'), 'utf8')).trimEnd().split('\n');
    const states = Map.groupBy(
      lines.map((line) => JSON.parse(line) as Line),
      ({ state }) => state,
    );
    expect(again.json().ingestions[0].counts).toMatchObject({ done: 0, deleted: 0 });
    expect([...states.keys()].sort()).toEqual(['refused', 'skipped', 'unchanged']);
    expect(states.get('refused')?.map(({ file }) => file)).toEqual(expect.arrayContaining(['broken.pdf']));
  }, 60_000);
});
