// The processes that parse for another process, found in /proc as anybody may find them: how much memory each has ever held.
import { readdirSync, readFileSync } from 'node:fs';

const read = (path: string): string => {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
};

const megabytes = (status: string, field: 'VmRSS' | 'VmHWM'): number =>
  Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'mu').exec(status)?.[1] ?? 0) / 1024;

/** MiB that a process holds. */
export const residentMiB = (pid: number): number => megabytes(read(`/proc/${pid}/status`), 'VmRSS');

/** Children of a process that run the parsers, with the most memory that each has held (MiB). */
export function parserChildren(parent: number): readonly { readonly pid: number; readonly peakMiB: number }[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/u.test(name))
    .flatMap((name) => {
      const status = read(`/proc/${name}/status`);
      if (!status.includes(`\nPPid:\t${parent}\n`) || !read(`/proc/${name}/cmdline`).includes('parser-child'))
        return [];
      return [{ pid: Number(name), peakMiB: megabytes(status, 'VmHWM') }];
    });
}

/** Looks every 50 ms until it is stopped; the most memory that a child and the parent itself held meanwhile. */
export function watchMemory(parent: number): { stop(): { readonly childMiB: number; readonly parentMiB: number } } {
  let childMiB = 0;
  let parentMiB = 0;
  const look = (): void => {
    childMiB = Math.max(childMiB, ...parserChildren(parent).map(({ peakMiB }) => peakMiB));
    parentMiB = Math.max(parentMiB, residentMiB(parent));
  };
  look();
  const timer = setInterval(look, 50);
  return {
    stop() {
      clearInterval(timer);
      look();
      return { childMiB, parentMiB };
    },
  };
}
