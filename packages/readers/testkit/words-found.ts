// How much of an expected text was read: for tests and for benches, which run without a test runner.

/** The share of the expected words (runs of letters or digits, each as often as it is expected) that a text holds. */
export function wordsFound(text: string, expected: string): number {
  const wordsOf = (from: string): string[] =>
    from
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  const held = new Map<string, number>();
  for (const word of wordsOf(text)) held.set(word, (held.get(word) ?? 0) + 1);
  const wanted = wordsOf(expected);
  let found = 0;
  for (const word of wanted) {
    const left = held.get(word) ?? 0;
    if (left === 0) continue;
    held.set(word, left - 1);
    found++;
  }
  return wanted.length === 0 ? 1 : found / wanted.length;
}
