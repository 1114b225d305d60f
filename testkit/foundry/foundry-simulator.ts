// A stand-in for Azure AI Foundry's evaluations, by the vendor's documentation: definitions, runs that take their time, results by pages. It is
// strict about what it is sent, and knobs make it fail as services do. What it cannot show needs a live run (docs/RESILIENCY.md).
import { type FaultyServer, openFaultyServer, type ServedReply, type ServedRequest } from '../faulty-server.ts';

type Item = Readonly<Record<string, string>>;

export interface FoundryKnobs {
  /** How often a run is asked for before it has ended. */
  polls: number;
  /** How a run ends; `stuck`: never. */
  outcome: 'completed' | 'failed' | 'canceled' | 'stuck';
  /** What is wrong with results. */
  results:
    | 'sound'
    | 'lost'
    | 'twice'
    | 'out-of-scale'
    | 'no-score'
    | 'text-score'
    | 'no-echo'
    | 'echoes-key'
    | 'other-names';
  pageSize: number;
  /** 1 to 5. */
  score: (item: Item, evaluator: string) => number;
  /** Definitions are forgotten, as if somebody deleted them. */
  forgets: boolean;
}

export interface FoundrySimulator extends Pick<FaultyServer, 'requests' | 'close'> {
  /** Of the project. */
  readonly endpoint: string;
  readonly knobs: FoundryKnobs;
  /** Rows as they came, by run. */
  readonly runs: readonly (readonly Item[])[];
  readonly cancelled: readonly string[];
  set fault(fault: FaultyServer['fault']);
}

const reads: Readonly<Record<string, readonly (readonly string[])[]>> = {
  'builtin.groundedness': [
    ['response', 'context'],
    ['query', 'response'],
  ],
  'builtin.relevance': [['query', 'response']],
  'builtin.coherence': [['query', 'response']],
  'builtin.retrieval': [['query', 'context']],
  'builtin.response_completeness': [['ground_truth', 'response']],
};

interface Criterion {
  readonly type?: unknown;
  readonly name?: unknown;
  readonly evaluator_name?: unknown;
  readonly initialization_parameters?: { readonly deployment_name?: unknown };
  readonly data_mapping?: Readonly<Record<string, string>>;
}
interface Definition {
  readonly criteria: readonly Criterion[];
  readonly fields: readonly string[];
}
interface Run {
  readonly definition: Definition;
  readonly items: readonly Item[];
  asked: number;
  isCancelled: boolean;
}

const refused = (status: number, message: string): ServedReply => ({
  status,
  body: { error: { code: String(status), message } },
});

/** What the service would refuse of a definition; undefined: nothing. */
function wrongIn(body: {
  data_source_config?: { type?: string; item_schema?: { properties?: object } };
  testing_criteria?: Criterion[];
}): string | undefined {
  const { data_source_config: source, testing_criteria: criteria } = body;
  if (source?.type !== 'custom' || !source.item_schema?.properties) return 'data_source_config';
  if (!Array.isArray(criteria) || criteria.length === 0) return 'testing_criteria';
  for (const { type, name, evaluator_name, initialization_parameters, data_mapping = {} } of criteria) {
    const wanted = reads[String(evaluator_name)];
    if (type !== 'azure_ai_evaluator' || typeof name !== 'string' || !wanted)
      return `evaluator ${String(evaluator_name)}`;
    if (typeof initialization_parameters?.deployment_name !== 'string') return 'deployment_name';
    if (!wanted.some((fields) => fields.every((field) => data_mapping[field] === `{{item.${field}}}`)))
      return 'data_mapping';
    if (Object.keys(data_mapping).some((field) => !(field in (source.item_schema?.properties ?? {}))))
      return 'item_schema';
  }
  return undefined;
}

export async function openFoundrySimulator({
  key = 'foundry-key-0123456789',
  version = 'v1',
} = {}): Promise<FoundrySimulator> {
  const definitions = new Map<string, Definition>();
  const runs = new Map<string, Run>();
  const cancelled: string[] = [];
  const knobs: FoundryKnobs = {
    polls: 2,
    outcome: 'completed',
    results: 'sound',
    pageSize: 100,
    score: () => 4,
    forgets: false,
  };

  function resultOf(item: Item, { name, evaluator_name }: Criterion, request: ServedRequest): unknown {
    const metric = String(evaluator_name).replace('builtin.', '');
    const score = knobs.score(item, metric);
    const told = { out: 7, none: null, text: String(score) };
    const sent = { 'out-of-scale': told.out, 'no-score': told.none, 'text-score': told.text }[knobs.results as string];
    return {
      type: 'azure_ai_evaluator',
      name:
        knobs.results === 'other-names' ? 'Something' : String(name).replace(/^./u, (letter) => letter.toUpperCase()),
      metric: knobs.results === 'other-names' ? 'something' : metric,
      score: sent === undefined ? score : sent,
      label: score >= 3 ? 'pass' : 'fail',
      reason: knobs.results === 'echoes-key' ? `key ${String(request.headers['api-key'])}` : `It has ${score}.`,
      threshold: 3,
      passed: score >= 3,
    };
  }

  function itemsOf({ definition, items }: Run, request: ServedRequest): unknown[] {
    const all = items.map((item, at) => ({
      object: 'eval.run.output_item',
      id: `outputitem_${at}`,
      status: 'completed',
      datasource_item_id: at,
      datasource_item: knobs.results === 'no-echo' ? undefined : item,
      results: definition.criteria.map((criterion) => resultOf(item, criterion, request)),
    }));
    if (knobs.results === 'lost') return all.slice(1);
    if (knobs.results === 'twice') return [...all, { ...all[0], id: 'outputitem_again' }];
    // Rows end in no order.
    return all.toReversed();
  }

  function create(body: never): ServedReply {
    const wrong = wrongIn(body);
    if (wrong !== undefined) return refused(400, `The ${wrong} is wrong.`);
    const { data_source_config, testing_criteria } = body as {
      data_source_config: { item_schema: { required?: string[] } };
      testing_criteria: Criterion[];
    };
    const id = `eval_${definitions.size + 1}`;
    definitions.set(id, { criteria: testing_criteria, fields: data_source_config.item_schema.required ?? [] });
    return { status: 201, body: { object: 'eval', id } };
  }

  function start(
    definition: Definition,
    body: { data_source?: { type?: string; source?: { type?: string; content?: { item?: Item }[] } } },
  ): ServedReply {
    const { type, source } = body.data_source ?? {};
    if (type !== 'jsonl' || source?.type !== 'file_content' || !Array.isArray(source.content))
      return refused(400, 'data_source');
    const items = source.content.flatMap(({ item }) => (item === undefined ? [] : [item]));
    if (items.length !== source.content.length || items.length === 0) return refused(400, 'content');
    if (items.some((item) => definition.fields.some((field) => typeof item[field] !== 'string')))
      return refused(400, 'item');
    const id = `evalrun_${runs.size + 1}`;
    runs.set(id, { definition, items, asked: 0, isCancelled: false });
    return { status: 201, body: { object: 'eval.run', id, status: 'queued' } };
  }

  function statusOf(run: Run): string {
    run.asked += 1;
    if (run.isCancelled) return 'canceled';
    if (knobs.outcome === 'stuck' || run.asked <= knobs.polls) return run.asked === 1 ? 'queued' : 'in_progress';
    return knobs.outcome;
  }

  function page(run: Run, query: URLSearchParams, request: ServedRequest): ServedReply {
    const all = itemsOf(run, request) as { id: string }[];
    const after = query.get('after');
    const from = after === null ? 0 : all.findIndex(({ id }) => id === after) + 1;
    const data = all.slice(from, from + Math.min(knobs.pageSize, Number(query.get('limit') ?? 20)));
    const [first, last] = [data[0]?.id ?? null, data.at(-1)?.id ?? null];
    return {
      status: 200,
      body: { object: 'list', data, first_id: first, last_id: last, has_more: from + data.length < all.length },
    };
  }

  const server = await openFaultyServer((request) => {
    const { pathname, searchParams } = new URL(request.path, 'http://foundry.invalid');
    if (request.headers['api-key'] !== key) return refused(401, 'Access denied due to invalid subscription key.');
    const root = version === 'v1' ? '/api/projects/p/openai/v1/evals' : '/api/projects/p/openai/evals';
    if (!pathname.startsWith(root) || (version !== 'v1' && searchParams.get('api-version') !== version))
      return refused(404, 'Resource not found');
    const [, definitionId = '', , runId = '', more] = pathname.slice(root.length).split('/');
    const body = (request.body.length > 0 ? JSON.parse(request.body.toString('utf8')) : {}) as never;
    if (definitionId === '') return request.method === 'POST' ? create(body) : refused(405, 'Method');
    if (knobs.forgets) {
      definitions.clear();
      knobs.forgets = false;
    }
    const definition = definitions.get(definitionId);
    if (!definition) return refused(404, 'No such evaluation');
    if (runId === '') return start(definition, body);
    const run = runs.get(runId);
    if (!run) return refused(404, 'No such run');
    if (more === 'output_items') return page(run, searchParams, request);
    if (request.method === 'POST') {
      run.isCancelled = true;
      cancelled.push(runId);
    }
    return { status: 200, body: { object: 'eval.run', id: runId, status: statusOf(run) } };
  });
  return {
    endpoint: `${server.address}/api/projects/p`,
    requests: server.requests,
    knobs,
    get runs() {
      return [...runs.values()].map(({ items }) => items);
    },
    cancelled,
    set fault(fault: FaultyServer['fault']) {
      server.fault = fault;
    },
    close: server.close,
  };
}
