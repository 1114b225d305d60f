// What a model is shown of long documents: for questions over annual and quarterly reports (FinanceBench), whether a passage of a page
// that holds the evidence is shown, at equal tokens with and without a sentence standing for what has no room; and what lies just beyond
// the borders of chunks. Nothing is asked of a model.
import { readdirSync } from 'node:fs';
import { z } from 'zod';
import { assembleForModel } from '../../src/answer/context/model-context.ts';
import { foldWithOffsets } from '../../src/answer/write/fold.ts';
import { loadConfig } from '../../src/config.ts';
import type { Evidence } from '../../src/core/search.ts';
import { readJsonl } from '../../src/evals/datasets.ts';
import { openEvaluatedSystem } from '../../src/footnote/trials/evaluated-system.ts';
import { sharedData } from '../../testkit/shared-data.ts';
import type { BenchInput } from '../report.ts';

const questionSchema = z.object({
  question: z.string(),
  doc_name: z.string(),
  evidence: z.array(z.object({ evidence_text: z.string(), evidence_page_num: z.number() })),
});
type FinanceQuestion = z.infer<typeof questionSchema>;
interface Asked {
  readonly one: FinanceQuestion;
  readonly evidence: readonly Evidence[];
}

const budgets = [500, 1000, 2000, 4000];
const readingDepth = 10;
/** Shorter lines of a report stand on many pages. */
const leastLine = 40;
const aroundCharacters = 200;
const config = loadConfig({ environment: {} });
const folded = (text: string): string => foldWithOffsets(text).lower.replace(/\s+/gu, ' ').trim();
const percent = (part: number, whole: number): string => `${((100 * part) / Math.max(1, whole)).toFixed(1)} %`;

/** Undefined where the set is not beside this checkout. */
export async function measurePages(): Promise<BenchInput | undefined> {
  const folder = sharedData('financebench', 'pdfs');
  const questionsPath = sharedData('financebench', 'questions.jsonl');
  if (!folder || !questionsPath) return undefined;
  const held = new Set(readdirSync(folder).map((name) => name.replace(/\.pdf$/u, '')));
  const asked: Asked[] = [];
  const texts = new Map<string, string>();
  const system = await openEvaluatedSystem(config);
  try {
    await system.ingestPath(folder);
    await system.search('ready', { mode: config.defaultMode, limit: 1 });
    for await (const one of readJsonl(questionsPath, questionSchema)) {
      if (!held.has(one.doc_name)) continue;
      const { results } = await system.footnote.search({
        query: one.question,
        mode: config.defaultMode,
        topK: readingDepth,
      });
      asked.push({ one, evidence: results });
      for (const { documentId } of results)
        if (!texts.has(documentId)) texts.set(documentId, (await system.footnote.documents.text(documentId)).text);
    }
  } finally {
    await system.close();
  }

  const shownOf = ({ one, evidence }: Asked, budgetTokens: number, summaryCharacters: number) =>
    assembleForModel({ question: one.question, evidence, budgetTokens, summaryCharacters }).blocks;
  const hasPage = (item: Asked, budgetTokens: number, summaryCharacters: number): boolean => {
    const pages = item.one.evidence.map(({ evidence_page_num }) => evidence_page_num + 1);
    return shownOf(item, budgetTokens, summaryCharacters).some(
      ({ evidence: { uri, page } }) => uri.includes(item.one.doc_name) && page !== undefined && pages.includes(page),
    );
  };
  const rows: (string | number)[][] = [];
  const metrics: Record<string, number> = {};
  for (const budgetTokens of budgets) {
    const alone = asked.filter((item) => hasPage(item, budgetTokens, 0)).length;
    const summarized = asked.filter((item) => hasPage(item, budgetTokens, 600)).length;
    rows.push([budgetTokens, percent(alone, asked.length), percent(summarized, asked.length), asked.length]);
    metrics[`${budgetTokens} tokens: evidence page shown, passages alone`] = alone / asked.length;
    metrics[`${budgetTokens} tokens: evidence page shown, with summaries`] = summarized / asked.length;
    console.log(rows.at(-1)?.join('  '));
  }

  const borders = { passages: 0, begin: 0, lines: 0, unseen: 0, near: 0 };
  for (const item of asked) {
    const blocks = shownOf(item, 2_000, 600);
    const around = (characters: number): string[] =>
      blocks.map(({ evidence: { documentId, start, end } }) =>
        folded((texts.get(documentId) ?? '').slice(Math.max(0, start - characters), end + characters)),
      );
    for (const { evidence, isSummary } of blocks) {
      if (isSummary) continue;
      borders.passages += 1;
      const whole = item.evidence.find(({ chunkId }) => chunkId === evidence.chunkId);
      if (whole?.start === evidence.start && /^\s*[\p{Ll}\p{N}(]/u.test(evidence.text)) borders.begin += 1;
    }
    const [shown, wider] = [around(0), around(aroundCharacters)];
    for (const { evidence_text } of item.one.evidence)
      for (const line of evidence_text.split('\n').filter((text) => text.trim().length > leastLine)) {
        borders.lines += 1;
        if (shown.some((text) => text.includes(folded(line)))) continue;
        borders.unseen += 1;
        if (wider.some((text) => text.includes(folded(line)))) borders.near += 1;
      }
  }
  console.log(borders);
  metrics['passages at 2,000 tokens'] = borders.passages;
  metrics['of them beginning in the middle of a sentence or number'] = borders.begin;
  metrics['lines of evidence not shown at 2,000 tokens'] = borders.unseen;
  metrics[`of them within ${aroundCharacters} characters of a passage`] = borders.near;

  return {
    title: 'What a model is shown of long documents',
    command: 'npm run bench answers-by-model --sets=pages',
    seed: null,
    data: [folder, questionsPath],
    metrics,
    tables: [
      {
        title: 'A passage of the evidence page is shown (FinanceBench)',
        columns: ['tokens', 'passages alone', 'with summaries', 'questions'],
        rows,
      },
    ],
    notes: [
      'Ten chunks are read for each question, of all reports in the folder; questions whose report is not in it are left out.',
      'The share of the context for whole passages (0.8) was chosen with this set and two others in view.',
    ],
  };
}
