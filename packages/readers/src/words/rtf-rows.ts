// What the words of RTF say of the cells of a row (specification 1.9.1, "Table Definitions"): where they end, and how they are merged. It stands before the
// cells, again behind them, and holds until the next definition.
import type { CellEdges } from '../canonical/table-spans.ts';

export interface RtfCellEdges {
  /** `trowd`, `trleft`, `trhdr`, `clvmrg`, `clmrg` or `cellx`. */
  word(word: string, value: number | undefined): void;
  /** Of the row that ends here; undefined where no cell is defined. */
  ofRow(): CellEdges | undefined;
}

export function rtfCellEdges(): RtfCellEdges {
  let left = 0;
  let isHeader = false;
  let rights: number[] = [];
  let continues: boolean[] = [];
  let isJoined: boolean[] = [];
  let isDown = false;
  let isAcross = false;
  return {
    word(word, value) {
      if (word === 'trowd') {
        left = 0;
        isHeader = false;
        rights = [];
        continues = [];
        isJoined = [];
        isDown = false;
        isAcross = false;
      } else if (word === 'trleft') left = value ?? 0;
      else if (word === 'trhdr') isHeader = true;
      else if (word === 'clvmrg') isDown = true;
      else if (word === 'clmrg') isAcross = true;
      else {
        rights.push(value ?? 0);
        continues.push(isDown);
        isJoined.push(isAcross);
        isDown = false;
        isAcross = false;
      }
    },
    ofRow: () => (rights.length === 0 ? undefined : { edges: [left, ...rights], continues, isJoined, isHeader }),
  };
}
