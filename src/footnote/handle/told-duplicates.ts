// Documents that say the same as others, told beside whatever names them.
import type { DuplicateLink } from '../../core/documents/runs.ts';
import type { Demand } from '../../core/waiting/demand.ts';
import type { TenantRecord } from '../../db/tenant-record.ts';
import { toldDuplicates } from '../../ingest/take/dry-run-duplicates.ts';

/** Each value with the documents that say the same as the one that it names. */
export async function withDuplicates<T extends object>(
  values: readonly T[],
  documentIdOf: (value: T) => string | undefined,
  { record, demand }: { readonly record: TenantRecord; readonly demand: Demand },
) {
  const told: (T & { readonly duplicates?: readonly DuplicateLink[] })[] = [];
  const others = demand.inPieces();
  for (const value of values) {
    // An archive may bring thousands: others get their turn.
    await others();
    const documentId = documentIdOf(value);
    const links = documentId === undefined ? [] : await record.documents.duplicates(documentId, toldDuplicates);
    told.push({ ...value, ...(links.length > 0 && { duplicates: links }) });
  }
  return told;
}
