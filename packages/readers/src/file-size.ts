// What is said of a file that is too large. Sizes are rounded and in powers of ten, as file managers show them (and core/sizes.ts, which
// readers do not import; a test holds the two against each other).

function toSize(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];
  let at = 0;
  let value = bytes;
  for (; value >= 999.5 && at < units.length - 1; at += 1) value /= 1000;
  if (bytes === 1) return '1 byte';
  return `${at === 0 || value >= 9.95 ? Math.round(value) : value.toFixed(1)} ${units[at]}`;
}

/** `315 MB; at most 105 MB are read`: in bytes where rounding would make both the same. */
export function overLimit(bytes: number, most: number): string {
  const [size, limit] = [toSize(bytes), toSize(most)];
  return size === limit ? `${bytes} bytes; at most ${most} are read` : `${size}; at most ${limit} are read`;
}
