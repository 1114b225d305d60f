// What the names in a ZIP archive say whose packer did not (APPNOTE 6.3.10 Appendix D: bit 11, or an extra field, marks UTF-8; else they are
// code page 437). Packers of macOS and many programs write UTF-8 without the mark, Windows writes the code page of its country. Invariant: a name that is
// marked, or plain ASCII, is what it says.
import { type Entry, getFileNameLowLevel } from 'yauzl';
import { isUtf8 } from '../canonical/decode.ts';
import { guessEncoding } from '../canonical/decode-guess.ts';

const utf8Mark = 0x800;
/** Of all names, what is looked at to tell their encoding. */
const sampleBytes = 65_536;

/** How the names of one archive are read: they are all written by one packer. */
export function zipNames(entries: readonly Entry[]): (entry: Entry) => string {
  const unmarked = entries.filter((entry) => !isMarked(entry)).map(({ fileNameRaw }) => fileNameRaw);
  const decoder = decoderOf(Buffer.concat(unmarked.flatMap((name) => [name, Buffer.from('\n')])));
  return (entry) =>
    decoder === undefined || isMarked(entry)
      ? getFileNameLowLevel(entry.generalPurposeBitFlag, entry.fileNameRaw, entry.extraFields, false)
      : decoder.decode(entry.fileNameRaw);
}

/** By its flag, or by Info-ZIP's extra field for a name in Unicode (0x7075), which yauzl checks and takes. */
const isMarked = ({ generalPurposeBitFlag, extraFields }: Entry): boolean =>
  (generalPurposeBitFlag & utf8Mark) !== 0 || extraFields.some(({ id }) => id === 0x7075);

/** Undefined for code page 437, which yauzl reads. */
function decoderOf(names: Uint8Array): InstanceType<typeof TextDecoder> | undefined {
  if (names.every((byte) => byte < 0x80)) return undefined;
  if (isUtf8(names)) return new TextDecoder();
  const sample = names.subarray(0, sampleBytes);
  const guessed = guessEncoding(sample);
  if (eastern.has(guessed) && isTogether(new TextDecoder(guessed).decode(sample, { stream: true })))
    return new TextDecoder(guessed);
  return isCyrillic(sample) ? new TextDecoder('ibm866') : undefined;
}

const eastern: ReadonlySet<string> = new Set(['shift_jis', 'gb18030', 'big5', 'euc-kr']);

/**
 * Characters of two bytes stand together, and are some. Alone among Latin letters they are letters with accents, each taken together with the one
 * behind it.
 */
function isTogether(text: string): boolean {
  if (/[\p{Co}\ufffd]/u.test(text)) return false;
  const wide = text.match(/\P{ASCII}/gu)?.length ?? 0;
  const together = text.match(/\P{ASCII}{2,}/gu)?.join('').length ?? 0;
  return together * 2 > wide;
}

/** Code page 866: runs of its letters make words; in western pages a letter with an accent stands alone, or beside one other. */
function isCyrillic(names: Uint8Array): boolean {
  const text = new TextDecoder('ibm866').decode(names);
  const inWords = text.match(/\p{Script=Cyrillic}{3,}/gu)?.join('').length ?? 0;
  const others = text.match(/[^\p{ASCII}\p{Script=Cyrillic}№]/gu)?.length ?? 0;
  const alone = text.match(/(?<=\p{ASCII})\p{Script=Cyrillic}{1,2}(?=\p{ASCII})/gu)?.length ?? 0;
  return inWords >= 3 && inWords > 4 * others && inWords > alone;
}
