// What marking the template of a site costs and brings: pages of sites with a template, searched by words with and without the marks. Does
// the right page stand first as often as before, and does a line of the template no longer bring every page, yet stay to be found?
// Rules were chosen on the `choosing` sets. Usage:
// node bench/documents/site-templates.ts [--dry] [--lost] [--half choosing|reporting]; `--lost` prints the questions that only one of both answers first.
import { parseArgs } from 'node:util';
import { readCorpus } from '../../src/evals/datasets.ts';
import { openFolderRun, startIngestion } from '../../testkit/folder-run.ts';
import { sharedData } from '../../testkit/shared-data.ts';
import { type BenchGoal, writeResult } from '../report.ts';
import { docsSite, type Half, handbookSite, type Question, type SiteSet } from './site-template-sets.ts';

/** Documents that have nothing to do with the site, beside it in the second round. */
const besideCount = 400;
/** Hits that a person looks at. */
const best = 5;
const depth = 20;

interface Measured {
  readonly first: number;
  readonly amongBest: number;
  readonly reciprocal: number;
  readonly lost: readonly string[];
  /** Pages that a label of the template brings alone, at most `depth`; mean. */
  readonly pagesByLabel: number;
  /** Pages that a notice brings whose words it is; mean. */
  readonly pagesByNotice: number;
  /** Of the notices, those that stand among the best when they are asked for. */
  readonly noticesFound: number;
  /** Lines of the template that no piece of any page holds. */
  readonly unfindable: number;
  readonly tokens: number;
  readonly nearLinks: number;
}

const { values: flags } = parseArgs({
  options: {
    dry: { type: 'boolean', default: false },
    lost: { type: 'boolean', default: false },
    half: { type: 'string' },
  },
});

const fastify = sharedData('markdown', 'fastify-docs');
const cranfield = sharedData('cranfield');
if (fastify === undefined) throw new Error('This bench needs the shared evaluation data: set FOOTNOTE_SHARED_DATA.');

async function textsBeside(): Promise<readonly string[]> {
  const texts: string[] = [];
  if (cranfield !== undefined)
    for await (const { text } of readCorpus(cranfield)) if (texts.length < besideCount) texts.push(text);
  return texts;
}

async function measure(set: SiteSet, marksTemplates: boolean, beside: readonly string[]): Promise<Measured> {
  const place = await openFolderRun();
  try {
    for (const { uri, content } of set.pages) await place.write(uri, content);
    for (const [at, text] of beside.entries()) await place.write(`beside/${at}.txt`, text);
    const connector = { kind: 'folder', path: place.docs } as const;
    const source = { name: 'docs', type: 'docs', connector } as const;
    await place.record.commit([{ kind: 'put-source', source }]);
    const ingestion = await startIngestion(place.record, source.name);
    await place.pipeline.syncSource({ source, connector, ingestion, marksTemplates });
    const documents = (await place.record.documents.list({ limit: 1000 })).data;
    const uris = new Map(documents.map(({ id, uri }) => [id, uri]));
    const search = async (text: string) => (await place.store.search({ text, mode: 'lexical', limit: depth })).hits;
    const pagesFor = async (text: string): Promise<readonly string[]> => [
      ...new Set((await search(text)).map(({ documentId }) => uris.get(documentId) ?? '')),
    ];

    const ranks: { readonly question: Question; readonly rank: number; readonly pages: readonly string[] }[] = [];
    for (const question of set.questions) {
      const pages = await pagesFor(question.text);
      ranks.push({ question, pages, rank: pages.findIndex((uri) => question.right.has(uri)) + 1 });
    }
    let [tokens, nearLinks] = [0, 0];
    const pieces = new Map<string, string>();
    const held = new Set<string>();
    for (const { id, uri } of documents) {
      if (uri.startsWith('beside/')) continue;
      nearLinks += (await place.record.documents.duplicates(id)).length;
      for (const chunk of await place.record.documents.chunks(id)) {
        tokens += chunk.tokens;
        pieces.set(chunk.id, chunk.text);
        for (const line of chunk.text.split('\n')) held.add(line.trim());
      }
    }
    const holding = async (text: string, limit: number): Promise<number> =>
      (await search(text)).slice(0, limit).filter(({ chunkId }) => pieces.get(chunkId)?.includes(text)).length;
    const mean = async (texts: readonly string[], count: (text: string) => Promise<number>): Promise<number> => {
      let sum = 0;
      for (const text of texts) sum += await count(text);
      return sum / texts.length;
    };
    return {
      first: ranks.filter(({ rank }) => rank === 1).length,
      amongBest: ranks.filter(({ rank }) => rank >= 1 && rank <= best).length,
      reciprocal: ranks.reduce((sum, { rank }) => sum + (rank ? 1 / rank : 0), 0) / ranks.length,
      lost: ranks
        .filter(({ rank }) => rank !== 1)
        .map(({ question, rank, pages }) => `${question.text} | ${rank} | ${pages.slice(0, 2).join(' ')}`),
      pagesByLabel: await mean(set.labels, async (label) => holding(label, depth)),
      pagesByNotice: await mean(set.notices, async (notice) => holding(notice, depth)),
      noticesFound: await mean(set.notices, async (notice) => Math.min(1, await holding(notice, best))),
      unfindable: [...set.notices, ...set.labels].filter((line) => !held.has(line)).length,
      tokens,
      nearLinks,
    };
  } finally {
    await place.close();
  }
}

const halves: readonly Half[] = ['choosing', 'reporting'];
const sets = halves
  .filter((half) => flags.half === undefined || flags.half === half)
  .flatMap((half): SiteSet[] =>
    (['md', 'html'] as const).flatMap((format) => [
      ...(half === 'choosing' ? [7, 11] : [19, 23]).map((seed) => handbookSite(format, seed, half)),
      docsSite(fastify, format, half),
    ]),
  );
const beside = await textsBeside();

const columns = [
  'site',
  'half',
  'marks',
  'questions',
  'right page first',
  `among ${best}`,
  'MRR',
  'pieces that say a label it brings',
  'pieces a notice brings',
  `notices among ${best}`,
  'lines no piece holds',
  'tokens of pieces',
  'links as copies',
];
const rows: (string | number)[][] = [];
const sums = { asked: 0, before: 0, after: 0, amongBefore: 0, amongAfter: 0, tokensBefore: 0, tokensAfter: 0 };
const marks: Measured[] = [];
const decided = flags.half === 'choosing' ? 'choosing' : 'reporting';
for (const set of sets)
  for (const company of [[], beside]) {
    const [plain, marked] = [await measure(set, false, company), await measure(set, true, company)];
    if (set.half === decided) {
      marks.push(marked);
      sums.asked += set.questions.length;
      sums.before += plain.first;
      sums.after += marked.first;
      sums.amongBefore += plain.amongBest;
      sums.amongAfter += marked.amongBest;
      sums.tokensBefore += plain.tokens;
      sums.tokensAfter += marked.tokens;
    }
    for (const [name, one] of Object.entries({ without: plain, with: marked }))
      rows.push([
        `${set.name}${company.length > 0 ? `, ${company.length} other texts beside it` : ''}`,
        set.half,
        name,
        set.questions.length,
        one.first,
        one.amongBest,
        one.reciprocal,
        one.pagesByLabel,
        one.pagesByNotice,
        one.noticesFound,
        one.unfindable,
        one.tokens,
        one.nearLinks,
      ]);
    for (const row of rows.slice(-2))
      console.log(row.map((cell) => (typeof cell === 'number' ? Math.round(cell * 1000) / 1000 : cell)).join('  '));
    if (flags.lost) tell(plain, marked);
  }

/** Questions whose first hit is right in one of two measures alone. */
function tell(plain: Measured, marked: Measured): void {
  const questionOf = (line: string): string => line.slice(0, line.indexOf(' | '));
  const only = (one: Measured, other: Measured): readonly string[] => {
    const known = new Set(other.lost.map(questionOf));
    return one.lost.filter((line) => !known.has(questionOf(line)));
  };
  for (const line of only(marked, plain)) console.log(`    lost: ${line}`);
  for (const line of only(plain, marked)) console.log(`    won: ${line}`);
}

const most = Math.max(...marks.map(({ pagesByNotice }) => pagesByNotice));
const links = marks.reduce((sum, { nearLinks }) => sum + nearLinks, 0);
const goals: BenchGoal[] = [
  {
    what: `Right page first of ${sums.asked}, with marks`,
    wanted: `>= ${sums.before} (without)`,
    got: sums.after,
    met: sums.after >= sums.before,
  },
  { what: 'Pieces that a notice of the template brings', wanted: '<= 1', got: most, met: most <= 1 },
  { what: 'Links between pages that only share a template', wanted: '0', got: links, met: links === 0 },
];
console.log(sums);
for (const { what, wanted, got, met } of goals) console.log(met ? 'met' : 'MISSED', what, wanted, got);
if (!flags.dry && flags.half === undefined)
  await writeResult('site-templates', {
    title: 'Sites with a template: the right page first, with and without marks',
    command: 'npm run bench site-templates',
    seed: 7,
    data: [fastify, ...(cranfield === undefined ? [] : [cranfield])],
    metrics: {
      questions: sums.asked,
      'right page first, without marks': sums.before,
      'right page first, with marks': sums.after,
      [`right page among ${best}, without marks`]: sums.amongBefore,
      [`right page among ${best}, with marks`]: sums.amongAfter,
      'tokens of pieces, share left by marks': sums.tokensAfter / sums.tokensBefore,
    },
    goals,
    tables: [{ title: 'By site', columns, rows }],
    notes: [
      'Metrics and goals count the reporting halves; the rule was chosen on the choosing ones. Search by words.',
      'Handbooks are generated, 80 pages with 26 lines of template; every fourth question uses words of it (report a problem with …). The Fastify documentation has a navigation that lists its pages.',
      'A label is in no piece then, as navigation is that its page marks as such; a notice is in one.',
    ],
  });
