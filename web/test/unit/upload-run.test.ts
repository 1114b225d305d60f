// What a run tells is of the file that it came out of.
import { describe, expect, it } from 'vitest';
import { becameOf, byFile, goesAlone, type RunFile } from '../../src/documents/upload-run.ts';

const done = (uri: string): RunFile => ({ uri, state: 'done', change: 'added', documentId: uri, chunks: 1 });
const failed = (uri: string): RunFile => ({ uri, state: 'failed', error: { message: `${uri}: broken.` } });

describe('what a run tells', () => {
  it('is of the file by its name, and of none where it names none, for Undo deletes it', () => {
    const told = ['a.zip', 'a.zip/x.md', 'a.zipped', 'a.zip#1.md', 'a.zip#1.md/y', 'a.zip#2', 'line-1'].map(done);
    const files = byFile(['a.zip', 'late.pdf', 'a.zipped', 'a.zip#1.md'], told);
    expect(files.map((one) => one.map(({ uri }) => uri))).toEqual([
      ['a.zip', 'a.zip/x.md', 'a.zip#2'],
      [],
      ['a.zipped'],
      ['a.zip#1.md', 'a.zip#1.md/y'],
    ]);
    expect(byFile(['a', 'b', 'c'], [done('b')]).map((one) => one.length)).toEqual([0, 1, 0]);
  });

  it('is of the only file whatever its address, so files whose lines or names are told otherwise go alone', () => {
    const told = [done('line-1'), done('b.md')];
    expect(byFile(['lines.jsonl'], told)).toEqual([told]);
    const alone = ['lines.jsonl', 'L.NDJSON', 'l.jsonl.gz', 'a\\b.md', 'a"b.md', 'a\nb.md', `${'a'.repeat(255)}.md`];
    expect(alone.filter((name) => !goesAlone(name, ''))).toEqual([]);
    expect(goesAlone('lines', 'application/x-ndjson')).toBe(true);
    expect(['a.zip', 'a.md', 'ä #1.json'].filter((name) => goesAlone(name, 'application/json'))).toEqual([]);
  });

  it('is a refusal only where nothing of the file was read', () => {
    expect(becameOf([failed('a.pdf')])).toEqual({ title: 'It could not be read', detail: 'a.pdf: broken.' });
    const some = becameOf([
      done('a.zip/x.md'),
      failed('a.zip/y.pdf'),
      { uri: 'a.zip/z', state: 'unchanged', documentId: 'z' },
    ]);
    expect(some).toMatchObject({
      documents: [
        { status: 'created', chunks: 1 },
        { id: 'z', status: 'unchanged' },
      ],
    });
    const changed: RunFile = { uri: 'a', state: 'done', change: 'changed', documentId: 'a' };
    expect(becameOf([changed])).toMatchObject({ documents: [{ status: 'updated' }] });
  });
});
