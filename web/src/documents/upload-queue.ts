// Files on their way to the server: some together, one lot after another, each with its state. One that is refused stops none of the others, and can be
// tried again.

export interface Refusal {
  readonly title: string;
  readonly detail: string;
  readonly againAtMs?: number;
}
/** What the server made of a file: perhaps several documents. */
export interface Taken {
  readonly documents: readonly TakenDocument[];
  /** How it was read, where that may matter. */
  readonly warnings: readonly string[];
}
export interface TakenDocument {
  readonly id: string;
  readonly status: 'created' | 'updated' | 'unchanged';
  readonly chunks: number;
}
export type UploadState =
  | { readonly is: 'waiting' | 'reading' | 'stopped' | 'leaving' | 'undone' }
  | { readonly is: 'added' | 'unchanged'; readonly taken: Taken }
  | { readonly is: 'refused'; readonly refusal: Refusal };

export interface Upload<Given> {
  readonly key: number;
  readonly given: Given;
  readonly state: UploadState;
}

interface QueuePorts<Given> {
  /** Ends when files can be sent; they wait for it. Throws why they cannot. */
  known(): Promise<void>;
  /** Whether one more goes with those that are sent together. */
  fits(together: readonly Given[], next: Given): boolean;
  /** Tells of each by its place what became of it. Throws what the server refuses, which holds for those that were not told of. */
  send(
    together: readonly Given[],
    told: (at: number, became: Taken | Refusal) => void,
    stopped: AbortSignal,
  ): Promise<void>;
  /** Takes a document away that was added. */
  remove(id: string): Promise<unknown>;
  refusalOf(error: unknown): Refusal;
  /** Called with each change. */
  onChange(uploads: readonly Upload<Given>[]): void;
}

export function createUploadQueue<Given>({ known, fits, send, remove, refusalOf, onChange }: QueuePorts<Given>) {
  let uploads: readonly Upload<Given>[] = [];
  let count = 0;
  let running: Promise<void> | undefined;
  let stopping = new AbortController();

  const change = (changed: readonly Upload<Given>[]): void => {
    uploads = changed;
    onChange(uploads);
  };
  const put = (key: number, state: UploadState): void =>
    change(uploads.map((one) => (one.key === key ? { ...one, state } : one)));

  const isReading = (key: number): boolean => uploads.some((one) => one.key === key && one.state.is === 'reading');

  async function sendSome(some: readonly Upload<Given>[]): Promise<void> {
    const { signal } = stopping;
    for (const { key } of some) put(key, { is: 'reading' });
    const told = (at: number, became: Taken | Refusal): void => {
      const { key } = some[at] ?? {};
      if (key === undefined || !isReading(key)) return;
      if ('title' in became) put(key, { is: 'refused', refusal: became });
      else {
        const isKnown = became.documents.every(({ status }) => status === 'unchanged');
        put(key, { is: isKnown ? 'unchanged' : 'added', taken: became });
      }
    };
    let refusal: Refusal | undefined;
    try {
      await send(
        some.map(({ given }) => given),
        told,
        signal,
      );
    } catch (error) {
      refusal = refusalOf(error);
    }
    for (const { key } of some)
      if (isReading(key)) put(key, signal.aborted || !refusal ? { is: 'stopped' } : { is: 'refused', refusal });
  }

  function nextLot(): Upload<Given>[] {
    const waiting = uploads.filter(({ state }) => state.is === 'waiting');
    const lot = waiting.slice(0, 1);
    for (const one of waiting.slice(1)) {
      const given = lot.map((other) => other.given);
      if (!fits(given, one.given)) break;
      lot.push(one);
    }
    return lot;
  }
  async function run(): Promise<void> {
    try {
      await known();
    } catch (error) {
      const refusal = refusalOf(error);
      for (const { key, state } of uploads) if (state.is === 'waiting') put(key, { is: 'refused', refusal });
    }
    for (let lot = nextLot(); lot.length > 0; lot = nextLot()) await sendSome(lot);
    running = undefined;
  }
  /** Ends when nothing waits any more. */
  const start = (): Promise<void> => (running ??= run());

  return {
    add(given: readonly Given[]): Promise<void> {
      const added = given.map((one): Upload<Given> => {
        count += 1;
        return { key: count, given: one, state: { is: 'waiting' } };
      });
      change([...uploads, ...added]);
      return start();
    },
    retry(key: number): Promise<void> {
      put(key, { is: 'waiting' });
      return start();
    },
    /** Takes away what these files brought that was not there before. One that cannot be taken away stays added. */
    async undo(keys: readonly number[]): Promise<void> {
      const asked = uploads.filter(({ key, state }) => keys.includes(key) && broughtBy(state).length > 0);
      for (const { key } of asked) put(key, { is: 'leaving' });
      const failures: unknown[] = [];
      for (const { key, state } of asked)
        try {
          for (const { id } of broughtBy(state)) await remove(id);
          put(key, { is: 'undone' });
        } catch (error) {
          put(key, state);
          failures.push(error);
        }
      if (failures.length > 0) throw failures[0];
    },
    /** The file that is read now, and those behind it. */
    stop(): void {
      change(uploads.map((one) => (one.state.is === 'waiting' ? { ...one, state: { is: 'stopped' } } : one)));
      stopping.abort();
      stopping = new AbortController();
    },
    /** Forgets what has ended. */
    clear: (): void => change(uploads.filter(({ state }) => isOpen(state))),
  };
}

/** What a file brought that was not there before: of what it replaced, nothing is left to go back to. */
export const broughtBy = (state: UploadState): readonly TakenDocument[] =>
  state.is === 'added' ? state.taken.documents.filter(({ status }) => status === 'created') : [];

export const isOpen = ({ is }: UploadState): boolean => is === 'waiting' || is === 'reading';

/** What is said when all have ended: `3 files: 2 added, 1 refused.` */
export function outcomeOf(uploads: readonly Upload<unknown>[]): string {
  const parts = (['added', 'unchanged', 'refused', 'stopped', 'undone'] as const).flatMap((wanted) => {
    const count = uploads.filter(({ state }) => state.is === wanted).length;
    return count === 0 ? [] : `${count} ${wanted}`;
  });
  return `${uploads.length} ${uploads.length === 1 ? 'file' : 'files'}: ${parts.join(', ')}.`;
}
