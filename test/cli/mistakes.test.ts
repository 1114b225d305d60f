// Every mistake that a person makes gets a message that says what to do, and the exit code of its kind.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openWorkplace, type Workplace } from './footnote-process.ts';

let place: Workplace;
beforeAll(async () => {
  place = await openWorkplace();
  await writeFile(join(place.folder, 'bad.json'), '{"id": 1,');
  await writeFile(join(place.folder, 'none.json'), '[]');
  await writeFile(join(place.folder, 'claims.jsonl'), '{"id": 1, "claim": "It rains.", "quote": "It rains."}\n');
});
afterAll(() => place.remove());

describe('mistakes', () => {
  it.each([
    [['ask'], 2, /missing required argument 'question'.*--help/],
    [['aks', 'what?'], 2, /unknown command 'aks'[\s\S]*Did you mean ask\?/],
    [['ask', 'what?', '--jsno'], 2, /unknown option '--jsno'[\s\S]*Did you mean --json\?/],
    [['ask', 'what?', '--mode', 'fast'], 2, /Allowed choices are embedded, vector, hybrid/],
    [['ask', 'what?', '--filter', '{"op":'], 2, /must be JSON/],
    [['ask', 'what?'], 4, /no data folder at .*footnote ingest PATH/],
    [['ingest', './no-such-folder'], 4, /There is no file or folder .*no-such-folder\. Check the path/],
    [['verify', 'bad.json'], 2, /bad\.json:1: not valid JSON/],
    [['verify', 'none.json'], 2, /none\.json holds no answers: there is nothing to verify/],
    [['verify-claims', 'claims.jsonl', '--out', 'nowhere/x'], 4, /nowhere\/x: No such file or folder/],
    [['verify-claims', 'claims.jsonl', '--out', '.'], 2, /\. is a folder/],
    [['serve', '--port', 'http'], 11, /--port must be a whole number from 0 to 65535/],
  ] as const)(
    '%j',
    async (words, code, message) => {
      const found = await place.run([...words]);
      expect(found.err).toMatch(message);
      expect(found.code).toBe(code);
    },
    60_000,
  );

  it('reports an error as JSON with --json', async () => {
    const { code, err } = await place.run(['ingest', './no-such-folder', '--json']);
    expect(code).toBe(4);
    expect(JSON.parse(err)).toMatchObject({ error: { code: 'not-found', retryable: false } });
  }, 60_000);

  it('says of a mistyped word, once, what may be meant and where to look, as JSON with --json', async () => {
    const message = "unknown option '--dryrun'. Did you mean --dry-run? Run it with --help to see what it takes.";
    const plain = await place.run(['ingest', '.', '--dryrun']);
    expect(plain.err.trim()).toBe(`error ${message}`);
    const { code, err } = await place.run(['ingest', '.', '--json', '--dryrun']);
    expect(code).toBe(2);
    expect(JSON.parse(err)).toMatchObject({ error: { code: 'invalid-request', message } });
  }, 60_000);

  it('reports every mistake of the configuration at once, each with its place', async () => {
    await writeFile(join(place.folder, 'footnote.yaml'), 'port: 80000\nprot: 1\n');
    await writeFile(join(place.folder, '.env'), '# here\nLOG_QUERIES=yes\n');
    const { code, err } = await place.run(['doctor'], { env: { CHUNK_MAX_TOKENS: 'many' } });
    expect(code).toBe(11);
    expect(err).toMatch(/footnote\.yaml:1: port .*at most 65535/);
    expect(err).toMatch(/footnote\.yaml:2: there is no setting "prot"\. Did you mean "port"\?/);
    expect(err).toMatch(/\.env:2: LOG_QUERIES must be true, false, 1 or 0/);
    expect(err).toMatch(/environment: CHUNK_MAX_TOKENS/);
    await writeFile(join(place.folder, 'footnote.yaml'), '');
    await writeFile(join(place.folder, '.env'), '');
  }, 60_000);
});
