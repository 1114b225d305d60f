// Changes that are planted in a copy of the program: twenty that make answers or searches worse, as slips of a hand do, and twenty that change
// nothing that anybody sees. Invariant: what is replaced stands in its file exactly once, so that a change that no longer fits is an error.

export interface PlantedChange {
  readonly name: string;
  /** Under src; absent: settings alone. */
  readonly file?: string;
  readonly find?: string;
  readonly replace?: string;
  readonly environment?: Readonly<Record<string, string>>;
}

export const regressions: readonly PlantedChange[] = [
  { name: 'k1 of BM25 wrong', file: 'engine/lexical.ts', find: 'k1: 1.2, b: 0.75', replace: 'k1: 120, b: 0.75' },
  { name: 'b of BM25 wrong', file: 'engine/lexical.ts', find: 'k1: 1.2, b: 0.75', replace: 'k1: 1.2, b: -2' },
  {
    name: 'rarity of words left out',
    file: 'engine/score.ts',
    find: 'return Math.log(1 + (entries - frequency + 0.5) / (frequency + 0.5));',
    replace: 'return entries === frequency ? 0.9 : 1;',
  },
  {
    name: 'weight of words 0 in the fusion',
    file: 'retrieval/fusion/fuse.ts',
    find: 'const contribution = weight * normalised;\n      const standing',
    replace: "const contribution = leg === 'lexical' ? 0 : weight * normalised;\n      const standing",
  },
  {
    name: 'fused list in the wrong order',
    file: 'retrieval/fusion/fuse.ts',
    find: '  const hits = [...found.values()].sort(compareHits);\n  for',
    replace: '  const hits = [...found.values()].sort(compareHits).reverse();\n  for',
  },
  {
    name: 'best hit lost',
    file: 'retrieval/hydrate.ts',
    find: '  const shown = hits.slice(0, wanted);',
    replace: '  const shown = hits.slice(1, wanted);',
  },
  {
    name: 'citation off by one',
    file: 'answer/render.ts',
    find: '    start: span.start,\n    end: span.end,',
    replace: '    start: span.start + 1,\n    end: span.end,',
  },
  {
    name: 'quote cut short',
    file: 'answer/render.ts',
    find: '    quote: span.written ?? span.quote,',
    replace: '    quote: span.quote.slice(0, 40),',
  },
  {
    name: 'title of another document at a citation',
    file: 'answer/render.ts',
    find: '    title: span.title,',
    replace: "    title: span.title + ' (2)',",
  },
  {
    name: 'claim shown without its end',
    file: 'answer/render.ts',
    find: '    claims.push(toClaim(claim, cite));',
    replace:
      "    claims.push(toClaim({ ...claim, text: claim.text.slice(0, Math.ceil(claim.text.length / 3)) + ' the' }, cite));",
  },
  {
    name: 'stale cache: rows of an earlier revision',
    file: 'db/sqlite/documents/row-cache.ts',
    find: '      if (known?.revision === revision) return known.rows;',
    replace: '      if (known) return known.rows;',
  },
  {
    name: 'answers where nothing answers',
    file: 'passages/sureness.ts',
    find: 'export const abstainBelow = 0.15;',
    replace: 'export const abstainBelow = 0;',
  },
  {
    name: 'abstains where something answers',
    file: 'passages/sureness.ts',
    find: 'export const abstainBelow = 0.15;',
    replace: 'export const abstainBelow = 0.8;',
  },
  {
    name: 'question cut to its first words before it is answered',
    file: 'answer/passages/passage-composer.ts',
    find: '  const frame = readFrame(question, known);',
    replace: "  const frame = readFrame(question.split(' ').slice(0, 3).join(' '), known);",
  },
  {
    name: 'query cut to its first words before it is searched',
    file: 'agent/turn/gatherer.ts',
    find: 'mode: request.mode, query, ...more };',
    replace: "mode: request.mode, query: query.split(' ').slice(0, 3).join(' '), ...more };",
  },
  {
    name: 'passages chosen in the wrong order',
    file: 'passages/choose.ts',
    find: '  for (const one of ranked) {',
    replace: '  for (const one of ranked.toReversed()) {',
  },
  {
    name: 'first block of the context lost',
    file: 'answer/context/context.ts',
    find: '  return { blocks, tokens, dropped };',
    replace: '  return { blocks: blocks.slice(1), tokens, dropped };',
  },
  { name: 'budget of the context wrong by a digit', environment: { CONTEXT_MAX_TOKENS: '100' } },
  {
    name: 'claims said twice',
    file: 'answer/render.ts',
    find: '  for (const claim of request.claims) {\n    places',
    replace: '  for (const claim of request.claims.flatMap((one) => [one, one])) {\n    places',
  },
  {
    name: 'words of the question without their stems',
    file: 'stores/embedded/query.ts',
    find: '  const { terms, sequences, words: readings } = readQueryWords(words, { languages });',
    replace:
      "  const terms = words.toLowerCase().split(/[^a-z0-9]+/u).filter((term) => term !== '');\n  const [sequences, readings] = [[terms], [terms]];",
  },
];

const comment = (file: string, find: string): PlantedChange => ({
  name: `a comment in ${file}`,
  file,
  find,
  replace: `// Nothing changes here.\n${find}`,
});

export const sameAsBefore: readonly PlantedChange[] = [
  { name: 'nothing' },
  { name: 'another port', environment: { FOOTNOTE_PORT: '5999' } },
  { name: 'queries in the log', environment: { LOG_QUERIES: 'true' } },
  { name: 'traces kept longer', environment: { TRACE_RETENTION_DAYS: '90' } },
  { name: 'another name in metrics', environment: { OTEL_SERVICE_NAME: 'other' } },
  { name: 'more time for requests', environment: { REQUEST_TIMEOUT_MS: '120000' } },
  { name: 'a cap of the chat', environment: { CHAT_MAX_TOKENS: '40000' } },
  { name: 'answers judged while they are given', environment: { ENABLE_ONLINE_EVALS: 'true', EVAL_SAMPLE_RATE: '1' } },
  {
    name: 'k1 written otherwise',
    file: 'engine/lexical.ts',
    find: 'k1: 1.2, b: 0.75',
    replace: 'b: 3 / 4, k1: 12 / 10',
  },
  {
    name: 'rarity written otherwise',
    file: 'engine/score.ts',
    find: 'return Math.log(1 + (entries - frequency + 0.5) / (frequency + 0.5));',
    replace: 'const rare = (entries - frequency + 0.5) / (frequency + 0.5);\n  return Math.log(1 + rare);',
  },
  {
    name: 'a variable renamed',
    file: 'retrieval/fusion/fuse.ts',
    find: '      const contribution = weight * normalised;\n      const standing',
    replace: '      const part = normalised * weight;\n      const contribution = part;\n      const standing',
  },
  {
    name: 'a list copied',
    file: 'retrieval/hydrate.ts',
    find: '  const shown = hits.slice(0, wanted);',
    replace: '  const shown = [...hits].slice(0, wanted);',
  },
  {
    name: 'a field set twice',
    file: 'answer/render.ts',
    find: '    quote: span.written ?? span.quote,',
    replace: '    quote: String(span.written ?? span.quote),',
  },
  {
    name: 'a threshold written otherwise',
    file: 'passages/sureness.ts',
    find: 'export const abstainBelow = 0.15;',
    replace: 'export const abstainBelow = 15 / 100;',
  },
  {
    name: 'blocks copied',
    file: 'answer/context/context.ts',
    find: '  return { blocks, tokens, dropped };',
    replace: '  return { dropped, tokens, blocks: [...blocks] };',
  },
  {
    name: 'a sort made twice',
    file: 'retrieval/fusion/fuse.ts',
    find: '  const hits = [...found.values()].sort(compareHits);\n  for',
    replace: '  const hits = [...found.values()].sort(compareHits).sort(compareHits);\n  for',
  },
  comment('answer/passages/read-context.ts', 'const mostOfDocument = 24;'),
  comment('agent/turn/gatherer.ts', 'const targetedDepth = 5;'),
  comment('answer/verify.ts', 'export async function verifyCitation('),
  comment('stores/embedded/query.ts', '    for (const term of analyzeQuery(text, { languages })) {'),
];
