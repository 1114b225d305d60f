// What could not be read, as it is told: each message once with how often it came. Invariant: what is not listed is counted.

/** Messages that are listed. */
const mostWarnings = 100;

export interface Warned {
  readonly told: readonly (readonly [message: string, times: number])[];
  /** What came beyond those. */
  readonly more: number;
}

export interface Warnings {
  warn(message: string, times?: number): void;
  /** Adds what was told elsewhere. */
  add(warned: Warned): void;
  /** What came since it was taken last. */
  take(): Warned;
}

export function createWarnings(): Warnings {
  /** Of all that was ever told, so that what is listed stays bounded. */
  const listed = new Set<string>();
  let told = new Map<string, number>();
  let more = 0;
  const warn = (message: string, times = 1): void => {
    if (!listed.has(message) && listed.size >= mostWarnings) {
      more += times;
      return;
    }
    listed.add(message);
    told.set(message, (told.get(message) ?? 0) + times);
  };
  return {
    warn,
    add(warned) {
      for (const [message, times] of warned.told) warn(message, times);
      more += warned.more;
    },
    take() {
      const taken: Warned = { told: [...told], more };
      told = new Map();
      more = 0;
      return taken;
    },
  };
}

export const printWarnings = ({ told, more }: Warned): readonly string[] => [
  ...told.map(([message, times]) => (times === 1 ? message : `${message} (${times} times)`)),
  ...(more === 0 ? [] : [`${more} more were left out for reasons like these.`]),
];
