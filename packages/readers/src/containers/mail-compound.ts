// Whether a compound file ([MS-CFB]) can be walked: no chain of sectors and no path of its directory may come back to itself, for readers follow
// them to their ends. Invariant: the check looks at each sector and each entry once.
import { ReadError } from '../read-error.ts';

const headerBytes = 512;
const inHeader = 109;
/** Sector numbers from here on mark ends and free sectors. */
const firstMark = 0xfffffffa;
const entryBytes = 128;
const noEntry = 0xffffffff;

/** The sectors of a compound file that was checked: every walk over them ends. */
export interface CompoundSectors {
  readonly view: DataView;
  readonly sectorBytes: number;
  /** Where a sector begins in the file. */
  offsetOf(sector: number): number;
  /** The sectors of a stream from its first one on. */
  chainFrom(first: number): readonly number[];
  /** The same of small sectors (64 bytes), by the table that stands in the file. */
  smallChainFrom(first: number): readonly number[];
}

/** Throws `invalid-media` for a file whose chains or directory go in circles, or lead outside of it. */
export function requireSoundCompound(bytes: Uint8Array, name: string): CompoundSectors {
  const fail = (why: string): never => {
    throw new ReadError('invalid-media', `${name} is damaged: ${why}. Save it again.`);
  };
  if (bytes.length < headerBytes) fail('it is cut short');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const shift = view.getUint16(30, true);
  if (shift !== 9 && shift !== 12) fail('its sectors have no size that there is');
  const sectorBytes = 2 ** shift;
  const perSector = sectorBytes / 4;
  // The header takes the place of one sector; the last one may be cut.
  const sectors = Math.ceil(bytes.length / sectorBytes) - 1;
  const numberAt = (sector: number, index: number): number => {
    const at = (sector + 1) * sectorBytes + index * 4;
    return sector < sectors && at + 4 <= bytes.length ? view.getUint32(at, true) : firstMark;
  };
  /** What a table of sectors, which stands in these sectors, says of each. */
  const follower =
    (tables: readonly number[]) =>
    (sector: number): number => {
      const table = tables[Math.floor(sector / perSector)];
      return table === undefined ? firstMark : numberAt(table, sector % perSector);
    };
  const tables = tableSectors();
  const nextOf = follower(tables);
  if (hasCircle(Math.min(sectors, tables.length * perSector), nextOf)) fail('a chain of its sectors goes in a circle');
  const small = chainFrom(view.getUint32(60, true));
  if (hasCircle(small.length * perSector, follower(small))) fail('a chain of its small sectors goes in a circle');
  requireTree(chainFrom(view.getUint32(48, true)));
  const nextSmall = follower(small);
  return {
    view,
    sectorBytes,
    offsetOf: (sector) => (sector + 1) * sectorBytes,
    chainFrom,
    smallChainFrom(first) {
      const chain: number[] = [];
      const count = small.length * perSector;
      for (let at = first; at < count && chain.length < count; at = nextSmall(at)) chain.push(at);
      return chain;
    },
  };

  /** The sectors that hold the table of sectors: 109 in the header, the others in a chain of their own. */
  function tableSectors(): number[] {
    const found: number[] = [];
    const take = (sector: number): void => {
      if (sector < sectors && found.length < sectors) found.push(sector);
    };
    for (let index = 0; index < inHeader; index++) take(view.getUint32(76 + index * 4, true));
    let extra = view.getUint32(68, true);
    for (let steps = 0; extra < sectors; steps++) {
      if (steps > sectors) fail('the chain of its table goes in a circle');
      for (let index = 0; index < perSector - 1; index++) take(numberAt(extra, index));
      extra = numberAt(extra, perSector - 1);
    }
    return found;
  }

  function chainFrom(first: number): number[] {
    const chain: number[] = [];
    for (let sector = first; sector < sectors && chain.length <= sectors; sector = nextOf(sector)) chain.push(sector);
    return chain;
  }

  /** Entries name their neighbours and their first child; each may be named once. */
  function requireTree(directory: readonly number[]): void {
    const perDirectorySector = sectorBytes / entryBytes;
    const seen = new Set<number>([0]);
    const pending = [0];
    for (let entry = pending.pop(); entry !== undefined; entry = pending.pop()) {
      const sector = directory[Math.floor(entry / perDirectorySector)];
      const at = ((sector ?? sectors) + 1) * sectorBytes + (entry % perDirectorySector) * entryBytes;
      if (sector === undefined || at + entryBytes > bytes.length) fail('its directory leads outside of the file');
      for (const offset of [68, 72, 76]) {
        const next = view.getUint32(at + offset, true);
        if (next === noEntry) continue;
        if (seen.has(next)) fail('its directory goes in a circle');
        seen.add(next);
        pending.push(next);
      }
    }
  }
}

/** Whether following `nextOf` from some of the first `count` numbers comes back to where it was. */
function hasCircle(count: number, nextOf: (index: number) => number): boolean {
  /** The walk on which a number was met first; 0 for none. */
  const metOn = new Uint32Array(count);
  for (let start = 0; start < count; start++) {
    for (let at = start; at < count && metOn[at] === 0; ) {
      metOn[at] = start + 1;
      at = nextOf(at);
      if (at < count && metOn[at] === start + 1) return true;
    }
  }
  return false;
}
