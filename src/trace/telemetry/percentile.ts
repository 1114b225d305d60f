// The 95th percentile of measurements by the nearest rank: a value that was measured. Whoever asks says of how many values it may be told.

/** Undefined of no values. */
export function percentile95(values: readonly number[]): number | undefined {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.ceil(sorted.length * 0.95) - 1];
}
