// A PostgreSQL server of its own for tests, where this machine has the programs: on a free port of 127.0.0.1, in a folder that goes with it.
// PostgreSQL does not run as root: there it runs as the user that its package made, or as nobody.
import { execFileSync, type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';

export interface PostgresServer {
  /** Of a new database, without tables or as the one at `like` is, to which nobody may be connected; it goes with the server. */
  createDatabase(like?: string): Promise<string>;
  /** Runs a statement in the database of an address, past the record. */
  run(address: string, sql: string): Promise<readonly Readonly<Record<string, unknown>>[]>;
  /** What stands in an address and nowhere else. */
  readonly password: string;
  stop(how?: 'fast' | 'immediate'): void;
  /** After `stop`, on the same port. */
  start(): void;
  remove(): void;
  /** A server of its own that follows this one; `promote` makes it one that is written to. It has the same databases. */
  openStandby(): Promise<PostgresServer & { promote(): void }>;
  /** The address of a database of this server's, given that of the same database at another. */
  addressHere(address: string): string;
}

const packages = '/usr/lib/postgresql';

/** The folder of the programs; undefined where there are none. */
export function postgresPrograms(): string | undefined {
  const versions = existsSync(packages) ? readdirSync(packages).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [
    ...versions.map((version) => join(packages, version, 'bin')),
    ...(process.env['PATH'] ?? '').split(':'),
  ];
  return folders.find((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'pg_ctl')));
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address ? address.port : 0;
}

const isRoot = process.getuid?.() === 0;

const userOf = (): string => (spawnSync('id', ['-u', 'postgres']).status === 0 ? 'postgres' : 'nobody');

function asUser(user: string, command: string, args: readonly string[]): SpawnSyncReturns<string> {
  const as = isRoot
    ? ['setpriv', `--reuid=${user}`, `--regid=${user === 'nobody' ? 'nogroup' : user}`, '--clear-groups']
    : [];
  const [first = '', ...rest] = [...as, command, ...args];
  const ended = spawnSync(first, rest, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  if (ended.status !== 0) throw new Error(`${command} ${args.join(' ')}: ${ended.stderr}${ended.stdout}`);
  return ended;
}

export interface PostgresServerOptions {
  /** Whether what it committed outlives the machine too, as it does where people run one. Default false: tests need not wait for disks. */
  readonly isDurable?: boolean;
}

export const openPostgresServer = (programs: string, options?: PostgresServerOptions): Promise<PostgresServer> =>
  open(programs, options);

async function open(
  programs: string,
  { isDurable = false, primaryPort }: PostgresServerOptions & { readonly primaryPort?: number } = {},
): Promise<PostgresServer & { promote(): void }> {
  const folder = mkdtempSync(join(tmpdir(), 'footnote-postgres-'));
  const user = userOf();
  const password = 'granary-xylophone';
  const port = await freePort();
  const data = join(folder, 'data');
  const secret = join(folder, 'password');
  writeFileSync(secret, password);
  if (isRoot) execFileSync('chown', ['-R', user, folder]);
  const primary = `host=127.0.0.1 port=${primaryPort} user=footnote password=${password}`;
  if (primaryPort === undefined)
    asUser(user, join(programs, 'initdb'), [
      ...['-D', data, '-U', 'footnote', '-E', 'UTF8', '--locale=C', '--auth=scram-sha-256', `--pwfile=${secret}`],
      '--no-sync',
    ]);
  else asUser(user, join(programs, 'pg_basebackup'), ['-D', data, '-d', primary, '-R', '-c', 'fast', '--no-sync']);
  const options = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c fsync=${isDurable ? 'on' : 'off'} -c max_connections=60`;
  const control = (...args: readonly string[]): void =>
    void asUser(user, join(programs, 'pg_ctl'), ['-D', data, '-w', '-l', join(folder, 'log'), ...args]);
  const start = (): void => control('-o', options, 'start');
  start();
  const addressOf = (database: string): string => `postgres://footnote:${password}@127.0.0.1:${port}/${database}`;
  const run = async (address: string, sql: string) => {
    const client = new pg.Client({ connectionString: address });
    await client.connect();
    try {
      return (await client.query(sql)).rows as readonly Readonly<Record<string, unknown>>[];
    } finally {
      await client.end();
    }
  };
  let made = 0;
  let isRunning = true;
  const stop = (how = 'fast'): void => {
    if (isRunning) control('-m', how, 'stop');
    isRunning = false;
  };
  return {
    password,
    run,
    async createDatabase(like) {
      made += 1;
      const name = `test_${made}`;
      const template = like === undefined ? '' : ` TEMPLATE ${like.slice(like.lastIndexOf('/') + 1)}`;
      await run(addressOf('postgres'), `CREATE DATABASE ${name}${template}`);
      return addressOf(name);
    },
    stop,
    start() {
      if (!isRunning) start();
      isRunning = true;
    },
    promote: () => control('promote'),
    openStandby: () => open(programs, { isDurable, primaryPort: port }),
    addressHere(given) {
      const address = new URL(given);
      address.port = String(port);
      return address.href;
    },
    remove() {
      stop('immediate');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
