// What a reader refuses because it is another's to read: a document that is an archive, an archive that is a document. The readers say so in
// an error, as they say everything; here it becomes a value, and is no failure.
import { toFootnoteError } from '../../core/errors.ts';

export type FileRoute = 'document' | 'archive';

/** What the work resolves with, or the route, where the file is to be taken as that. */
export async function unlessRouted<T, Route extends FileRoute>(work: Promise<T>, route: Route): Promise<T | Route> {
  try {
    return await work;
  } catch (thrown) {
    if (route in toFootnoteError(thrown).details) return route;
    throw thrown;
  }
}
