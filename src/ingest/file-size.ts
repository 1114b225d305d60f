// Sizes as people read them, in messages about what is too large.

const toSize = (bytes: number): string => {
  if (bytes < 10_000) return `${bytes} bytes`;
  if (bytes < 1_000_000) return `${Math.round(bytes / 1000)} kB`;
  return `${(bytes / 1_000_000).toFixed(bytes < 10_000_000 ? 1 : 0)} MB`;
};

/** `315 MB; at most 105 MB are read`: in bytes where rounding would make both the same. */
export function overLimit(bytes: number, most: number): string {
  const [size, limit] = [toSize(bytes), toSize(most)];
  return size === limit ? `${bytes} bytes; at most ${most} are read` : `${size}; at most ${limit} are read`;
}
