// What the checks of the store port need of an adapter: a fresh backend, handles for scopes, and a way to put documents where the
// adapter expects them (the embedded store joins the record, hosted ones only receive what is delivered).
import type { DocumentRecord } from '../../core/document.ts';
import type { Role, Scope } from '../../core/scope.ts';
import type { Store, StoreHit, StoreMode, StoreQuery } from '../store.ts';
import { createTrialDocument, type TrialDocument } from './documents.ts';

export interface StoreHarness {
  store(scope: Scope): Store;
  /** Records the documents and delivers them to the store. */
  put(scope: Scope, documents: readonly TrialDocument[]): Promise<void>;
  /** Removes them from the store and from the record. */
  remove(scope: Scope, documentIds: readonly string[]): Promise<void>;
  /** Puts a document and then fails, all in one transaction; only for transactional stores. */
  putAndFail?(scope: Scope, document: TrialDocument): Promise<void>;
  close(): Promise<void>;
}

export type OpenHarness = () => Promise<StoreHarness>;

export interface StoreCheck {
  readonly name: string;
  /**
   * Left out for stores without this ability. `transaction`: of joining the record's; `exact-statistics`: of weighing words by what is there now,
   * which a service may put off.
   */
  readonly needs?: 'transaction' | 'explain' | 'lexical' | 'counts' | 'exact-statistics';
  run(harness: StoreHarness): Promise<void>;
}

export const scopeFor = (
  tenant: string,
  id: string,
  { role = 'reader', groups = [] }: { readonly role?: Role; readonly groups?: readonly string[] } = {},
): Scope => ({ tenant, principal: { id, role, groups } });

export const admin: Scope = scopeFor('default', 'local', { role: 'admin' });

/** Every tenant that the checks use. */
export const trialTenants = ['default', 'other', 'third'] as const;

/** A document of one text (a chunk for each 200 characters) with a uri and id that its name gives. */
export function write(name: string, text: string, given: Partial<DocumentRecord> = {}): TrialDocument {
  return createTrialDocument(text, { id: `doc_${name}`, uri: `${name}.md`, title: '', language: 'en', ...given });
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
