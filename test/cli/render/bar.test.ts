// What says that a run goes on where no person looks on: a line every ten seconds on stderr, and none of a run that is short.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { openBar } from '../../../src/cli/render/bar.ts';
import type { Terminal } from '../../../src/cli/terminal/terminal.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
afterEach(() => void vi.useRealTimers());

it('tells every ten seconds how far it is, also while nothing comes, and stops with the run', () => {
  const notes: string[] = [];
  const terminal = {
    isInteractive: false,
    json: false,
    note: (text: string) => notes.push(text),
  } as unknown as Terminal;
  const bar = openBar(terminal, 'docs');
  vi.advanceTimersByTime(9_999);
  expect(notes).toEqual([]);
  vi.advanceTimersByTime(1);
  bar.update(3, 40, 'deep/report.pdf');
  bar.update(4, 41, 'deep/other.pdf');
  vi.advanceTimersByTime(20_000);
  bar.end();
  vi.advanceTimersByTime(60_000);
  const line = 'docs: 4 of 41 files, deep/other.pdf';
  expect(notes).toEqual(['docs: looking for files', line, line]);
});
