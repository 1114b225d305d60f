// Blowfish (B. Schneier, FSE 1993) in 64-bit cipher feedback, as old OpenDocument files were encrypted: Node's OpenSSL has it no more. Its tables are the
// first 33,344 binary digits of the fraction of pi, and are computed.

const rounds = 16;
const words = rounds + 2 + 4 * 256;
const guardBits = 64n;

let digits: Uint32Array | undefined;

/** Machin's formula (1706), in fixed point. */
function piDigits(): Uint32Array {
  const bits = BigInt(words * 32);
  const one = 1n << (bits + guardBits);
  const arctangentOfInverse = (number: bigint): bigint => {
    const square = number * number;
    let power = one / number;
    let sum = power;
    for (let odd = 3n; power !== 0n; odd += 2n) {
      power /= -square;
      sum += power / odd;
    }
    return sum;
  };
  const pi = 16n * arctangentOfInverse(5n) - 4n * arctangentOfInverse(239n);
  const fraction = ((pi - 3n * one) >> guardBits).toString(16).padStart(words * 8, '0');
  return Uint32Array.from({ length: words }, (_, at) => Number.parseInt(fraction.slice(at * 8, at * 8 + 8), 16));
}

/** Encrypts a block of two words, in place. */
type Encrypt = (block: Uint32Array) => void;

function schedule(key: Uint8Array): Encrypt {
  digits ??= piDigits();
  const whitening = digits.slice(0, rounds + 2);
  const boxes = digits.slice(rounds + 2);
  const box = (index: number, byte: number): number => boxes[index * 256 + byte] as number;
  const encrypt: Encrypt = (block) => {
    let [left, right] = [block[0] as number, block[1] as number];
    for (let round = 0; round < rounds; round++) {
      left ^= whitening[round] as number;
      const mixed =
        (((box(0, left >>> 24) + box(1, (left >>> 16) & 0xff)) ^ box(2, (left >>> 8) & 0xff)) + box(3, left & 0xff)) |
        0;
      [left, right] = [right ^ mixed, left];
    }
    // The last round exchanges nothing.
    block[0] = right ^ (whitening[rounds + 1] as number);
    block[1] = left ^ (whitening[rounds] as number);
  };
  for (let at = 0; at < whitening.length; at++) {
    let word = 0;
    for (let byte = 0; byte < 4; byte++) word = (word << 8) | (key[(at * 4 + byte) % key.length] as number);
    whitening[at] = ((whitening[at] as number) ^ word) >>> 0;
  }
  const block = new Uint32Array(2);
  for (const table of [whitening, boxes])
    for (let at = 0; at < table.length; at += 2) {
      encrypt(block);
      table.set(block, at);
    }
  return encrypt;
}

/** `start`: 8 bytes. */
export function decryptBlowfish(bytes: Uint8Array, key: Uint8Array, start: Uint8Array): Buffer {
  const encrypt = schedule(key);
  const plain = Buffer.alloc(bytes.length);
  const feedback = Buffer.from(start);
  const block = new Uint32Array(2);
  for (let at = 0; at < bytes.length; at += 8) {
    block[0] = feedback.readUInt32BE(0);
    block[1] = feedback.readUInt32BE(4);
    encrypt(block);
    feedback.writeUInt32BE(block[0], 0);
    feedback.writeUInt32BE(block[1], 4);
    const length = Math.min(8, bytes.length - at);
    for (let byte = 0; byte < length; byte++) {
      const sealed = bytes[at + byte] as number;
      plain[at + byte] = sealed ^ (feedback[byte] as number);
      feedback[byte] = sealed;
    }
  }
  return plain;
}
