// Every measurement by its name: the file that makes it, and the code that it measures. A result is stale once that code has changed
// since (bench/staleness.ts). Invariant: each file here exists and each bench that writes a result is here (test/architecture.test.ts).

export interface Bench {
  readonly file: string;
  /** Folders and files whose change makes a result stale; all of the program where nothing less can be said. */
  readonly measures: readonly string[];
}

const program = ['src', 'packages/readers/src'];
const answering = [
  'src/answer',
  'src/passages',
  'src/text',
  'src/retrieval',
  'src/agent',
  'src/engine',
  'src/stores',
  'src/ingest/chunk',
];
const finding = [
  'src/retrieval',
  'src/stores',
  'src/engine',
  'src/text',
  'src/vectors',
  'src/models',
  'src/ingest/chunk',
];
const reading = ['packages/readers/src', 'src/ingest/read', 'src/ingest/chunk'];
const searching = ['src/engine', 'src/text/analyze.ts'];

export const benches: Readonly<Record<string, Bench>> = {
  analyses: { file: 'answers/analyses.ts', measures: answering },
  answers: { file: 'answers/answers.ts', measures: answering },
  'answers-by-model': { file: 'answers/answers-by-model.ts', measures: [...answering, 'src/models/language'] },
  citations: { file: 'answers/citations.ts', measures: [...answering, ...reading] },
  'postgres-store': {
    file: 'stores/postgres-store.ts',
    measures: ['src/stores/postgres', 'src/db/postgres/client', 'src/engine', 'src/text/analyze.ts'],
  },
  'postgres-record': {
    file: 'stores/postgres-record.ts',
    measures: ['src/db', 'src/stores/embedded', 'src/engine', 'src/retrieval', 'src/footnote', 'src/text/analyze.ts'],
  },
  'postgres-start': {
    file: 'stores/postgres-start.ts',
    measures: ['src/db/postgres', 'src/stores/embedded', 'src/engine'],
  },
  'real-writer': { file: 'answers/real-writer.ts', measures: ['src/answer', 'src/text', 'src/models/encoder'] },
  writer: { file: 'answers/writer.ts', measures: [...answering, 'src/models/gguf'] },
  claims: { file: 'answers/claims.ts', measures: ['src/answer', 'src/text'] },
  'claims-own-words': { file: 'answers/claims-own-words.ts', measures: ['src/answer', 'src/text'] },
  confidence: { file: 'answers/confidence.ts', measures: answering },
  'conflicts-judged': { file: 'answers/conflicts-judged.ts', measures: ['src/answer/conflicts'] },
  conflicts: { file: 'answers/conflicts.ts', measures: ['src/answer/conflicts', 'src/text'] },
  decomposition: { file: 'answers/decomposition.ts', measures: answering },
  determinism: { file: 'engine/determinism.ts', measures: finding },
  documents: { file: 'documents/documents.ts', measures: reading },
  'documents-all': { file: 'documents/documents-all.ts', measures: reading },
  'documents-memory': { file: 'documents/documents-memory.ts', measures: program },
  'documents-speed': { file: 'documents/documents-speed.ts', measures: program },
  doors: { file: 'load/doors.ts', measures: ['src/http', 'src/mcp', 'src/operations'] },
  duplicates: {
    file: 'documents/duplicates.ts',
    measures: ['src/text/minhash.ts', 'src/text/shingles.ts', 'src/ingest', 'src/db'],
  },
  embedding: { file: 'embedding/embedding.ts', measures: ['src/vectors', 'src/models/embedding', 'src/stores'] },
  engine: { file: 'engine/engine.ts', measures: searching },
  expansion: { file: 'retrieval/expansion.ts', measures: finding },
  feedback: { file: 'retrieval/feedback.ts', measures: [...answering, 'src/db'] },
  federation: { file: 'retrieval/federation.ts', measures: [...answering, 'src/footnote'] },
  'many-sources': {
    file: 'retrieval/many-sources.ts',
    measures: ['src/retrieval', 'src/engine', 'src/vectors', 'src/stores/embedded', 'src/footnote'],
  },
  financebench: { file: 'answers/financebench.ts', measures: [...answering, ...reading] },
  'first-answer': { file: 'answers/first-answer.ts', measures: program },
  'research-deadlines': { file: 'load/research-deadlines.ts', measures: program },
  'fuzz-http': { file: 'load/fuzz-http.ts', measures: ['src/http', 'src/footnote', 'src/core'] },
  'fuzz-parsers': { file: 'documents/fuzz-parsers.ts', measures: reading },
  'hostile-files': { file: 'documents/hostile-files.ts', measures: reading },
  'html-main': {
    file: 'documents/html-main.ts',
    measures: ['packages/readers/src/web', 'packages/readers/src/canonical'],
  },
  overload: { file: 'load/overload.ts', measures: program },
  'planned-answers': {
    file: 'answers/planned-answers.ts',
    measures: [...answering, 'src/agent', 'src/models/language'],
  },
  house: { file: 'house/house.ts', measures: program },
  hydration: { file: 'answers/hydration.ts', measures: [...answering, 'src/models/language'] },
  ingest: {
    file: 'documents/ingest.ts',
    measures: ['src/ingest', 'src/db', 'src/stores', 'src/engine', 'src/vectors', 'src/models/corpus'],
  },
  'ingest-paired': {
    file: 'documents/ingest-paired.ts',
    measures: ['src/ingest', 'src/db', 'src/stores', 'src/engine', 'src/vectors', 'src/models/corpus'],
  },
  'folder-paired': { file: 'documents/folder-paired.ts', measures: [...reading, 'src/ingest', 'src/db', 'src/stores'] },
  'learning-paired': { file: 'embedding/learning-paired.ts', measures: ['src/models/corpus'] },
  judges: { file: 'evals/judges.ts', measures: ['src/evals/judges', 'src/text'] },
  load: { file: 'load/load.ts', measures: program },
  locomo: { file: 'archive/locomo.ts', measures: ['src/memory/archive', 'src/text', 'src/db/both/archive'] },
  meaning: { file: 'retrieval/meaning.ts', measures: finding },
  'archive-by-meaning': {
    file: 'archive/archive-by-meaning.ts',
    measures: ['src/agent/archive-chat', 'src/memory', 'src/text', 'src/passages', 'src/models/encoder'],
  },
  'locomo-chat': {
    file: 'archive/locomo-chat.ts',
    measures: ['src/agent/archive-chat', 'src/memory/archive', 'src/passages', 'src/text', 'src/db/both/archive'],
  },
  memory: { file: 'memory/memory.ts', measures: ['src/memory/facts', 'src/db/both/memories', 'src/text/analyze.ts'] },
  modes: { file: 'retrieval/modes.ts', measures: finding },
  ocr: {
    file: 'documents/ocr.ts',
    measures: ['packages/readers/src/engines', 'packages/readers/src/images', 'packages/readers/src/pages'],
  },
  passages: { file: 'answers/passages.ts', measures: [...answering, 'src/models/encoder'] },
  'peek-speed': {
    file: 'archive/peek-speed.ts',
    measures: ['src/memory/archive', 'src/text', 'src/db/both/archive'],
  },
  planted: { file: 'evals/planted.ts', measures: ['src/evals'] },
  rerank: { file: 'retrieval/rerank.ts', measures: ['src/retrieval', 'src/models/rerank'] },
  retrieval: { file: 'retrieval/retrieval.ts', measures: searching },
  'search-http': {
    file: 'load/search-http.ts',
    measures: ['src/http', 'src/footnote', 'src/retrieval', 'src/engine', 'src/stores/embedded', 'src/trace', 'src/db'],
  },
  screen: { file: 'screen/screen.ts', measures: ['web/src', 'src/http'] },
  semantics: { file: 'embedding/semantics.ts', measures: ['src/models/corpus', 'src/vectors', 'src/engine'] },
  'semantics-speed': {
    file: 'embedding/semantics-speed.ts',
    measures: ['src/models/corpus', 'src/vectors', 'src/engine'],
  },
  router: { file: 'retrieval/router.ts', measures: ['src/retrieval/route'] },
  sqlite: { file: 'engine/sqlite.ts', measures: ['src/db'] },
  stores: {
    file: 'stores/stores.ts',
    measures: ['src/stores', 'src/ingest/write', 'src/retrieval/legs', 'src/footnote'],
  },
  'table-answers': { file: 'answers/table-answers.ts', measures: [...answering, ...reading] },
  tracing: { file: 'tracing/tracing.ts', measures: program },
  vectors: { file: 'vectors/vectors.ts', measures: ['src/engine/vectors'] },
};

/** The bench that a result is of: results of several sizes or sets carry them behind its name (`engine-100000`). */
export function benchOf(result: string): Bench | undefined {
  const name = Object.keys(benches)
    .filter((one) => result === one || result.startsWith(`${one}-`))
    .sort((a, b) => b.length - a.length)[0];
  return name === undefined ? undefined : benches[name];
}
