// kill -9 of a server that is fed and asked: each change that was acknowledged has its row in the audit log, reads have theirs unless they were of the last
// moments, and the chain is whole after every restart.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { openSqliteRecord } from '../../src/db/sqlite/sqlite.ts';
import { programMain } from '../../testkit/bundled-program.ts';
import { createRandom } from '../../testkit/history.ts';
import { programEnvironment } from '../../testkit/program-environment.ts';

const kills = process.env['FOOTNOTE_TEST_LONG'] === undefined ? 3 : 30;
const random = createRandom(Number(process.env['FOOTNOTE_TEST_SEED'] ?? 20_261_129));
/** Rows of reads are written after 250 ms; a busy machine takes longer. */
const writtenMs = 2000;

describe('the audit log of a server that is killed', () => {
  const data = mkdtempSync(join(tmpdir(), 'footnote-audit-kill-'));
  afterAll(() => rmSync(data, { recursive: true }));

  it('has a row for each change that was acknowledged', async () => {
    const changed = new Set<string>();
    const read = new Set<string>();
    for (let kill = 0; kill < kills; kill += 1) {
      const child = spawn(process.execPath, [programMain, 'serve', '--port', '0', '--data', data], {
        stdio: ['ignore', 'pipe', 'ignore'],
        env: { ...programEnvironment(), HOME: data },
      });
      const gone = once(child, 'exit');
      let said = '';
      let url: string | undefined;
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        said += text;
        url ??= /http:\/\/127\.0\.0\.1:\d+/u.exec(said)?.[0];
      });
      while (url === undefined) await pause(20);
      const at = url;
      const seen: { id: string; at: number }[] = [];
      const feed = async (writer: number): Promise<void> => {
        for (let count = 0; ; count += 1) {
          const payload = { text: `Writer ${writer} wrote page ${count}.`, uri: `${kill}-${writer}-${count}.txt` };
          const reply = await fetch(`${at}/v1/documents?wait=true`, {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify(payload),
          });
          const added = (await reply.json()) as { documents: { id: string }[] };
          for (const { id } of added.documents) changed.add(id);
          const id = added.documents[0]?.id ?? '';
          const text = await fetch(`${at}/v1/documents/${id}/text`);
          await text.arrayBuffer();
          seen.push({ id, at: performance.now() });
        }
      };
      const feeding = Promise.allSettled([1, 2, 3, 4].map(feed));
      await pause(2500 + random.below(2000));
      const killedAt = performance.now();
      child.kill('SIGKILL');
      await Promise.all([gone, feeding]);
      for (const one of seen) if (one.at < killedAt - writtenMs) read.add(one.id);

      const { audit, close } = openSqliteRecord({ folder: data });
      try {
        expect(await audit.verify()).toMatchObject({ ok: true });
        for (const [operation, ids] of [['documents.add', changed] as const, ['documents.text', read] as const]) {
          const noted = new Set<string>();
          for (let cursor: string | undefined; ; ) {
            const page = await audit.list({ operation, limit: 1000, ...(cursor !== undefined && { cursor }) });
            for (const id of page.data.flatMap(({ targets }) => targets)) noted.add(id);
            cursor = page.nextCursor;
            if (cursor === undefined) break;
          }
          expect(
            [...ids].filter((id) => !noted.has(id)),
            operation,
          ).toEqual([]);
        }
      } finally {
        await close();
      }
    }
    expect(changed.size).toBeGreaterThan(kills * 4);
    expect(read.size).toBeGreaterThan(0);
  });
});
