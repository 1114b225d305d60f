// Long work on the one event loop, cut into pieces: between two of them everybody else has a turn. For work whose length a caller decides.

/** Work on the event loop that nobody notices. */
const pieceMs = 8;

/** A turn of the event loop for everybody else. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** To be called after each step; resolves after a turn of the event loop once a piece is full, and is undefined before. */
export function inPieces(): () => Promise<void> | undefined {
  let fromMs = performance.now();
  const others = async (): Promise<void> => {
    await nextTurn();
    fromMs = performance.now();
  };
  return () => (performance.now() - fromMs < pieceMs ? undefined : others());
}

let isTaken = false;
const ready: (() => void)[] = [];

function take(): void {
  isTaken = true;
  setImmediate(() => {
    isTaken = false;
    const go = ready.shift();
    if (go === undefined) return;
    take();
    go();
  });
}

/**
 * For steps that many may come to at once, such as those whom one message of a thread after another lets go on: each has a turn of the event loop of
 * its own, and everybody else has theirs between. Undefined where the present turn is nobody's yet.
 */
export function ownTurn(): Promise<void> | undefined {
  if (isTaken) return new Promise((resolve) => ready.push(resolve));
  take();
  return undefined;
}
