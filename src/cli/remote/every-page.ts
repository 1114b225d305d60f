// A list of any length, a page at a time.
import type { Footnote } from '../../footnote/facade.ts';

type Page = Parameters<Footnote['sessions']['list']>[0];

/** Each of the list, in its order; reads the next page when it is wanted. */
export async function* everyPage<T>(
  read: (page: Page) => Promise<{ readonly data: readonly T[]; readonly nextCursor?: string }>,
  limit = 1000,
): AsyncGenerator<T> {
  for (let cursor: string | undefined; ; ) {
    const page = await read({ limit, ...(cursor !== undefined && { cursor }) });
    yield* page.data;
    cursor = page.nextCursor;
    if (cursor === undefined) return;
  }
}
