// The same commands while a server owns the data folder: they go through it.
import { once } from 'node:events';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRemote } from '../../src/cli/remote/remote.ts';
import { createRemoteHttp } from '../../src/cli/remote/remote-http.ts';
import { answerSchema } from '../../src/core/answer.ts';
import { FootnoteError } from '../../src/core/errors.ts';
import { readOwner } from '../../src/footnote/lock.ts';
import { createOwnerPass } from '../../src/footnote/owner-pass.ts';
import { openWorkplace, type Workplace } from '../cli/footnote-process.ts';

let place: Workplace;
let server: Awaited<ReturnType<Workplace['serve']>>;
beforeAll(async () => {
  place = await openWorkplace();
  await mkdir(join(place.folder, 'notes'));
  await writeFile(join(place.folder, 'notes/heron.md'), '# Herons\n\nThe grey heron weighs up to 2 kilograms.\n');
  await writeFile(join(place.folder, 'owl.txt'), 'The barn owl hunts at night.\n');
  server = await place.serve();
}, 60_000);
afterAll(() => place.remove());

describe('a data folder that a server owns', () => {
  it('has the bundled corpus at first, and one command removes it', async () => {
    const asked = await place.run(['ask', 'Which port does the server listen on?', '--json']);
    expect(asked.code).toBe(0);
    const answer = answerSchema.parse(asked.json());
    expect(answer.citations[0]?.url.startsWith(`${server.url}/v1/documents/`)).toBe(true);
    expect(answer.answer).toContain('4180');
    expect((await place.run(['sources', 'remove', 'about-footnote'])).code).toBe(0);
    expect((await place.run(['sources', 'list', '--json'])).json()).toEqual({ data: [] });
  }, 60_000);

  it('takes folders, files and stdin in through it', async () => {
    const folder = await place.run(['ingest', 'notes', 'owl.txt', '--json']);
    expect(folder.code).toBe(0);
    expect(folder.json()).toMatchObject({
      ingestions: [{ source: 'notes', state: 'done', counts: { done: 1 } }],
      files: [{ documents: [{ status: 'created' }] }],
    });
    const asked = await place.run(['ask', 'When does the barn owl hunt?']);
    expect(asked.out).toContain('owl.txt:1');
    const found = await place.run(['search', 'heron', '--json', '--explain']);
    expect(found.json().results[0]).toMatchObject({ source: 'notes', uri: 'heron.md' });
  }, 60_000);

  it('understands follow-ups in a session', async () => {
    await place.run(['ask', '--session', 's1', 'How much does the grey heron weigh?']);
    const { code, out } = await place.run(['ask', '--session', 's1', '--json', 'And when does the barn owl hunt?']);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ sessionId: 's1' });
  }, 60_000);

  it('lets nobody in by what stands in the files of its data folder, or what they are called', async () => {
    const data = join(place.folder, '.footnote');
    const pass = await createOwnerPass(data);
    const words = new Set<string>();
    for (const name of await readdir(data)) {
      const bytes = await readFile(join(data, name));
      // The record is megabytes of other things; what lets in is short and stands in a file of its own.
      for (const text of [name, bytes.length < 100_000 ? bytes.toString('latin1') : ''])
        for (const [word] of text.matchAll(/[\w.+/=-]{8,}/g))
          for (const part of [word, ...word.split('-')]) words.add(part);
    }
    // While no key exists any is taken on this machine: what a proxy hands on is asked for one.
    const ask = (secret: string) =>
      fetch(`${server.url}/v1/sources`, {
        headers: { authorization: `Bearer ${secret}`, 'x-forwarded-for': '203.0.113.7' },
      }).then(({ status }) => status);
    expect(await ask(pass.secret)).toBe(200);
    expect(words.size).toBeGreaterThan(5);
    for (const word of words) expect(await ask(word), word).toBe(401);
    await pass.remove();
    expect(await ask(pass.secret)).toBe(401);
  }, 60_000);

  it('offers every method of the facade over HTTP', async () => {
    const owner = await readOwner(join(place.folder, '.footnote'));
    const pass = await createOwnerPass(join(place.folder, '.footnote'));
    const remote = createRemote(createRemoteHttp({ ...owner!.server!, token: pass.secret }));
    const events: string[] = [];
    const answer = await remote.ask(
      { question: 'How much does the grey heron weigh?' },
      { onEvent: (event) => events.push(event.type) },
    );
    expect(events.at(-1)).toBe('done');
    expect(events).toContain('citation');
    expect((await remote.answers.get(answer.id)).id).toBe(answer.id);
    expect((await remote.answers.verify(answer)).ok).toBe(true);
    expect((await remote.traces.get(answer.traceId)).events.length).toBeGreaterThan(3);

    const [citation] = answer.citations;
    const { documentId: id, start, end, quote } = citation!;
    expect((await remote.documents.text(id, { start, end })).text).toBe(quote);
    expect(new TextDecoder().decode((await remote.documents.file(id)).bytes)).toContain(quote);
    expect((await remote.documents.chunks(id)).length).toBe((await remote.documents.get(id)).chunkCount);
    expect((await remote.documents.structure(id)).headings[0]?.title).toBe('Herons');
    const filter = { op: 'glob', field: 'path', value: '*.md' } as const;
    expect((await remote.documents.list({ filter })).data.map((one) => one.uri)).toEqual(['heron.md']);

    const started = await remote.sources.startSync('notes');
    const states: string[] = [];
    for await (const run of remote.ingestions.watch(started.id)) states.push(run.state);
    expect(states.at(-1)).toBe('done');
    expect((await remote.ingestions.list({ limit: 1 })).data[0]?.id).toBe(started.id);
    expect((await remote.ingestions.files(started.id, { state: 'unchanged' })).data[0]?.uri).toBe('heron.md');
    const bytes = new TextEncoder().encode('The swift sleeps in the air.\n');
    const adding = await remote.ingestions.start({ source: 'sky' }, [{ name: 'swift.txt', mime: '', bytes }]);
    for await (const run of remote.ingestions.watch(adding.id)) states.push(run.state);
    expect((await remote.ingestions.files(adding.id, {})).data).toMatchObject([{ uri: 'swift.txt', state: 'done' }]);
    expect(await remote.sources.remove('sky')).toBe(1);
    expect((await remote.stores.list())[0]).toMatchObject({ name: 'embedded', coverage: 1 });
    expect((await remote.stores.deliveries('embedded', { status: 'delivered' })).data.length).toBeGreaterThan(0);
    expect(await remote.stores.sync('embedded')).toEqual({ delivered: 0, failed: 0 });

    const session = await remote.sessions.create({ title: 'Birds' });
    await remote.sessions.send(session.id, { content: 'When does the barn owl hunt?' });
    expect((await remote.sessions.turns(session.id))[0]?.content).toBe('When does the barn owl hunt?');
    await remote.sessions.delete(session.id);
    await expect(remote.sessions.get(session.id)).rejects.toMatchObject({ code: 'not-found' });
    const [added] = await remote.documents.add({
      text: 'The kite circles.',
      uri: 'kite',
      metadata: { n: 1 },
      access: ['a'],
    });
    expect(await remote.documents.get(added!.id)).toMatchObject({ metadata: { n: 1 }, access: ['a'] });
    const upload = {
      bytes: new TextEncoder().encode('# Swift\n\nIt sleeps in flight.'),
      name: 'swift.md',
      metadata: { n: 2 },
    };
    const [file] = await remote.documents.add(upload);
    expect(await remote.documents.get(file!.id)).toMatchObject({ title: 'Swift', metadata: { n: 2 } });
    await expect(remote.search({ query: 'x', sources: ['nowhere'] })).rejects.toMatchObject({ code: 'not-found' });
    const aborted = AbortSignal.abort(new FootnoteError('cancelled', 'Enough.'));
    await expect(remote.ask({ question: 'Why?' }, { signal: aborted })).rejects.toMatchObject({ code: 'cancelled' });
  }, 60_000);

  it('tells problems as they are told without a server', async () => {
    const missing = await place.run(['documents', 'show', 'doc_none']);
    expect(missing.code).toBe(4);
    expect(missing.err).toContain('doc_none');
    const second = await place.run(['serve', '--port', '0']);
    expect(second.code).toBe(13);
    expect(second.err).toMatch(/belongs to a running process: footnote serve \(pid \d+\)/);
  }, 60_000);

  it('stops in order, and gives the folder up', async () => {
    expect(await readOwner(join(place.folder, '.footnote'))).toBeDefined();
    expect(await server.stop()).toBe(0);
    expect(await readOwner(join(place.folder, '.footnote'))).toBeUndefined();
    expect((await place.run(['search', 'heron', '--json'])).json().results).toHaveLength(1);
  }, 60_000);

  it('does so too when its terminal closes', async () => {
    const again = await place.serve();
    const ended = once(again.server, 'close');
    again.server.kill('SIGHUP');
    expect(await ended).toEqual([0, null]);
    expect(await readOwner(join(place.folder, '.footnote'))).toBeUndefined();
  }, 60_000);
});
