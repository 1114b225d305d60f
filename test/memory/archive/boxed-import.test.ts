// Exports are read in a box of their own: one made to hurt costs itself alone, and nothing goes on once nobody waits for it.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { archiveIn, zipOf } from '../../../testkit/archive-fixture.ts';
import { longestTurnMs } from '../../../testkit/event-loop-turns.ts';
import { recordForEachTest } from '../../../testkit/record-fixture.ts';

const place = recordForEachTest();

/** Processes that read exports for this one. */
function readers(): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const [, parent] = /\) \S (\d+) /.exec(readFileSync(`/proc/${pid}/stat`, 'latin1')) ?? [];
        return (
          Number(parent) === process.pid && readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes('export-child')
        );
      } catch {
        return false;
      }
    })
    .map(Number);
}

const hostile: readonly (readonly [name: string, bytes: () => string | Buffer])[] = [
  [
    'brackets.zip',
    () => zipOf({ 'conversations.json': `[{"id":"a","mapping":{"b":[${'[],'.repeat(9_000_000)}[]]}}]` }, true),
  ],
  ['deep.json', () => `[{"id":"a","mapping":{"b":${'['.repeat(12_000_000)}`],
  [
    'numbers.zip',
    () => zipOf({ 'conversations.json': `[{"uuid":"a","chat_messages":[${'1,'.repeat(6_000_000)}1]}]` }, true),
  ],
  ['lines.jsonl', () => `{"conversation_id":"a","role":"user","text":"b"}\n${'{"a":1}\n'.repeat(300_000)}`],
];

describe('an export that is made to hurt', () => {
  it.each(hostile)('holds nobody up and ends: %s', { timeout: 240_000 }, async (name, bytes) => {
    const archive = archiveIn(place);
    const path = join(place.folder, name);
    writeFileSync(path, bytes());
    const { value, longestMs } = await longestTurnMs(() =>
      archive
        .of()
        .importFile(path, { name })
        .then(
          ({ warnings }) => warnings.join(' '),
          (error: { readonly code: string }) => error.code,
        ),
    );
    expect(value).toMatch(
      /too-large|deadline-exceeded|invalid-media|unsupported-media|Nothing was brought in|left out/,
    );
    expect(longestMs).toBeLessThan(100);
    expect(readers()).toEqual([]);
  });

  it.skipIf(process.platform !== 'linux')('ends at once with whoever asked for it', { timeout: 120_000 }, async () => {
    const archive = archiveIn(place);
    const path = join(place.folder, 'lines.jsonl');
    writeFileSync(path, `{"conversation_id":"a","role":"user","text":"b"}\n${'{"a":1}\n'.repeat(4_000_000)}`);
    const stop = new AbortController();
    const importing = archive.of().importFile(path, { name: 'lines.jsonl', signal: stop.signal });
    importing.catch(() => undefined);
    while (readers().length === 0) await new Promise((resolve) => setImmediate(resolve));
    stop.abort(new Error('The client left.'));
    await expect(importing).rejects.toMatchObject({ code: 'cancelled' });
    expect(readers()).toEqual([]);
    expect((await archive.of().list({})).data).toEqual([]);
  });
});
