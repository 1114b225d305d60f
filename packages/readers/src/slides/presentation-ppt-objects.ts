// Files that were put into a PPT as objects ([MS-PPT] §2.10.27, §2.10.34): compound files of their own, packed or not. Those of Word, Excel (charts of Microsoft
// Graph among them) and PowerPoint become documents. Invariant: no object unpacks to more than `maxBytes`, nor all of them together.
import { inflateSync } from 'node:zlib';
import { isCompound, openCompound } from '../containers/compound-file.ts';
import type { AttachedFile } from '../document.ts';
import { isReadError } from '../read-error.ts';
import { firstRecord, type PptFile, type PptRecord, pptRecords } from './presentation-ppt-file.ts';

const maxObjects = 50;
const maxBytes = 64 * 1024 * 1024;

const [objectList, embedded, objectAtom, storage] = [0x0409, 0x0fcc, 0x0fc3, 0x1011];
const kinds = [
  ['WordDocument', 'doc'],
  ['Workbook', 'xls'],
  ['Book', 'xls'],
  ['PowerPoint Document', 'ppt'],
] as const;

export function pptObjects(file: PptFile): AttachedFile[] {
  const files: AttachedFile[] = [];
  const seen = new Set<number>();
  let bytesHeld = 0;
  for (const { type, body } of pptRecords(firstRecord(file.document, objectList)?.body ?? Buffer.alloc(0))) {
    const atom = type === embedded ? firstRecord(body, objectAtom)?.body : undefined;
    const id = atom !== undefined && atom.length >= 20 ? atom.readUInt32LE(16) : undefined;
    const place = id === undefined ? undefined : file.placeOf(id);
    if (id === undefined || place === undefined || seen.has(place) || seen.size >= maxObjects) continue;
    seen.add(place);
    const part = file.part(id);
    const bytes = part?.type === storage ? unpacked(part, maxBytes - bytesHeld) : undefined;
    const extension = bytes && kindOf(bytes);
    if (bytes === undefined || extension === undefined) continue;
    bytesHeld += bytes.length;
    files.push({ name: `object ${files.length + 1}.${extension}`, bytes: Uint8Array.from(bytes) });
  }
  return files;
}

/** Undefined for a damaged object, and one that is too long. */
function unpacked({ instance, body }: PptRecord, most: number): Buffer | undefined {
  if (instance === 0) return body.length <= most ? body : undefined;
  try {
    // The length that it says it has stands before it.
    return inflateSync(body.subarray(4), { maxOutputLength: Math.max(1, most) });
  } catch {
    return undefined;
  }
}

function kindOf(bytes: Buffer): string | undefined {
  if (!isCompound(bytes)) return undefined;
  try {
    const { has } = openCompound(bytes, 'object');
    return kinds.find(([name]) => has(name))?.[1];
  } catch (error) {
    if (!isReadError(error)) throw error;
    return undefined;
  }
}
