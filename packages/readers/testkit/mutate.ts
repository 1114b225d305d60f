// Spoils files as storage, networks and attackers do: bits flipped, ends cut off, pieces moved, doubled or taken from others, numbers made
// huge, and inside of ZIP containers where a checksum would else catch it. Seeded: the same seed spoils the same file in the same way.
import { inflateRawSync } from 'node:zlib';
import { fromBufferPromise, getFileNameLowLevel } from 'yauzl';
import { type ZipMember, zipFile } from './zip-file.ts';

export type Random = () => number;

/** Mulberry32: small, and the same everywhere. */
export function seeded(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export const below = (random: Random, limit: number): number => Math.floor(random() * Math.max(1, limit));

/** What breaks readers of text and of numbers. */
const morsels = [
  '\u0000',
  '\ufeff',
  '\u202e',
  '{{{{{{{{',
  '[[[[[[[[',
  '((((((((',
  '<!DOCTYPE x [<!ENTITY a "b">]>',
  ']]>',
  '<!--',
  '--boundary\r\n',
  '\\',
  '"',
  '999999999999999999999',
  '-1',
  'NaN',
  '../../../etc/passwd',
  '\ud83d\ude00'.repeat(20),
  '\r\r\n',
  '=?utf-8?B?////?=',
  '%%EOF',
  'endstream endobj',
  '/Length 99999999',
  '\\u0',
  '\\bin99999 ',
].map((text) => Buffer.from(text));

const extremes = [0, 0xff, 0x7f, 0x80, 0xffff, 0x7fff, 0x8000, 0xffffffff, 0x7fffffff, 0x80000000];

type Mutation = (bytes: Buffer, random: Random, other: Buffer) => Buffer;

const cutOut = (bytes: Buffer, from: number, to: number, instead: Uint8Array = Buffer.alloc(0)): Buffer =>
  Buffer.concat([bytes.subarray(0, from), instead, bytes.subarray(to)]);

const mutations: readonly Mutation[] = [
  function flipBits(bytes, random) {
    const spoiled = Buffer.from(bytes);
    for (let count = 1 + below(random, 16); count > 0; count--) {
      const at = below(random, spoiled.length);
      spoiled[at] = (spoiled[at] ?? 0) ^ (1 << below(random, 8));
    }
    return spoiled;
  },
  function truncate(bytes, random) {
    return bytes.subarray(0, 1 + below(random, bytes.length - 1));
  },
  function loseStart(bytes, random) {
    return bytes.subarray(below(random, Math.min(64, bytes.length - 1)));
  },
  function remove(bytes, random) {
    const from = below(random, bytes.length);
    return cutOut(bytes, from, from + 1 + below(random, 256));
  },
  function double(bytes, random) {
    const from = below(random, bytes.length);
    const piece = bytes.subarray(from, from + 1 + below(random, 512));
    const times = Buffer.concat(Array.from({ length: 1 + below(random, 40) }, () => piece));
    return cutOut(bytes, from, from, times);
  },
  function splice(bytes, random, other) {
    const from = below(random, bytes.length);
    const start = below(random, other.length);
    return cutOut(bytes, from, from + below(random, 512), other.subarray(start, start + 1 + below(random, 1024)));
  },
  function insert(bytes, random) {
    const from = below(random, bytes.length);
    return cutOut(bytes, from, from, morsels[below(random, morsels.length)]);
  },
  function enlarge(bytes, random) {
    const spoiled = Buffer.from(bytes);
    const value = extremes[below(random, extremes.length)] ?? 0;
    const width = ([1, 2, 4] as const)[below(random, 3)] ?? 1;
    if (spoiled.length < width) return spoiled;
    const at = below(random, spoiled.length - width + 1);
    const held = value % 2 ** (8 * width);
    if (random() < 0.5) spoiled.writeUIntLE(held, at, width);
    else spoiled.writeUIntBE(held, at, width);
    return spoiled;
  },
  function digits(bytes, random) {
    const text = bytes.toString('latin1');
    const numbers = [...text.matchAll(/\d+/gu)];
    const chosen = numbers[below(random, numbers.length)];
    if (chosen === undefined) return bytes.subarray(0, bytes.length >> 1);
    const instead = ['0', '-1', '2147483648', '99999999999', '1e309'][below(random, 5)] ?? '0';
    return cutOut(bytes, chosen.index, chosen.index + chosen[0].length, Buffer.from(instead));
  },
];

function spoil(bytes: Buffer, random: Random, other: Buffer): Buffer {
  let spoiled = bytes;
  for (let rounds = 1 + below(random, 3); rounds > 0 && spoiled.length > 1; rounds--)
    spoiled = (mutations[below(random, mutations.length)] as Mutation)(spoiled, random, other);
  return spoiled;
}

/** The files of a ZIP container, so that they can be spoiled and packed again; undefined for anything else. */
export async function membersOf(bytes: Buffer): Promise<readonly ZipMember[] | undefined> {
  if (bytes.readUInt32LE(0) !== 0x04034b50) return undefined;
  try {
    const zip = await fromBufferPromise(bytes, { autoClose: false, decodeStrings: false, validateEntrySizes: false });
    const members: ZipMember[] = [];
    for await (const entry of zip.eachEntry()) {
      const { fileDataStart } = await zip.readLocalFileHeaderPromise(entry, { minimal: true });
      const packed = bytes.subarray(fileDataStart, fileDataStart + entry.compressedSize);
      const name = getFileNameLowLevel(entry.generalPurposeBitFlag, entry.fileNameRaw, entry.extraFields, false);
      members.push({ name, content: entry.compressionMethod === 0 ? packed : inflateRawSync(packed) });
    }
    return members;
  } catch {
    return undefined;
  }
}

export interface Seed {
  readonly name: string;
  readonly bytes: Buffer;
  /** Of a ZIP container. */
  readonly members?: readonly ZipMember[];
}

/** Spoils a file; `other` lends pieces. Three of four spoiled containers are spoiled inside. */
export function mutate(seed: Seed, other: Seed, random: Random): Buffer {
  const { members } = seed;
  if (members === undefined || members.length === 0 || random() < 0.25) return spoil(seed.bytes, random, other.bytes);
  const chosen = below(random, members.length);
  return zipFile(
    members.map((member, at) =>
      at === chosen && (member.content?.length ?? 0) > 1
        ? { ...member, content: spoil(Buffer.from(member.content ?? ''), random, other.bytes) }
        : member,
    ),
  );
}
