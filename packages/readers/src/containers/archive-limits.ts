// How much an archive may unpack to before it is taken for a bomb, and what it is then told.
import type { IsLeftOut } from '../inner-paths.ts';
import { ReadError } from '../read-error.ts';
import type { UnpackLimits } from '../reader.ts';

/** How much may come out of an archive, and which of its files never do. */
export interface UnpackRules extends UnpackLimits {
  readonly isLeftOut: IsLeftOut;
}

/** Text packs 5:1 to 20:1, repetitive logs 100:1; what packs better than this is made to. */
export const maxRatio = 200;
/** Below this no ratio is looked at: a small file of zeros does no harm. */
export const ratioFreeBytes = 16 * 1024 * 1024;

export const tooMany = (name: string, maxFiles: number): ReadError =>
  new ReadError('too-large', `${name} holds more than ${maxFiles} files, which is the limit. Split it.`);

export const tooMuch = (name: string, maxBytes: number): ReadError =>
  new ReadError('too-large', `${name} unpacks to more than ${maxBytes} bytes, which is the limit. Split it.`);

export const isBomb = (packed: number, unpacked: number): boolean =>
  unpacked > ratioFreeBytes && unpacked > packed * maxRatio;

export const bomb = (name: string, what: string): ReadError =>
  new ReadError('too-large', `${name} ${what}: refused as a bomb. If it is none, unpack it yourself.`);
