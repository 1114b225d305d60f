// The sources of the server: what each mirrors, how its last reading went and why files failed, and reading it again where the key may.
import { useEffect, useRef, useState } from 'preact/hooks';
import { attempt, report } from '../ask/session.ts';
import { ageOf } from '../documents/facts.ts';
import { follow, hrefOf } from '../shared/address.ts';
import { callJson } from '../shared/api.ts';
import { inOrder } from '../shared/text.ts';
import { holdings, loadHoldings, mayWrite } from '../shell/holdings.ts';
import { AddSource } from './add-source.tsx';
import { type FailedFile, FailedFiles, Look } from './look.tsx';
import { descriptionOf, type ListedSource, outcomeOf, type Run } from './runs.ts';
import { loadRuns, runs, sync } from './sync.ts';

export function SourcesPage() {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = 'Sources – Footnote';
    heading.current?.focus();
    loadRuns().catch(report);
    loadHoldings().catch(report);
  }, []);
  return (
    <main id="main" class="document" tabIndex={-1}>
      <h2 ref={heading} tabIndex={-1}>
        Sources
      </h2>
      {mayWrite.value && <AddSource />}
      <ul class="documents">
        {holdings.value?.sources.map((source) => (
          <li key={source.name}>
            <SourceRow source={source as ListedSource} run={runs.value.get(source.name)} />
          </li>
        ))}
      </ul>
    </main>
  );
}

function SourceRow({ source, run }: { readonly source: ListedSource; readonly run: Run | undefined }) {
  const { name } = source;
  const to = { page: 'documents', source: name } as const;
  const isRunning = run?.state === 'running';
  const [isLooking, setLooking] = useState(false);
  const { type, connector } = source;
  return (
    <>
      <div>
        <a href={hrefOf(to)} onClick={follow(to)}>
          <bdi>{inOrder(name)}</bdi>
        </a>
        <p class="place">{descriptionOf(source)}</p>
        {source.damaged && <p class="notice">Its declaration is damaged: declare it again.</p>}
        {run && <p class="place">{`${outcomeOf(run)} ${ageOf(run.finishedAt ?? run.startedAt, Date.now())}`}</p>}
        {run?.error && <p class="notice">{inOrder(run.error.message)}</p>}
        {run && run.counts.failed > 0 && !isRunning && (
          <Failed key={run.id} run={run} mirrors={connector !== undefined} />
        )}
        {isLooking && connector && (
          <Look
            source={{ name, type, connector }}
            act="Sync now"
            onAct={() => {
              setLooking(false);
              attempt(sync(name));
            }}
            onCancel={() => setLooking(false)}
          />
        )}
      </div>
      {mayWrite.value && connector && !isLooking && (
        <div class="row">
          <button type="button" aria-label={`Look first: ${inOrder(name)}`} onClick={() => setLooking(true)}>
            Look first
          </button>
          <button
            type="button"
            aria-label={`Sync now: ${inOrder(name)}`}
            disabled={isRunning}
            onClick={() => attempt(sync(name))}
          >
            Sync now
          </button>
        </div>
      )}
    </>
  );
}

type State = 'failed' | 'parked';
interface Listed {
  readonly data: readonly FailedFile[];
  /** Where the list goes on. */
  readonly next?: { readonly state: State; readonly cursor?: string };
}

/** Files of a run that could not be read, then those that were given up before it, with the reasons; asked for when they are unfolded. */
function Failed({ run, mirrors }: { readonly run: Run; readonly mirrors: boolean }) {
  const [listed, setListed] = useState<Listed>();
  const load = async ({ state, cursor }: NonNullable<Listed['next']>, before: readonly FailedFile[]): Promise<void> => {
    const query = new URLSearchParams({ state, limit: '50', ...(cursor && { cursor }) });
    const page = await callJson<{ data: readonly FailedFile[]; nextCursor?: string }>(
      `v1/ingestions/${encodeURIComponent(run.id)}/files?${query}`,
    );
    const data = [...before, ...page.data];
    if (page.nextCursor) return setListed({ data, next: { state, cursor: page.nextCursor } });
    return state === 'failed' ? load({ state: 'parked' }, data) : setListed({ data });
  };
  return (
    <details onToggle={({ currentTarget }) => currentTarget.open && !listed && attempt(load({ state: 'failed' }, []))}>
      <summary>Why files failed</summary>
      <FailedFiles files={listed?.data ?? []} />
      <div class="row">
        {listed?.next && (
          <button type="button" onClick={() => listed.next && attempt(load(listed.next, listed.data))}>
            More files
          </button>
        )}
        {mayWrite.value && mirrors && (
          <button type="button" onClick={() => attempt(sync(run.source, '?retry=true'))}>
            Try them again
          </button>
        )}
      </div>
    </details>
  );
}
