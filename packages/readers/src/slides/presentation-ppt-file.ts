// The records of a PowerPoint 97–2003 file ([MS-PPT] §2.3.1) and which of them are in force: every saving may append what it changed, and the last one that
// names a part wins (§2.1.2). Invariant: no record is read beyond the bytes there are, and each saving is looked at once.

import { lockedOtherwise } from '../containers/locked.ts';
import { ReadError } from '../read-error.ts';

export interface PptRecord {
  readonly type: number;
  readonly instance: number;
  readonly body: Buffer;
}

export interface PptFile {
  /** What the document container holds. */
  readonly document: Buffer;
  /** A part by its persist id; undefined where the file has none. */
  part(id: number): PptRecord | undefined;
  /** Where a part stands in the file, to tell parts apart. */
  placeOf(id: number): number | undefined;
}

const headBytes = 8;
const documentContainer = 0x03e8;
const userEdit = 0x0ff5;
const persistDirectory = 0x1772;
/** Of the atom in "Current User" (§2.3.2): the file is encrypted. */
const encryptedToken = 0xf3d1c4df;

/** The records that stand side by side in the bytes; what containers hold is their body. */
export function* pptRecords(bytes: Buffer): Generator<PptRecord> {
  for (let at = 0; at + headBytes <= bytes.length; ) {
    const record = recordAt(bytes, at) as PptRecord;
    yield record;
    at += headBytes + record.body.length;
  }
}

/** The first record of a type, and of an instance where one is named. */
export function firstRecord(bytes: Buffer | undefined, type: number, instance?: number): PptRecord | undefined {
  for (const record of bytes === undefined ? [] : pptRecords(bytes))
    if (record.type === type && (instance === undefined || record.instance === instance)) return record;
  return undefined;
}

function recordAt(bytes: Buffer, at: number): PptRecord | undefined {
  if (at + headBytes > bytes.length) return undefined;
  const start = at + headBytes;
  return {
    type: bytes.readUInt16LE(at + 2),
    instance: bytes.readUInt16LE(at) >> 4,
    body: bytes.subarray(start, Math.min(start + bytes.readUInt32LE(at + 4), bytes.length)),
  };
}

/** Throws `invalid-media` for damaged and encrypted files. */
export function readPptFile(stream: Buffer, currentUser: Buffer | undefined, name: string): PptFile {
  const user = currentUser !== undefined && currentUser.length >= 20 ? currentUser : undefined;
  const locked = (): ReadError => lockedOtherwise(name, 'with a password');
  if (user?.readUInt32LE(12) === encryptedToken) throw locked();
  const places = new Map<number, number>();
  const seen = new Set<number>();
  let documentId: number | undefined;
  let at = user?.readUInt32LE(16) ?? 0;
  if (recordAt(stream, at)?.type !== userEdit) at = lastEdit(stream);
  for (let edit = recordAt(stream, at); edit?.type === userEdit && !seen.has(at); edit = recordAt(stream, at)) {
    seen.add(at);
    const { body } = edit;
    if (body.length < 20) break;
    // Names the session of encryption (§2.3.3).
    if (body.length >= 32) throw locked();
    documentId ??= body.readUInt32LE(16);
    const directoryAt = body.readUInt32LE(12);
    const directory = seen.has(directoryAt) ? undefined : recordAt(stream, directoryAt);
    seen.add(directoryAt);
    if (directory?.type === persistDirectory) readDirectory(directory.body, places);
    at = body.readUInt32LE(8);
    if (at === 0) break;
  }
  const part = (id: number): PptRecord | undefined => {
    const place = places.get(id);
    return place === undefined ? undefined : recordAt(stream, place);
  };
  const document = documentId === undefined ? undefined : part(documentId);
  const whole = document?.type === documentContainer ? document : firstRecord(stream, documentContainer);
  if (whole === undefined)
    throw new ReadError('invalid-media', `${name} is damaged: it holds no presentation. Save it again as PPTX.`);
  return { document: whole.body, part, placeOf: (id) => places.get(id) };
}

/** For files whose "Current User" is missing or wrong. */
function lastEdit(stream: Buffer): number {
  let found = 0;
  let at = 0;
  for (const { type, body } of pptRecords(stream)) {
    if (type === userEdit) found = at;
    at += headBytes + body.length;
  }
  return found;
}

/** Runs of parts (§2.3.5): the first id (20 bits) and how many (12 bits), then where each stands. Later savings were read before. */
function readDirectory(body: Buffer, places: Map<number, number>): void {
  for (let at = 0; at + 4 <= body.length; ) {
    const run = body.readUInt32LE(at);
    const first = run & 0xf_ffff;
    at += 4;
    for (let index = 0; index < run >>> 20 && at + 4 <= body.length; index++, at += 4)
      if (!places.has(first + index)) places.set(first + index, body.readUInt32LE(at));
  }
}
