// A request as it is kept in its trace: the files that it brought along are named and not kept.
import type { WorkspaceFile } from '../core/answer.ts';
import { sha256 } from '../core/ids.ts';

/** What a request says of its files where it is kept: their names and what they held, not what they said. */
export function withoutTexts(body: unknown): unknown {
  const { workspace } = (body ?? {}) as { readonly workspace?: readonly WorkspaceFile[] };
  if (!workspace) return body;
  return {
    ...(body as object),
    workspace: workspace.map(({ path, text }) => ({ path, characters: text.length, sha256: sha256(text) })),
  };
}
