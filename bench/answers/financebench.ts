// Questions over company filings (FinanceBench, open sample): does the page that holds the evidence stand among the five best
// hits, over all filings and within the one that the question is about? No parameter was chosen on these 26 questions.
// Usage: node bench/answers/financebench.ts [--dry] [--ranks]; `--dry` writes no result, `--ranks` prints every question.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { loadConfig } from '../../src/config.ts';
import { type Evidence, type Mode, modes } from '../../src/core/search.ts';
import { openEvaluatedSystem } from '../../src/footnote/trials/evaluated-system.ts';
import { sharedData } from '../../testkit/shared-data.ts';
import { type BenchGoal, writeResult } from '../report.ts';

/** Hits that a person looks at, and the depth that ranks are told to. */
const best = 5;
const depth = 50;
const wantedOverAll = 0.35;
const wantedWithin = 0.5;
/** The mode that people get without asking for one decides over the goals. */
const defaultMode: Mode = 'hybrid';

interface Question {
  readonly question: string;
  readonly doc_name: string;
  readonly evidence: readonly { readonly evidence_page_num: number }[];
}
/** Rank of the first hit on a page of the evidence; undefined beyond the depth. */
interface Found {
  /** A hit that reaches onto the page. */
  readonly touching: number | undefined;
  /** A hit that has most of its text on the page. */
  readonly mostly: number | undefined;
}

const { values: flags } = parseArgs({
  options: { dry: { type: 'boolean', default: false }, ranks: { type: 'boolean', default: false } },
});
const folder = sharedData('financebench');
if (folder === undefined) throw new Error('This bench needs the shared evaluation data: set FOOTNOTE_SHARED_DATA.');
const questions = (await readFile(join(folder, 'questions.jsonl'), 'utf8'))
  .split('\n')
  .filter((line) => line.trim() !== '')
  .map((line) => JSON.parse(line) as Question);

const system = await openEvaluatedSystem(loadConfig({ environment: {} }));
try {
  const ingestion = await system.ingestPath(join(folder, 'pdfs'));
  const { footnote } = system;
  const records = (await footnote.documents.list({ limit: 100 })).data;
  const idOf = (name: string): string => {
    const record = records.find(({ uri }) => decodeURIComponent(uri).endsWith(`${name}.pdf`));
    if (record === undefined) throw new Error(`${name}.pdf was not read.`);
    return record.id;
  };
  const pagesOf = new Map<string, readonly { number: number; start: number; end: number }[]>();
  for (const { id } of records) pagesOf.set(id, (await footnote.documents.structure(id)).pages);
  // The vectors are there once a search by meaning has been asked for.
  await system.search('warm', { mode: 'hybrid', limit: 1 });

  const rankOf = (hits: readonly Evidence[], question: Question): Found => {
    const id = idOf(question.doc_name);
    const wanted = new Set(question.evidence.map((one) => one.evidence_page_num + 1));
    const pages = (pagesOf.get(id) ?? []).filter(({ number }) => wanted.has(number));
    const first = (share: number): number | undefined => {
      const place = hits.findIndex(
        ({ documentId, start, end }) =>
          documentId === id &&
          pages.some((page) => Math.min(end, page.end) - Math.max(start, page.start) > (end - start) * share),
      );
      return place < 0 ? undefined : place + 1;
    };
    return { touching: first(0), mostly: first(0.5) };
  };

  const metrics: Record<string, number> = { questions: questions.length, chunks: ingestion.chunks };
  const goals: BenchGoal[] = [];
  const rows: (string | number)[][] = [];
  const byQuestion: (string | number)[][] = questions.map(({ doc_name, question, evidence }) => [
    doc_name,
    evidence.map((one) => one.evidence_page_num + 1).join(', '),
    question.replace(/\s+/g, ' ').slice(0, 90),
  ]);
  for (const mode of modes)
    for (const isGiven of [false, true]) {
      const found: Found[] = [];
      for (const [index, question] of questions.entries()) {
        const { results } = await footnote.search({
          query: question.question,
          mode,
          topK: depth,
          ...(isGiven && { filter: { op: 'eq', field: 'id', value: idOf(question.doc_name) } as const }),
        });
        const rank = rankOf(results, question);
        found.push(rank);
        if (mode === defaultMode) byQuestion[index]?.push(rank.touching ?? `> ${depth}`);
        if (flags.ranks && mode !== 'vector')
          console.log(mode, isGiven, rank.touching, rank.mostly, byQuestion[index]?.slice(0, 3).join(' | '));
      }
      const share = (pick: (one: Found) => number | undefined, limit: number): number =>
        found.filter((one) => (pick(one) ?? Number.POSITIVE_INFINITY) <= limit).length / found.length;
      const name = `${mode}, ${isGiven ? 'filing given' : 'all filings'}`;
      const reached = share((one) => one.touching, best);
      metrics[`evidence among ${best}, ${name}`] = reached;
      rows.push([
        name,
        share((one) => one.touching, 1),
        reached,
        share((one) => one.mostly, best),
        share((one) => one.touching, 10),
        share((one) => one.touching, depth),
      ]);
      console.log(rows.at(-1)?.join('  '));
      if (mode === defaultMode) {
        const wanted = isGiven ? wantedWithin : wantedOverAll;
        goals.push({
          what: `Evidence page among the ${best} best hits, ${name}`,
          wanted: `>= ${wanted}`,
          got: reached,
          met: reached >= wanted,
        });
      }
    }
  if (!flags.dry)
    await writeResult('financebench', {
      title: 'Questions over filings: the page of the evidence among the best hits',
      command: 'npm run bench financebench',
      seed: null,
      data: [folder],
      metrics,
      goals,
      tables: [
        {
          title: 'Share of the questions whose evidence page is reached by the first hits',
          columns: ['search', 'first', 'of 5', 'of 5, most of the hit on the page', 'of 10', `of ${depth}`],
          rows,
        },
        {
          title: 'By question (mode hybrid: rank of the first hit that reaches onto an evidence page)',
          columns: ['filing', 'evidence pages', 'question', 'all filings', 'filing given'],
          rows: byQuestion,
        },
      ],
      notes: [
        `${records.length} filings, ${ingestion.failed.length} refused; each question counts one twenty-sixth: differences of one or two say little.`,
        'Rules for tables were made with these filings in view, none by these questions.',
        'Many questions name a ratio ("quick ratio") whose terms stand on no page; the evidence is a statement of figures.',
        'A plain BM25 over pages reaches about 27 % and 46 %.',
      ],
    });
} finally {
  await system.close();
}
