// A trained semantic model as bytes and back. Little-endian; the same model gives the same bytes, and reading them back the
// same model. Bytes carry no checksum of their own: whoever stores them seals them.
import { endianness } from 'node:os';
import { FootnoteError } from '../../core/errors.ts';
import { packStrings, stringAt } from '../../engine/strings.ts';
import type { LatentWeights } from './latent-semantics.ts';

/** "LSA1", read as a little-endian number. Changes with the layout and the weighting of terms. */
const magic = 0x3141_534c;
const headerWords = 6;
const align = (bytes: number): number => Math.ceil(bytes / 8) * 8;

function layout(terms: number, dimensions: number, textBytes: number) {
  const idf = align(headerWords * 4);
  const scales = align(idf + terms * 4);
  const offsets = align(scales + terms * 4);
  const texts = align(offsets + (terms + 1) * 4);
  const steps = align(texts + textBytes);
  return { idf, scales, offsets, texts, steps, end: steps + terms * dimensions };
}

const requireLittleEndian = (): void => {
  if (endianness() !== 'LE')
    throw new FootnoteError('unsupported', 'Trained models are written on little-endian machines only.');
};

export function latentToBytes(weights: LatentWeights): Uint8Array {
  requireLittleEndian();
  const { dimensions, chunks, terms, idf, scales, steps } = weights;
  const strings = packStrings(terms);
  const at = layout(terms.length, dimensions, strings.bytes.length);
  const buffer = new ArrayBuffer(at.end);
  new Uint32Array(buffer, 0, headerWords).set([magic, dimensions, chunks, terms.length, strings.bytes.length, 0]);
  new Float32Array(buffer, at.idf, terms.length).set(idf);
  new Float32Array(buffer, at.scales, terms.length).set(scales);
  new Uint32Array(buffer, at.offsets, terms.length + 1).set(strings.offsets);
  new Uint8Array(buffer, at.texts, strings.bytes.length).set(strings.bytes);
  new Int8Array(buffer, at.steps, terms.length * dimensions).set(steps);
  return new Uint8Array(buffer);
}

/** Throws `data-corrupt` for bytes that cannot be a model of this version. */
export function latentFromBytes(bytes: Uint8Array): LatentWeights {
  requireLittleEndian();
  const damaged = (what: string): FootnoteError =>
    new FootnoteError('data-corrupt', `The trained semantic model cannot be read: ${what}. It is trained again.`);
  if (bytes.length < headerWords * 4) throw damaged('it is too short');
  // A copy starts at a multiple of eight whatever the caller's buffer did, and lives as long as the model.
  const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  const [found = 0, dimensions = 0, chunks = 0, count = 0, textBytes = 0] = new Uint32Array(buffer, 0, headerWords);
  if (found !== magic) throw damaged('it is of another version');
  const at = layout(count, dimensions, textBytes);
  if (dimensions === 0 || at.end !== bytes.length) throw damaged('its length is not what it says');
  const offsets = new Uint32Array(buffer, at.offsets, count + 1);
  for (let index = 0; index < count; index++)
    if ((offsets[index] as number) > (offsets[index + 1] as number))
      throw damaged('its terms do not follow each other');
  if (offsets[0] !== 0 || offsets[count] !== textBytes) throw damaged('its terms do not fill their place');
  const strings = { offsets, bytes: Buffer.from(buffer, at.texts, textBytes) };
  return {
    dimensions,
    chunks,
    terms: Array.from({ length: count }, (_, index) => stringAt(strings, index)),
    idf: new Float32Array(buffer, at.idf, count),
    scales: new Float32Array(buffer, at.scales, count),
    steps: new Int8Array(buffer, at.steps, count * dimensions),
  };
}

/** Terms that are looked at without a turn for others. */
const termsTogether = 64;

/**
 * The same model without the names of terms that are not kept: zeros stand in their place, which no text has. What it learned of the
 * company that they kept stays, as numbers. Undefined where all are kept. Throws as `latentFromBytes` does.
 */
export async function blankTerms(
  bytes: Uint8Array,
  isKept: (term: string) => boolean,
  pause: () => Promise<void> | undefined,
): Promise<Uint8Array | undefined> {
  const { terms, dimensions } = latentFromBytes(bytes);
  const { texts, offsets } = layout(terms.length, dimensions, 0);
  const left = Uint8Array.from(bytes);
  const ends = new Uint32Array(left.buffer, offsets, terms.length + 1);
  let blanked = 0;
  for (const [place, term] of terms.entries()) {
    if (place % termsTogether === 0) await pause();
    if (term === '' || term.startsWith('\u0000') || isKept(term)) continue;
    left.fill(0, texts + (ends[place] as number), texts + (ends[place + 1] as number));
    blanked += 1;
  }
  return blanked > 0 ? left : undefined;
}
