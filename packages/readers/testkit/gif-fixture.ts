// Writes GIF files for tests by hand. Codes are never longer than nine bits: a clear code goes before the table would grow.
interface FrameFixture {
  /** Colours by their number, row by row. */
  readonly indexes: Uint8Array;
  readonly left?: number;
  readonly top?: number;
  readonly width: number;
  readonly height: number;
  readonly isInterlaced?: boolean;
  readonly transparent?: number;
  readonly disposal?: number;
  /** The codes instead of those of the indexes. */
  readonly codes?: readonly number[];
}

const two = (value: number): readonly number[] => [value & 0xff, value >> 8];

/** Nine-bit codes, the lowest bit first, in runs of up to 255 bytes. */
function packed(codes: readonly number[]): number[] {
  const bytes: number[] = [];
  let held = 0;
  let bits = 0;
  for (const code of codes) {
    held |= code << bits;
    for (bits += 9; bits >= 8; bits -= 8) {
      bytes.push(held & 0xff);
      held >>= 8;
    }
  }
  if (bits > 0) bytes.push(held & 0xff);
  const runs: number[] = [];
  for (let at = 0; at < bytes.length; at += 255) {
    const run = bytes.slice(at, at + 255);
    runs.push(run.length, ...run);
  }
  return [...runs, 0];
}

const clear = 256;

function codesOf(indexes: Uint8Array): number[] {
  const codes: number[] = [];
  for (const [at, index] of indexes.entries()) {
    if (at % 200 === 0) codes.push(clear);
    codes.push(index);
  }
  return [...codes, clear + 1];
}

/** 256 shades of grey, or those of `palette`. */
export function gifOf(
  size: { readonly width: number; readonly height: number },
  frames: readonly FrameFixture[],
): Uint8Array {
  const head = [...Buffer.from('GIF89a'), ...two(size.width), ...two(size.height), 0xf7, 0, 0];
  const palette = Array.from({ length: 256 }, (_, grey) => [grey, grey, grey]).flat();
  const parts: Uint8Array[] = [Uint8Array.from([...head, ...palette, 0x21, 0xfe, 2, 65, 66, 0])];
  for (const frame of frames) {
    const control = ((frame.disposal ?? 0) << 2) | (frame.transparent === undefined ? 0 : 1);
    parts.push(
      Uint8Array.from([0x21, 0xf9, 4, control, 0, 0, frame.transparent ?? 0, 0]),
      Uint8Array.from([
        0x2c,
        ...two(frame.left ?? 0),
        ...two(frame.top ?? 0),
        ...two(frame.width),
        ...two(frame.height),
      ]),
      Uint8Array.from([frame.isInterlaced ? 0x40 : 0, 8]),
      Uint8Array.from(packed(frame.codes ?? codesOf(frame.indexes))),
    );
  }
  return Uint8Array.from(Buffer.concat([...parts, Uint8Array.from([0x3b])]));
}
