// A file of traces is taken in whole or refused with what to do: what lists and pages show of a trace is sound.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readTraceFile } from '../../src/core/trace-file.ts';

const golden = join(import.meta.dirname, '../replay/fixtures/golden');
const releases = readdirSync(golden, { withFileTypes: true }).filter((one) => one.isDirectory());
const files = releases.flatMap(({ name }) => readdirSync(join(golden, name)).map((file) => join(golden, name, file)));

const fileWith = (trace: object) => ({
  format: 'footnote-trace',
  version: 1,
  exportedAt: '2026-11-28T20:52:58.117Z',
  program: '0.1.0',
  id: 'trc_1',
  traces: [
    {
      trace: { id: 'trc_1', kind: 'ask', startedAt: '2026-11-28T20:52:58.117Z', totalMs: 1, eventCount: 0, ...trace },
      events: [],
    },
  ],
});

describe('a file of traces', () => {
  it('of every release is read', () => {
    expect(files.length).toBeGreaterThan(0);
    for (const file of files) {
      const given: unknown = JSON.parse(readFileSync(file, 'utf8'));
      expect(readTraceFile(given), file).toBe(given);
    }
  });

  it('whose ids and times are sound is read', () => {
    for (const trace of [{}, { id: 'trc_elsewhere' }, { id: 'A.b-c_1' }, { startedAt: '2026-11-28T20:52:58Z' }])
      expect(readTraceFile(fileWith(trace)).traces).toHaveLength(1);
  });

  it('that began at no instant is refused', () => {
    for (const startedAt of [
      'x',
      '',
      '2026-11-28',
      '2026-02-31T00:00:00Z',
      '2026-11-28T20:52:58+02:00',
      '2026-99-28T20:52:58Z',
    ])
      expect(() => readTraceFile(fileWith({ startedAt })), startedAt).toThrow(
        /traces\.0\.trace\.startedAt: must be an instant in UTC.*footnote trace export/,
      );
  });

  it('whose id means something to a shell or to an address is refused', () => {
    for (const id of ['', 'a b', '$(reboot)', 'a;b', 'a\nb', '--out', '..', '../a', 'a/b', "'", 'x'.repeat(201)])
      expect(() => readTraceFile(fileWith({ id })), id).toThrow(/traces\.0\.trace\.id: must be 1 to 200 letters/);
  });
});
