// What an operator keeps: backups made and restored by the command line beside a server and without one, and the audit log of what was done.
import { appendFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openWorkplace, type Workplace } from '../cli/footnote-process.ts';

const question = ['ask', 'How long is the pier?', '--json'];

describe('what is kept', () => {
  let place: Workplace;
  beforeAll(async () => {
    place = await openWorkplace();
    await appendFile(join(place.folder, 'pier.md'), 'The pier of Aveiro is 210 metres long.\n');
    expect((await place.run(['ingest', 'pier.md'])).code).toBe(0);
  });
  afterAll(() => place.remove());

  it('is backed up beside a server that is asked and fed, and restored to the same answer', async () => {
    const { stop, url } = await place.serve();
    const before = (await place.run(question)).json() as { answer: string };
    const added = await fetch(`${url}/v1/documents?wait=true`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ text: 'The quay has nine lamps.', uri: 'quay.txt', source: 'notes' }),
    });
    expect(added.ok).toBe(true);
    const made = await place.run(['backup', 'one.tar', '--json']);
    expect(made.json()).toMatchObject({
      format: 'footnote-backup',
      counts: expect.objectContaining({ documents: 2 }) as object,
    });
    const refused = await place.run(['restore', 'one.tar', '--replace']);
    expect([refused.code, refused.err]).toEqual([13, expect.stringContaining('stop it first') as string]);
    expect(await stop()).toBe(0);
    expect((await place.run(['backup', 'one.tar'])).code).toBe(5);
    expect((await place.run(['backup', 'two.tar'])).out).toContain('2 documents');
    expect((await place.run(['doctor'])).out).toMatch(/ok {2}backup: the last was made 0 hours ago: .*two\.tar/u);
    expect((await place.run(['restore', 'one.tar', '--data', 'elsewhere'])).out).toContain('Restored 2 documents');
    const after = (await place.run([...question, '--data', 'elsewhere'])).json() as { answer: string };
    expect(after.answer).toBe(before.answer);
    const replaced = await place.run(['restore', 'one.tar', '--replace', '--json']);
    expect(replaced.json()).toMatchObject({ kept: expect.stringContaining('replaced-') as string });
  });

  it('is backed up from a folder whose server was killed', async () => {
    const { server } = await place.serve();
    const gone = new Promise((ended) => server.once('exit', ended));
    server.kill('SIGKILL');
    await gone;
    expect((await place.run(['backup', 'killed.tar'])).code).toBe(0);
    await rm(join(place.folder, 'killed.tar'));
  });

  it('is told by the audit log, which notices what is done to it', async () => {
    const listed = await place.run(['audit', 'list', '--operation', 'documents.', '--outcome', 'done']);
    expect(listed.out).toContain('documents.add');
    const exported = (await place.run(['audit', 'export'])).out.trim().split('\n');
    expect(exported.map((line) => (JSON.parse(line) as { operation: string }).operation)).toContain('ask');
    const checked = (await place.run(['audit', 'verify', '--json'])).json() as { head: string; ok: boolean };
    expect(checked.ok).toBe(true);
    expect((await place.run(['audit', 'verify', '--head', checked.head])).code).toBe(0);
    const record = new DatabaseSync(join(place.folder, '.footnote/record.sqlite'));
    record.exec("UPDATE audit SET principal = 'somebody' WHERE seq = 2");
    record.close();
    const tampered = await place.run(['audit', 'verify']);
    expect([tampered.code, tampered.out]).toEqual([
      1,
      expect.stringContaining('Row 2 is not what was written') as string,
    ]);
  });
});
