// What the conformance suite needs of an adapter: a fresh backend, handles for scopes, and a way to put documents where the
// adapter expects them (the embedded store joins the record, hosted ones only receive what is delivered).
import type { DocumentRecord } from '../../src/core/document.ts';
import type { Scope } from '../../src/core/scope.ts';
import type { DocumentWrite } from '../../src/db/record.ts';
import type { Store, StoreHit, StoreMode, StoreQuery } from '../../src/stores/store.ts';
import { createWrite, scopeOf } from '../../testkit/record-fixture.ts';

export interface StoreHarness {
  store(scope: Scope): Store;
  /** Records the documents and delivers them to the store. */
  put(scope: Scope, writes: readonly DocumentWrite[]): Promise<void>;
  /** Removes them from the store and from the record. */
  remove(scope: Scope, documentIds: readonly string[]): Promise<void>;
  /** Puts a document and then fails, all in one transaction; only for transactional stores. */
  putAndFail?(scope: Scope, write: DocumentWrite): Promise<void>;
  close(): Promise<void>;
}

export type OpenHarness = () => Promise<StoreHarness>;

export const admin: Scope = scopeOf('default', 'local', 'admin');

/** A document of one text (a chunk for each 200 characters) with a uri and id that its name gives. */
export function write(name: string, text: string, given: Partial<DocumentRecord> = {}): DocumentWrite {
  return createWrite(text, { id: `doc_${name}`, uri: `${name}.md`, title: '', language: 'en', ...given });
}

/** The mode that a store is asked in where a check names none: by words, where it has them. */
export const modeOf = ({ capabilities }: Store): StoreMode => (capabilities.lexical ? 'lexical' : 'vector');

export async function search(store: Store, text: string, more: Partial<StoreQuery> = {}): Promise<readonly StoreHit[]> {
  return (await store.search({ text, mode: modeOf(store), limit: 100, ...more })).hits;
}

/** Names of the documents found, in order, each once. */
export async function names(store: Store, text: string, more: Partial<StoreQuery> = {}): Promise<string[]> {
  const hits = await search(store, text, more);
  return [...new Set(hits.map((hit) => hit.documentId.replace(/^doc_/u, '')))];
}
