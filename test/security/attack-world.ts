// The real system with all that an attacker could be after in it: another tenant, a closed document, another user's session, a source that
// was not asked for, a provider with a key. Invariant: everything that the asking principal may not see holds the stem of forbidden.ts.
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '../../src/config.ts';
import { localScope } from '../../src/core/scope.ts';
import type { HttpApp } from '../../src/http/wire/http-types.ts';
import { type FakeServer, openFakeServer, type SeenRequest } from '../../src/testing/fake-http.ts';
import type { FakeReply } from '../../src/testing/fake-reply.ts';
import { renderChat } from '../../src/testing/openai-chat.ts';
import { type OpenedFootnote, openFootnote } from '../../testkit/open-footnote.ts';
import { appOf } from '../../testkit/serve-opened.ts';
import { plant, plantKey } from './forbidden.ts';

export interface AttackWorld {
  readonly opened: OpenedFootnote;
  readonly app: HttpApp;
  readonly provider: FakeServer;
  /** Secrets of keys by who holds them. */
  readonly secrets: Readonly<Record<'reader' | 'writer' | 'colleague' | 'stranger', string>>;
  /** What the server would have written to its log. */
  readonly logged: string[];
  /** Addresses that this process connected to, other than the provider's. */
  readonly connections: readonly string[];
  /** The answer of the model to each request. */
  say: (request: SeenRequest) => FakeReply;
  close(): Promise<void>;
}

export const providerKey = plantKey('provider0001');

/** `names`: the towers of all cases, which the hidden documents speak of too. */
export async function openAttackWorld(names: readonly string[]): Promise<AttackWorld> {
  const folder = await mkdtemp(join(tmpdir(), 'footnote-attack-'));
  const provider = await openFakeServer((request) => renderChat(world.say(request), request));
  const connections: string[] = [];
  const port = new URL(provider.address).port;
  const onSocket = (message: unknown): void => {
    const { socket } = message as { socket: import('node:net').Socket };
    // The address is known once the name was looked up.
    socket.once('connectionAttempt', (ip: string, to: number) => {
      if (String(to) !== port) connections.push(`${ip}:${to}`);
    });
  };
  subscribe('net.client.socket', onSocket);
  const environment = {
    FOOTNOTE_DATA: join(folder, 'data'),
    OPENAI_BASE_URL: `${provider.address}/v1`,
    OPENAI_API_KEY: providerKey,
    MODEL_ANSWER: 'compatible:qwen3:8b',
    MODEL_EMBED: 'none',
    DEFAULT_MODE: 'embedded',
  };
  const opened = await openFootnote(loadConfig({ folder, environment }));
  const keyOf = async (name: string, role: 'reader' | 'writer' | 'admin', tenant = 'default') =>
    (await opened.keys.create({ name, role, tenant, groups: ['staff'] })).secret;
  const secrets = {
    reader: await keyOf('reader', 'reader'),
    writer: await keyOf('writer', 'writer'),
    colleague: await keyOf('colleague', 'reader'),
    stranger: await keyOf('stranger', 'admin', 'other'),
  };
  const jsonl = (line: (name: string) => string): Uint8Array =>
    new TextEncoder().encode(
      names.map((name) => JSON.stringify({ title: `The ${name} tower`, text: line(name) })).join('\n'),
    );
  const hide = (what: string) =>
    jsonl((name) => `The ${name} tower is 500 metres tall. The keeper of the ${name} tower is ${plant(what)}.`);
  const owner = opened.forScope(localScope());
  await opened.forScope(localScope('other')).documents.add({ bytes: hide('tenant'), name: 'a.jsonl', source: 'cases' });
  await owner.documents.add({ bytes: hide('board'), name: 'b.jsonl', source: 'cases', access: ['board'] });
  await owner.documents.add({ bytes: hide('internal'), name: 'c.jsonl', source: 'internal' });

  const logged: string[] = [];
  const app = appOf(opened, {
    log: (entry) => {
      logged.push(JSON.stringify(entry), entry.error instanceof Error ? (entry.error.stack ?? '') : '');
    },
  });
  const world: AttackWorld = {
    opened,
    app,
    provider,
    secrets,
    logged,
    connections,
    say: () => ({ text: '{"claims":[],"insufficient":true}' }),
    async close() {
      unsubscribe('net.client.socket', onSocket);
      await app.close();
      await opened.close();
      await provider.close();
      await rm(folder, { recursive: true });
    },
  };
  return world;
}
