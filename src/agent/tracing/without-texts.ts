// A request as it is kept in its trace: the files that it brought along are named and not kept.
import type { WorkspaceFile } from '../../core/answer.ts';
import { sha256 } from '../../core/ids.ts';

/** Files by what they are called and what they held, not by what they said; those of a trace are as they are. */
export const namedFiles = (files: readonly WorkspaceFile[]): readonly object[] =>
  files.map(({ path, text, ...facts }) =>
    typeof text === 'string' ? { path, characters: text.length, sha256: sha256(text) } : { path, ...facts },
  );

/** What a request says of its files where it is kept: their names and what they held, not what they said. */
export function withoutTexts(body: unknown): unknown {
  const { workspace } = (body ?? {}) as { readonly workspace?: readonly WorkspaceFile[] };
  if (!workspace) return body;
  return {
    ...(body as object),
    workspace: namedFiles(workspace),
  };
}
