// A record of its own for each test of a suite, whatever the database.
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import type { Scope } from '../../src/core/scope.ts';
import type { Erasures } from '../../src/db/both/noted-erasures.ts';
import { openPostgresRecord, type PostgresRecord } from '../../src/db/postgres/postgres-record.ts';
import type { RecordDatabase } from '../../src/db/record.ts';
import type { TenantRecord } from '../../src/db/tenant-record.ts';
import { openPostgresServer, type PostgresServer } from '../postgres/server.ts';
import { type RecordPlace, scopeOf } from '../record-fixture.ts';

export interface SuitePlace extends Pick<RecordDatabase, 'keys' | 'audit'> {
  readonly erasures: Erasures;
  /** As the local admin sees it. */
  readonly tenant: TenantRecord;
  forScope(scope: Scope): TenantRecord;
  /** Runs a statement of SQL past the record; its rows. */
  run(sql: string): Promise<readonly object[]>;
  /** What a check of the whole record finds. */
  check(): Promise<readonly string[]>;
}

export function sqlitePlace(place: RecordPlace): SuitePlace {
  return {
    get tenant(): TenantRecord {
      return place.tenant;
    },
    get keys() {
      return place.record.keys;
    },
    get audit() {
      return place.record.audit;
    },
    get erasures() {
      return place.record.erasures;
    },
    forScope: (scope) => place.record.forScope(scope),
    run: (sql) => place.record.write((database) => database.prepare(sql).all()),
    check: () => place.record.check(),
  };
}

export interface PostgresPlace extends SuitePlace {
  readonly server: PostgresServer;
  readonly address: string;
  readonly record: PostgresRecord;
  /** Closes the record and opens it again, as after a restart. */
  reopen(): Promise<void>;
}

/** One server for the file that calls it, and a database of its own for each test: a copy of one whose tables are made, which takes half as long. */
export function postgresForEachTest(programs: string): PostgresPlace {
  let server: PostgresServer | undefined;
  let record: PostgresRecord | undefined;
  let address = '';
  let empty = '';
  const there = <T>(value: T | undefined): T => {
    if (value === undefined) throw new Error('There is a record only while a test runs.');
    return value;
  };
  beforeAll(async () => {
    server = await openPostgresServer(programs);
    empty = await server.createDatabase();
    await (await openPostgresRecord(empty)).close();
  });
  afterAll(() => server?.remove());
  beforeEach(async () => {
    address = await there(server).createDatabase(empty);
    record = await openPostgresRecord(address);
  });
  afterEach(() => record?.close());
  return {
    get server() {
      return there(server);
    },
    get address() {
      return address;
    },
    get record() {
      return there(record);
    },
    get tenant() {
      return there(record).forScope(scopeOf());
    },
    get keys() {
      return there(record).keys;
    },
    get audit() {
      return there(record).audit;
    },
    get erasures() {
      return there(record).erasures;
    },
    async reopen() {
      await there(record).close();
      record = await openPostgresRecord(address);
    },
    forScope: (scope) => there(record).forScope(scope),
    run: (sql) => there(server).run(address, sql),
    check: () => there(record).check(),
  };
}
