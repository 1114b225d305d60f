// Tells files that were cut off, as broken downloads and copies are, by the end that each format marks. Invariant: a file that is whole,
// or whose format marks no end, is never called cut off.

const bufferOf = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** A JPEG ends with a mark behind its picture (ITU-T T.81, B.1.1.3); pictures for previews in its head have marks of their own. */
function isCutJpeg(file: Buffer): boolean {
  for (let at = 2; at + 4 <= file.length; ) {
    if (file[at] !== 0xff) return false;
    const marker = file[at + 1] ?? 0;
    if (marker === 0xda) return file.indexOf('\u00ff\u00d9', at, 'latin1') < 0;
    at += marker === 0xff ? 1 : 2 + Math.max(2, file.readUInt16BE(at + 2));
  }
  return true;
}

/** A PNG is a row of chunks of known length, the last of which is IEND. */
function isCutPng(file: Buffer): boolean {
  for (let at = 8; at + 12 <= file.length; at += 12 + file.readUInt32BE(at))
    if (file.toString('latin1', at + 4, at + 8) === 'IEND') return false;
  return true;
}

/** RIFF says how long it is. */
const isCutWebp = (file: Buffer): boolean => file.length < 12 || file.readUInt32LE(4) + 8 > file.length;

/** A PDF that is optimised for the web has an end near its beginning, and says how long it is (ISO 32000-1, F.2.2). */
function isCutPdf(file: Buffer): boolean {
  const head = file.toString('latin1', 0, 1024);
  const said = /\/Linearized\b/u.test(head) ? Number(/\/L\s{0,9}(\d{1,12})\b/u.exec(head)?.[1] ?? 0) : 0;
  return said > file.length || !(file.includes('%%EOF') || file.includes('startxref'));
}

/** The directory of a ZIP stands at its end (APPNOTE 4.3.6). */
const isCutZip = (file: Buffer): boolean => file.lastIndexOf('PK\u0005\u0006', undefined, 'latin1') < 0;

const openings: readonly (readonly [opening: string, isCut: (file: Buffer) => boolean])[] = [
  ['\u00ff\u00d8\u00ff', isCutJpeg],
  ['\u0089PNG\r\n\u001a\n', isCutPng],
  ['RIFF', isCutWebp],
  ['%PDF-', isCutPdf],
  ['PK\u0003\u0004', isCutZip],
];

/** Told by the bytes alone. */
export function isCutOff(bytes: Uint8Array): boolean {
  const file = bufferOf(bytes);
  const opening = file.toString('latin1', 0, 8);
  return openings.find(([start]) => opening.startsWith(start))?.[1](file) ?? false;
}

export const cutOffMessage = (name: string): string =>
  `${name} is damaged: it is cut off, its end is missing. The download or the copy may be incomplete: fetch the file again.`;

export const cutOffWarning =
  'The file is cut off: its end is missing, and what stood there is not read. The download or the copy may be incomplete.';
