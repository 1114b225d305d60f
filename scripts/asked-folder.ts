// A folder of documents, read into a data folder of its own, with the questions that are asked of it (bench/answers/folders).
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FolderQuestion } from '../bench/answers/passages-score.ts';
import { loadConfig } from '../src/config.ts';
import { localScope } from '../src/core/scope.ts';
import { openFootnote } from '../src/footnote/compose.ts';
import type { Footnote } from '../src/footnote/facade.ts';
import type { CollectionStatistics } from '../src/passages/frame.ts';
import { termSet } from '../src/text/terms.ts';

export interface AskedFolder {
  readonly footnote: Footnote;
  readonly statistics: CollectionStatistics;
  readonly asked: readonly FolderQuestion[];
  close(): Promise<void>;
}

/** `questions` is a file of one question a line. Searches are by words alone. */
export async function openAskedFolder(documents: string, questions: string): Promise<AskedFolder> {
  const data = await mkdtemp(join(tmpdir(), 'footnote-asked-'));
  const opened = await openFootnote(loadConfig({ environment: { FOOTNOTE_DATA: data, OCR: 'off' } }), {
    encoder: 'none',
  });
  const footnote = opened.forScope(localScope());
  await footnote.sources.put({ name: 'folder', type: 'docs', connector: { kind: 'folder', path: documents } });
  await footnote.sources.sync('folder');
  return {
    footnote,
    statistics: await statisticsOf(footnote),
    asked: (await readFile(questions, 'utf8'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as FolderQuestion),
    async close() {
      await opened.close();
      await rm(data, { recursive: true });
    },
  };
}

async function statisticsOf({ documents }: Footnote): Promise<CollectionStatistics> {
  const frequencies: Record<string, number> = {};
  let [chunks, cursor]: [number, string | undefined] = [0, undefined];
  do {
    const page = await documents.list({ limit: 200, ...(cursor !== undefined && { cursor }) });
    for (const { id } of page.data)
      for (const { text } of await documents.chunks(id)) {
        chunks += 1;
        for (const term of termSet(text)) frequencies[term] = (frequencies[term] ?? 0) + 1;
      }
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return { chunks, frequencies };
}
