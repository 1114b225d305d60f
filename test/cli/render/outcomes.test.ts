import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  type FileOutcome,
  openReport,
  renderDuplicates,
  renderTrouble,
  stateOf,
  toReportLine,
} from '../../../src/cli/render/outcomes.ts';
import { hasRealFailure } from '../../../src/cli/render/runs.ts';
import { toCount, toDuration } from '../../../src/cli/terminal/figures.ts';
import { type Terminal, toTable } from '../../../src/cli/terminal/terminal.ts';
import { toSize } from '../../../src/core/documents/sizes.ts';

/** A terminal that keeps its lines, without colours. */
function keptTerminal(): { terminal: Terminal; lines: string[] } {
  const lines: string[] = [];
  const terminal: Terminal = {
    json: false,
    isInteractive: false,
    columns: 100,
    line: (text = '') => void lines.push(text),
    table: (rows) => void lines.push(...toTable(rows)),
    value: () => undefined,
    note: () => undefined,
    warn: () => undefined,
    redraw: () => undefined,
    paint: (_, text) => text,
    fail: () => 1,
    hide: () => undefined,
    onReaderGone: () => undefined,
    flush: async () => undefined,
  };
  return { terminal, lines };
}

const refused = (uri: string, code: string, message: string, reason?: string): FileOutcome => ({
  uri,
  state: 'failed',
  error: { code, message, ...(reason !== undefined && { reason }) },
});
const unknown = (uri: string): FileOutcome => refused(uri, 'unsupported-media', 'no parser', 'unknown-kind');

describe('a list of files that say the same', () => {
  it('tells of many copies once', () => {
    const { terminal, lines } = keptTerminal();
    const names = ['a', 'b', 'c', 'd'];
    const links = (of: string) =>
      names
        .filter((name) => name !== of)
        .map((name) => ({ documentId: name, uri: name, title: name, kind: 'exact' as const, similarity: 1 }));
    renderDuplicates(
      terminal,
      names.map((name) => ({ uri: name, state: 'done', documentId: name, duplicates: links(name) })),
    );
    expect(lines).toEqual(['  a  the same as b (b); the same as c (c); the same as d (d)']);
  });

  it('names each pair once, with what the other one is', () => {
    const { terminal, lines } = keptTerminal();
    const copyOf = (documentId: string, uri: string, kind: 'exact' | 'near' | 'version' = 'exact', similarity = 1) => ({
      documentId,
      uri,
      title: uri,
      kind,
      similarity,
    });
    renderDuplicates(terminal, [
      { uri: 'a.pdf', state: 'done', documentId: 'doc_a', duplicates: [copyOf('doc_b', 'b.pdf')] },
      { uri: 'b.pdf', state: 'done', documentId: 'doc_b', duplicates: [copyOf('doc_a', 'a.pdf')] },
      {
        uri: 'c.pdf',
        state: 'done',
        documentId: 'doc_c',
        duplicates: [copyOf('doc_x', 'x/old.pdf', 'version', 0.999), copyOf('doc_y', 'y\u001b[2J.md', 'near', 0.61)],
      },
      { uri: 'alone.pdf', state: 'done', documentId: 'doc_d' },
    ]);
    expect(lines).toEqual([
      '  a.pdf  the same as b.pdf (doc_b)',
      expect.stringMatching(
        /^ {2}c\.pdf {2}another version \(99 % the same\) of x\/old\.pdf \(doc_x\); nearly the same \(61 %\) as y[^\u001b]*\.md \(doc_y\)$/,
      ),
    ]);
  });
});

describe('a table of trouble', () => {
  it('has a row for each file that was not read and for each warning, kinds that nobody reads in one line', () => {
    const { terminal, lines } = keptTerminal();
    renderTrouble(terminal, [
      { uri: 'good.md', state: 'done', change: 'added' },
      refused('bad.pdf', 'invalid-media', 'bad.pdf is damaged.'),
      unknown('a/one.xyz'),
      unknown('two.xyz'),
      unknown('three'),
      { uri: 'scan.pdf', state: 'done', change: 'changed', warnings: ['OCR used on page 2.'] },
      { uri: 'old.pdf', state: 'parked', error: { code: 'invalid-media', message: 'damaged' } },
    ]);
    expect(lines).toEqual([
      '  bad.pdf   refused                  bad.pdf is damaged.',
      '  scan.pdf  changed, with a warning  OCR used on page 2.',
      '  1 file given up earlier, and not tried again until changed: footnote documents parked',
      '  3 files of kinds that cannot be read: .xyz 2, no extension 1',
    ]);
  });

  it('says of files in which there is nothing to read that they were skipped, and of others that they were refused', () => {
    const { terminal, lines } = keptTerminal();
    const empty = (uri: string): FileOutcome => refused(uri, 'invalid-media', `${uri} is empty.`, 'no-text');
    const files = [
      refused('bad.pdf', 'invalid-media', 'bad.pdf is damaged.'),
      refused('photo.jpg', 'invalid-media', 'photo.jpg: no text was found.', 'no-text-found'),
      ...['a.txt', 'b.txt', 'c.txt'].map(empty),
      unknown('icon.ico'),
    ];
    renderTrouble(terminal, files);
    expect(lines).toEqual([
      '  bad.pdf  refused  bad.pdf is damaged.',
      '  4 files skipped, with nothing to read in them: photo.jpg, a.txt, b.txt and 1 more',
      '  1 file of kinds that cannot be read: .ico 1',
    ]);
    expect(files.map((file) => stateOf(file))).toEqual(['refused', ...Array.from({ length: 5 }, () => 'skipped')]);
    expect(files.map((file) => hasRealFailure([file]))).toEqual([true, ...Array.from({ length: 5 }, () => false)]);
  });

  it('says of files of one name, whatever it is, what their reason says', () => {
    const { terminal, lines } = keptTerminal();
    renderTrouble(
      terminal,
      ['x/a', 'y/a'].map((uri) => refused(uri, 'unsupported-media', 'a is a 7z archive. Unpack it.')),
    );
    expect(lines).toEqual(['  x/a, y/a  refused  It is a 7z archive. Unpack it.']);
  });

  it('names every file that was refused for more than its kind, those of one reason together', () => {
    const { terminal, lines } = keptTerminal();
    const packed = (uri: string): FileOutcome =>
      refused(uri, 'unsupported-media', `${uri.slice(uri.lastIndexOf('/') + 1)} is a 7z archive. Unpack it.`);
    renderTrouble(terminal, [
      refused('locked.zip', 'invalid-media', 'locked.zip is encrypted: a password is needed.', 'password-needed'),
      ...['a.7z', 'x/b.7z', 'c.7z', 'd.7z', 'e.7z'].map(packed),
      refused('old.ppt', 'unsupported-media', 'old.ppt is a PowerPoint file of before 2007. Save it as PPTX.'),
      unknown('one.xyz'),
    ]);
    expect(lines).toEqual([
      '  locked.zip                     refused  locked.zip is encrypted: a password is needed.',
      '  a.7z, x/b.7z, c.7z and 2 more  refused  It is a 7z archive. Unpack it.',
      '  old.ppt                        refused  old.ppt is a PowerPoint file of before 2007. Save it as PPTX.',
      '  all of them by name: --report FILE, or --json',
      '  1 file of kinds that cannot be read: .xyz 1',
    ]);
  });

  it('tells many of one reason together, and where their names are', () => {
    const { terminal, lines } = keptTerminal();
    const files = (names: readonly string[], message: string) =>
      names.map((name) => refused(`in/${name}`, 'invalid-media', `${name}${message}`));
    renderTrouble(terminal, [
      ...files(['a.png', 'b.png', 'c.png', 'd.png'], ': no text was found.'),
      ...files(['a.odt', 'b.odt', 'c.odt'], ' has no text.'),
    ]);
    expect(lines).toEqual([
      '  in/a.png, in/b.png, in/c.png and 1 more  refused  No text was found.',
      '  in/a.odt                                 refused  a.odt has no text.',
      '  in/b.odt                                 refused  b.odt has no text.',
      '  in/c.odt                                 refused  c.odt has no text.',
      '  all of them by name: --report FILE, or --json',
    ]);
  });

  it('ends somewhere, and steers no terminal', () => {
    const { terminal, lines } = keptTerminal();
    renderTrouble(
      terminal,
      Array.from({ length: 60 }, (_, at) => refused(`${at}\u001b[2J.pdf`, 'invalid-media', `${'x'.repeat(1000)}${at}`)),
    );
    expect(lines).toHaveLength(51);
    expect(lines.at(-1)).toBe('  … and 10 more; --json lists all.');
    expect(lines.join('')).not.toContain('\u001b');
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThan(400);
  });
});

describe('a report', () => {
  it('says of every file what became of it, a JSON object per line', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'footnote-report-'));
    const path = join(folder, 'out.jsonl');
    const report = await openReport(path);
    await report?.add([
      toReportLine('docs', {
        uri: 'a.md',
        state: 'done',
        change: 'added',
        kind: 'Markdown',
        documentId: 'd',
        chunks: 2,
      }),
      toReportLine('docs', { uri: 'b.zip', state: 'done' }),
    ]);
    await report?.add([
      toReportLine('docs', refused('c.pdf', 'invalid-media', 'It is damaged.')),
      toReportLine('docs', { uri: 'd.md', state: 'deleted' }),
    ]);
    await report?.close();
    const lines = (await readFile(path, 'utf8')).trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      { source: 'docs', file: 'a.md', state: 'added', kind: 'Markdown', documentId: 'd', chunks: 2 },
      { source: 'docs', file: 'b.zip', state: 'read' },
      { source: 'docs', file: 'c.pdf', state: 'refused', reason: { code: 'invalid-media', message: 'It is damaged.' } },
      { source: 'docs', file: 'd.md', state: 'removed' },
    ]);
    await expect(openReport(join(folder, 'nowhere', 'out.jsonl'))).rejects.toMatchObject({ code: 'not-found' });
    // In a folder that is read it would become a document; beside one it does not.
    await expect(openReport(join(folder, 'in.jsonl'), [folder])).rejects.toThrow('would become a document');
    await (await openReport(join(folder, 'beside.jsonl'), [join(folder, 'beside')]))?.close();
    await rm(folder, { recursive: true });
  });
});

describe('figures', () => {
  it('are rounded as people read them', () => {
    expect([0, 1, 999, 1000, 12_345, 999_499, 999_500, 2e9].map(toSize)).toEqual([
      '0 bytes',
      '1 byte',
      '999 bytes',
      '1.0 kB',
      '12 kB',
      '999 kB',
      '1.0 MB',
      '2.0 GB',
    ]);
    expect([0.2, 89, 200, 7200].map(toDuration)).toEqual(['1 s', '89 s', '4 min', '2.0 h']);
    expect(toCount(1234567.8)).toBe('1,234,568');
  });
});
