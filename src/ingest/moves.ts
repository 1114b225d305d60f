// Which recorded document a file was before it was moved within its source. Invariants: what still stands where it stood is copied, not moved; a
// document moves once, and of those with equal bytes the first by uri goes to the first new place.
import type { DocumentRecord } from '../core/document.ts';
import { toFootnoteError } from '../core/errors.ts';
import type { TenantRecord } from '../db/tenant-record.ts';
import type { SourceReader } from './connectors/connector.ts';
import type { RunFacts } from './run-facts.ts';
import { collectionOf } from './take/incoming.ts';
import { containersOf, isBelowAny } from './take/inside.ts';

export interface MovePorts {
  readonly facts: RunFacts;
  readonly documents: Pick<TenantRecord['documents'], 'get'>;
  readonly reader: Pick<SourceReader, 'readsToName' | 'stillHas'>;
  /** Uris that the source named until now: all of them before the first is read, unless it reads to name. */
  readonly named: ReadonlySet<string>;
}

export function createMoves({ facts, documents, reader, named }: MovePorts) {
  const { known, seen, moved, unsure } = facts;
  let byHash: ReadonlyMap<string, readonly string[]> | undefined;
  let byText: Promise<ReadonlyMap<string, readonly string[]>> | undefined;
  const grouped = (pairs: Iterable<readonly [hash: string, uri: string]>): ReadonlyMap<string, readonly string[]> => {
    const groups = Map.groupBy(pairs, ([hash]) => hash);
    return new Map([...groups].map(([hash, all]) => [hash, all.map(([, uri]) => uri).sort()]));
  };
  const isNamed = (uri: string): boolean =>
    named.has(uri) || named.has(collectionOf(uri) ?? uri) || containersOf(uri, named).next().done !== true;
  /** Documents that nothing was said of yet. */
  const open = (): readonly string[] => [
    ...known.keys().filter((uri) => !seen.has(uri) && (reader.stillHas !== undefined || !isNamed(uri))),
  ];
  const hashes = () => (byHash ??= grouped(open().map((uri) => [known.get(uri)?.contentHash ?? '', uri])));
  const texts = () =>
    (byText ??= Promise.all(
      open().map(async (uri) => {
        const document = await documents.get(known.get(uri)?.id ?? '').catch(() => undefined);
        return [document?.textHash ?? '', uri] as const;
      }),
    ).then(grouped));

  async function isGone(uri: string): Promise<boolean> {
    if (seen.has(uri) || moved.has(uri) || isBelowAny(uri, unsure)) return false;
    if (!reader.readsToName && !isNamed(uri)) return true;
    return (await reader.stillHas?.(uri).catch((thrown: unknown) => !toFootnoteError(thrown))) === false;
  }

  return {
    /** Several documents with equal bytes are gone: who gets which is decided one after another. */
    isAmbiguous: (): boolean =>
      !reader.readsToName &&
      hashes()
        .values()
        .some((uris) => uris.length > 1),
    /** The document that a new file was, by its bytes; by its text where a site serves the same page with other bytes. */
    async from(uri: string, hash: { readonly contentHash: string } | { readonly textHash: string }) {
      if (known.size === 0) return undefined;
      const candidates =
        'contentHash' in hash ? hashes().get(hash.contentHash) : reader.stillHas && (await texts()).get(hash.textHash);
      for (const before of candidates ?? []) {
        if (before === uri || !(await isGone(before)) || moved.has(before)) continue;
        moved.set(before, uri);
        facts.earlier.delete(before);
        return documents.get(known.get(before)?.id ?? '').catch((): DocumentRecord | undefined => undefined);
      }
      return undefined;
    },
  };
}
