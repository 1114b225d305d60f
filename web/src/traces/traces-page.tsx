// Traces: a list of what was asked with its filters, or one of them; a file of traces is taken in.
import './traces.css';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { attempt, notice, tell } from '../ask/session.ts';
import { address, go } from '../shared/address.ts';
import { keyVersion } from '../shared/api.ts';
import type { TraceSummary } from '../shared/contract.ts';
import { unreadOf } from '../shared/unread.ts';
import { writtenIn } from '../shared/written.ts';
import { Choice, Field, Fold } from '../shell/fields.tsx';
import { holdings } from '../shell/holdings.ts';
import { areRead } from '../shell/unread-fields.ts';
import { useListed } from '../shell/use-listed.ts';
import { doubtNames } from './facts.ts';
import {
  type FilterName,
  filterNames,
  needs,
  queryOf,
  readFilters,
  type TraceFilters,
  writeFilters,
} from './filters.ts';
import { importTraces } from './load.ts';
import { TracePageOf } from './trace-page.tsx';
import { TraceRow } from './trace-row.tsx';

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error('This file holds no JSON. Choose one that was exported here or by "footnote trace export".');
  }
}

export function TracesPage() {
  const at = address.value;
  // What was given to another key is shown no more.
  const version = keyVersion.value;
  return (
    <main id="main" class="document" tabIndex={-1}>
      {at.page === 'traces' && at.id ? (
        <TracePageOf key={`${version} ${at.id}`} id={at.id} />
      ) : (
        <TraceList key={version} />
      )}
    </main>
  );
}

function filtersHere(): TraceFilters {
  const at = address.value;
  return readFilters(at.page === 'traces' ? at.query : undefined);
}

function TraceList() {
  const filters = filtersHere();
  const asked = writeFilters(filters);
  // Each file that was taken in asks anew for the list, whose reply tells of it.
  const [filesTaken, setFilesTaken] = useState(0);
  const tookIn = useRef('');
  const [page, more] = useListed<TraceSummary, { readonly damaged?: readonly object[] }>(
    `admin/traces?${queryOf(filters)}`,
    filesTaken,
  );
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = 'Traces – Footnote';
    heading.current?.focus();
  }, []);
  useEffect(() => {
    notice.value = undefined;
  }, [asked, filesTaken]);
  useEffect(() => {
    if (!page) return;
    tell(`${tookIn.current}${page.data.length}${more ? ' and more' : ''} traces`);
    tookIn.current = '';
  }, [page]);
  const take = async (file: File): Promise<void> => {
    const { data } = await importTraces(jsonIn(await file.text()));
    tookIn.current = `Took in ${data.length} ${data.length === 1 ? 'trace' : 'traces'}. `;
    setFilesTaken((count) => count + 1);
  };
  // What is being typed stays when the list comes in.
  const form = useMemo(() => <Filters filters={filters} />, [asked]);
  const most = Math.max(0, ...(page?.data ?? []).map(({ totalMs }) => totalMs));
  const damaged = page?.damaged?.length ?? 0;
  return (
    <>
      <h2 ref={heading} tabIndex={-1}>
        Traces
      </h2>
      <p class="place">
        What each request did: every step, call, prompt and time. An answer names its trace at its foot.
      </p>
      {form}
      <div class="row">
        <TakeIn onFile={(file) => attempt(take(file))} />
      </div>
      {damaged > 0 && <p class="notice">{`${damaged} entries are damaged: the doctor names them.`}</p>}
      {page?.data.length === 0 && <p>There are no such traces.</p>}
      <ul class="documents traces">
        {page?.data.map((one) => (
          <li key={one.id}>
            <TraceRow one={one} most={most} />
          </li>
        ))}
      </ul>
      {more && (
        <button type="button" onClick={() => attempt(more())}>
          More traces
        </button>
      )}
    </>
  );
}

const kinds = ['ask', 'message', 'search', 'chat', 'analysis', 'housekeeping'];
const intents = ['faq', 'research', 'factual_lookup', 'conversational'];
const unfolding = ['intent', 'source', 'from', 'to', 'minCostUsd', 'session'] as const;
const same = (names: readonly string[]) => [
  ['', 'all'] as const,
  ...names.map((name) => [name, name.replaceAll('_', ' ')] as const),
];

/** So long nothing more is typed, or a click that took the focus has done what it was for: a list that changed beneath it would swallow it. */
const restMs = 300;
/** Fields that are taken while they are typed. */
const typed: readonly FilterName[] = ['question', 'session'];
const isTyped = (name: string): boolean => typed.some((one) => one === name);

function Filters({ filters }: { readonly filters: TraceFilters }) {
  const resting = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(resting.current), []);
  const take = (form: HTMLFormElement, isTyping = false): void => {
    clearTimeout(resting.current);
    const { text } = writtenIn(form);
    const written = new URLSearchParams(filterNames.map((name) => [name, text(name)]));
    const query = writeFilters(readFilters(written.toString()));
    if (!areRead(form, unreadOf(written, new URLSearchParams(query), needs), needs)) return;
    const now = filtersHere();
    // One step back leads before all that was typed.
    const how = isTyping && typed.some((name) => now[name]) ? 'replace' : 'push';
    if (query !== writeFilters(now)) go({ page: 'traces', ...(query && { query }) }, how);
  };
  const takeLater = (form: HTMLFormElement): void => {
    clearTimeout(resting.current);
    resting.current = setTimeout(() => take(form, true), restMs);
  };
  const value = (name: keyof TraceFilters): string => filters[name] ?? '';
  const sources = (holdings.value?.sources ?? []).map(({ name }) => name);
  return (
    <form
      class="choices"
      aria-label="Filters"
      noValidate
      onInput={({ currentTarget, target }) => {
        if (target instanceof HTMLInputElement && isTyped(target.name)) takeLater(currentTarget);
      }}
      onChange={({ currentTarget, target }) =>
        target instanceof HTMLInputElement ? takeLater(currentTarget) : take(currentTarget)
      }
      // Of a form with several fields and no button, Enter sends nothing by itself.
      onKeyDown={({ currentTarget, key, isComposing }) => key === 'Enter' && !isComposing && take(currentTarget)}
      onSubmit={(event) => event.preventDefault()}
    >
      <div class="row">
        <Field name="question" label="Asked" value={value('question')} maxLength={200} />
        <Choice name="kind" label="Kind" value={value('kind')} choices={same(kinds)} />
        <Choice
          name="status"
          label="Outcome"
          value={value('status')}
          choices={[
            ['', 'all'],
            ['done', 'done'],
            ['error', 'failed'],
          ]}
        />
        <Choice
          name="doubt"
          label="Doubt"
          value={value('doubt')}
          choices={[['', 'all'], ['any', 'any doubt'], ...Object.entries(doubtNames)]}
        />
        <Choice
          name="sort"
          label="First"
          value={value('sort')}
          choices={[
            ['', 'the newest'],
            ['slowest', 'the slowest'],
          ]}
        />
        <Field name="minMs" label="Took at least (ms)" value={value('minMs')} size={6} />
        <Choice
          name="pinned"
          label="Pinned"
          value={value('pinned')}
          choices={[
            ['', 'all'],
            ['true', 'pinned'],
          ]}
        />
      </div>
      <Fold name="More filters" isOpen={unfolding.some((name) => value(name) !== '')}>
        <div class="row">
          <Choice name="intent" label="Intent" value={value('intent')} choices={same(intents)} />
          <Choice
            name="source"
            label="Source"
            value={value('source')}
            choices={[['', 'all'], ...sources.map((name) => [name, name] as const)]}
          />
          <Field name="from" label="From" value={value('from')} type="date" />
          <Field name="to" label="Up to" value={value('to')} type="date" />
          <Field name="minCostUsd" label="Cost at least (USD)" value={value('minCostUsd')} size={6} />
          <Field name="session" label="Session" value={value('session')} />
        </div>
      </Fold>
    </form>
  );
}

function TakeIn({ onFile }: { onFile(file: File): void }) {
  const field = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={field}
        type="file"
        hidden
        accept="application/json,.json"
        aria-label="File of traces"
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? [];
          if (file) onFile(file);
          currentTarget.value = '';
        }}
      />
      <button type="button" onClick={() => field.current?.click()}>
        Take in a file of traces
      </button>
    </>
  );
}
