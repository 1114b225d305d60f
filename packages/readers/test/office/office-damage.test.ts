// Damages office files of every kind, outside and inside of their archives, with fixed seeds: each comes out well-formed or refused with a code
// of its own, in bounded time. The long run fuzzes more.
import { utils, write } from '@e965/xlsx';
import { describe, expect, it } from 'vitest';
import { openZip } from '../../src/containers/zip.ts';
import { isReadError } from '../../src/read-error.ts';
import { parseFile } from '../../src/registry/registry.ts';
import { cells, epubOf, openDocumentOf, pptxOf, shape, xlsxOf } from '../../testkit/office-fixtures.ts';
import { faultOf } from '../../testkit/well-formed.ts';
import { zipOf } from '../../testkit/zip-fixture.ts';

const rounds = 60;
const refusals = new Set(['invalid-media', 'unsupported-media', 'too-large']);

function xls(): Uint8Array {
  const book = utils.book_new();
  utils.book_append_sheet(
    book,
    utils.aoa_to_sheet([
      ['a', 'b'],
      [1, 'text'],
      [new Date(0), true],
    ]),
    'S',
  );
  return new Uint8Array(write(book, { bookType: 'biff8', type: 'buffer' }) as Buffer);
}

const originals: Readonly<Record<string, () => Uint8Array>> = {
  'a.xlsx': () => xlsxOf([{ name: 'S', data: cells(1, ['a', 'b']) + cells(2, [1, '<c s="1"><v>45356</v></c>']) }]),
  'a.xls': xls,
  'a.pptx': () => pptxOf([{ shapes: shape('T', [0, 0], 'title') + shape('one\ntwo', [0, 9], 'body'), notes: 'n' }]),
  'a.odt': () => openDocumentOf('text', '<text:h>T</text:h><text:p>one<text:s/>two</text:p>'),
  'a.ods': () =>
    openDocumentOf(
      'spreadsheet',
      '<table:table table:name="S"><table:table-row><table:table-cell><text:p>x</text:p></table:table-cell></table:table-row></table:table>',
    ),
  'a.odp': () =>
    openDocumentOf(
      'presentation',
      '<draw:page><draw:frame><draw:text-box><text:p>x</text:p></draw:text-box></draw:frame></draw:page>',
    ),
  'a.epub': () =>
    epubOf({ 'one.xhtml': '<h1>One</h1><p>text</p>' }, { navigation: '<li><a href="one.xhtml">One</a></li>' }),
  'a.rtf': () =>
    new TextEncoder().encode(
      "{\\rtf1\\ansi{\\fonttbl{\\f0\\fcharset128 A;}}{\\stylesheet{\\s1\\outlinelevel0 H;}}\\pard\\s1 T\\par\\f0 \\'93\\'fa \\u8364 ?{\\footnote n}\\trowd\\intbl a\\cell b\\cell\\row}",
    ),
};

/** Numbers that look random and are the same in every run (Numerical Recipes' linear congruence). */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function damaged(bytes: Uint8Array, next: (below: number) => number): Uint8Array {
  const copy = Uint8Array.from(bytes);
  if (copy.length === 0) return copy;
  const kind = next(4);
  if (kind === 0) return copy.subarray(0, 1 + next(copy.length));
  for (let times = 1 + next(8); times > 0; times--) {
    const at = next(copy.length);
    if (kind === 1) copy[at] = next(256);
    else if (kind === 2) copy[at] = (copy[at] ?? 0) ^ (1 << next(8));
    else copy.copyWithin(at, next(copy.length), next(copy.length));
  }
  return copy;
}

describe.each(Object.entries(originals))('damaged %s', (name, original) => {
  it('is read or refused, never anything else', async () => {
    const next = numbers(name.length * 7 + name.charCodeAt(2) + name.charCodeAt(4));
    const bytes = original();
    const isZip = bytes[0] === 0x50;
    const parts = isZip
      ? Object.fromEntries(
          openZip(bytes, name).entries.map((entry) => [
            entry.name,
            openZip(bytes, name).bytes(entry.name) ?? new Uint8Array(),
          ]),
        )
      : undefined;
    const names = Object.keys(parts ?? {}).filter((part) => part !== 'mimetype');
    const outcomes = new Set<string>();
    for (let round = 0; round < rounds; round++) {
      const part = names[next(names.length)] ?? '';
      const file =
        parts !== undefined && round % 3 > 0
          ? zipOf({ ...parts, [part]: damaged(parts[part] ?? new Uint8Array(), next) })
          : damaged(bytes, next);
      const started = process.cpuUsage();
      try {
        expect(faultOf(await parseFile({ name, bytes: file }))).toBeUndefined();
        outcomes.add('read');
      } catch (error) {
        if (!isReadError(error)) throw error;
        expect(refusals).toContain(error.code);
        outcomes.add(error.code);
      }
      expect(process.cpuUsage(started).user).toBeLessThan(5_000_000);
    }
    expect(outcomes.size).toBeGreaterThan(1);
  });
});
