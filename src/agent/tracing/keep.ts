// What is kept of a request beside its answer: the trace, the answer itself, the turn of the session, what models took. Invariant: an
// answer that was found is given even where nothing can be written (a full disk, one that may only be read), and says what was not kept.
import { type FootnoteError, toFootnoteError } from '../../core/errors.ts';
import type { Degradation } from '../../core/search.ts';

/** What a request leaves behind, as people call it, and what is missing without it. */
export const keptThings = {
  trace: 'its trace cannot be looked at later',
  page: 'pages of the web that it shows cannot be opened or checked later',
  answer: 'it cannot be fetched or checked by its id later',
  turn: 'the session does not have it, so later messages cannot refer to it',
  memory: 'what you said is not remembered beyond it',
  spending: 'what its models cost is written as soon as there is room',
} as const;
export type KeptThing = keyof typeof keptThings;

export interface Keeping {
  /** Begins to keep something. Never rejects. */
  add(thing: KeptThing, work: Promise<unknown>): void;
  /** Resolves when all is kept or could not be: what could not, by its cause. */
  ended(): Promise<readonly Degradation[]>;
}

export function createKeeping(): Keeping {
  const works: Promise<{ readonly thing: KeptThing; readonly error: FootnoteError } | undefined>[] = [];
  return {
    add(thing, work) {
      works.push(
        work.then(
          () => undefined,
          (thrown: unknown) => ({ thing, error: toFootnoteError(thrown) }),
        ),
      );
    },
    async ended() {
      const lost = (await Promise.all(works)).filter((one) => one !== undefined);
      return [...Map.groupBy(lost, ({ error }) => error.code).values()].map((group) => ({
        component: 'record',
        code: group[0]?.error.code ?? 'internal',
        detail: group[0]?.error.message ?? '',
        effect: `This result was not kept: ${[...new Set(group.map(({ thing }) => keptThings[thing]))].join('; ')}.`,
      }));
    },
  };
}

/** Of what a reply shows, what was read for it alone is kept before it leaves. */
export function keepShown(
  keeping: Keeping,
  { keepPages }: { readonly keepPages?: (documentIds: readonly string[]) => Promise<void> },
  shown: readonly { readonly documentId: string; readonly trust?: 'unvetted' | undefined }[],
): void {
  const found = shown.flatMap(({ documentId, trust }) => (trust ? [documentId] : []));
  if (keepPages && found.length > 0) keeping.add('page', keepPages(found));
}
