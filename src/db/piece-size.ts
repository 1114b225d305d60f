// How many documents a filter looks at before others have their turn: what one costs depends on the filter and on the document, so it is
// measured from piece to piece.

export interface PieceSize {
  /** Documents of the next piece. */
  readonly documents: number;
  /** To be told how long that took. */
  took(ms: number): void;
}

const first = 64;
const most = 4096;
/** Half of what one turn of the event loop may take beside other work. */
const wantedMs = 2;

export function createPieceSize(): PieceSize {
  let documents = first;
  return {
    get documents() {
      return documents;
    },
    took(ms) {
      if (ms < wantedMs / 2) documents = Math.min(most, documents * 2);
      else if (ms > wantedMs) documents = Math.max(1, Math.floor(documents * Math.max(0.1, wantedMs / ms)));
    },
  };
}
