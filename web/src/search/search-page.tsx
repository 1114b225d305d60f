// Search: what matches a query and why, one list or two beside each other, with each result opening in the source pane. The address holds all of it.
import './search.css';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { notice, report, tell } from '../ask/session.ts';
import { address, go } from '../shared/address.ts';
import { callJson, keyVersion } from '../shared/api.ts';
import type { Evidence, SearchRequest, SearchResponse } from '../shared/contract.ts';
import { createKeys } from '../shared/keys.ts';
import { placeOf } from '../shared/markdown.ts';
import { cut, inOrder } from '../shared/text.ts';
import { isCovered } from '../shell/covered.ts';
import { lettersAreOn } from '../shell/dialogs.tsx';
import { SourceView } from '../source/source-view.tsx';
import { Compare } from './compare.tsx';
import { Result } from './result.tsx';
import { partsOf } from './scores.ts';
import { SearchForm } from './search-form.tsx';
import { modeNames, type OpenResult, readState, requestOf, type SearchState, writeState } from './state.ts';

interface Found {
  /** What they answer. */
  readonly asked: string;
  readonly lists: readonly SearchResponse[];
}

const search = (body: SearchRequest, signal: AbortSignal): Promise<SearchResponse> =>
  callJson('v1/search', { body, signal });

const isAt = ({ documentId, start, end }: Evidence, open: OpenResult | undefined): boolean =>
  open?.id === documentId && open.start === start && open.end === end;

const show = (state: SearchState, how: 'push' | 'replace' = 'push'): void =>
  go({ page: 'search', query: writeState(state) }, how);

function openResult(
  state: SearchState,
  { documentId: id, start, end }: Evidence,
  how: 'push' | 'replace' = 'push',
): void {
  show({ ...state, open: { id, start, end } }, how);
}

/** Focus goes back to the result. */
function close(state: SearchState): void {
  const { open, ...rest } = state;
  if (!open) return;
  const button = document.querySelector<HTMLElement>('#results [aria-expanded="true"][aria-controls="source"]');
  show(rest, 'replace');
  // Where the source covers the page, what lies beneath takes focus only after it is gone.
  setTimeout(() => button?.focus());
}

/** What was found with another key is shown no more. */
export const SearchPage = () => <Search key={keyVersion.value} />;

function Search() {
  const at = address.value;
  const state = readState(at.page === 'search' ? at.query : undefined);
  const [found, setFound] = useState<Found>();
  const [tries, setTries] = useState(0);
  const heading = useRef<HTMLHeadingElement>(null);
  const requests = [
    requestOf(state, state),
    ...(state.beside ? [requestOf(state, state.beside, state.beside.unfiltered)] : []),
  ];
  const asked = JSON.stringify(requests);
  const isAsked = state.text.trim() !== '';

  useEffect(() => {
    if (state.text === '') document.getElementById('question')?.focus();
    else heading.current?.focus();
  }, []);
  useEffect(() => {
    document.title = isAsked ? `${cut(inOrder(state.text.trim()), 60)} – Search – Footnote` : 'Search – Footnote';
  }, [state.text]);
  useEffect(() => {
    if (!isAsked) return setFound(undefined);
    const stopped = new AbortController();
    notice.value = undefined;
    tell('Searching…');
    Promise.all(requests.map((body) => search(body, stopped.signal))).then(
      (lists) => {
        if (stopped.signal.aborted) return;
        setFound({ asked, lists });
        tell(lists.map(({ results }) => resultsOf(results.length)).join(' beside '));
      },
      (error: unknown) => {
        if (stopped.signal.aborted) return;
        setFound({ asked, lists: [] });
        report(error);
      },
    );
    return () => stopped.abort();
  }, [asked, tries]);
  useShortcuts(state, found?.lists[0]?.results ?? []);

  // What is being typed stays when results come in.
  const form = useMemo(
    () => <SearchForm state={state} onAgain={() => setTries((now) => now + 1)} />,
    [at.page === 'search' && at.query],
  );
  const { open } = state;
  return (
    <div class={open ? 'search with-source' : 'search'}>
      <main id="main" class="document" tabIndex={-1} inert={isCovered.value}>
        <h2 ref={heading} tabIndex={-1}>
          Search
        </h2>
        <search>{form}</search>
        <div id="results" aria-busy={isAsked && found?.asked !== asked}>
          {isAsked && found && <Lists state={state} lists={found.lists} />}
          {isAsked && !found && <p class="place">Searching…</p>}
          {!isAsked && (
            <p class="place">What is found stands here, best first, each with why it stands where it stands.</p>
          )}
        </div>
      </main>
      {open && (
        <Pane
          key={`${open.id} ${open.start}`}
          state={state}
          open={open}
          results={found?.lists.flatMap(({ results }) => results) ?? []}
        />
      )}
    </div>
  );
}

const resultsOf = (count: number): string => `${count} ${count === 1 ? 'result' : 'results'}`;

/** What may be pressed here beside the keys of every page. */
function useShortcuts(state: SearchState, results: readonly Evidence[]): void {
  useEffect(() => {
    const actionOf = createKeys(() => lettersAreOn.value);
    const press = ({ key, target, ctrlKey, altKey, metaKey, isComposing }: KeyboardEvent): void => {
      const action = actionOf({
        key,
        inField: target instanceof Element && target.matches('input, textarea, select'),
        inDialog: document.querySelector('dialog[open]') !== null,
        modified: ctrlKey || altKey || metaKey,
        composing: isComposing,
      });
      if (action?.do === 'escape') close(state);
      const chosen = action?.do === 'citation' ? results[action.number - 1] : undefined;
      if (chosen) openResult(state, chosen, state.open ? 'replace' : 'push');
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  });
}

function Lists({ state, lists }: { readonly state: SearchState; readonly lists: readonly SearchResponse[] }) {
  const [first, second] = lists;
  if (!first) return null;
  const open = (one: Evidence): void => openResult(state, one, state.open ? 'replace' : 'push');
  const most = Math.max(
    0,
    ...first.results.map((one) => partsOf(one).reduce((sum, { value }) => sum + Math.max(0, value), 0)),
  );
  return (
    <>
      <h3>
        {second
          ? `${resultsOf(first.results.length)} beside ${second.results.length}`
          : resultsOf(first.results.length)}
      </h3>
      {lists.map((list, at) => (
        <Told key={at} list={list} />
      ))}
      {first.results.length === 0 && !second && <p>Nothing matches. Use other words, another mode or fewer filters.</p>}
      {second ? (
        <Compare
          left={{ name: nameOf(first, state), results: first.results }}
          right={{
            name: `${nameOf(second, state.beside)}${state.beside?.unfiltered ? ', without filters' : ''}`,
            results: second.results,
          }}
          isOpen={(one) => isAt(one, state.open)}
          onOpen={open}
        />
      ) : (
        <ol class="results">
          {first.results.map((one, at) => (
            <li key={one.chunkId} class="claim" tabIndex={-1} data-chunk={one.chunkId}>
              <Result one={one} place={at + 1} most={most} isOpen={isAt(one, state.open)} onOpen={() => open(one)} />
            </li>
          ))}
        </ol>
      )}
      {lists.some(({ results }) => results.length >= state.limit) && (
        <button type="button" onClick={() => show({ ...state, limit: state.limit + 10 }, 'replace')}>
          More results
        </button>
      )}
    </>
  );
}

const nameOf = ({ mode }: SearchResponse, settings: { readonly minScore: string } | undefined): string =>
  `${modeNames[mode]}${settings?.minScore ? `, least score ${settings.minScore}` : ''}`;

/** How a list came about, and what was limited. */
function Told({
  list: { mode, latencyMs, routing, degraded, traceId, usedFallback },
}: {
  readonly list: SearchResponse;
}) {
  return (
    <>
      <p class="facts" data-trace={traceId}>
        {inOrder(`${modeNames[mode]} · ${Math.round(latencyMs)} ms · ${routing.reason}`)}
        {usedFallback && ' · another store served than the one that was asked'}
      </p>
      {degraded.length > 0 && (
        <details class="notice">
          <summary>{inOrder(`Limited: ${[...new Set(degraded.map(({ effect }) => effect))].join(' ')}`)}</summary>
          <ul>
            {degraded.map(({ component, detail }) => (
              <li key={component + detail}>{inOrder(`${component}: ${detail}`)}</li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

interface PaneProps {
  readonly state: SearchState;
  readonly open: OpenResult;
  readonly results: readonly Evidence[];
}

function Pane({ state, open, results }: PaneProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const one = results.find((result) => isAt(result, open));
  return (
    <aside id="source" aria-labelledby="source-title">
      <div class="source-head">
        <h2 id="source-title" ref={heading} tabIndex={-1} aria-describedby="quote">
          <bdi>{inOrder(one?.title || one?.uri || 'Source')}</bdi>
        </h2>
        <button type="button" aria-label="Close the source" onClick={() => close(state)}>
          ✕
        </button>
      </div>
      <SourceView id={open.id} span={open} {...(one && { place: placeOf(one) })} />
    </aside>
  );
}
