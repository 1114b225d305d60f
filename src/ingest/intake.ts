// Decides, one document at a time per identity, whether something has to be done and under which id and revision:
// two callers that send the same source and uri at once get two revisions, never two documents.

import type { DocumentRecord } from '../core/document.ts';
import { FootnoteError } from '../core/errors.ts';
import type { DocumentWrite } from '../db/record.ts';
import { chooseId, type IncomingDocument, type PreparePorts, prepareDocument } from './prepare.ts';

/** Documents that are parsed and cut at the same time. */
const concurrency = 2;

export interface Intake {
  /** Runs `work` with the recorded revision of the document, if there is one; work on one identity is done in turn. */
  exclusively<T>(incoming: IncomingDocument, work: (present: DocumentRecord | undefined) => Promise<T>): Promise<T>;
  /** The same without waiting: `ready` resolves when `work` said that it only waits for its write, or when it has ended. */
  begin<T>(
    incoming: IncomingDocument,
    work: (present: DocumentRecord | undefined, queued: () => void) => Promise<T>,
  ): { readonly ready: Promise<void>; readonly done: Promise<T> };
  /** Parses and cuts. Must be called within `exclusively` or `begin`. */
  prepare(
    incoming: IncomingDocument,
    present: DocumentRecord | undefined,
    signal?: AbortSignal,
  ): Promise<DocumentWrite>;
}

export function createIntake(ports: PreparePorts): Intake {
  const turns = new Map<string, Promise<unknown>>();
  /** Ids of documents on their way into the record: by id, and by document. */
  const claimed = new Map<string, string>();
  const claims = new Map<string, string>();
  const waiting: (() => void)[] = [];
  let busy = 0;

  async function limited<T>(work: () => Promise<T>): Promise<T> {
    if (busy >= concurrency) await new Promise<void>((resolve) => waiting.push(resolve));
    else busy += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else busy -= 1;
    }
  }

  const keyOf = (incoming: IncomingDocument): string => `${incoming.source.name}\u0000${incoming.uri}`;

  async function exclusively<T>(
    incoming: IncomingDocument,
    work: (present: DocumentRecord | undefined) => Promise<T>,
  ): Promise<T> {
    const key = keyOf(incoming);
    const before = turns.get(key);
    const turn = (async () => {
      await before?.catch(() => undefined);
      return work(await ports.record.documents.findByUri(incoming.source.name, incoming.uri));
    })();
    turns.set(key, turn);
    try {
      return await turn;
    } finally {
      if (turns.get(key) === turn) turns.delete(key);
      const id = claims.get(key);
      if (id !== undefined && claimed.get(id) === key) claimed.delete(id);
      claims.delete(key);
    }
  }

  return {
    exclusively,
    begin(incoming, work) {
      const ready = Promise.withResolvers<void>();
      const done = exclusively(incoming, (present) => work(present, ready.resolve)).finally(ready.resolve);
      done.catch(() => undefined);
      return { ready: ready.promise, done };
    },
    async prepare(incoming, present, signal) {
      const key = keyOf(incoming);
      const id = present?.id ?? (await chooseId(ports.record, incoming, claimed));
      claimed.set(id, key);
      claims.set(key, id);
      return limited(() => {
        if (signal?.aborted)
          throw new FootnoteError('cancelled', 'The work was cancelled before it was done.', { cause: signal.reason });
        return prepareDocument(ports, incoming, { id, revision: (present?.revision ?? 0) + 1 }, signal);
      });
    },
  };
}
