// Files on their way to the server: one after another, each with its state. One that is refused stops none of the others, and can be tried again.

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
  /** What of it could not be read. */
  readonly failed: readonly string[];
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
  /** Throws what the server refuses. */
  send(given: Given, stopped: AbortSignal): Promise<Taken>;
  /** Takes a document away that was added. */
  remove(id: string): Promise<unknown>;
  refusalOf(error: unknown): Refusal;
  /** Called with each change. */
  onChange(uploads: readonly Upload<Given>[]): void;
}

export function createUploadQueue<Given>({ send, remove, refusalOf, onChange }: QueuePorts<Given>) {
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

  async function sendOne({ key, given }: Upload<Given>): Promise<void> {
    const { signal } = stopping;
    put(key, { is: 'reading' });
    try {
      const taken = await send(given, signal);
      put(key, { is: taken.documents.every(({ status }) => status === 'unchanged') ? 'unchanged' : 'added', taken });
    } catch (error) {
      put(key, signal.aborted ? { is: 'stopped' } : { is: 'refused', refusal: refusalOf(error) });
    }
  }

  async function run(): Promise<void> {
    const next = (): Upload<Given> | undefined => uploads.find(({ state }) => state.is === 'waiting');
    for (let one = next(); one; one = next()) await sendOne(one);
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
