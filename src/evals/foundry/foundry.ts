// Azure AI Foundry's evaluators as a panel of judges: an evaluation is created once for each set of evaluators, rows go as a run, the run is
// asked for until it ends, its output items are read page by page. Invariants: a row that the service lost, doubled or told in another form
// has a failure and no score; a run that is given up is cancelled there.
import { z } from 'zod';
import { createDeadline, type Deadline } from '../../core/deadline.ts';
import { type FootnoteError, toFootnoteError } from '../../core/errors.ts';
import { abortError } from '../../core/waiting/until-aborted.ts';
import type { Judgement } from '../judges/judge.ts';
import type { JudgedAnswer } from '../judges/judged-answer.ts';
import { hasClaims, type Panel, type PanelVerdict } from '../panel.ts';
import {
  type Evaluator,
  evaluators,
  evaluatorsOf,
  type FoundryRow,
  foundryThreshold,
  judgementOf,
  outputItemSchema,
  placeOf,
  toDefinition,
  toRow,
  toRun,
} from './rows.ts';
import { type FoundryAccess, foundryError, foundryTiming, openFoundryWire } from './wire.ts';

export const foundryName = 'azure-ai-foundry';

export interface FoundryOptions extends FoundryAccess {
  /** The model deployment of the project that the evaluators ask. */
  readonly deployment: string;
  /** Of one run from its creation to its last result. */
  readonly timeoutMs: number;
}

/** The vendor advises small runs where a deployment has little quota. */
const mostRows = 50;
const mostBytes = 1 << 20;
const firstPollMs = 1000;
const longestPollMs = 15_000;
const pageSize = 100;

const createdSchema = z.looseObject({ id: z.string().regex(/^[\w.:-]{1,200}$/u) });
const runSchema = z.looseObject({ id: z.string().optional(), status: z.string() });
const pageSchema = z.looseObject({
  data: z.array(outputItemSchema),
  has_more: z.boolean().nullish(),
  last_id: z.string().nullish(),
});
const itemIdSchema = z.looseObject({ id: z.string() });
const ended: ReadonlySet<string> = new Set(['completed', 'failed', 'canceled', 'cancelled']);

interface Sent {
  readonly place: number;
  readonly row: FoundryRow;
}

function read<Value>(schema: z.ZodType<Value>, told: unknown, what: string): Value {
  const parsed = schema.safeParse(told);
  if (parsed.success) return parsed.data;
  throw foundryError('upstream-invalid', `answered in a form that cannot be read: ${what}.`);
}

/** Rows of one run: as many as may go together. */
function toRuns(rows: readonly Sent[]): Sent[][] {
  const runs: Sent[][] = [];
  let bytes = 0;
  for (const sent of rows) {
    const size = Buffer.byteLength(JSON.stringify(sent.row));
    const last = runs.at(-1);
    if (last && last.length < mostRows && bytes + size <= mostBytes) {
      last.push(sent);
      bytes += size;
    } else {
      runs.push([sent]);
      bytes = size;
    }
  }
  return runs;
}

const failure = ({ code, message }: FootnoteError): PanelVerdict => ({
  judgements: {},
  failures: [{ code, detail: message }],
});

export function createFoundryPanel(options: FoundryOptions): Panel {
  const { deployment, timeoutMs, masked } = options;
  const { wait } = options.timing ?? foundryTiming;
  const wire = openFoundryWire(options);
  /** Ids of evaluations, by their evaluators. */
  const definitions = new Map<string, string>();

  async function definitionOf(chosen: readonly Evaluator[], deadline: Deadline): Promise<string> {
    const key = chosen.map(({ name }) => name).join(',');
    const known = definitions.get(key);
    if (known !== undefined) return known;
    const told = await wire({ method: 'POST', path: '', body: toDefinition(chosen, deployment) }, deadline);
    const { id } = read(createdSchema, told, 'an evaluation without an id');
    definitions.set(key, id);
    return id;
  }

  async function startRun(
    rows: readonly FoundryRow[],
    chosen: readonly Evaluator[],
    deadline: Deadline,
  ): Promise<string> {
    const start = async (): Promise<string> => {
      const definition = await definitionOf(chosen, deadline);
      const path = `/${definition}/runs`;
      const { id } = read(
        createdSchema,
        await wire({ method: 'POST', path, body: toRun(rows) }, deadline),
        'a run without an id',
      );
      return `${path}/${id}`;
    };
    try {
      return await start();
    } catch (thrown) {
      const error = toFootnoteError(thrown);
      // Somebody deleted the evaluation in the portal: one more is created.
      if (error.details['status'] !== 404 || definitions.size === 0) throw error;
      definitions.clear();
      return start();
    }
  }

  async function untilEnded(run: string, deadline: Deadline): Promise<void> {
    for (let pauseMs = firstPollMs; ; pauseMs = Math.min(longestPollMs, pauseMs * 1.5)) {
      const { status } = read(runSchema, await wire({ method: 'GET', path: run }, deadline), 'a run without a status');
      if (status === 'completed') return;
      if (ended.has(status))
        throw foundryError('upstream-unavailable', `ended the run as "${status === 'failed' ? status : 'canceled'}".`);
      deadline.check();
      await wait(Math.min(pauseMs, deadline.remainingMs()), deadline.signal).catch(() => {
        throw abortError(deadline.signal);
      });
    }
  }

  async function resultsOf(
    run: string,
    most: number,
    deadline: Deadline,
  ): Promise<Map<number, readonly unknown[] | null>> {
    /** Null: told twice. */
    const found = new Map<number, readonly unknown[] | null>();
    let after: string | undefined;
    // A service that says for ever that there is more is not believed.
    for (let page = 0; page <= Math.ceil(most / pageSize) + most; page++) {
      const query = `?limit=${pageSize}&order=asc${after === undefined ? '' : `&after=${encodeURIComponent(after)}`}`;
      const told = await wire({ method: 'GET', path: `${run}/output_items${query}` }, deadline);
      const { data, has_more, last_id } = read(pageSchema, told, 'no list of results');
      for (const item of data) {
        const place = placeOf(item);
        if (place !== undefined) found.set(place, found.has(place) ? null : (item.results ?? []));
      }
      const last = last_id ?? itemIdSchema.safeParse(data.at(-1)).data?.id;
      if (has_more !== true || data.length === 0 || last === undefined || last === after) break;
      after = last;
    }
    return found;
  }

  async function judgeRun(rows: readonly FoundryRow[], chosen: readonly Evaluator[], deadline: Deadline) {
    const run = await startRun(rows, chosen, deadline);
    try {
      await untilEnded(run, deadline);
      return await resultsOf(run, rows.length, deadline);
    } catch (thrown) {
      // Nobody reads it any more: the deployment is not to be asked for it. That this fails too changes nothing.
      if (deadline.signal.aborted || deadline.remainingMs() === 0)
        await wire({ method: 'POST', path: run }, createDeadline(2000)).catch(() => undefined);
      throw thrown;
    }
  }

  function verdictOf(results: readonly unknown[] | null | undefined, chosen: readonly Evaluator[]): PanelVerdict {
    if (!results)
      return failure(
        foundryError('upstream-invalid', results === null ? 'told a row twice.' : 'told nothing of a row.'),
      );
    const judgements: Partial<Record<Evaluator['judge'], Judgement>> = {};
    const silent: string[] = [];
    for (const evaluator of chosen) {
      const found = judgementOf(evaluator, results);
      if (found) judgements[evaluator.judge] = { ...found, reason: masked(found.reason) };
      else silent.push(evaluator.name);
    }
    const detail = `gave no score from 1 to 5 for: ${silent.join(', ')}.`;
    return {
      judgements,
      failures:
        silent.length === 0
          ? []
          : [{ code: 'upstream-invalid', detail: foundryError('upstream-invalid', detail).message }],
    };
  }

  return {
    by: foundryName,
    label: 'foundry',
    judges: evaluators.map(({ judge }) => ({ name: judge, threshold: foundryThreshold })),
    async judge(all: readonly JudgedAnswer[], signal?: AbortSignal) {
      const verdicts: PanelVerdict[] = all.map(() => ({ judgements: {}, failures: [] }));
      const groups = new Map<string, { readonly chosen: readonly Evaluator[]; readonly rows: Sent[] }>();
      for (const [place, judged] of all.entries()) {
        if (!hasClaims(judged)) continue;
        const row = toRow(judged, place);
        const chosen = evaluatorsOf(row);
        const key = chosen.map(({ name }) => name).join(',');
        const group = groups.get(key) ?? { chosen, rows: [] };
        group.rows.push({ place, row });
        groups.set(key, group);
      }
      for (const { chosen, rows } of groups.values())
        for (const sent of toRuns(rows)) {
          // Rows are numbered within their run: a service that leaves our number out counts them so.
          const numbered = sent.map(({ row }, at) => ({ ...row, row: String(at) }));
          const results = await judgeRun(numbered, chosen, createDeadline(timeoutMs, signal)).catch(
            (thrown: unknown) => {
              if (signal?.aborted) throw abortError(signal);
              return toFootnoteError(thrown);
            },
          );
          for (const [at, { place }] of sent.entries())
            verdicts[place] = results instanceof Map ? verdictOf(results.get(at), chosen) : failure(results);
        }
      return verdicts;
    },
  };
}
