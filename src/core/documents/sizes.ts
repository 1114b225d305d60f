// Sizes as people read them, in powers of ten, as file managers show them. Rounded, never more exact than they are.

/** `512 bytes`, `12 kB`, `1.2 MB`. */
export function toSize(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];
  let at = 0;
  let value = bytes;
  for (; value >= 999.5 && at < units.length - 1; at += 1) value /= 1000;
  if (bytes === 1) return '1 byte';
  return `${at === 0 || value >= 9.95 ? Math.round(value) : value.toFixed(1)} ${units[at]}`;
}
