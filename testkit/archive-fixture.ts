// An archive of conversations in a record of its own, and exports as files: small, generated, in the form of those who make them.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import type { ImportReport } from '../src/core/archive.ts';
import type { Scope } from '../src/core/scope.ts';
import { type ArchivePorts, createArchiveRepository } from '../src/db/both/archive/archive.ts';
import { createArchiveIndexRepository } from '../src/db/both/archive/index-rows.ts';
import type { ArchiveIndexRepository } from '../src/db/repositories/archive.ts';
import { archivePortsOf } from '../src/db/sqlite/archive.ts';
import { type Archive, createArchive, type ImportOptions } from '../src/memory/archive/archive.ts';
import type { TurnEncoder } from '../src/memory/archive/index/meaning.ts';
import { createTenantArchive, type TenantArchive } from '../src/memory/archive/tenant-archive.ts';
import { type RecordPlace, scopeOf } from './record-fixture.ts';

export const importedAt = '2026-11-23T12:00:00.000Z';

export interface ArchivePlace {
  of(scope?: Scope): Archive;
  /** The index anew, as after a restart. */
  restart(): void;
  importText(name: string, text: string | Uint8Array, options?: Partial<ImportOptions>): Promise<ImportReport>;
}

/** A record in which there is an archive, and a folder for files. */
export interface ArchiveRecord {
  readonly folder: string;
  ports(tenant: string): ArchivePorts;
  /** What the index is kept in, where several servers have one. */
  indexOf?(tenant: string): ArchiveIndexRepository;
}

export const archiveIn = (place: RecordPlace, encoder?: TurnEncoder): ArchivePlace =>
  archiveOver(
    {
      get folder() {
        return place.folder;
      },
      ports: () => archivePortsOf(place.record),
    },
    encoder,
  );

export function archiveOver(place: ArchiveRecord, encoder?: TurnEncoder): ArchivePlace {
  const tenants = new Map<string, TenantArchive>();
  const clock = { now: () => importedAt, elapsedMs: () => 0 };
  const indexOf = place.indexOf ?? ((name: string) => createArchiveIndexRepository(name, place.ports(name)));
  const of = (scope: Scope = scopeOf()): Archive => {
    const { tenant: name } = scope;
    const tenant = tenants.get(name) ?? createTenantArchive(indexOf(name), encoder);
    tenants.set(name, tenant);
    return createArchive({ scope, repository: createArchiveRepository(scope, place.ports(name)), tenant, clock });
  };
  return {
    of,
    restart: () => tenants.clear(),
    importText(name, text, options = {}) {
      const path = join(place.folder, name);
      writeFileSync(path, text);
      return of().importFile(path, { name, ...options });
    },
  };
}

export interface Line {
  readonly conversation_id: string;
  readonly turn_id?: string;
  readonly role: string;
  readonly text: string;
  readonly timestamp?: string;
  readonly title?: string;
}
/** A message of the conversation that its turn's id begins with. */
export const saidAt = (turn_id: string, timestamp: string, text: string, role = 'user'): Line => ({
  conversation_id: turn_id.slice(0, 1),
  turn_id,
  role,
  text,
  timestamp,
  title: 'Home',
});

export const toJsonl = (lines: readonly Line[]): string => lines.map((line) => `${JSON.stringify(line)}\n`).join('');

/** A node of ChatGPT's tree. */
export function chatGptNode(
  id: string,
  parent: string | null,
  said?: { readonly role: string; readonly text: string; readonly at?: number; readonly recipient?: string },
) {
  const message = said && {
    id,
    author: { role: said.role },
    create_time: said.at ?? 1_709_287_200,
    content: { content_type: 'text', parts: [said.text] },
    recipient: said.recipient ?? 'all',
  };
  return { id, parent, children: [] as string[], message: message ?? null };
}

export function chatGptExport(
  id: string,
  nodes: readonly ReturnType<typeof chatGptNode>[],
  current: string,
  title = 'Roof',
) {
  const mapping = Object.fromEntries(nodes.map((node) => [node.id, node]));
  for (const node of nodes) if (node.parent !== null) mapping[node.parent]?.children.push(node.id);
  return { id, conversation_id: id, title, create_time: 1_709_287_200, mapping, current_node: current };
}

/** A ZIP with stored files, or with deflated ones. */
export function zipOf(files: Readonly<Record<string, string>>, isPacked = false): Buffer {
  const locals: Buffer[] = [];
  const entries: Buffer[] = [];
  let offset = 0;
  for (const [path, text] of Object.entries(files)) {
    const name = Buffer.from(path);
    const bytes = Buffer.byteLength(text);
    const data = isPacked ? deflateRawSync(text, { level: 9 }) : Buffer.from(text);
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(isPacked ? 8 : 0, 8);
    local.writeUInt32LE(data.length, 18);
    local.writeUInt32LE(bytes, 22);
    local.writeUInt16LE(name.length, 26);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt16LE(isPacked ? 8 : 0, 10);
    entry.writeUInt32LE(data.length, 20);
    entry.writeUInt32LE(bytes, 24);
    entry.writeUInt16LE(name.length, 28);
    entry.writeUInt32LE(offset, 42);
    locals.push(local, name, data);
    entries.push(entry, name);
    offset += local.length + name.length + data.length;
  }
  const directory = Buffer.concat(entries);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(Object.keys(files).length, 8);
  end.writeUInt16LE(Object.keys(files).length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, directory, end]);
}
