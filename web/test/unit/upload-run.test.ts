// What a run tells is of the file that it came out of.
import { describe, expect, it } from 'vitest';
import { becameOf, byFile, type RunFile } from '../../src/documents/upload-run.ts';

const done = (uri: string): RunFile => ({ uri, state: 'done', change: 'added', documentId: uri, chunks: 1 });
const failed = (uri: string): RunFile => ({ uri, state: 'failed', error: { message: `${uri}: broken.` } });

describe('what a run tells', () => {
  it('is of the file by its name, and a line with its own address of the file that nothing else came of', () => {
    const told = [done('a.zip'), done('a.zip/x.md'), done('a.zipped'), done('line-1'), done('line-2')];
    const files = byFile(['a.zip', 'lines.jsonl', 'a.zipped'], told);
    expect(files.map((one) => one.map(({ uri }) => uri))).toEqual([
      ['a.zip', 'a.zip/x.md'],
      ['line-1', 'line-2'],
      ['a.zipped'],
    ]);
    expect(byFile(['a', 'b', 'c'], [done('b')]).map((one) => one.length)).toEqual([0, 1, 0]);
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
