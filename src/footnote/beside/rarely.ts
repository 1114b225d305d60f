// Work that many ask for and that is done once for a while; whoever comes meanwhile gets the same. A failure is not kept.

export function rarely<Result>(
  work: () => Promise<Result>,
  { forMs, elapsedMs }: { readonly forMs: number; readonly elapsedMs: () => number },
): () => Promise<Result> {
  let last: { readonly atMs: number; readonly result: Promise<Result> } | undefined;
  return () => {
    if (last && elapsedMs() - last.atMs < forMs) return last.result;
    const begun = { atMs: elapsedMs(), result: work() };
    last = begun;
    begun.result.catch(() => {
      if (last === begun) last = undefined;
    });
    return begun.result;
  };
}
