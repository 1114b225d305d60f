// The code page of texts in an Outlook message that is not Unicode ([MS-OXCMSG] §2.2.1, [MS-OXMSG] §2.1.1: property type 001E): what the message
// names, else what its way to the Internet implies, else what its bytes look like. Invariant: one code page for all texts of a message.

import { decodeText } from '../canonical/decode.ts';
import { isReadError } from '../read-error.ts';

const ansiText = 0x001e;
const messageCodepage = 0x3ffd_0003;
const internetCodepage = 0x3fde_0003;
const maxSampleBytes = 65_536;

/** Encodings that mail is sent in, by the code page of Windows in which the same language is kept. Those that say nothing of it are left out. */
const keptAs: Readonly<Record<number, number>> = {
  20866: 1251,
  21866: 1251,
  28592: 1250,
  28594: 1257,
  28595: 1251,
  28596: 1256,
  28597: 1253,
  28598: 1255,
  28599: 1254,
  38598: 1255,
  50220: 932,
  50221: 932,
  50222: 932,
  50225: 949,
  51932: 932,
  51949: 949,
  52936: 936,
  54936: 936,
};
const isOfWindows = (page: number): boolean =>
  (page >= 1250 && page <= 1258) || [874, 932, 936, 949, 950].includes(page);

export interface TextCodepage {
  /** For each property of the message: its tag and its bytes. */
  observe(tag: number, bytes: Uint8Array | undefined): void;
  /** What msgreader calls it; undefined where no text needs one. */
  name(): string | undefined;
}

export function textCodepage(): TextCodepage {
  const sample: Uint8Array[] = [];
  let length = 0;
  let named: number | undefined;
  let sent: number | undefined;
  return {
    observe(tag, bytes) {
      if (bytes === undefined) return;
      const kind = tag >>> 0;
      if (kind === messageCodepage || kind === internetCodepage) {
        const page = bytes.length < 4 ? 0 : Buffer.from(bytes).readUInt32LE(0);
        if (kind === messageCodepage) named ??= page;
        else sent ??= page;
      } else if ((kind & 0xffff) === ansiText && length < maxSampleBytes && bytes.some((byte) => byte >= 0x80)) {
        sample.push(bytes, Uint8Array.of(0x0a));
        length += bytes.length;
      }
    },
    name() {
      if (sample.length === 0) return undefined;
      if (named === 65_001) return 'utf-8';
      const page = [named, sent === undefined ? undefined : (keptAs[sent] ?? sent)].find(
        (one) => one !== undefined && isOfWindows(one),
      );
      return page === undefined ? likeliest(Buffer.concat(sample)) : `cp${page}`;
    },
  };
}

function likeliest(bytes: Uint8Array): string {
  try {
    return decodeText(
      bytes.filter((byte) => byte !== 0),
      'message',
    ).encoding;
  } catch (error) {
    if (!isReadError(error)) throw error;
    return 'windows-1252';
  }
}
