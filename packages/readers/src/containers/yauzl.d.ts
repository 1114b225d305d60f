// What is used of yauzl 3.4, which brings no types of its own.
declare module 'yauzl' {
  export interface Entry {
    readonly compressedSize: number;
    readonly uncompressedSize: number;
    readonly compressionMethod: number;
    readonly crc32: number;
    readonly externalFileAttributes: number;
    readonly generalPurposeBitFlag: number;
    /** As MS-DOS writes it: hours, minutes, seconds. */
    readonly lastModFileTime: number;
    readonly relativeOffsetOfLocalHeader: number;
    readonly fileNameRaw: Buffer;
    readonly extraFields: readonly { readonly id: number; readonly data: Buffer }[];
    isEncrypted(): boolean;
  }
  export interface ZipFile {
    readonly entryCount: number;
    eachEntry(): AsyncIterable<Entry>;
    openReadStreamPromise(entry: Entry): Promise<import('node:stream').Readable>;
    readLocalFileHeaderPromise(entry: Entry, options: { minimal: true }): Promise<{ fileDataStart: number }>;
  }
  export function fromBufferPromise(
    buffer: Buffer,
    options: { autoClose: boolean; decodeStrings: boolean; validateEntrySizes: boolean },
  ): Promise<ZipFile>;
  export class RandomAccessReader {
    _readStreamForRange(start: number, end: number): import('node:stream').Readable;
  }
  export function fromRandomAccessReaderPromise(
    reader: RandomAccessReader,
    totalSize: number,
    options: { autoClose: boolean; decodeStrings: boolean; validateEntrySizes: boolean },
  ): Promise<ZipFile>;
  export function getFileNameLowLevel(
    flags: number,
    raw: Buffer,
    extraFields: readonly unknown[],
    isStrict: boolean,
  ): string;
}
