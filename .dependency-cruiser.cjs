// Who may import whom, kept by dependency-cruiser. `rows` is the import table that ARCHITECTURE.md shows (`readers` is the package
// packages/readers, all else a folder of src); the rules below are made from it. Invariant: a folder imports only what its row names, adapters are imported by composition alone, and
// each vendor package has one home. test/architecture.test.ts runs this and plants violations to see it fail.

/** @type {Record<string, string[]>} folder (or file) under src -> what it may import beside itself */
const rows = {
  readers: [],
  core: [],
  text: ['readers', 'core'],
  threads: ['core'],
  engine: ['core', 'text', 'threads'],
  net: ['core'],
  db: ['core'],
  trace: ['core', 'db'],
  models: ['core', 'text', 'threads', 'trace', 'net', 'db', 'engine'],
  stores: ['core', 'text', 'trace', 'db', 'engine', 'net'],
  vectors: ['core', 'text', 'trace', 'db', 'models', 'stores'],
  ingest: ['readers', 'core', 'text', 'threads', 'trace', 'db', 'net', 'models', 'stores', 'vectors'],
  passages: ['core', 'text'],
  retrieval: ['core', 'text', 'passages', 'trace', 'db', 'models', 'stores'],
  memory: ['core', 'text', 'threads', 'engine', 'trace', 'db', 'models', 'stores', 'ingest'],
  answer: ['core', 'text', 'passages', 'threads', 'trace', 'models'],
  agent: ['core', 'text', 'passages', 'trace', 'models', 'retrieval', 'memory', 'answer'],
  evals: ['core', 'text', 'trace', 'net', 'db', 'models', 'answer'],
  auth: ['core', 'db'],
  config: ['core'],
  footnote: [
    'readers',
    'core',
    'text',
    'passages',
    'threads',
    'engine',
    'net',
    'db',
    'trace',
    'models',
    'stores',
    'vectors',
    'ingest',
    'retrieval',
    'memory',
    'answer',
    'agent',
    'evals',
    'auth',
    'config',
  ],
  operations: ['core', 'auth', 'footnote'],
  mcp: ['core', 'text', 'passages', 'footnote', 'operations'],
  http: ['core', 'text', 'answer', 'auth', 'footnote', 'operations', 'mcp'],
  cli: ['core', 'operations', 'http', 'mcp', 'evals', 'config', 'footnote'],
  testing: ['core', 'models', 'stores'],
  index: ['footnote', 'core', 'config', 'stores', 'text'],
};

/** @type {Record<string, string[]>} room of the readers -> rooms that it may import from beside itself */
const readerRooms = {
  canonical: [],
  engines: [],
  code: ['canonical'],
  containers: ['canonical'],
  images: ['canonical', 'engines'],
  pages: ['canonical', 'engines', 'containers', 'images'],
  pictures: ['containers', 'pages'],
  markup: ['canonical', 'pictures'],
  office: ['canonical', 'containers', 'images', 'pictures'],
  web: ['canonical', 'containers', 'pictures'],
  books: ['canonical', 'containers', 'pictures', 'web'],
  data: ['canonical', 'containers', 'markup', 'web'],
  sheets: ['canonical', 'containers', 'pages', 'pictures', 'office'],
  slides: ['canonical', 'containers', 'pictures', 'office'],
  words: ['canonical', 'containers', 'images', 'pictures', 'office'],
  mail: ['canonical', 'containers', 'pictures', 'office', 'web', 'words'],
  opendocument: ['canonical', 'containers', 'pictures', 'office', 'sheets', 'words'],
  registry: [
    'canonical',
    'engines',
    'code',
    'containers',
    'images',
    'pages',
    'pictures',
    'markup',
    'office',
    'web',
    'books',
    'data',
    'sheets',
    'slides',
    'words',
    'mail',
    'opendocument',
  ],
};

/** The one home of each vendor package or guarded built-in: [what, pattern of the import, pattern of its home]. */
const homes = [
  ['fastify', '^(@fastify/|fastify($|/|-))', '^src/http/'],
  ['mcp', '^@modelcontextprotocol/', '^src/mcp/'],
  ['tokens-of-issuers', '^jose$', '^src/auth/'],
  ['terminal', '^(commander|@clack/)', '^src/cli/'],
  ['sqlite', '^(node:)?sqlite$', '^src/(db/|stores/embedded/)'],
  ['pdf', '^@embedpdf/pdfium', '^packages/readers/src/(engines|pages)/'],
  ['html', '^parse5', '^packages/readers/src/'],
  ['web-pages', '^@mozilla/readability', '^packages/readers/src/web/'],
  ['markdown', '^(@types/)?(mdast|micromark)', '^packages/readers/src/'],
  ['syntax-trees', '^(web-tree-sitter|@vscode/tree-sitter-wasm)', '^packages/readers/src/code/'],
  ['csv', '^csv-parse', '^packages/readers/src/data/'],
  ['mail', '^(postal-mime|@kenjiuno/msgreader)', '^packages/readers/src/mail/'],
  ['xml', '^saxes', '^packages/readers/src/containers/xml-'],
  ['spreadsheets', '^@e965/xlsx', '^packages/readers/src/sheets/'],
  ['encodings', '^chardet', '^packages/readers/src/canonical/decode'],
  ['archives', '^(yauzl|tar-stream|xz-decompress)', '^packages/readers/src/containers/'],
  ['recognition', '^(tesseract\\.js|@tesseract\\.js-data/)', '^packages/readers/src/engines/ocr-'],
  ['tiff', '^utif2', '^packages/readers/src/images/image-tiff'],
  ['sniffing', '^file-type', '^packages/readers/src/registry/sniff'],
  ['yaml', '^yaml($|/)', '^(src/config/layers\\.ts$|packages/readers/src/)'],
  ['stemming', '^snowball-stemmers', '^src/text/'],
  ['language', '^eld($|/)', '^src/text/'],
  ['tokens', '^gpt-tokenizer', '^src/text/'],
  ['openai', '^openai($|/)', '^src/stores/openai/'],
  ['local-models', '^(@huggingface/|onnxruntime-)', '^src/models/local'],
  ['azure-search', '^@azure/', '^src/stores/azure/'],
  ['firestore', '^(@google-cloud/|google-auth-library)', '^src/stores/firestore/'],
  ['postgres', '^pg$', '^src/db/postgres/client/client\\.ts$'],
  [
    'sockets',
    '^(node:)?(net|tls|dgram|http2|dns|dns/promises|https)$|^undici',
    // The client of PostgreSQL hands its sockets to `pg`, so that it can end them.
    '^src/((net|cli|http|testing)/|db/postgres/client/client\\.ts$)',
  ],
  ['http', '^(node:)?http$', '^src/(net|cli|http|testing)/'],
  ['local-models', '^(onnxruntime-node|@huggingface/tokenizers)', '^src/models/local/runtime'],
  ['threads', '^(node:)?worker_threads$', '^src/(threads/|(engine|models|answer|footnote)/[a-z/-]*worker\\.ts$)'],
  [
    'processes',
    '^(node:)?child_process$',
    '^src/(ingest|cli)/|^src/threads/child|^src/footnote/process-state|^src/models/gguf/runtime',
  ],
];

/** Files that something starts or serves instead of importing: processes of their own, ambient types. */
const entries =
  '^src/(cli/main|index|testing/index|(ingest/read|memory/archive/import|models/(local|gguf))/[a-z-]*child|(engine|models|answer|footnote)/[a-z/-]*worker)\\.ts$|\\.d\\.ts$';

const place = (names) =>
  `^(${names.map((name) => (name === 'readers' ? 'packages/readers/src/' : `src/${name}(/|\\.ts$)`)).join('|')})`;
const packaged = (pattern) => pattern.replaceAll('^', '(^|(^|/)node_modules/)');
/** The shapes of canonical text belong to the readers; the vocabulary names them too, as types. */
const sharedShapes = '^packages/readers/src/document\\.ts$';

const rowRules = Object.entries(rows).map(([from, allowed]) => ({
  name: `row-${from}`,
  comment: `${from} may import only: ${allowed.join(', ') || 'nothing of ours'}`,
  severity: 'error',
  from: { path: place([from]) },
  to: {
    path: '^(src|packages/readers/src)/',
    pathNot: from === 'core' ? [place([from]), sharedShapes] : place([from, ...allowed]),
  },
}));

const roomRules = Object.entries(readerRooms).map(([from, allowed]) => ({
  name: `room-${from}`,
  comment: `packages/readers/src/${from} may import of the readers: ${allowed.join(', ') || 'nothing'}`,
  severity: 'error',
  from: { path: `^packages/readers/src/${from}/` },
  to: {
    path: '^packages/readers/src/',
    // What stands beside the rooms is ground for all of them.
    pathNot: `^packages/readers/src/((${[from, ...allowed].join('|')})/|[a-z0-9-]+\\.ts$)`,
  },
}));

const homeRules = homes.map(([name, pattern, home]) => ({
  name: `home-${name}`,
  comment: `its only home is ${home}`,
  severity: 'error',
  from: { path: '^(src|packages/readers/src)/', pathNot: home },
  to: { path: packaged(pattern) },
}));

module.exports = {
  forbidden: [
    ...rowRules,
    ...roomRules,
    ...homeRules,
    {
      name: 'core-stands-alone',
      comment: 'the vocabulary needs zod, the built-in hash and the context of calls, nothing else',
      severity: 'error',
      from: { path: '^src/core/' },
      to: { pathNot: ['^src/core/|^(node_modules/)?zod(/|$)|^(node:)?(crypto|async_hooks)$', sharedShapes] },
    },
    {
      name: 'adapters-only-from-composition',
      comment: 'a port is imported, its adapters are handed in by src/footnote; the embedded store lives in the record',
      severity: 'error',
      from: { path: '^src/([^/]+)/', pathNot: '^src/(footnote/|testing/|stores/embedded/)' },
      to: {
        path: '^src/(stores/(?!(store|delivered|held|hosted-search|document-facts|web/web-search|embedded/(port|vector-keeping))\\.ts)|db/(?!((?:repositories|servers)/[a-z-]+|record|tenant-record|instant|glob|document-path|postgres/client/(client|errors|text))\\.ts)|models/(?!(role-question|embedding/(model|remote-embedding|semantics|calibrated-model|feedback-vector)|language/(language-model|messages|file-search|generation|call-options|model-name|recorded-model|model-usage|tokenizer-of|structured/(structured|stream)|tools/(read-call|tool-turn))|rerank/(rerank-model|ranking)|encoder/(encoder|passage-scorer)|money/model-budget)\\.ts))',
        pathNot: '^src/$1/',
      },
    },
    {
      name: 'client-of-postgresql',
      comment: 'the record and the store in PostgreSQL share a client; nobody else speaks to a database',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(db/(postgres|move)/|stores/postgres/)' },
      to: { path: '^src/db/postgres/client/' },
    },
    {
      name: 'judges-apart-from-the-verifier',
      comment: 'who judges answers must not share the rules that let their claims pass (docs/adr/0046)',
      severity: 'error',
      from: { path: '^src/evals/judges/' },
      to: { path: '^src/answer/' },
    },
    {
      name: 'connectors-only-from-composition',
      comment:
        'sources are read through the port (src/ingest/connectors/connector.ts); src/footnote/connectors.ts opens them by their kind',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(footnote/connectors|ingest/connectors/)' },
      to: { path: '^src/ingest/connectors/(folder|read-inside|roots)\\.ts$' },
    },
    {
      name: 'nothing-imports-the-test-kit',
      comment: 'footnote/testing is for applications: fakes are no part of the program',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/testing/' },
      to: { path: '^src/testing/' },
    },
    {
      name: 'pages-know-the-contract-alone',
      comment:
        'pages run in browsers: of the server they name types of its contract, in one file, and of packages their own',
      severity: 'error',
      from: { path: '^web/src/', pathNot: '^web/src/shared/contract\\.ts$' },
      to: { pathNot: ['^web/src/', packaged('^(preact|@preact/signals|pdfjs-dist)(/|$)')] },
    },
    {
      name: 'contract-of-pages-is-core',
      severity: 'error',
      from: { path: '^web/src/shared/contract\\.ts$' },
      to: { pathNot: '^src/core/' },
    },
    {
      name: 'contract-of-pages-is-types-alone',
      severity: 'error',
      from: { path: '^web/src/shared/contract\\.ts$' },
      to: { dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'no-page-in-the-program',
      comment: 'the server serves what was built of the pages, and imports nothing of them',
      severity: 'error',
      from: { path: '^(src|packages/readers/src)/' },
      to: { path: '^web/' },
    },
    {
      name: 'nothing-imports-tests',
      severity: 'error',
      from: { path: '^(src|packages/readers/src)/' },
      to: { path: '^(test|testkit|bench|scripts|packages/readers/(test|testkit))/' },
    },
    {
      name: 'no-dev-dependency-at-run-time',
      severity: 'error',
      from: { path: '^(src|packages/readers/src)/' },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'no-undeclared-package',
      severity: 'error',
      from: {},
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    },
    { name: 'no-cycle', severity: 'error', from: {}, to: { circular: true } },
    { name: 'no-unresolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
    {
      name: 'no-orphan',
      severity: 'error',
      from: { path: '^(src|packages/readers/src)/', orphan: true, pathNot: entries },
      to: {},
    },
    {
      name: 'reached-by-a-test',
      comment:
        'every source file is imported by a test, however far away, or by an entry file, which is started by one',
      severity: 'error',
      from: {
        path: '^(test|packages/readers/test)/|^src/(ingest/read|memory/archive/import|models/gguf)/[a-z-]*child\\.ts$',
      },
      to: { path: '^(src|packages/readers/src)/', pathNot: `${entries}|^src/(cli|footnote)/`, reachable: false },
    },
    {
      name: 'reached-by-the-program',
      comment: 'doors and composition are tested through the program, which the scenario tests start',
      severity: 'error',
      from: { path: '^(test/|src/cli/main\\.ts$)' },
      to: { path: '^src/(cli|footnote)/', pathNot: entries, reachable: false },
    },
  ],
  options: {
    parser: 'swc',
    tsPreCompilationDeps: true,
    combinedDependencies: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)fixtures/' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.cjs', '.json', '.d.ts'],
    },
  },
};
