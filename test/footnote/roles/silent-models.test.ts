import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSilentModels } from '../../../src/footnote/roles/silent-models.ts';

describe('openSilentModels', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'footnote-silent-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  const at = (time: string) => openSilentModels(folder, { now: () => time });
  const file = (): string => join(folder, 'silent-models.json');

  it('tells the next process, for a quarter of an hour, and forgets a model that serves', () => {
    at('2026-01-01T10:00:00Z').note('openai:a', 1);
    at('2026-01-01T10:01:00Z').note('openai:b', 2);
    const later = at('2026-01-01T10:10:00Z');
    expect([later.of('openai:a'), later.of('openai:b'), later.of('openai:c')]).toEqual([1, 2, 0]);
    expect([at('2026-01-01T10:15:30Z').of('openai:a'), at('2026-01-01T10:15:30Z').of('openai:b')]).toEqual([0, 2]);
    // A clock that was set back far.
    expect(at('2025-12-31T10:00:00Z').of('openai:b')).toBe(0);
    later.note('openai:a', 0);
    later.note('openai:b', 0);
    expect(() => readFileSync(file())).toThrow();
  });

  it('forgets what it cannot read, and does without what it cannot write', () => {
    for (const broken of ['', '{', '[]', '{"openai:a":{"silences":1e9,"at":"x"}}', 'null']) {
      writeFileSync(file(), broken);
      expect(at('2026-01-01T10:00:00Z').of('openai:a')).toBe(0);
    }
    const nowhere = openSilentModels(join(folder, 'none'), { now: () => '2026-01-01T10:00:00Z' });
    nowhere.note('openai:a', 1);
    expect(nowhere.of('openai:a')).toBe(0);
  });
});
