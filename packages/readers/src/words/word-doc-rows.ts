// What the mark at the end of a row of a DOC says of its cells ([MS-DOC] §2.9.324, §2.9.334): where they end, which go on from above, whether it is a header.
import type { CellEdges } from '../canonical/table-spans.ts';

/** Its length takes two bytes, that of all others one. */
export const tableDefinition = 0xd608;
const tableHeader = 0x3404;
/** Bytes of what is said of a cell. */
const cellBytes = 20;

/** Undefined where nothing, or nothing that fits, is said. */
export function cellEdgesOf(operand: (sprm: number) => Buffer | undefined): CellEdges | undefined {
  const definition = operand(tableDefinition);
  const count = definition?.[2] ?? 0;
  if (definition === undefined || count === 0 || definition.length < 3 + (count + 1) * 2) return undefined;
  const edges = Array.from({ length: count + 1 }, (_, index) => definition.readInt16LE(3 + index * 2));
  const flags = Array.from({ length: count }, (_, index) => {
    const at = 3 + (count + 1) * 2 + index * cellBytes;
    return at + 2 <= definition.length ? definition.readUInt16LE(at) : 0;
  });
  return {
    edges,
    // TCGRF: two bits of how it is merged across (1: with the one before), five to seven of how it is merged down (1: with the one above).
    isJoined: flags.map((one) => (one & 3) === 1),
    continues: flags.map((one) => ((one >> 5) & 3) === 1),
    isHeader: operand(tableHeader)?.[0] === 1,
  };
}
