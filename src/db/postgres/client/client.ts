// The one home of `pg`: a few connections, statements, and transactions that are tried again where that cannot do anything twice. Invariants:
// no state is left in a session, so that a pooler may stand before the database; an outcome that is not known is never taken for success;
// texts go in and come out whole (text.ts), and counts are numbers that JavaScript holds exactly, or an error.
import { createHash, randomUUID } from 'node:crypto';
import { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { FootnoteError } from '../../../core/errors.ts';
import { abortError, untilAborted } from '../../../core/waiting/until-aborted.ts';
import { isLost, mayTryAgain, toRecordError } from './errors.ts';
import { createHeard } from './heard.ts';
import { decodeText, encodeText } from './text.ts';

type Scalar = string | number | boolean | null | Uint8Array;
export type Value = Scalar | readonly Scalar[];

export interface Connection {
  /** Rows of one statement, whose `$n` are these values. */
  rows<Row = Readonly<Record<string, unknown>>>(sql: string, values?: readonly Value[]): Promise<readonly Row[]>;
  /** The same, with how many rows it read or wrote. */
  ask(sql: string, values?: readonly Value[]): Promise<{ readonly rows: readonly object[]; readonly changes: number }>;
}

export interface TransactionOptions {
  /** What it is about: one of this name runs at a time, whichever server began it, and its outcome is looked up where it is not known. */
  readonly alone?: string;
  /** A UUID that is noted of it where it runs alone; otherwise one is made. */
  readonly id?: string;
  /** What it shares with others of this name, and with nobody who took it by `takeAlone`; taken before the first statement of the work. */
  readonly shares?: string;
  /** Says on a new connection whether a transaction is done whose connection was lost while it was committed. */
  readonly isDone?: (connection: Connection) => Promise<boolean>;
  /** How long a statement may take, where that is longer than what others may. */
  readonly answerMs?: number;
  /** Ends it, with the connection that it runs on. */
  readonly signal?: AbortSignal | undefined;
}

export interface ClientOptions {
  /** How long any statement may take. */
  readonly answerMs?: number;
  /** The setting that names the address, as errors do. */
  readonly setting?: string;
  /** Further `SET LOCAL …` of every transaction. */
  readonly settings?: string;
  /** What the driver throws, as who asks knows it. Default: as the record tells it. */
  readonly toError?: (thrown: unknown) => FootnoteError;
}

/** What each transaction that writes is to find, from its beginning until it ends. */
export interface Fence {
  /** Shared by all of them; whoever takes it alone may change what they find. */
  readonly shares: string;
  /** One statement that has a row as long as this process may write. */
  readonly sql: string;
  lost(): FootnoteError;
}

export interface PostgresClient {
  /** One statement of its own. */
  rows: Connection['rows'];
  /** The same on a connection that is kept for such: it waits for no other work, and not for long. */
  soon: Connection['rows'];
  /** Statements that see one moment. */
  read<T>(work: (connection: Connection) => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** Statements that are durable when the promise resolves, all or none. `work` may run several times. */
  write<T>(work: (connection: Connection) => Promise<T>, options?: TransactionOptions): Promise<T>;
  /** From now on nothing is written but behind this. */
  fence(fence: Fence): void;
  /** How often the database was asked. */
  roundTrips(): number;
  close(): Promise<void>;
}

const connections = 10;
const connectingMs = 5000;
/** Longer than the server lets a statement run: what is silent for so long is not there any more. */
const longestAnswerMs = 35_000;
const closingMs = 2000;
const mostTries = 5;
/** Before the second try; twice as long before each later one, and less by chance, so that those who met do not meet again. */
const longestPauseMs = 40;
/** So many noted transactions pass before what is too old to be looked up goes. */
const tidiedEvery = 500;

/** Where nobody waits any more the server ends what it does: every one on Linux can tell, from PostgreSQL 14 on. */
const endsWithConnection =
  "SELECT set_config('client_connection_check_interval', '1s', true) WHERE version() LIKE '%linux%' AND current_setting('client_connection_check_interval', true) IS NOT NULL";
/** A silent holder of a lock would hold up everybody else for as long as its session may be idle. */
const sessionSettings = `SET LOCAL statement_timeout = '30s'; SET LOCAL lock_timeout = '5s'; SET LOCAL idle_in_transaction_session_timeout = '10s'; ${endsWithConnection}`;
/** Locks a name, as a number that the server locks by, until the transaction ends. */
const lockOf = (name: string, how: '' | '_shared' = '', may: '' | 'try_' = ''): string =>
  `SELECT pg_${may}advisory_xact_lock${how}(${createHash('sha256').update(name).digest().readBigInt64BE()}) AS taken`;

/** Waits until nobody has what goes by this name, and has it alone until the transaction ends. */
export const takeAlone = (connection: Connection, name: string): Promise<unknown> => connection.rows(lockOf(name));

/** The same where nobody has it now; false: somebody does. */
export async function tryAlone(connection: Connection, name: string): Promise<boolean> {
  const [row] = await connection.rows<{ readonly taken: boolean }>(lockOf(name, '', 'try_'));
  return row?.taken === true;
}

/** In the same request as COMMIT: the tenant without a name has those that are not of a corpus. */
const noteOf = (id: string): string =>
  `INSERT INTO commit_id (tenant, id, revision) VALUES ('', '${id}', 0) ON CONFLICT DO NOTHING`;
/** Whether a transaction that ran alone is done: those of an hour can be looked up, while nobody ends them. */
export const isNoted = async (connection: Connection, id: string): Promise<boolean> =>
  (await connection.rows("SELECT 1 FROM commit_id WHERE tenant = '' AND id = $1", [id])).length > 0;
const tidyNotes = "DELETE FROM commit_id WHERE tenant = '' AND at < clock_timestamp() - interval '1 hour'";

const beginning = {
  read: `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; ${sessionSettings}`,
  write: `BEGIN; ${sessionSettings}`,
} as const;

function toSafeNumber(text: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value) || !/^-?\d+$/u.test(text)) return value;
  throw new FootnoteError('data-corrupt', 'A count in the record is larger than any that was written.');
}

const [textType, textArray, bigint, numeric] = [25, 1009, 20, 1700] as const;
const parserOf = (type: number, format?: 'text' | 'binary'): ((value: string) => unknown) => {
  const usual = pg.types.getTypeParser(type, format as 'text') as (value: string) => unknown;
  if (type === textType) return decodeText;
  if (type === textArray)
    return (value) =>
      (usual(value) as readonly (string | null)[]).map((item) => (item === null ? null : decodeText(item)));
  return type === bigint || type === numeric ? toSafeNumber : usual;
};

const toBound = (value: Value): unknown => {
  if (typeof value === 'string') return encodeText(value);
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  return Array.isArray(value) ? (value as readonly Scalar[]).map(toBound) : value;
};

/** Throws `config-invalid` for an address that is none; it stands in no message. */
function assertAddress(address: string, setting: string): void {
  const parsed = URL.parse(address);
  if (parsed && ['postgres:', 'postgresql:'].includes(parsed.protocol)) return;
  const message = `${setting} is not an address of PostgreSQL. Write postgres://USER:PASSWORD@HOST:5432/DATABASE.`;
  throw new FootnoteError('config-invalid', message);
}

export function createPostgresClient(
  address: string,
  {
    answerMs = longestAnswerMs,
    setting = 'FOOTNOTE_DATABASE_URL',
    settings = '',
    toError = toRecordError,
  }: ClientOptions = {},
): PostgresClient {
  assertAddress(address, setting);
  const sockets = new Set<Socket>();
  const ordinary: pg.PoolConfig = {
    connectionString: address,
    max: connections,
    connectionTimeoutMillis: connectingMs,
    query_timeout: answerMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: 5000,
    stream() {
      const socket = new Socket();
      sockets.add(socket);
      return socket.once('close', () => sockets.delete(socket));
    },
    application_name: 'footnote',
    types: { getTypeParser: parserOf as typeof pg.types.getTypeParser },
  };
  const pool = new pg.Pool(ordinary);
  const kept = new pg.Pool({ ...ordinary, max: 1, query_timeout: connectingMs });
  // One that waits in the pool and is cut is replaced by the next that is asked for.
  for (const one of [pool, kept]) one.on('error', () => undefined);
  let asked = 0;
  const heard = createHeard(async () =>
    kept.query('SELECT 1').then(
      () => true,
      (error: unknown) => !isLost(error),
    ),
  );

  const statementsOn = (client: pg.PoolClient, longer?: number): Connection => ({
    async rows<Row>(text: string, values: readonly Value[] = []) {
      return (await this.ask(text, values)).rows as readonly Row[];
    },
    async ask(text, values = []) {
      asked += 1;
      const asks = { text, values: values.map(toBound), query_timeout: longer };
      const { rows, rowCount } = await heard(client.query(asks));
      return { rows, changes: rowCount ?? 0 };
    },
  });

  /** A connection that comes when nobody waits for it any more goes back. */
  async function connected(from: pg.Pool, signal: AbortSignal | undefined): Promise<pg.PoolClient> {
    const connecting = from.connect();
    if (!signal) return connecting;
    return untilAborted(connecting, signal).catch((thrown: unknown) => {
      void connecting.then((client) => client.release()).catch(() => undefined);
      throw thrown;
    });
  }

  interface Where {
    readonly from?: pg.Pool;
    readonly signal?: AbortSignal | undefined;
  }

  async function on<T>(work: (client: pg.PoolClient) => Promise<T>, { from = pool, signal }: Where = {}): Promise<T> {
    const client = await connected(from, signal);
    // It says so in its statements, too.
    const cut = (): void => undefined;
    client.on('error', cut);
    let failure: unknown;
    try {
      const working = work(client);
      return await (signal ? untilAborted(working, signal) : working);
    } catch (error) {
      failure = error;
      throw error;
    } finally {
      const isGone = signal?.aborted === true || (failure !== undefined && isLost(failure));
      // One that is ended while a statement runs on it says so later.
      if (!isGone) client.off('error', cut);
      client.release(isGone);
    }
  }

  const simple = async (client: pg.PoolClient, sql: string): Promise<unknown> => {
    asked += 1;
    return heard(client.query(sql));
  };
  let fence: Fence | undefined;
  async function begin(client: pg.PoolClient, kind: keyof typeof beginning, first?: string): Promise<void> {
    const guarded = kind === 'write' ? fence : undefined;
    const parts = [beginning[kind] + settings, guarded && lockOf(guarded.shares, '_shared'), first, guarded?.sql];
    const told = await simple(client, parts.filter((part) => part !== undefined).join('; '));
    // Of several statements there is a result for each.
    if (guarded && (told as readonly pg.QueryResult[]).at(-1)?.rows.length !== 1) throw guarded.lost();
  }

  /** Marks what was lost while it was committed. */
  class LostCommit extends Error {}

  interface Ends {
    readonly longer?: number | undefined;
    /** What is asked together with the beginning and with the end. */
    readonly first?: string | undefined;
    readonly last?: string | undefined;
    readonly signal?: AbortSignal | undefined;
  }

  const transaction = <T>(
    kind: keyof typeof beginning,
    work: (connection: Connection) => Promise<T>,
    { longer, first, last, signal }: Ends = {},
  ): Promise<T> => {
    const inside = async (client: pg.PoolClient): Promise<T> => {
      let result: T;
      try {
        await begin(client, kind, first);
        result = await work(statementsOn(client, longer));
      } catch (error) {
        if (!isLost(error)) await simple(client, 'ROLLBACK');
        throw error;
      }
      try {
        await simple(client, last === undefined ? 'COMMIT' : `${last}; COMMIT`);
      } catch (error) {
        if (kind === 'write' && isLost(error)) throw new LostCommit('The connection was lost.', { cause: error });
        if (!isLost(error)) await simple(client, 'ROLLBACK');
        throw error;
      }
      return result;
    };
    return on(inside, { signal });
  };

  let noted = 0;
  /** Ends of a transaction that runs alone, and how its outcome is found: whoever still ends it holds the lock until then. */
  function aloneAs(name: string, id: string): Ends & Required<Pick<TransactionOptions, 'isDone'>> {
    const last = noted++ % tidiedEvery === 0 ? `${tidyNotes}; ${noteOf(id)}` : noteOf(id);
    return {
      last,
      async isDone(connection) {
        await takeAlone(connection, name);
        return isNoted(connection, id);
      },
    };
  }

  async function translated<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw toError(error);
    }
  }

  return {
    rows: (sql, values) => translated(() => on((client) => statementsOn(client).rows(sql, values))),
    soon: (sql, values) => translated(() => on((client) => statementsOn(client).rows(sql, values), { from: kept })),
    read: (work, signal) => translated(() => transaction('read', work, { signal })),
    write: (work, { alone, id = randomUUID(), shares, answerMs: longer, ...given } = {}) =>
      translated(async () => {
        const ends = alone === undefined ? given : aloneAs(alone, id);
        const { isDone, signal } = { signal: given.signal, ...ends };
        const locks = [
          alone === undefined ? [] : lockOf(alone),
          shares === undefined ? [] : lockOf(shares, '_shared'),
        ].flat();
        const first = locks.length === 0 ? undefined : locks.join('; ');
        for (let tries = 1; ; tries++) {
          if (tries > 1) await wait(Math.random() * longestPauseMs * 2 ** (tries - 2));
          if (signal?.aborted) throw abortError(signal);
          let result: Awaited<ReturnType<typeof work>> | undefined;
          try {
            const kept = async (connection: Connection) => (result = await work(connection));
            return await transaction('write', kept, { ...ends, first, longer, signal });
          } catch (error) {
            if (error instanceof LostCommit) {
              const isKnown = isDone && (await transaction('write', isDone).catch(() => undefined));
              if (isKnown === true) return result as Awaited<ReturnType<typeof work>>;
              if (isKnown === undefined)
                throw new FootnoteError(
                  'storage-busy',
                  'The connection to the database was lost while it wrote: nobody knows whether it did. See what is there before you try again.',
                  { details: { outcome: 'unknown' } },
                );
            } else if (!mayTryAgain(error)) throw error;
            if (tries === mostTries) throw error instanceof LostCommit ? error.cause : error;
          }
        }
      }),
    fence(given) {
      fence = given;
    },
    roundTrips: () => asked,
    async close() {
      // A connection that is cut may never say that it has ended.
      let timer: NodeJS.Timeout | undefined;
      const limit = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, closingMs);
      });
      await Promise.race([Promise.all([pool.end(), kept.end()]), limit]);
      clearTimeout(timer);
      for (const socket of sockets) socket.destroy();
    },
  };
}
