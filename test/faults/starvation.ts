// Milliseconds that this process could not run, which no server can make good: what tests of times allow beside them.

const tickMs = 20;

/** Watches until what it returns is called, which gives the sum. */
export function watchStarvation(): () => number {
  let missedMs = 0;
  let last = performance.now();
  const look = (): void => {
    const now = performance.now();
    missedMs += Math.max(0, now - last - tickMs);
    last = now;
  };
  const timer = setInterval(look, tickMs);
  return () => {
    clearInterval(timer);
    look();
    return missedMs;
  };
}
