// The first key of a server that nobody has a terminal of: its secret comes from a file, once, and stands nowhere else.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { type ServerProcess, startServerProcess } from '../../testkit/server-process.ts';
import { openWorkplace } from '../cli/footnote-process.ts';

/** Of a request to the server under a name of its own, as neighbours in a network of containers call it. */
function statusOf({ url }: Pick<ServerProcess, 'url'>, secret?: string): Promise<number | undefined> {
  const headers = { host: 'footnote:4180', ...(secret !== undefined && { authorization: `Bearer ${secret}` }) };
  const { promise, resolve, reject } = Promise.withResolvers<number | undefined>();
  request(`${url}/admin/keys`, { headers }, (response) => resolve(response.resume().statusCode))
    .on('error', reject)
    .end();
  return promise;
}

describe('a server on an open address', () => {
  const folder = mkdtempSync(join(tmpdir(), 'footnote-first-key-'));
  const [data, file] = [join(folder, 'data'), join(folder, 'admin.key')];
  const environment = { FOOTNOTE_HOST: '0.0.0.0', FOOTNOTE_BOOTSTRAP_KEY_FILE: file, HOME: folder };
  const secret = randomBytes(32).toString('hex');
  const said: string[] = [];
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  async function during(work: (server: ServerProcess) => Promise<void>): Promise<void> {
    const server = await startServerProcess(data, { environment });
    try {
      await work(server);
    } finally {
      await server.stop();
      said.push(...server.output);
    }
  }

  it('makes the key at its first start, and says which one', async () => {
    writeFileSync(file, `${secret}\n`);
    await during(async (server) => {
      expect([await statusOf(server), await statusOf(server, secret)]).toEqual([401, 200]);
      const response = await fetch(`${server.url}/admin/keys`, { headers: { authorization: `Bearer ${secret}` } });
      const { data: keys } = (await response.json()) as { data: { id: string; name: string; role: string }[] };
      expect(keys).toEqual([expect.objectContaining({ name: 'first', role: 'admin' })]);
      expect(server.output.join('\n')).toContain(`Made the first admin key, ${keys[0]?.id}`);
      const audit = await fetch(`${server.url}/admin/audit`, { headers: { authorization: `Bearer ${secret}` } });
      expect(await audit.text()).toMatch(/keys\.create/u);
    });
  });

  it('keeps it at the next start, whatever the file says then', async () => {
    const other = randomBytes(32).toString('hex');
    for (const content of [other, 'weak']) {
      writeFileSync(file, content);
      await during(async (server) => {
        expect([await statusOf(server, secret), await statusOf(server, other)]).toEqual([200, 401]);
        expect(server.output.join('\n')).toContain('FOOTNOTE_BOOTSTRAP_KEY_FILE is not read');
      });
    }
  });

  it('does not make it again once it is revoked, and needs the file no more', async () => {
    rmSync(file);
    await during(async (server) => {
      const authorization = `Bearer ${secret}`;
      const listed = await fetch(`${server.url}/admin/keys`, { headers: { authorization } });
      const { data: keys } = (await listed.json()) as { data: { id: string }[] };
      await fetch(`${server.url}/admin/keys/${keys[0]?.id}`, { method: 'DELETE', headers: { authorization } });
    });
    writeFileSync(file, secret);
    await during(async (server) => expect(await statusOf(server, secret)).toBe(401));
  });

  it('has written the secret nowhere: not in what it printed, not in its data', () => {
    expect(said.length).toBeGreaterThan(20);
    expect(said.filter((line) => line.includes(secret))).toEqual([]);
    const files = readdirSync(data, { recursive: true, encoding: 'utf8' })
      .map((name) => join(data, name))
      .filter((path) => statSync(path).isFile());
    expect(files.length).toBeGreaterThan(0);
    expect(files.filter((path) => readFileSync(path).includes(secret))).toEqual([]);
  });
});

it('a file that gives no secret ends the start, makes no key and is told; so is that there is none', async () => {
  const place = await openWorkplace();
  try {
    const [path, weak] = [join(place.folder, 'weak.key'), 'hunter-two-'.repeat(6)];
    writeFileSync(path, weak);
    const words = ['serve', '--port', '0', '--host', '0.0.0.0'];
    const wrong = await place.run(words, { env: { FOOTNOTE_BOOTSTRAP_KEY_FILE: path } });
    expect([wrong.code, wrong.err]).toEqual([11, expect.stringContaining(`FOOTNOTE_BOOTSTRAP_KEY_FILE names ${path}`)]);
    expect(wrong.out + wrong.err).not.toContain(weak);
    // Nor did that start make one: an open address is still refused.
    const none = await place.run(words);
    expect([none.code, none.err]).toEqual([
      11,
      expect.stringMatching(/no API key exists.*FOOTNOTE_BOOTSTRAP_KEY_FILE/u),
    ]);
  } finally {
    await place.remove();
  }
});
