// The report says what the results say: missed goals first, every result with its command and its origin.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { describeMachine, hashData } from './environment.ts';
import { type BenchResult, readResults, renderDetails, renderReport } from './report.ts';

const result: BenchResult = {
  name: 'retrieval',
  title: 'BM25 on one set',
  command: 'npm run bench retrieval',
  date: '2026-01-02T03:04:05Z',
  commit: '0123456789ab',
  machine: { cpu: 'A', cores: 2, memoryGiB: 8, os: 'linux 6', node: 'v24.0.0' },
  seed: 7,
  dataHash: 'abcd',
  metrics: { 'nDCG@10': 0.5 },
  goals: [
    { what: 'nDCG@10', wanted: '>= 0.6', got: 0.5, met: false },
    { what: 'queries', wanted: '>= 1', got: 3, met: true },
  ],
  tables: [{ title: 'By set', columns: ['set', 'a|b'], rows: [['x', 1]] }],
  notes: ['chosen on the other half'],
};

describe('report', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'footnote-bench-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('puts what was missed first and leaves nothing out', () => {
    const report = renderReport([result], { retrieval: 0 });
    expect(report).toContain('1 of 2 goals met. 0 of 1 results');
    expect(report.indexOf('## Missed')).toBeLessThan(report.indexOf('## Measurements'));
    const text = renderDetails(result, { retrieval: 0 });
    for (const piece of [
      'npm run bench retrieval',
      'commit 0123456789ab',
      'seed 7',
      'data abcd',
      'a\\|b',
      'other half',
    ])
      expect(text).toContain(piece);
    expect(renderReport([{ ...result, goals: [] }], {})).not.toContain('## Missed');
  });

  it('marks what is older than the code it measures, or of an unknown commit', () => {
    expect(renderReport([result], { retrieval: 0 })).not.toContain('**stale**');
    expect(renderReport([result], { retrieval: 1 })).toContain('**stale** by 1 commit |');
    expect(renderReport([result], { retrieval: null })).toContain('**stale** |');
    expect(renderDetails(result, { retrieval: 3 })).toContain('Age: **stale** by 3 commits.');
  });

  it('reads results by name and refuses a file that is none', async () => {
    writeFileSync(join(folder, 'b.json'), JSON.stringify({ ...result, name: 'b' }));
    writeFileSync(join(folder, 'a.json'), JSON.stringify({ ...result, name: 'a' }));
    expect((await readResults(folder)).map(({ name }) => name)).toEqual(['a', 'b']);
    writeFileSync(join(folder, 'c.json'), '{"name":"c"}');
    await expect(readResults(folder)).rejects.toThrow('bench/results/c.json is not a result');
    expect(await readResults(join(folder, 'absent'))).toEqual([]);
  });

  it('hashes data by relative name and content, wherever it lies', async () => {
    for (const copy of ['one/set', 'two/set']) {
      mkdirSync(join(folder, copy, 'deep'), { recursive: true });
      writeFileSync(join(folder, copy, 'deep/a.txt'), 'a');
    }
    const first = await hashData([join(folder, 'one/set')]);
    expect(first).toMatch(/^[0-9a-f]{16}$/);
    expect(await hashData([join(folder, 'two/set')])).toBe(first);
    writeFileSync(join(folder, 'two/set/deep/a.txt'), 'b');
    expect(await hashData([join(folder, 'two/set')])).not.toBe(first);
  });

  it('describes the machine without naming it', () => {
    const machine = describeMachine();
    expect(machine.cores).toBeGreaterThan(0);
    expect(machine.node).toBe(process.version);
  });
});
