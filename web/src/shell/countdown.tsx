// How long is to be waited, second by second. It stands in no live region: a reader of the screen hears the first of it with what failed.
import { useEffect, useState } from 'preact/hooks';

/** `what`: such as `Ask again`. */
export function Countdown({ what, atMs }: { readonly what: string; readonly atMs: number }) {
  const [nowMs, setNowMs] = useState(Date.now);
  const seconds = Math.ceil((atMs - nowMs) / 1000);
  const isOver = seconds <= 0;
  useEffect(() => {
    if (isOver) return;
    const ticking = setInterval(() => setNowMs(Date.now()), 1000);
    return () => clearInterval(ticking);
  }, [isOver]);
  return <>{isOver ? ` ${what} now.` : ` ${what} in ${seconds} s.`}</>;
}
