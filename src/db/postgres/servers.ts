// The servers that work on one record. Each has a row, which it renews; one whose row was not renewed for long is declared dead by another, which takes
// the row away and closes what it held in the same transaction. Invariants: only the database's clock counts; a server without its row writes
// nothing, whatever it was about to do; a row goes only when no transaction of its server is under way, and with what it held. One that is alone moves
// the record as it is and closes nothing: whoever opens the record next does.
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { FootnoteError } from '../../core/errors.ts';
import { closeClaims } from '../both/effects.ts';
import { markCutOff } from '../both/uploads.ts';
import type { Leases } from '../servers/leases.ts';
import type { Servers } from '../servers/servers.ts';
import { run, type Steps } from '../statements.ts';
import { type Connection, type PostgresClient, takeAlone, tryAlone } from './client/client.ts';
import { runSteps } from './client/statements.ts';

export interface ServerTiming {
  /** Between two renewals. */
  readonly beatMs: number;
  /** One that was not renewed for so long is dead. */
  readonly deadMs: number;
  /** Whoever renewed for so long without a break may declare others dead: those who were cut off together with it had their turn. */
  readonly steadyMs: number;
  /** So long before it may be declared dead a server that could not renew ends what it has leases for. */
  readonly endsMs: number;
}
const ordinary: ServerTiming = { beatMs: 5000, deadMs: 20_000, steadyMs: 10_000, endsMs: 3000 };
/** From so many beats on it is a break. */
const breakBeats = 2;
const leavingMs = 3000;
/** How often one who wants to be alone looks for others. */
const lookedEveryMs = 500;

export interface ServerFacts {
  /** Of the program. */
  readonly version: string;
}

/** This process among the servers of a record. */
export interface PostgresServers extends Leases, Servers {
  /**
   * Makes this process one of them until it leaves. From now on each of its transactions that writes asks whether it still is one, and holds off whoever
   * would declare it dead until it ends; where it was declared dead it throws `already-running`, and where one is alone, at once.
   */
  join(facts: ServerFacts, timing?: Partial<ServerTiming>): Promise<void>;
  /**
   * The same as the only one: others are waited for until they are seen to live, or are dead, and none can join. Nothing is closed by it, of whoever it
   * was. Throws `already-running`.
   */
  joinAlone(facts: ServerFacts): Promise<void>;
  /** Declares dead who is, and closes what nobody holds any more: runs are `interrupted`, keys of requests free. How many runs. */
  closeLeft(): Promise<number>;
  /** Ends this one, as what it holds in memory is of a database that is there no more. What to tell who asked. */
  behind(): FootnoteError;
  /** Never rejects: a server that cannot say that it leaves is declared dead. */
  leave(): Promise<void>;
}

const about = 'servers of the record';
const lockName = (id: string): string => `server ${id}`;
const ago = (at: string): string => `clock_timestamp() - ${at}::float8 * interval '1 ms'`;

const joinSql = 'INSERT INTO server (id, version, is_alone) VALUES ($1, $2, $3) ON CONFLICT (id) DO NOTHING';
const idsSql = 'SELECT id::text FROM server';
/** Those that who joins cannot be beside, as none of them can take up its work again: seen in seconds, and who was silent for long. */
const othersSql = `SELECT id, extract(epoch FROM seen_at)::float8 AS seen, seen_at < ${ago('$1')} AS "isSilent" FROM server WHERE is_alone OR $2`;
const isAloneError = (): FootnoteError =>
  new FootnoteError(
    'already-running',
    'The record is being moved out of or into this database. Wait until that has ended.',
  );
const wentBack = (): FootnoteError =>
  new FootnoteError(
    'already-running',
    'The database of the record lost what this server knows of, as one does that takes over without having all. Start the server again: it reads anew.',
  );
const othersError = (): FootnoteError =>
  new FootnoteError(
    'already-running',
    'Servers work on the database of the record (FOOTNOTE_DATABASE_URL). Stop them first.',
  );
const renewSql = `UPDATE server SET seen_at = clock_timestamp(),
  steady_at = CASE WHEN seen_at < ${ago('$3')} THEN clock_timestamp() ELSE steady_at END WHERE id = $1
  RETURNING EXISTS (SELECT 1 FROM server AS other WHERE other.id <> $1 AND other.seen_at < ${ago('$2')}) AS "isAnyDead",
  ARRAY(SELECT other.id::text FROM server AS other) AS ids`;
const deadSql = `SELECT id FROM server WHERE id <> $1 AND seen_at < ${ago('$2')}
  AND EXISTS (SELECT 1 FROM server AS own WHERE own.id = $1 AND own.seen_at >= ${ago('$2')} AND own.steady_at < ${ago('$3')})`;
const dropDeadSql = `DELETE FROM server WHERE id = ANY($1) AND seen_at < ${ago('$2')} RETURNING id`;

const listSql =
  'SELECT id, version, address, started_at AS "startedAt", seen_at AS "seenAt" FROM server ORDER BY started_at, id';
const takeSql = `INSERT INTO lease (name, owner) VALUES ($1, $2)
  ON CONFLICT (name) DO UPDATE SET owner = excluded.owner WHERE lease.owner = excluded.owner RETURNING 1`;
const takenSql = 'SELECT 1 FROM lease WHERE name = $1 AND owner <> $2';
const ownSql = 'SELECT 1 FROM lease WHERE name = $1 AND owner = $2';
const releaseSql = 'DELETE FROM lease WHERE name = $1 AND owner = $2';

/** Of a row that no server of the record holds. */
const isUnheld = 'NOT EXISTS (SELECT 1 FROM server WHERE server.id = held_by)';

function* closeUnheld(): Steps<number> {
  yield* closeClaims({ sql: isUnheld, parameters: [] });
  yield* markCutOff(isUnheld);
  const sql = `UPDATE ingestion SET state = 'interrupted', finished_at = ? WHERE state = 'running' AND ${isUnheld}`;
  return yield* run(sql, new Date().toISOString());
}

export function createServers(client: PostgresClient): PostgresServers {
  let timing = ordinary;
  let id: string | undefined;
  let isOnly = false;
  let isRenewing = false;
  let isClosing = false;
  let timer: NodeJS.Timeout | undefined;
  let ending: NodeJS.Timeout | undefined;
  const lost = new AbortController();
  const taken = new Map<string, AbortController>();
  /** Names that the database may still have for this server, which does not. */
  const unreleased = new Set<string>();
  const listeners = new Set<() => void>();
  let known: ReadonlySet<string> = new Set();

  const declaredDead = (): FootnoteError =>
    new FootnoteError(
      'already-running',
      'This server could not reach the database of the record for long, and another declared it dead. It writes nothing any more: start it again.',
    );
  function lose(why = declaredDead()): void {
    clearInterval(timer);
    lost.abort(why);
    for (const one of taken.values()) one.abort(why);
  }

  /** From the time of a request that renewed: the answer may have taken long. */
  function renewed(atMs: number): void {
    clearTimeout(ending);
    const end = (): void => {
      const lost = new FootnoteError(
        'storage-busy',
        'The database could not be reached for so long that others may go on.',
      );
      for (const one of taken.values()) one.abort(lost);
    };
    ending = setTimeout(end, timing.deadMs - timing.endsMs - (performance.now() - atMs)).unref();
  }

  /** What the database does not hear of now it hears with a renewal. */
  async function giveBack(name: string): Promise<void> {
    try {
      await client.write((connection) => connection.rows(releaseSql, [name, id ?? '']));
      unreleased.delete(name);
    } catch {
    } finally {
      taken.delete(name);
    }
  }

  type OfServer = { readonly id: string };
  /** Which of the silent are dead. One that writes is not, or its transaction ends soon. */
  async function dropSilent(connection: Connection, silent: readonly OfServer[]): Promise<ReadonlySet<string>> {
    const free: string[] = [];
    for (const { id: one } of silent) if (await tryAlone(connection, lockName(one))) free.push(one);
    if (free.length === 0) return new Set();
    return new Set((await connection.rows<OfServer>(dropDeadSql, [free, timing.deadMs])).map((row) => row.id));
  }

  async function dropDead(connection: Connection, own: string): Promise<void> {
    await dropSilent(connection, await connection.rows<OfServer>(deadSql, [own, timing.deadMs, timing.steadyMs]));
  }

  const close = async (connection: Connection): Promise<number> => (isOnly ? 0 : runSteps(connection, closeUnheld()));

  const closeLeft = (): Promise<number> =>
    client.write(
      async (connection) => {
        if (id !== undefined) await dropDead(connection, id);
        return close(connection);
      },
      { alone: about },
    );

  type Renewed = { readonly isAnyDead: boolean; readonly ids: readonly string[] };
  /** However busy the server is; a database that is away is asked again. */
  async function beat(own: string): Promise<void> {
    if (isRenewing) return;
    isRenewing = true;
    const startedMs = performance.now();
    const asked = client.soon<Renewed>(renewSql, [own, timing.deadMs, breakBeats * timing.beatMs]);
    const row = await asked.then(
      (rows) => rows[0] ?? 'gone',
      () => undefined,
    );
    isRenewing = false;
    if (row === undefined) return;
    if (row === 'gone') return lose();
    renewed(startedMs);
    // Works as others do, and no renewal waits for it.
    await learn(row);
  }

  async function learn(row: Renewed): Promise<void> {
    const before = known;
    known = new Set(row.ids);
    if ([...before].some((one) => !known.has(one))) for (const listener of listeners) listener();
    const names = [...unreleased].filter((name) => !taken.has(name));
    // Nobody here takes one meanwhile, which would go with it.
    for (const name of names) taken.set(name, new AbortController());
    for (const name of names) void giveBack(name);
    if (!row.isAnyDead || isClosing) return;
    isClosing = true;
    await closeLeft().catch(() => undefined);
    isClosing = false;
  }

  /** When those whom this one cannot join were seen last; undefined: it has joined. */
  async function enter({ version }: ServerFacts, isAlone: boolean): Promise<number | undefined> {
    const own = randomUUID();
    type Other = OfServer & { readonly seen: number; readonly isSilent: boolean };
    const seen = await client.write(
      async (connection) => {
        const others = await connection.rows<Other>(othersSql, [timing.deadMs, isAlone]);
        // One that was only paused finds that it was declared dead when it writes again.
        const dead = await dropSilent(
          connection,
          others.filter(({ isSilent }) => isSilent),
        );
        const living = others.filter((other) => !dead.has(other.id));
        if (living.length > 0) return Math.max(...living.map((other) => other.seen));
        await connection.rows(joinSql, [own, version, isAlone]);
        // Whoever leaves before the first renewal is missed too.
        known = new Set((await connection.rows<OfServer>(idsSql)).map((row) => row.id));
        return undefined;
      },
      { alone: about },
    );
    if (seen !== undefined) return seen;
    id = own;
    isOnly = isAlone;
    client.fence({
      shares: lockName(own),
      // Rows that it makes say who holds them.
      sql: `SELECT set_config('footnote.server', id, true) FROM server WHERE id = '${own}'`,
      lost() {
        lose();
        return declaredDead();
      },
    });
    renewed(performance.now());
    timer = setInterval(() => void beat(own).catch(() => undefined), timing.beatMs).unref();
    return undefined;
  }

  return {
    closeLeft,
    async list() {
      type Row = Record<'id' | 'version', string> &
        Record<'startedAt' | 'seenAt', Date> & { readonly address: string | null };
      return (await client.rows<Row>(listSql)).map(({ address, startedAt, seenAt, ...row }) => ({
        ...row,
        ...(address !== null && { address }),
        startedAt: startedAt.toISOString(),
        seenAt: seenAt.toISOString(),
        isThis: row.id === id,
      }));
    },
    async announce(address) {
      await client.rows('UPDATE server SET address = $2 WHERE id = $1', [id ?? '', address]).catch(() => undefined);
    },
    lost: lost.signal,
    onLeft(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    async take(name) {
      const own = id ?? '';
      if (taken.has(name)) return undefined;
      const controller = new AbortController();
      taken.set(name, controller);
      let isTaken = false;
      try {
        if ((await client.rows(takenSql, [name, own])).length > 0) return undefined;
        unreleased.add(name);
        const isDone = async (connection: Connection) => (await connection.rows(ownSql, [name, own])).length > 0;
        const take = async (connection: Connection) => (await connection.rows(takeSql, [name, own])).length > 0;
        isTaken = await client.write(take, { isDone });
        let released: Promise<void> | undefined;
        // Once: by then it may be taken again.
        if (isTaken) return { signal: controller.signal, release: () => (released ??= giveBack(name)) };
        unreleased.delete(name);
        return undefined;
      } finally {
        if (!isTaken) taken.delete(name);
      }
    },
    async join(facts, given) {
      timing = { ...ordinary, ...given };
      if ((await enter(facts, false)) !== undefined) throw isAloneError();
    },
    async joinAlone(facts) {
      const first = await enter(facts, true);
      for (let seen = first; seen !== undefined; seen = await enter(facts, true)) {
        if (first === undefined || seen > first) throw othersError();
        await wait(lookedEveryMs);
      }
    },
    behind() {
      lose(wentBack());
      return new FootnoteError('storage-busy', 'The database of the record took over from another. Try again.');
    },
    async leave() {
      clearInterval(timer);
      clearTimeout(ending);
      const own = id;
      if (own === undefined || lost.signal.aborted) return;
      // Its own transactions that are under way are waited for: behind no other lock, which one of them may wait for.
      const left = client.write(async (connection) => {
        await takeAlone(connection, lockName(own));
        await connection.rows('DELETE FROM server WHERE id = $1', [own]);
        await close(connection);
      });
      let limit: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => {
        limit = setTimeout(resolve, leavingMs);
      });
      await Promise.race([left.catch(() => undefined), late]);
      clearTimeout(limit);
    },
  };
}
