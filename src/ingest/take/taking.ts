// What the taking in of files goes by: what is known beforehand, who follows it, and what became of each file.
import type { Delivery, DocumentRecord, Source } from '../../core/document.ts';
import { type FootnoteError, toFootnoteError } from '../../core/errors.ts';
import type { DocumentWrite } from '../../db/repositories/changes.ts';
import type { ContainerState, ReadingFailure } from '../../db/repositories/readings.ts';
import type { ReadingStamps } from '../read/reading-stamps.ts';
import type { IncomingDocument, PreparePorts } from '../write/prepare.ts';
import type { PreparedDocument, Writer } from '../write/writer.ts';
import type { IncomingFile } from './incoming.ts';
import type { Intake, Present } from './intake.ts';
import { isParked, type Parking } from './parking.ts';
import { isSameReading } from './same-reading.ts';

export interface Taking extends PreparePorts {
  readonly source: Source;
  readonly intake: Intake;
  readonly parking: Parking;
  readonly stamps: ReadingStamps;
  readonly maxFileBytes: number;
  /** Whether unchanged files are read: all, none, or (absent) those whose reader was improved. What comes out as it is recorded stays. */
  readonly reread?: boolean | undefined;
  /** Written along with each document: see the writer. */
  readonly along?: Pick<PreparedDocument, 'stores' | 'newSource'>;
  /** What is known of the source's files that could not be read. */
  readonly failures: readonly ReadingFailure[];
  /** Codes of errors after which nothing more is taken. */
  readonly endsAll: ReadonlySet<string>;
  readonly known: Known;
  readonly watch?: Watch;
  /** Each line of a collection is told of, not the collection alone. */
  readonly tellsLines?: boolean;
  writerOf(file: IncomingFile, what: 'file' | 'lines'): Writer;
}

/** What is known of the files of a source before they are read. */
export interface Known {
  /** What stands for a file of these bytes that need not be read. */
  skip?(
    file: { readonly uri: string; readonly contentHash: string },
    state: ContainerState | undefined,
  ): Taken | undefined;
  /** Asked in the turn of the document: what stands for it and all that is inside it. */
  stays?(
    document: IncomingDocument,
    recorded: DocumentRecord,
    state: ContainerState | undefined,
  ): Promise<Taken | undefined>;
  /** The document of another uri that a file of this one was before it was moved. */
  moved?(
    uri: string,
    hash: { readonly contentHash: string } | { readonly textHash: string },
  ): Promise<DocumentRecord | undefined>;
  /** Whether a file held others when it was read last. */
  container(uri: string): Promise<ContainerState | undefined>;
  /** Whether the recorded revision says what the incoming document says. */
  isSame(document: IncomingDocument, recorded: DocumentRecord): boolean;
  /** True where the source holds documents, so that lines are looked at before the changed ones are cut. */
  readonly mayHoldLines: boolean;
  /** Whether nothing has to be done for a line: asked before the record is. */
  hasLine?(line: IncomingDocument): boolean;
}

/** Whoever follows the files of a run. */
export interface Watch {
  /** The source still has a document or file of this uri. */
  met(uri: string): void;
  /** One more file was found inside another. */
  found(): Promise<void>;
  /** What became of a file inside another, or of a line by itself. */
  settled(taken: Taken): Promise<void>;
  written(document: DocumentRecord): void;
  /** It was read anew and came out as it is recorded. */
  cameOutTheSame(uri: string): void;
  /** An unchanged file is read because its reader was improved. */
  readAgain(): void;
  /** Not everything at this uri could be looked at. */
  unsure(uri: string): void;
}

/** What became of a file. */
export interface Taken {
  readonly uri: string;
  readonly state: 'done' | 'unchanged' | 'failed' | 'parked';
  /** As it stands in the record now; absent for what is no document, and where the record was not asked. */
  readonly document?: DocumentRecord;
  readonly documentId?: string;
  /** Of a document that was written. */
  readonly deliveries?: readonly Pick<Delivery, 'store' | 'status'>[];
  /** Why it failed, or why a file that holds others is no document itself. */
  readonly error?: FootnoteError;
  /** Beside those of the document. */
  readonly warnings?: readonly string[];
  /** Of its bytes; absent for a collection, whose lines count each. */
  readonly contentHash?: string;
  /** Of a collection: in all that was written. */
  readonly chunks?: number;
  /** Nothing of it is to be tried again in the next run. */
  readonly isComplete: boolean;
  readonly isLine?: true;
  /** Its text waits for the end of the run, where it is told of. */
  readonly isHeld?: true;
  /** What came out of it. */
  readonly inside?: readonly Taken[];
}

/** `outcome` resolves when all that came of a file is durable. */
export interface Begun {
  readonly outcome: Promise<Taken>;
}

export const isBad = ({ state }: Taken): boolean => state === 'failed' || state === 'parked';

/** How many of the files in it could not be read, for people. */
export function toldOfInside({ inside = [] }: Taken): readonly string[] {
  const bad = inside.filter(isBad).length;
  return bad === 0 ? [] : [`${bad} of ${inside.length} files in it could not be read.`];
}

/** Tells of a file that failed; throws what ends everything. */
export async function takeFailure(
  work: Pick<Taking, 'endsAll' | 'watch'>,
  uri: string,
  thrown: unknown,
): Promise<Taken> {
  const error = toFootnoteError(thrown);
  if (work.endsAll.has(error.code)) throw error;
  const isGivenUp = isParked(error);
  const taken: Taken = { uri, state: isGivenUp ? 'parked' : 'failed', error, isComplete: isGivenUp };
  await work.watch?.settled(taken);
  return taken;
}

/** The recorded revisions; of what is new where it stands, the ones that it was before it was moved. */
export async function withMoved(
  { known }: Pick<Taking, 'known'>,
  incoming: readonly Pick<IncomingDocument, 'uri' | 'contentHash'>[],
  present: Present,
): Promise<Present> {
  const all = new Map(present);
  for (const { uri, contentHash } of incoming) {
    const before = all.has(uri) ? undefined : await known.moved?.(uri, { contentHash });
    if (before) all.set(uri, before);
  }
  return all;
}

/** Whether it came out as it is recorded: then the record notes no more than which edition read it so. */
export async function isAsRecorded(work: Taking, recorded: DocumentRecord, write: DocumentWrite): Promise<boolean> {
  if (!(await isSameReading(work.record.documents, recorded, write))) return false;
  await work.stamps.add(recorded, write.document.reading);
  work.watch?.cameOutTheSame(recorded.uri);
  return true;
}
