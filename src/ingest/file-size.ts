// What is said of a file that is too large.
import { toSize } from '../core/sizes.ts';

/** `315 MB; at most 105 MB are read`: in bytes where rounding would make both the same. */
export function overLimit(bytes: number, most: number): string {
  const [size, limit] = [toSize(bytes), toSize(most)];
  return size === limit ? `${bytes} bytes; at most ${most} are read` : `${size}; at most ${limit} are read`;
}
