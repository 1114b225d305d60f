// What became of each document of a batch, as the store port tells it. Invariant: what fails all of a batch is thrown, what fails some is told of these.
import { FootnoteError } from '../../core/errors.ts';
import { isOutage } from '../../core/outages.ts';
import type { StoreOutcome } from '../delivered.ts';
import { isMissing } from './errors.ts';

export interface Ended {
  readonly documentId: string;
  /** The vendor's file that holds its text. */
  readonly fileId?: string;
  readonly error?: FootnoteError;
}

export const outcomeOf = ({ documentId, fileId, error }: Ended): StoreOutcome => ({
  documentId,
  ...(fileId !== undefined && { storeDocumentId: fileId }),
  ...(error && { error }),
});

/** What fails a whole batch is thrown. */
export function throwIfAll(items: readonly Ended[]): void {
  const [first] = items;
  const error = first?.error;
  // What is not indexed in time goes on there: that is no outage.
  const isWhole = error && isOutage(error) && error.code !== 'deadline-exceeded';
  if (isWhole && items.every((item) => item.error?.code === error.code)) throw error;
}

export function notIndexed(documentId: string, why: string, isFinal = false): FootnoteError {
  return new FootnoteError(
    isFinal ? 'upstream-invalid' : 'upstream-unavailable',
    `OpenAI has not indexed ${documentId}: ${why}.`,
    {
      details: { documentId, ...(isFinal && { isFinal }) },
    },
  );
}

/** It goes on there: the next delivery looks again. */
export const notYet = (documentId: string, withinMs: number): FootnoteError =>
  new FootnoteError(
    'deadline-exceeded',
    `OpenAI has not indexed ${documentId} within ${withinMs} ms; it goes on there, and the next delivery looks again.`,
    { details: { documentId } },
  );

export const notIndexedYet = (documentId: string): FootnoteError =>
  new FootnoteError(
    'upstream-unavailable',
    `OpenAI has taken a file of ${documentId} and does not know it yet. Try again later.`,
    { details: { documentId } },
  );

/** Whether a batch was refused for what is in it: one of its files may be the reason. */
export const isOfItems = ({ details: { status } }: FootnoteError): boolean =>
  status === 400 || status === 413 || status === 422;

export function unlessMissing(thrown: unknown): false {
  if (!isMissing(thrown)) throw thrown;
  return false;
}
