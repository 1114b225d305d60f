// Takes deleted words out of the file itself. `secure_delete` overwrites what is deleted, but when a page is split or put in order
// anew SQLite leaves copies of cells in the gap between its list of cells and their content; they stay when the cell is deleted
// elsewhere (3 of 1,000 rows, measured). The gap means nothing, so zeros there change nothing. Invariant: only bytes that the file
// format calls unallocated are written (https://sqlite.org/fileformat2.html#b_tree_pages), and only while the journal is empty and
// this process, which owns the folder, is in one synchronous piece.
import { closeSync, fdatasync, fstatSync, openSync, readSync, writeSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { pragma } from '../sqlite/file/connection.ts';

/** Called between pieces of work; waits where others are to have their turn. */
export type Pause = () => Promise<void> | undefined;

export interface PageCleaner {
  /** Cleans every page of the file and empties the journal. False: somebody else reads the record, try again later. */
  clean(pause: Pause): Promise<boolean>;
  /** Moves the journal into the database and empties its file; false where a reader holds it. */
  truncate(): boolean;
  /** After the connections were closed. */
  close(): void;
}

/** Read and looked through in one piece: under a millisecond. */
const pieceBytes = 1024 * 1024;
/** First bytes of b-tree pages. Other pages start with the upper byte of a page number, which a smaller file does not reach. */
const treePages: ReadonlySet<number> = new Set([2, 5, 10, 13]);
const mostPages = 0x02_00_00_00;
/** SQLite keeps no content in the page at this offset: its locks lie there. */
const lockOffset = 0x40_00_00_00;
const mostPasses = 3;

/** The unallocated bytes of a b-tree page that begins at `base`; undefined for every other page. */
function gapOf(bytes: Buffer, base: number, page: { readonly size: number; readonly isFirst: boolean }) {
  const header = base + (page.isFirst ? 100 : 0);
  const type = bytes[header] as number;
  if (!treePages.has(type)) return undefined;
  const cells = bytes.readUInt16BE(header + 3);
  const content = bytes.readUInt16BE(header + 5) || 65_536;
  const from = header - base + (type === 2 || type === 5 ? 12 : 8) + 2 * cells;
  // Of a damaged page nothing is known.
  if (content > page.size || from > content) return undefined;
  return { from: base + from, to: base + content };
}

export function createPageCleaner(path: string, writer: DatabaseSync): PageCleaner {
  const size = Number(pragma(writer, 'page_size'));
  const zeros = Buffer.alloc(size);
  const piece = Buffer.alloc(pieceBytes);
  /** Stays open while connections are: closing any descriptor of a file gives up all locks of the process on it (fcntl). */
  let file: number | undefined;

  function truncate(): boolean {
    // Whoever reads is not waited for: this is the event loop.
    const patience = pragma(writer, 'busy_timeout');
    writer.exec('PRAGMA busy_timeout = 0');
    try {
      return writer.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()?.['busy'] === 0;
    } finally {
      writer.exec(`PRAGMA busy_timeout = ${patience}`);
    }
  }

  /** Cleans the pages of one piece of the file; how many, or undefined where the journal could not be emptied first. */
  function cleanPiece(opened: number, offset: number): number | undefined {
    if (!truncate()) return undefined;
    const length = readSync(opened, piece, 0, pieceBytes, offset);
    let cleaned = 0;
    for (let base = 0; base + size <= length; base += size) {
      if (offset + base === lockOffset) continue;
      const gap = gapOf(piece, base, { size, isFirst: offset + base === 0 });
      if (!gap || piece.compare(zeros, 0, gap.to - gap.from, gap.from, gap.to) === 0) continue;
      writeSync(opened, zeros, 0, gap.to - gap.from, offset + gap.from);
      cleaned += 1;
    }
    // A page that was read before is written as it was read: the copies in memory must go, too.
    if (cleaned > 0) writer.exec('PRAGMA shrink_memory');
    return cleaned;
  }

  return {
    truncate,
    async clean(pause) {
      file ??= openSync(path, 'r+');
      for (let pass = 0; pass < mostPasses; pass += 1) {
        const changes = pragmaChanges(writer);
        let cleaned = 0;
        for (let offset = 0; offset < fstatSync(file).size; offset += pieceBytes) {
          if (fstatSync(file).size / size >= mostPages) break;
          const some = cleanPiece(file, offset);
          if (some === undefined) return false;
          cleaned += some;
          await pause();
        }
        if (cleaned > 0) await promisify(fdatasync)(file);
        // What was written meanwhile may have moved a page that was not clean yet to a number that was looked at.
        if (cleaned === 0 || pragmaChanges(writer) === changes) break;
      }
      return truncate();
    },
    close() {
      if (file !== undefined) closeSync(file);
      file = undefined;
    },
  };
}

function pragmaChanges(writer: DatabaseSync): number {
  return Number(Object.values(writer.prepare('SELECT total_changes()').get() ?? {})[0]);
}
