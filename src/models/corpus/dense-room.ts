// Where products of dense blocks are computed: two factors and a target that slices are copied into, and the inner loop over them, in WebAssembly
// (dense-kernel.wat). Invariant: sums are of 64 bits and have one order, so that plain TypeScript gives the same bits.
import { kernelBytes } from './dense-kernel-bytes.ts';

/** Four rows of the left factor, wherever they start in it, times tiles of four neighbouring columns of the right one. */
export interface TileRow {
  readonly starts: readonly [number, number, number, number];
  /** From one element of a row of the left factor to the next. */
  readonly step: number;
  /** Of the right factor and of the target: elements of a row. A multiple of four. */
  readonly width: number;
  /** Tiles, from the first column on. At least one. */
  readonly tiles: number;
  /** Elements that the first tile multiplies, and how many more each one after it. At least one. */
  readonly count: number;
  readonly grow: number;
  /** Where the target begins to be added to: the first of four rows. */
  readonly to: number;
}

/** To be used at once: whoever asks for a room next takes the same one. */
export interface DenseRoom {
  readonly left: Float32Array;
  readonly right: Float32Array;
  /** Zeros at first. */
  readonly target: Float64Array;
  /** Adds the sums of tiles to the target. */
  add(row: TileRow): void;
}

export interface RoomSizes {
  readonly left: number;
  readonly right: number;
  readonly target: number;
}

export type MakeRoom = (sizes: RoomSizes) => DenseRoom;

const pageBytes = 65_536;

/** The part of WebAssembly's interface that is used; Node's own types lack it. */
interface WebAssemblyApi {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: unknown };
}

interface Exports {
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number };
  tiles(
    ...addresses: readonly [
      first: number,
      second: number,
      third: number,
      fourth: number,
      step: number,
      right: number,
      width: number,
      tiles: number,
      count: number,
      grow: number,
      out: number,
    ]
  ): void;
}

function roomsIn(api: WebAssemblyApi): MakeRoom {
  const { memory, tiles } = new api.Instance(new api.Module(Buffer.from(kernelBytes, 'base64')), {}).exports as Exports;
  return (sizes) => {
    const rightAt = sizes.target * 8;
    const leftAt = rightAt + sizes.right * 4;
    const pages = Math.ceil((leftAt + sizes.left * 4 - memory.buffer.byteLength) / pageBytes);
    if (pages > 0) memory.grow(pages);
    const { buffer } = memory;
    return {
      left: new Float32Array(buffer, leftAt, sizes.left),
      right: new Float32Array(buffer, rightAt, sizes.right),
      target: new Float64Array(buffer, 0, sizes.target).fill(0),
      add({ starts: [first, second, third, fourth], step, width, tiles: number, count, grow, to }) {
        const at = (start: number): number => leftAt + start * 4;
        tiles(at(first), at(second), at(third), at(fourth), step * 4, rightAt, width * 4, number, count, grow, to * 8);
      },
    };
  };
}

let roomsOfThread: MakeRoom | undefined;

/** A room of these sizes (elements), of this thread. */
export const denseRoom: MakeRoom = (sizes) => {
  roomsOfThread ??= roomsIn((globalThis as unknown as { WebAssembly: WebAssemblyApi }).WebAssembly);
  return roomsOfThread(sizes);
};
