// A folder of documents, read into a data folder of its own, with the questions that are asked of it (bench/answers/folders).
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type FolderQuestion, judgedPassages, toldOf } from '../bench/answers/passages-score.ts';
import { loadConfig } from '../src/config.ts';
import { localScope } from '../src/core/scope.ts';
import { openFootnote } from '../src/footnote/compose.ts';
import type { Footnote } from '../src/footnote/facade.ts';
import { cosinesOf } from '../src/models/encoder/cosines.ts';
import type { openLocalEncoder } from '../src/models/encoder/local-encoder.ts';
import { choosePassages, mostCompared, rivalOf } from '../src/passages/choose.ts';
import { type CollectionStatistics, readFrame } from '../src/passages/frame.ts';
import { rankByMeaning, rankByWords } from '../src/passages/rank.ts';
import type { SurenessInput } from '../src/passages/sureness.ts';
import { termSet } from '../src/text/terms.ts';

export interface AskedFolder {
  readonly footnote: Footnote;
  readonly statistics: CollectionStatistics;
  readonly asked: readonly FolderQuestion[];
  close(): Promise<void>;
}

/** As many as an answer reads. */
const readHits = 20;

/** What the chance of an answer is told from, and whether its first passage answers. */
export interface FoundFirst {
  readonly input: SurenessInput;
  readonly isRight: boolean;
}

/** What is found for `query` where `question` is meant, ordered by words alone and by the encoder; absent where nothing is, or the encoder orders nothing. */
export async function findFirst(
  query: string,
  question: FolderQuestion,
  {
    footnote,
    statistics,
    encoder,
  }: Pick<AskedFolder, 'footnote' | 'statistics'> & {
    readonly encoder: Awaited<ReturnType<typeof openLocalEncoder>>;
  },
): Promise<{ readonly words?: FoundFirst | undefined; readonly encoder?: FoundFirst | undefined }> {
  const { results } = await footnote.search({ query, topK: readHits });
  const frame = readFrame(query, statistics);
  const words = rankByWords(frame, results);
  const { ranked } = await rankByMeaning(query, words, async ({ query: asked, texts, byTokens }) => ({
    scores: await (byTokens ? encoder.match(asked, texts) : cosinesOf(encoder, asked, texts)),
  }));
  const firstOf = (order: typeof words): FoundFirst | undefined => {
    const chosen = choosePassages(order, mostCompared);
    const [first, ...others] = chosen;
    if (!first) return undefined;
    const told = chosen.map(({ passage: { headingPath, text } }) => toldOf({ headingPath, text }));
    return { input: { first, next: rivalOf(first, others, frame) }, isRight: judgedPassages(question, told).first };
  };
  return { words: firstOf(words), ...(ranked !== words && { encoder: firstOf(ranked) }) };
}

/** Rows of each folder that the command names, DOCUMENTS=QUESTIONS.jsonl. */
export async function readFolders<Row>(
  read: (documents: string, questions: string) => Promise<readonly Row[]>,
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const folder of process.argv.slice(2).filter((argument) => argument.includes('='))) {
    const [documents = '', questions = ''] = folder.split('=');
    rows.push(...(await read(documents, questions)));
    console.error(`${documents}: ${rows.length} rows so far`);
  }
  return rows;
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
