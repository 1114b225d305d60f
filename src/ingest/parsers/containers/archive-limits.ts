// How much an archive may unpack to before it is taken for a bomb, and what it is then told.
import { FootnoteError } from '../../../core/errors.ts';

/** Text packs 5:1 to 20:1, repetitive logs 100:1; what packs better than this is made to. */
export const maxRatio = 200;
/** Below this no ratio is looked at: a small file of zeros does no harm. */
export const ratioFreeBytes = 16 * 1024 * 1024;

export const tooMany = (name: string, maxFiles: number): FootnoteError =>
  new FootnoteError('too-large', `${name} holds more than ${maxFiles} files, which is the limit. Split it.`);

export const tooMuch = (name: string, maxBytes: number): FootnoteError =>
  new FootnoteError('too-large', `${name} unpacks to more than ${maxBytes} bytes, which is the limit. Split it.`);

export const isBomb = (packed: number, unpacked: number): boolean =>
  unpacked > ratioFreeBytes && unpacked > packed * maxRatio;

export const bomb = (name: string, what: string): FootnoteError =>
  new FootnoteError('too-large', `${name} ${what}: refused as a bomb. If it is none, unpack it yourself.`);
