// What of a long chunk a reranker reads: the questions of XQuAD over whole articles, each one text of 420 to 2,450 tokens, as the
// longest chunks are. Counts in how many the answer, at its place, is in what is left after the cut: of the run of sentences that
// speaks most of the question, of the beginning, and of a run somewhere.
import { z } from 'zod';
import { openRetrievalDataset, readCorpus } from '../../src/evals/datasets.ts';
import { seeded } from '../../src/evals/metrics.ts';
import { toRerankTexts } from '../../src/retrieval/rerank-text.ts';
import { countTokens } from '../../src/text/tokens/tokens.ts';

export interface PassageRow {
  readonly questions: number;
  readonly tokens: number;
  /** Shares of questions whose answer is read. */
  readonly best: number;
  readonly beginning: number;
  readonly anywhere: number;
}

interface Article {
  readonly title: string;
  text: string;
  /** Where each paragraph begins. */
  readonly starts: Map<string, number>;
}

const answersSchema = z.array(z.object({ text: z.string(), start: z.int() })).min(1);
/** Characters on each side that tell an answer at its place from the same word elsewhere. */
const around = 25;
/** As many texts as are reranked together: what is rare is told by them. */
const together = 10;

async function readArticles(folder: string): Promise<readonly Article[]> {
  const articles = new Map<string, Article>();
  for await (const { id, title, text } of readCorpus(folder)) {
    const article = articles.get(title) ?? { title, text: '', starts: new Map() };
    const gap = article.text === '' ? '' : '\n\n';
    article.starts.set(id, article.text.length + gap.length);
    article.text += gap + text;
    articles.set(title, article);
  }
  return [...articles.values()];
}

/** The characters of a text that so many tokens are, from a place on. */
function cutFrom(text: string, start: number, tokens: number): string {
  return text.slice(start, start + Math.floor((text.length * tokens) / countTokens(text)));
}

export async function measurePassages(folder: string, tokens: number): Promise<PassageRow> {
  const articles = (await readArticles(folder)).filter(({ text }) => countTokens(text) > tokens);
  const { queries, judgments } = await openRetrievalDataset(folder);
  const random = seeded(1);
  const kept = { best: 0, beginning: 0, anywhere: 0 };
  let questions = 0;
  for (const { id, text: question, metadata } of queries) {
    const [paragraph = ''] = judgments.get(id)?.keys() ?? [];
    const at = articles.findIndex(({ starts }) => starts.has(paragraph));
    const article = articles[at];
    const [answer] = answersSchema.parse(metadata['answers']);
    if (!article || !answer) continue;
    const start = (article.starts.get(paragraph) ?? 0) + answer.start;
    const wanted = article.text.slice(Math.max(0, start - around), start + answer.text.length + around).trim();
    const others = Array.from({ length: together }, (_, step) => articles[(at + step) % articles.length] ?? article);
    const texts = toRerankTexts(
      question,
      others.map(({ text }) => ({ title: '', headingPath: [], text })),
      tokens,
    );
    const somewhere = Math.floor(random() * article.text.length * (1 - tokens / countTokens(article.text)));
    questions++;
    if (texts[0]?.includes(wanted)) kept.best++;
    if (cutFrom(article.text, 0, tokens).includes(wanted)) kept.beginning++;
    if (cutFrom(article.text, somewhere, tokens).includes(wanted)) kept.anywhere++;
  }
  const share = (count: number): number => Number((count / questions).toFixed(4));
  return {
    questions,
    tokens,
    best: share(kept.best),
    beginning: share(kept.beginning),
    anywhere: share(kept.anywhere),
  };
}
