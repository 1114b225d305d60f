// Two Footnotes over one database, each with a data folder of its own, as two servers have it.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { localScope, type Scope } from '../../src/core/scope.ts';
import type { Footnote } from '../../src/footnote/facade.ts';
import type { OpenOptions } from '../../src/footnote/opened.ts';
import { type OpenedFootnote, openFootnote } from '../open-footnote.ts';
import { openPostgresServer, type PostgresServer } from './server.ts';

export interface TwoServers {
  readonly server: PostgresServer;
  readonly address: string;
  /** Beside what the servers hold. */
  readonly folder: string;
  readonly opened: readonly OpenedFootnote[];
  /** The first or the second, as the local admin or somebody else sees it. */
  at(which: number, scope?: Scope): Footnote;
}

export interface TwoServersOptions extends OpenOptions {
  /** Asked for when they are opened. */
  readonly settings?: () => Readonly<Record<string, string>>;
}

/** For all tests of the file that calls it. */
export function twoServers(programs: string, { settings, ...options }: TwoServersOptions = {}): TwoServers {
  const opened: OpenedFootnote[] = [];
  let server: PostgresServer | undefined;
  let [address, folder] = ['', ''];
  beforeAll(async () => {
    server = await openPostgresServer(programs);
    address = await server.createDatabase();
    folder = await mkdtemp(join(tmpdir(), 'footnote-two-'));
    for (const data of ['one', 'two']) {
      const environment = { FOOTNOTE_DATA: join(folder, data), FOOTNOTE_DATABASE_URL: address, ...settings?.() };
      opened.push(await openFootnote(loadConfig({ folder, environment }), options));
    }
  });
  afterAll(async () => {
    for (const one of opened) await one.close();
    server?.remove();
    await rm(folder, { recursive: true, force: true });
  });
  return {
    get server() {
      if (!server) throw new Error('There is a server only while tests run.');
      return server;
    },
    get address() {
      return address;
    },
    get folder() {
      return folder;
    },
    opened,
    at(which, scope = localScope()) {
      const one = opened[which % 2];
      if (!one) throw new Error('There are two servers only while tests run.');
      return one.forScope(scope);
    },
  };
}
