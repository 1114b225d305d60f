// Documents and folders for tests of the record: small, generated, sound (hashes and offsets fit).
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import type { DocumentRecord } from '../src/core/document.ts';
import { sha256 } from '../src/core/ids.ts';
import type { Role, Scope } from '../src/core/scope.ts';
import type { DocumentWrite } from '../src/db/repositories/changes.ts';
import { openSqliteRecord, type SqliteRecordDatabase } from '../src/db/sqlite/sqlite.ts';
import type { TenantRecord } from '../src/db/tenant-record.ts';
import { createTrialDocument, type TrialDocument } from '../src/stores/conformance/documents.ts';

export function scopeOf(tenant = 'default', id = 'local', role: Role = 'admin', groups: readonly string[] = []): Scope {
  return { tenant, principal: { id, role, groups } };
}

export function temporaryFolder(): { folder: string; remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'footnote-test-'));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

export interface RecordPlace {
  readonly folder: string;
  readonly record: SqliteRecordDatabase;
  /** As the local admin sees it. */
  readonly tenant: TenantRecord;
  /** Closes the record and opens it again, as after a restart; `between` has the folder to itself. */
  reopen(between?: () => void | Promise<void>): Promise<void>;
}

/** The folder of an empty record, made once in a process: a copy takes a fraction of what a new one takes. */
let empty: Promise<string> | undefined;

async function makeEmpty(): Promise<string> {
  const { folder, remove } = temporaryFolder();
  await openSqliteRecord({ folder }).close();
  process.once('exit', remove);
  return folder;
}

/** An empty record of its own for each test of the file that calls it, in a folder that goes with it. */
export function recordForEachTest(): RecordPlace {
  let place: ReturnType<typeof temporaryFolder> | undefined;
  let record: SqliteRecordDatabase | undefined;
  let tenant: TenantRecord | undefined;
  const there = <T>(value: T | undefined): T => {
    if (value === undefined) throw new Error('There is a record only while a test runs.');
    return value;
  };
  const open = (): void => {
    record = openSqliteRecord({ folder: there(place).folder });
    tenant = record.forScope(scopeOf());
  };
  beforeEach(async () => {
    place = temporaryFolder();
    empty ??= makeEmpty();
    cpSync(await empty, place.folder, { recursive: true });
    open();
  });
  afterEach(async () => {
    await record?.close();
    place?.remove();
  });
  return {
    get folder() {
      return there(place).folder;
    },
    get record() {
      return there(record);
    },
    get tenant() {
      return there(tenant);
    },
    async reopen(between) {
      await there(record).close();
      await between?.();
      open();
    },
  };
}

/** As the record takes it. */
export const asWrite = ({ document, text, chunks }: TrialDocument): DocumentWrite => ({
  document,
  text,
  chunks,
  structure: {
    pages: [],
    headings: [{ level: 1, title: 'Notes', start: 0, end: text.length }],
    words: [],
  },
});

/** A sound revision: chunks of 200 code units that never cut a character in two. */
export function createWrite(
  text: string,
  { file, ...facts }: Partial<DocumentRecord> & { readonly file?: Uint8Array } = {},
): DocumentWrite {
  const contentHash = file === undefined ? {} : { contentHash: sha256(file) };
  const write = asWrite(createTrialDocument(text, { ...contentHash, ...facts }));
  return file === undefined ? write : { ...write, file };
}
