// Secrets planted wherever one can be — settings, addresses, keys of callers, what providers echo, passwords of files, the environment — while
// everything that can fail fails; then every byte that the product wrote, said or kept is searched, as it stands and decoded.
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { settings } from '../../src/config/settings.ts';
import { routePolicy } from '../../src/http/policy/policy.ts';
import { type FakeServer, openFakeServer, type SeenRequest, type Wire } from '../../src/testing/fake-http.ts';
import { renderChat } from '../../src/testing/openai-chat.ts';
import { renderResponses } from '../../src/testing/openai-responses.ts';
import { programMain } from '../../testkit/bundled-program.ts';
import { seededRandom } from '../../testkit/models/hostile-gallery.ts';
import { type Ended, type SharedProcess, startSharedProcess } from '../cli/shared-process.ts';
import { base64Forms } from './forbidden.ts';

const random = seededRandom(20_261_121);
const alphabet = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const planted = new Map<string, string>();

/** A secret of its own for each place, unlike any word. */
function plant(place: string): string {
  const secret = Array.from({ length: 26 }, () => alphabet[Math.floor(random() * alphabet.length)]).join('');
  planted.set(place, secret);
  return secret;
}

interface Artefact {
  readonly name: string;
  readonly bytes: Buffer;
}
const artefacts: Artefact[] = [];
const keep = (name: string, content: string | Uint8Array): void =>
  void artefacts.push({ name, bytes: Buffer.from(content) });

/** Raw, its first eight characters, reversed, hex, base64: whoever finds one of these has the secret, or half of it. */
function formsOf(secret: string): string[] {
  return [
    secret.slice(0, 8),
    [...secret].toReversed().join('').slice(0, 12),
    Buffer.from(secret).toString('hex').slice(0, 24),
    ...base64Forms(secret).map((form) => form.slice(0, 24)),
  ];
}

function findIn({ name, bytes }: Artefact): string[] {
  const utf16 = bytes.includes(0) ? bytes.toString('utf16le') : '';
  const text = bytes.toString('latin1');
  return [...planted].flatMap(([place, secret]) =>
    formsOf(secret).some((form) => text.includes(form) || utf16.includes(form)) ? [`${place} in ${name}`] : [],
  );
}

let folder: string;
let provider: FakeServer;
let failures = 0;

const spoken = (text: string): unknown => ({
  claims: [{ text, quotes: [{ id: 1, quote: text }] }],
  insufficient: false,
});

/** Fails in another way each time, and says all that it was told, and secrets of its own. */
function provide(request: SeenRequest): Wire {
  failures += 1;
  if (/\/evals\b/u.test(request.path)) {
    evaluatorCalls += 1;
    // What is sent to be judged is words of people and documents alone.
    keep(`row for evaluators ${evaluatorCalls}`, JSON.stringify(request.body));
    return evaluate(request);
  }
  const told = { ...request.headers, path: request.path };
  const echo = JSON.stringify({ ...told, own: planted.get('provider: body') });
  const render = request.path.includes('responses') ? renderResponses : renderChat;
  const head = { 'content-type': 'application/json', 'set-cookie': `session=${planted.get('provider: cookie')}` };
  switch (failures % 10) {
    case 0:
      return render(
        { error: { status: 401, code: 'invalid_api_key', message: `Incorrect API key: ${echo}` } },
        request,
      );
    case 1:
      // What a model writes is kept in the trace, but for what it was not told as a model.
      return render({ text: JSON.stringify(spoken(JSON.stringify(told))) }, request);
    case 2:
      return { status: 500, headers: { ...head, 'content-type': 'text/html' }, chunks: [`<h1>Trace</h1>${echo}`] };
    case 3:
      return {
        status: 302,
        headers: { ...head, location: `http://127.0.0.1:9/?t=${planted.get('provider: redirect')}` },
        chunks: [''],
      };
    case 4:
      return { status: 200, headers: head, chunks: [`{"broken": ${echo}`] };
    case 5:
      return render({ text: '{"claims', streamError: { code: 'server_error', message: echo } }, request);
    case 6:
      return render(
        {
          error: {
            status: 429,
            message: echo,
            headers: { 'retry-after': '0', 'x-echo': planted.get('provider: header') ?? '' },
          },
        },
        request,
      );
    case 7:
      return render({ text: JSON.stringify(told), cutAfter: 60 }, request);
    case 8:
      return render({ refusal: JSON.stringify(told) }, request);
    default:
      return render({ error: { status: 400, code: planted.get('provider: code') ?? '', message: echo } }, request);
  }
}

let evaluatorCalls = 0;
/** Evaluators that work now and then, and say what they were told in every word that they may choose. */
function evaluate({ path, headers }: SeenRequest): Wire {
  const head = { 'content-type': 'application/json' };
  const told = JSON.stringify(headers);
  const sent = (body: unknown): Wire => ({ status: 200, headers: head, chunks: [JSON.stringify(body)] });
  if (evaluatorCalls % 7 === 6) return { status: 400, headers: head, chunks: [told] };
  if (path.includes('output_items')) {
    const result = { type: 'azure_ai_evaluator', name: 'Groundedness', metric: 'groundedness', score: 4, reason: told };
    return sent({
      data: [{ id: 'i', datasource_item_id: 0, datasource_item: { row: '0' }, results: [result] }],
      has_more: false,
    });
  }
  return sent({ id: 'eval_1', status: 'completed', error: { message: told } });
}

const environment: Record<string, string> = {};

let commands: SharedProcess;

/** Runs a command to its end. What it wrote is kept, unless it is where a secret is handed over. */
async function run(words: readonly string[], { env = {}, isHandingOver = false } = {}): Promise<Ended> {
  const ended = await commands.run({ words, folder, environment: { ...environment, ...env }, stdin: '' });
  if (!isHandingOver) keep(`stdout of ${words.join(' ')}`, ended.out);
  keep(`stderr of ${words.join(' ')}`, ended.err);
  return ended;
}

async function serve(): Promise<{ url: string; stop(): Promise<void> }> {
  const child = spawn(process.execPath, [programMain, 'serve', '--port', '0'], { cwd: folder, env: environment });
  let said = '';
  const ended = new Promise<void>((done) => child.once('close', () => done()));
  const url = await new Promise<string>((done, fail) => {
    const hear = (data: Buffer): void => {
      said += data.toString();
      const found = /serves on (http:\S+)/.exec(said)?.[1];
      if (found && said.includes('stops.')) done(found);
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    child.once('close', () => fail(new Error(`The server ended: ${said}`)));
  });
  return {
    url,
    async stop() {
      child.kill('SIGTERM');
      await ended;
      keep('stdout and stderr of the server', said);
    },
  };
}

async function keepFiles(when: string): Promise<void> {
  for (const entry of await readdir(join(folder, 'data'), { recursive: true, withFileTypes: true }))
    if (entry.isFile()) keep(`${entry.name} ${when}`, await readFile(join(entry.parentPath, entry.name)));
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'footnote-secrets-'));
  commands = startSharedProcess();
  for (const place of ['body', 'cookie', 'redirect', 'header', 'code']) plant(`provider: ${place}`);
  provider = await openFakeServer(provide);
  const host = new URL(provider.address).host;
  const address = (name: string): string =>
    `http://${plant(`${name}: user`)}:${plant(`${name}: password`)}@${host}/v1?token=${plant(`${name}: query`)}`;
  // The settings stand in .env: what a shell would show of the environment is not ours.
  const lines = [
    // A record that is not there is asked for below: nothing else would run over it.
    ...settings.flatMap(({ name, secret }) =>
      secret && name !== 'FOOTNOTE_DATABASE_URL' ? [`${name}=${plant(name)}`] : [],
    ),
    `OPENAI_BASE_URL=${address('OPENAI_BASE_URL')}`,
    `AZURE_OPENAI_ENDPOINT=${address('AZURE_OPENAI_ENDPOINT')}`,
    `SUPER_MIND_BASE_URL=${address('SUPER_MIND_BASE_URL')}`,
    `AZURE_FOUNDRY_EVALS_ENDPOINT=${address('AZURE_FOUNDRY_EVALS_ENDPOINT')}`,
    'ENABLE_ONLINE_EVALS=true',
    'EVAL_SAMPLE_RATE=1',
    'ENABLE_FOUNDRY_EVALS=true',
    'FOUNDRY_EVAL_SAMPLE_RATE=1',
    'AZURE_FOUNDRY_API_VERSION=v1',
    'FOUNDRY_EVAL_TIMEOUT_MS=5000',
    'MODEL_JUDGE=compatible:qwen3',
    'MODEL_ANSWER=compatible:qwen3, azure:writer',
    'MODEL_EMBED=none',
    `FOOTNOTE_DATA=${join(folder, 'data')}`,
    'REQUEST_TIMEOUT_MS=20000',
  ];
  await writeFile(join(folder, '.env'), lines.join('\n'));
  Object.assign(environment, {
    PATH: process.env['PATH'] ?? '',
    HOME: folder,
    TMPDIR: folder,
    AWS_SECRET_ACCESS_KEY: plant('environment: AWS_SECRET_ACCESS_KEY'),
    DATABASE_URL: `postgres://u:${plant('environment: DATABASE_URL')}@127.0.0.1/x`,
    HTTPS_PROXY: `http://u:${plant('environment: HTTPS_PROXY')}@127.0.0.1:9`,
  });
}, 60_000);
afterAll(async () => {
  await commands.kill();
  await provider.close();
  await rm(folder, { recursive: true });
});

describe('planted secrets', () => {
  it('stay where they are while commands fail', { timeout: 600_000 }, async () => {
    await writeFile(join(folder, 'pier.md'), '# Pier\n\nThe pier of Brenna is 340 metres long.\n');
    await run(['ingest', 'pier.md']);
    for (const words of [
      ['doctor'],
      ['doctor', '--json'],
      ['models'],
      ['models', '--json'],
      ['models', 'test'],
      ['models', 'test', '--json'],
    ])
      await run(words);
    for (const json of [[], ['--json']]) await run(['ask', 'How long is the pier of Brenna?', ...json]);
    await writeFile(join(folder, 'bad.yaml'), `openaiApiKey: ${plant('yaml: openaiApiKey')}\nport: [${'x'}\n`);
    await writeFile(join(folder, 'worse.yaml'), `anthropicApiKey: ${plant('yaml: anthropicApiKey')}\nport: many\n`);
    for (const file of ['bad.yaml', 'worse.yaml']) expect((await run(['doctor', '--config', file])).code).not.toBe(0);
    const record = { FOOTNOTE_DATABASE_URL: `postgres://me:${plant('FOOTNOTE_DATABASE_URL')}@127.0.0.1:9/x` };
    for (const words of [['doctor'], ['ask', 'How long is the pier of Brenna?'], ['sources', 'list', '--json']])
      expect((await run(words, { env: record })).code, words.join(' ')).not.toBe(0);
    const store = `postgres://me:${plant('store: DATABASE_URL')}@127.0.0.1:9/x`;
    for (const words of [
      ['stores', 'status', '--json'],
      ['stores', 'sync', 'postgres'],
      ['search', 'pier', '--mode', 'vector'],
      ['doctor', '--live'],
    ])
      await run(words, { env: { DATABASE_URL: store, VECTOR_STORE: 'postgres' } });
    const mistake = `htp://me:${plant('mistake: OPENAI_BASE_URL')}@example.test`;
    expect((await run(['doctor'], { env: { OPENAI_BASE_URL: mistake } })).code).not.toBe(0);
    const spoilt = `${plant('header: a key no header takes')}\u2028x`;
    // Refused first, since the address is the file's, then sent where it was confirmed.
    expect((await run(['models', 'test'], { env: { OPENAI_API_KEY: spoilt } })).code).toBe(11);
    expect((await run(['models', 'trust', `${provider.address}/v1`])).code).toBe(0);
    await run(['models', 'test'], { env: { OPENAI_API_KEY: spoilt } });
    await run(['ask', 'How long is the pier of Brenna?'], { env: { OPENAI_API_KEY: spoilt } });
    await keepFiles('after commands');
  });

  it('stay where they are while requests fail', { timeout: 600_000 }, async () => {
    const made: string[] = [];
    for (const role of ['admin', 'admin', 'writer', 'reader', 'reader']) {
      const { out } = await run(['keys', 'create', `key-${made.length}`, '--role', role, '--json'], {
        isHandingOver: true,
      });
      const secret = /fn_[\w-]{43}/u.exec(out)?.[0] ?? '';
      expect(secret, out).not.toBe('');
      made.push(secret);
      planted.set(`key of a caller ${made.length}`, secret.slice(3));
    }
    await run(['keys', 'list', '--json']);
    await mkdir(join(folder, 'suite/docs'), { recursive: true });
    await writeFile(join(folder, 'suite/docs/pier.md'), '# Pier\n\nThe pier of Brenna is 340 metres long.\n');
    const asked = { id: 'a', question: 'How long is the pier of Brenna?', answers: ['340 metres'] };
    await writeFile(join(folder, 'suite/cases.jsonl'), JSON.stringify(asked));
    expect((await run(['eval', 'run', 'suite', '--out', 'judged', '--judges', 'model,foundry'])).code).toBe(0);
    for (const name of await readdir(join(folder, 'judged')))
      keep(`judged ${name}`, await readFile(join(folder, 'judged', name)));
    const server = await serve();
    const call = async (path: string, init: RequestInit = {}, isHandingOver = false): Promise<string> => {
      const headers = { authorization: `Bearer ${made[0]}`, ...(init.headers as Record<string, string>) };
      const reply = await fetch(server.url + path, { ...init, headers, redirect: 'manual' });
      const body = await reply.text();
      const said = `${reply.status} ${JSON.stringify([...reply.headers])}\n${body}`;
      if (!isHandingOver) keep(`reply to ${init.method ?? 'GET'} ${path.slice(0, 40)}`, said);
      return body;
    };
    const json = { 'content-type': 'application/json' };
    const traces: string[] = [];
    const reported: string[] = [];
    for (let round = 0; round < 24; round += 1) {
      const stream = round % 2 === 0 ? { accept: 'text/event-stream' } : {};
      const question = JSON.stringify({ question: 'How long is the pier of Brenna?' });
      const said = await call('/v1/ask', { method: 'POST', headers: { ...json, ...stream }, body: question });
      traces.push(...(/trc_\w+/u.exec(said) ?? []));
      reported.push(...(/ans_\w+/u.exec(said) ?? []));
      expect(said).toContain('340 metres');
    }
    expect(traces.length).toBe(24);
    for (const id of traces) {
      await call(`/admin/traces/${id}`);
      await call(`/admin/traces/export/${id}`);
      const replay = { method: 'POST', headers: json, body: '{}' };
      expect(await call(`/admin/traces/${id}/replay`, replay)).toContain('"same":true');
    }
    for (const id of reported) expect(await call(`/v1/answers/${id}/report`)).toContain('footnote-report');
    const handed = await call(
      '/admin/keys',
      { method: 'POST', headers: { ...json, 'idempotency-key': 'k1' }, body: '{"name":"n","role":"reader"}' },
      true,
    );
    planted.set('key made over HTTP', /fn_[\w-]{43}/u.exec(handed)?.[0].slice(3) ?? 'none');
    await call('/admin/keys', {
      method: 'POST',
      headers: { ...json, 'idempotency-key': 'k1' },
      body: '{"name":"n","role":"reader"}',
    });
    // What callers send in the wrong place is theirs, and comes back to nobody: not in replies, not in the log.
    const wrong = plant('caller: a wrong key');
    await call('/v1/documents', { headers: { authorization: `Bearer fn_${wrong}` } });
    await call('/v1/documents', {
      headers: { authorization: `Basic ${Buffer.from(`u:${plant('caller: basic')}`).toString('base64')}` },
    });
    await call('/v1/documents', {
      headers: { cookie: `session=${plant('caller: cookie')}`, 'x-api-key': plant('caller: x-api-key') },
    });
    await call(`/v1/documents?api_key=1`, { headers: { referer: `http://x.test/?k=${plant('caller: referer')}` } });
    await call('/v1/ask', {
      method: 'POST',
      headers: json,
      body: `{"question": "x", "password": "${plant('caller: unknown field')}"}`,
    });
    await call('/v1/ask', { method: 'POST', headers: json, body: `{"question": "${plant('caller: broken JSON')}` });
    const filed = JSON.stringify({
      text: 'The key is not here.',
      uri: 'a.txt',
      password: plant('caller: password of a file'),
    });
    await call('/v1/documents', { method: 'POST', headers: json, body: filed });
    for (const route of Object.keys(routePolicy)) {
      const [method = 'GET', path = '/'] = route.split(' ');
      if (method === 'DELETE' || path === '/admin/keys') continue;
      const url = path.replace(/:\w+/gu, 'none');
      await call(url, method === 'GET' ? {} : { method, headers: json, body: '{"wrong":1}' });
      await call(url, { method, headers: { authorization: `Bearer ${made[4]}` } });
    }
    for (const path of ['/metrics', '/admin/evals', '/admin/config', '/.env', '/v1/nothing']) await call(path);
    await keepFiles('while the server runs');
    await server.stop();
    await keepFiles('after the server');
    await run(['doctor', '--json']);
  });

  it('are found nowhere', () => {
    expect(planted.size).toBeGreaterThanOrEqual(40);
    expect(evaluatorCalls).toBeGreaterThan(5);
    expect(artefacts.map(({ name }) => name)).toContain('judged run.json');
    expect(failures).toBeGreaterThan(30);
    const bytes = artefacts.reduce((sum, artefact) => sum + artefact.bytes.length, 0);
    console.log(`${planted.size} secrets, ${artefacts.length} artefacts, ${bytes} bytes, ${failures} failing calls`);
    expect(artefacts.flatMap(findIn)).toEqual([]);
  });

  it('would be found', () => {
    const [[place, secret] = ['', '']] = planted;
    for (const text of [
      secret,
      `x${secret.slice(0, 8)}y`,
      Buffer.from(`key=${secret}&`).toString('base64'),
      Buffer.from(secret).toString('hex'),
    ])
      expect(findIn({ name: 'x', bytes: Buffer.from(text) })).toContain(`${place} in x`);
    expect(findIn({ name: 'x', bytes: Buffer.from(secret, 'utf16le') })).toContain(`${place} in x`);
    expect(
      provider.requests.some(({ headers }) => headers.authorization?.includes(planted.get('OPENAI_API_KEY') ?? '-')),
    ).toBe(true);
  });
});
