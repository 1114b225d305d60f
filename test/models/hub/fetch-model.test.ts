// Models from a hub: whatever it answers, what stands in the folder of models under a name is whole and was checked, and the token goes to the hub alone.
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FootnoteError } from '../../../src/core/errors.ts';
import { downloadFile } from '../../../src/models/hub/download.ts';
import { openHub } from '../../../src/models/hub/hub.ts';
import { type FetchOptions, fetchModel, verifyModels } from '../../../src/models/hub/models-folder.ts';
import { readLock } from '../../../src/models/local/lock.ts';
import { type FakeServer, openFakeServer, type SeenRequest } from '../../../src/testing/fake-http.ts';
import {
  answerOf,
  commit,
  ggufBytes,
  inRange,
  localFiles,
  openFolder,
  openStandIn,
  type StandIn,
} from './stand-in-hub.ts';

const closers: (() => Promise<void> | void)[] = [];
let folder: ReturnType<typeof openFolder>;
beforeEach(() => {
  folder = openFolder();
});
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
  folder.remove();
});

const repository = 'Some/Model-GGUF';
const weights = 'model-Q4.gguf';
const gguf = ggufBytes();
const whole: StandIn = { files: { [weights]: gguf, 'README.md': Buffer.from('# A model') } };
const token = 'hf_a-token-of-the-hub';

async function serve(standIn: StandIn): Promise<FakeServer> {
  const server = await openStandIn(standIn);
  closers.push(server.close);
  return server;
}

interface Asked {
  readonly address: string;
  readonly allowed?: readonly FakeServer[];
  readonly weights?: string;
  readonly proxy?: string;
  readonly options?: Partial<FetchOptions>;
}

const hostOf = ({ address }: { readonly address: string }): string => new URL(address).host;

async function fetchFrom({ address, allowed = [], weights: file = weights, proxy, options }: Asked) {
  const hub = openHub({
    endpoint: address,
    token,
    allowedHosts: allowed.map(hostOf),
    ...(proxy !== undefined && { proxies: { http: proxy, https: '', not: '' } }),
  });
  closers.push(hub.close);
  const listing = await hub.list(repository);
  return fetchModel({
    hub,
    folder: folder.path,
    name: 'mine',
    listing,
    pauseMs: 1,
    model: { weights: file, license: 'unknown' },
    ...options,
  });
}

const errorOf = async (promise: Promise<unknown>): Promise<FootnoteError> => {
  const thrown: unknown = await promise.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(thrown).toBeInstanceOf(FootnoteError);
  return thrown as FootnoteError;
};
const inside = (...path: string[]): string => join(folder.path, ...path);
const isFile = (request: SeenRequest): boolean => request.path.includes('/resolve/');

describe('a model of a hub', () => {
  it('comes at the commit that its revision meant, whole, with its lock entry', async () => {
    const hub = await serve(whole);
    const told: number[] = [];
    await fetchFrom({ ...hub, options: { onProgress: (done) => told.push(done) } });
    expect(Buffer.compare(readFileSync(inside('mine', weights)), gguf)).toBe(0);
    const { mine } = await readLock(folder.path);
    expect(mine).toMatchObject({ kind: 'writer', repository, revision: commit, license: 'apache-2.0' });
    expect(mine?.files.map(({ path, bytes }) => [path, bytes])).toEqual([[weights, gguf.length]]);
    expect(hub.requests.map(({ path }) => path)).toEqual([
      `/api/models/${repository}/revision/main?blobs=true`,
      `/${repository}/resolve/${commit}/${weights}`,
    ]);
    expect(hub.requests.every(({ headers }) => headers.authorization === `Bearer ${token}`)).toBe(true);
    expect(told.at(-1)).toBe(gguf.length);
    expect(await verifyModels(folder.path)).toEqual([{ name: 'mine', ok: true, wrong: [] }]);
    expect(readdirSync(folder.path).sort()).toEqual(['lock.json', 'mine']);
  });

  it('brings of a graph what local models need, and no pickle or code', async () => {
    const pickle = { 'pytorch_model.bin': gguf, 'model.pkl': gguf, 'modeling.py': gguf, 'onnx/model_O4.onnx': gguf };
    const hub = await serve({ files: { ...localFiles(), ...pickle } });
    const prompts = { query: 'query: ', passage: 'passage: ' };
    const model = { weights: 'onnx/model.onnx', license: 'mit', prompts };
    const entry = await fetchFrom({ ...hub, weights: model.weights, options: { model } });
    expect(entry.kind).toBe('encoder');
    const paths = [...Object.keys(localFiles()), 'config_sentence_transformers.json'].sort();
    expect(entry.files.map(({ path }) => path)).toEqual(paths);
    expect(JSON.parse(readFileSync(inside('mine', 'config_sentence_transformers.json'), 'utf8'))).toEqual({ prompts });
    const asked = hub.requests.filter(isFile).map(({ path }) => path.split(`${commit}/`)[1] ?? '');
    expect(asked.toSorted()).toEqual(Object.keys(localFiles()).toSorted());
    for (const file of ['pytorch_model.bin', 'model.pkl', 'modeling.py'])
      expect((await errorOf(fetchFrom({ ...hub, weights: file, options: { name: 'other' } }))).code).toBe('not-found');
  });

  it.each(['../evil.json', '/etc/evil.json', 'onnx/../../evil.json', 'a\\..\\evil.json', 'C:/evil.json', 'a//b.json'])(
    'is refused whole where it lists %j',
    async (path) => {
      const hub = await serve({ ...whole, listed: [{ rfilename: path, size: 3, blobId: 'b'.repeat(40) }] });
      const { code, message } = await errorOf(fetchFrom(hub));
      expect(code).toBe('upstream-invalid');
      expect(message).toContain('leaves its folder');
      expect(readdirSync(folder.path)).toEqual([]);
    },
  );
});

describe('an interrupted download', () => {
  it('goes on by itself where the connection broke', async () => {
    let cuts = 0;
    const hub = await serve({
      ...whole,
      instead(request) {
        if (!isFile(request) || cuts === 2) return undefined;
        cuts += 1;
        const wire = inRange(gguf, request);
        return { ...wire, chunks: [(wire.chunks[0] as Uint8Array).subarray(0, 1000)], ending: 'cut' };
      },
    });
    await fetchFrom(hub);
    const ranges = hub.requests.filter(isFile).map(({ headers }) => headers.range);
    expect(ranges).toHaveLength(3);
    // A connection that is reset may lose what was sent last: what came is gone on from.
    expect(ranges[0]).toBeUndefined();
    for (const range of ranges.slice(1)) expect(range ?? 'bytes=0-').toMatch(/^bytes=(?:[01]?\d{1,3}|2000)-$/u);
    expect(Buffer.compare(readFileSync(inside('mine', weights)), gguf)).toBe(0);
  });

  it('is kept, and the next run goes on from there', async () => {
    const broken = await serve({
      ...whole,
      instead: (request) => (isFile(request) ? { chunks: [gguf.subarray(0, 1500)], ending: 'hang' } : undefined),
    });
    const leaving = new AbortController();
    const onProgress = (): void => leaving.abort(new FootnoteError('cancelled', 'Interrupted.'));
    const options = { onProgress, signal: leaving.signal };
    expect((await errorOf(fetchFrom({ ...broken, options }))).code).toBe('cancelled');
    expect(statSync(inside('mine.part', `${weights}.part`)).size).toBe(1500);
    expect(existsSync(inside('mine'))).toBe(false);
    const hub = await serve(whole);
    await fetchFrom(hub);
    expect(hub.requests.find(isFile)?.headers.range).toBe('bytes=1500-');
    expect((await verifyModels(folder.path))[0]?.ok).toBe(true);
  });

  it('takes nothing along that another model left there', async () => {
    mkdirSync(inside('mine.part', 'onnx'), { recursive: true });
    for (const path of ['old.gguf', 'old.gguf.part', 'onnx/model.onnx'])
      writeFileSync(inside('mine.part', path), 'old');
    const hub = await serve(whole);
    expect((await fetchFrom(hub)).files.map(({ path }) => path)).toEqual([weights]);
    expect(readdirSync(inside('mine')).filter((path) => path !== 'onnx')).toEqual([weights]);
  });

  it('that falls silent is asked for anew', async () => {
    let silences = 0;
    const hub = await serve({
      ...whole,
      instead: (request) =>
        isFile(request) && silences++ < 1 ? { chunks: [gguf.subarray(0, 1500)], ending: 'hang' } : undefined,
    });
    const opened = openHub({ endpoint: hub.address });
    closers.push(opened.close);
    const listing = await opened.list(repository);
    const file = listing.files.find(({ path }) => path === weights)!;
    await downloadFile(file, inside(weights), { hub: opened, listing, idleMs: 200, pauseMs: 1 });
    expect(hub.requests.filter(isFile).map(({ headers }) => headers.range)).toEqual([undefined, 'bytes=1500-']);
    expect(Buffer.compare(readFileSync(inside(weights)), gguf)).toBe(0);
  });

  it('begins anew where what was there is of another revision, or the hub knows no ranges', async () => {
    mkdirSync(inside('mine.part'));
    writeFileSync(inside('mine.part', `${weights}.part`), Buffer.alloc(1500, 7));
    const hub = await serve(whole);
    await fetchFrom(hub);
    expect(hub.requests.filter(isFile).map(({ headers }) => headers.range)).toEqual(['bytes=1500-', undefined]);
    expect(Buffer.compare(readFileSync(inside('mine', weights)), gguf)).toBe(0);
  });
});

describe('a hub that cannot be believed', () => {
  it('with other bytes than it lists: nothing stays', async () => {
    const hub = await serve({
      ...whole,
      instead: (request) => (isFile(request) ? { chunks: [Buffer.from(gguf).fill(1, 2000, 2001)] } : undefined),
    });
    const { code, message } = await errorOf(fetchFrom(hub));
    expect([code, message]).toEqual(['upstream-invalid', expect.stringContaining('checksum differs')]);
    expect(existsSync(inside('mine'))).toBe(false);
    expect(existsSync(inside('mine.part', `${weights}.part`))).toBe(false);
  });

  it('checks small files by the id of their git object', async () => {
    const files = localFiles();
    const other = String(files['config.json']).replace('BertModel', 'BestModel');
    const hub = await serve({
      files,
      instead: ({ path }) => (path.endsWith('/config.json') ? { chunks: [other] } : undefined),
    });
    const { code, details } = await errorOf(fetchFrom({ ...hub, weights: 'onnx/model.onnx' }));
    expect([code, details]).toEqual(['upstream-invalid', { file: 'config.json' }]);
    expect(existsSync(inside('mine'))).toBe(false);
  });

  it('with more bytes than it lists', async () => {
    const hub = await serve({
      ...whole,
      instead: (request) => (isFile(request) ? { chunks: [gguf, gguf] } : undefined),
    });
    expect((await errorOf(fetchFrom(hub))).code).toBe('upstream-invalid');
    expect(existsSync(inside('mine'))).toBe(false);
  });

  it('with what is no model', async () => {
    const hub = await serve({ files: { [weights]: Buffer.from('<html>please log in</html>'.repeat(200)) } });
    expect((await errorOf(fetchFrom(hub))).code).toBe('invalid-media');
    expect(await readLock(folder.path)).toEqual({});
  });

  it.each([
    [{ status: 401, headers: { 'x-error-code': 'GatedRepo' }, chunks: [''] }, 'forbidden', 'is gated'],
    [{ status: 403, headers: { 'x-error-code': 'GatedRepo' }, chunks: [''] }, 'forbidden', 'HF_TOKEN'],
    [{ status: 401, chunks: [''] }, 'not-found', 'HF_TOKEN'],
    [{ status: 429, chunks: [''] }, 'rate-limited', 'too many requests'],
    [{ status: 500, chunks: ['a trace of theirs'] }, 'upstream-unavailable', 'HTTP status 500'],
    [
      { status: 200, headers: { 'content-type': 'application/json' }, chunks: ['{"sha":1}'] },
      'upstream-invalid',
      'form',
    ],
  ] as const)('%j is told in its own words', async (wire, code, words) => {
    for (const part of ['/api/', '/resolve/']) {
      if (code === 'upstream-invalid' && part === '/resolve/') continue;
      const hub = await serve({ ...whole, instead: ({ path }) => (path.includes(part) ? wire : undefined) });
      const error = await errorOf(fetchFrom(hub));
      expect([part, error.code]).toEqual([part, code]);
      expect(error.message).toContain(words);
      expect(error.message).not.toContain('theirs');
      expect(error.message).not.toContain(token);
    }
  });
});

describe('where it leads', () => {
  const redirectTo = (to: () => string): StandIn => ({
    ...whole,
    instead: (request) => (isFile(request) ? { status: 302, headers: { location: to() }, chunks: [''] } : undefined),
  });

  it('another host has the range and no token', async () => {
    const storage = await openFakeServer((request) => inRange(gguf, request));
    closers.push(storage.close);
    const hub = await serve(redirectTo(() => `${storage.address}/blob?signature=1`));
    await fetchFrom({ ...hub, allowed: [storage] });
    const [seen] = storage.requests;
    expect([seen?.headers.authorization, seen?.headers['user-agent']]).toEqual([undefined, 'footnote-server']);
    expect(hub.requests[0]?.headers.authorization).toBe(`Bearer ${token}`);
    expect((await verifyModels(folder.path))[0]?.ok).toBe(true);
  });

  it('nothing of the own network is asked, and nothing without https', async () => {
    const storage = await openFakeServer((request) => inRange(gguf, request));
    closers.push(storage.close);
    for (const to of [storage.address, 'http://huggingface.co/blob', 'http://169.254.169.254/', 'file:///etc/passwd']) {
      const hub = await serve(redirectTo(() => to));
      expect([to, (await errorOf(fetchFrom(hub))).code]).toEqual([to, 'forbidden']);
    }
    expect(storage.requests).toEqual([]);
  });

  it('a hub is https, or on this machine', () => {
    for (const endpoint of ['http://hub.example', 'http://192.168.1.4:8080', 'ftp://hub.example', 'hub'])
      expect(() => openHub({ endpoint })).toThrow(/https/u);
  });

  it('goes through a proxy where the environment names one', async () => {
    const proxy = await openFakeServer((request) => answerOf(whole, request));
    closers.push(proxy.close);
    // Nothing listens there: only the proxy can have answered.
    await fetchFrom({ address: 'http://127.0.0.1:9', proxy: proxy.address });
    expect(proxy.requests.map(({ path }) => path.split('?')[0])).toEqual([
      `http://127.0.0.1:9/api/models/${repository}/revision/main`,
      `http://127.0.0.1:9/${repository}/resolve/${commit}/${weights}`,
    ]);
  });
});

describe('the disk', () => {
  it('is looked at before anything comes', async () => {
    const hub = await serve(whole);
    const freeBytes = async (): Promise<number> => 1000;
    const { code, message } = await errorOf(fetchFrom({ ...hub, options: { freeBytes } }));
    expect([code, message]).toEqual(['storage-full', expect.stringContaining('MODELS_FOLDER')]);
    expect(hub.requests.filter(isFile)).toEqual([]);
  });

  it('has one model of a name', async () => {
    const hub = await serve(whole);
    await fetchFrom(hub);
    expect((await errorOf(fetchFrom(hub))).code).toBe('conflict');
    for (const name of ['runtime', 'a/b', '..', '.hidden', 'x.part', 'lock.json', ''])
      expect((await errorOf(fetchFrom({ ...hub, options: { name } }))).code).toBe('invalid-request');
  });
});
