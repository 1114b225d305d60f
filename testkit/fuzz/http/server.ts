// Starts the real server in a process of its own for hostile requests, puts into it what they ask for, and hears what it says of itself.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Contract, Planted } from './contract.ts';
import type { ChildMessage } from './fuzz-child.ts';
import { exchange } from './raw-exchange.ts';

export type Failure = Extract<ChildMessage, { kind: 'failure' }>;
export type Blocked = Extract<ChildMessage, { kind: 'blocked' }>;
export type Delay = Extract<ChildMessage, { kind: 'delay' }>;

export interface FuzzedServer {
  readonly port: number;
  readonly contract: Contract;
  readonly planted: Planted;
  /** What it logged as failures of its own, turns of its loop that were long, and all that it printed. */
  readonly failures: readonly Failure[];
  readonly blocked: readonly Blocked[];
  readonly output: readonly string[];
  /** Undefined while it lives. */
  exitCode(): string | undefined;
  /** Counts turns of its event loop anew. */
  measure(): void;
  /** How long its event loop was taken, since planting or `measure`. */
  delay(): Promise<Delay>;
  /** Rejects unless it ends in order. */
  stop(): Promise<void>;
}

const patienceMs = 120_000;

export async function startFuzzedServer(): Promise<FuzzedServer> {
  const folder = await mkdtemp(join(tmpdir(), 'footnote-fuzz-http-'));
  await mkdir(join(folder, 'docs'));
  await writeFile(join(folder, 'docs', 'ferry.md'), '# Ferry\n\nThe ferry Havorn carries 212 passengers.\n');
  await writeFile(join(folder, 'docs', 'rows.csv'), 'boat,length\nHavorn,38 m\nTerne,21 m\n');
  await writeFile(join(folder, 'docs', 'bad.pdf'), '%PDF-1.7 broken');
  const child = fork(join(import.meta.dirname, 'fuzz-child.ts'), [folder], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const output: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (bytes) => output.push(String(bytes)));
  let exited: string | undefined;
  child.once('exit', (code, signal) => {
    exited = `${code ?? signal}`;
  });
  const failures: Failure[] = [];
  const blocked: Blocked[] = [];
  const answers = listen(child, (message) => {
    if (message.kind === 'failure') failures.push(message);
    if (message.kind === 'blocked') blocked.push(message);
  });
  const prepared = async () => {
    const { port } = await answers('listening');
    const contract = (await call(port, 'GET', '/openapi.json')) as Contract;
    return { port, contract, planted: await plant(port) };
  };
  const { port, contract, planted } = await prepared().catch(async (error: unknown) => {
    child.kill('SIGKILL');
    await rm(folder, { recursive: true, force: true });
    throw new Error(`The server could not be prepared:\n${output.join('')}`, { cause: error });
  });
  blocked.length = 0;
  child.send('measure');
  return {
    port,
    contract,
    planted,
    failures,
    blocked,
    output,
    exitCode: () => exited,
    measure: () => void child.send('measure'),
    delay() {
      const told = answers('delay');
      child.send('delay');
      return told;
    },
    async stop() {
      const ended = exited === undefined ? once(child, 'exit') : Promise.resolve();
      if (exited === undefined) child.send('stop');
      const timer = setTimeout(() => child.kill('SIGKILL'), patienceMs);
      await ended;
      clearTimeout(timer);
      await rm(folder, { recursive: true, force: true });
      if (exited !== '0') throw new Error(`The server ended with ${exited}:\n${output.join('')}`);
    },
  };
}

/** Waits for the next message of a kind; rejects when the process ends first. */
function listen(child: ChildProcess, onMessage: (message: ChildMessage) => void) {
  return function next<Kind extends ChildMessage['kind']>(kind: Kind): Promise<Extract<ChildMessage, { kind: Kind }>> {
    return new Promise((resolve, reject) => {
      const onExit = (): void => reject(new Error(`The server ended before it said "${kind}".`));
      const hear = (message: unknown): void => {
        const told = message as ChildMessage;
        if (told.kind !== kind) return;
        child.off('message', hear);
        child.off('exit', onExit);
        resolve(told as Extract<ChildMessage, { kind: Kind }>);
      };
      if (child.listenerCount('message') === 0) child.on('message', (message) => onMessage(message as ChildMessage));
      child.on('message', hear);
      child.once('exit', onExit);
    });
  };
}

/** A sound request of the owner. Throws with the reply unless it was taken. */
export async function call(port: number, method: string, path: string, json?: unknown): Promise<unknown> {
  const body = json === undefined ? '' : JSON.stringify(json);
  const head = [
    `${method} ${path} HTTP/1.1`,
    'host: 127.0.0.1',
    'authorization: Bearer owner',
    'connection: close',
    ...(body === '' ? [] : ['content-type: application/json', `content-length: ${Buffer.byteLength(body)}`]),
  ];
  const sent = Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`);
  const { replies, end } = await exchange(port, sent, { methods: [method], patienceMs });
  const [reply] = replies;
  if (!reply || reply.status >= 300)
    throw new Error(`${method} ${path}: ${reply ? `${reply.status} ${reply.body}` : end}`);
  return reply.body.length === 0 ? undefined : (JSON.parse(reply.body.toString()) as unknown);
}

async function plant(port: number): Promise<Planted> {
  const post = async <Body>(path: string, json: unknown): Promise<Body> =>
    (await call(port, 'POST', path, json)) as Body;
  const document = async (uri: string): Promise<string> => {
    const text = `# ${uri}\n\nThe lighthouse of Arkvik was built in 1874 by Ingrid Solheim.\n\nIts lamp burns kerosene, ${uri}.\n`;
    const added = await post<{ documents: { id: string }[] }>('/v1/documents', {
      text,
      uri,
      source: 'notes',
      mime: 'text/markdown',
    });
    return added.documents[0]?.id ?? '';
  };
  const source = async (name: string): Promise<string> => {
    const connector = name.startsWith('victim') ? {} : { connector: { kind: 'folder', path: 'docs' } };
    await post('/v1/sources', { name, type: 'guide', ...connector });
    return name;
  };
  const session = async (): Promise<string> => (await post<{ id: string }>('/v1/rag/sessions', {})).id;
  const key = async (name: string): Promise<string> =>
    (await post<{ key: { id: string } }>('/admin/keys', { name, role: 'reader' })).key.id;
  const several = async (count: number, make: (at: number) => Promise<string>): Promise<string[]> => {
    const made: string[] = [];
    for (let at = 0; at < count; at++) made.push(await make(at));
    return made;
  };

  const documents = await several(6, (at) => document(`planted-${at}.md`));
  const sources = await several(1, () => source('coast'));
  const ingestions = await several(1, async () => (await post<{ id: string }>('/v1/sources/coast/sync', undefined)).id);
  const sessions = await several(2, session);
  await post(`/v1/rag/sessions/${sessions[0]}/messages`, { content: 'Who built the lighthouse of Arkvik?' });
  const ask = () => post<{ id: string; traceId: string }>('/v1/ask', { question: 'Who built the lighthouse?' });
  const answer = await ask();
  const response = async (): Promise<string> =>
    (await post<{ id: string }>('/v1/responses', { model: 'footnote', input: 'Who built the lighthouse?' })).id;
  const seas = ['North Sea', 'Baltic', 'Irish Sea', 'Adriatic', 'Aegean', 'Black Sea', 'Kattegat', 'Skagerrak'];
  const memories = await several(seas.length, async (at) => {
    return (await post<{ id: string }>('/v1/memories', { text: `In year ${1900 + at} I sailed the ${seas[at]}.` })).id;
  });
  const victims = await several(8, (at) => document(`victim-${at}.md`));
  const victimSources = await several(8, (at) => source(`victim-${at}`));
  return {
    answer,
    ids: {
      documents,
      sources,
      ingestions,
      sessions,
      answers: [answer.id],
      traces: [answer.traceId],
      stores: ['embedded'],
      schemas: ['answer', 'filter', 'problem'],
      keys: await several(1, () => key('kept')),
      responses: await several(2, response),
      files: documents.map((id) => `file-${id}`),
      vector_stores: ['vs_notes'],
      models: ['footnote', 'footnote/notes'],
      memories: memories.slice(0, 2),
    },
    victims: {
      documents: victims,
      files: victims.map((id) => `file-${id}`),
      sources: victimSources,
      vector_stores: victimSources.map((name) => `vs_${name}`),
      answers: await several(4, async () => (await ask()).id),
      responses: await several(4, response),
      memories: memories.slice(2),
      sessions: await several(8, session),
      keys: await several(8, (at) => key(`victim-${at}`)),
    },
  };
}
