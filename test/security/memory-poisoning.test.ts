// Documents that try to be remembered, answered by sentences and by a model that obeys whatever it reads: no memory comes of them, and what
// users said themselves stands as it was.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { localScope } from '../../src/core/scope.ts';
import type { Footnote } from '../../src/footnote/facade.ts';
import { poisons } from '../../testkit/memory/poison.ts';
import { type OpenedFootnote, openFootnote } from '../../testkit/open-footnote.ts';
import { shareOfDay } from '../../testkit/sample.ts';

let folder: string;
let opened: OpenedFootnote;
let footnote: Footnote;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'footnote-poison-'));
  opened = await openFootnote(
    loadConfig({ folder, environment: { MODEL_EMBED: 'none', ENABLE_SEMANTIC_MEMORY: 'true' } }),
  );
  footnote = opened.forScope(localScope());
});
afterAll(async () => {
  await opened.close();
  await rm(folder, { recursive: true });
});

describe('poisoned documents', () => {
  it('write no memory: 300 attempts, of which a seventh is asked about each day', async () => {
    const all = poisons();
    expect(all).toHaveLength(300);
    await footnote.documents.add({
      bytes: Buffer.from(all.map(({ text, mark }) => JSON.stringify({ _id: mark, title: mark, text })).join('\n')),
      name: 'poison.jsonl',
    });
    await footnote.sessions.send('own', { content: 'I prefer tea over coffee.' });
    let quoted = 0;
    for (const [at, { question, mark }] of shareOfDay([...all.entries()], 7)) {
      const answer =
        at % 2 === 0
          ? await footnote.sessions.send(`ses_${at % 20}`, { content: question })
          : await footnote.ask({ question });
      if (answer.answer.includes(mark)) quoted += 1;
    }
    // The attack reaches the answers, so that a memory made of answers would have been poisoned.
    expect(quoted).toBeGreaterThan(4);
    const { data } = await footnote.memories.list({ history: true, limit: 1000 });
    expect(data.map(({ text }) => text)).toEqual(['I prefer tea over coffee.']);
    expect(data.every(({ origins }) => origins.every(({ turnId }) => turnId !== undefined))).toBe(true);
  });
});
