// Vectors of passages as rows hold them. Invariant: a vector whose bytes have changed is none.
import { crc32 } from 'node:zlib';

/** Of a tenant: 1.6 KB each. Those that were not used for longest go first, some at once. */
export const mostPassages = 20_000;
/** So many go when there are too many. */
export const goTogether = (most: number): number => Math.min(1000, most >> 1);

export const sealBytes = 4;

/** The vector and the checksum of its key and bytes, as one piece. */
export function sealed(key: string, vector: Float32Array): Uint8Array {
  const bytes = Buffer.alloc(vector.byteLength + sealBytes);
  bytes.set(new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength));
  bytes.writeUInt32LE(checksum(key, bytes.subarray(0, -sealBytes)), vector.byteLength);
  return bytes;
}

const checksum = (key: string, bytes: Uint8Array): number => crc32(bytes, crc32(key));

export function unsealed(key: string, value: unknown): Float32Array | undefined {
  if (!(value instanceof Uint8Array) || value.length % 4 !== 0 || value.length <= sealBytes) return undefined;
  const bytes = value.subarray(0, -sealBytes);
  const seal = new DataView(value.buffer, value.byteOffset).getUint32(bytes.length, true);
  return seal === checksum(key, bytes) ? new Float32Array(Uint8Array.from(bytes).buffer) : undefined;
}

export const dayOf = (at: string): string => at.slice(0, 10);
