// What reading a source would bring, found out by a run that writes nothing; it ends when whoever asked turns away.
import { useEffect, useState } from 'preact/hooks';
import { report, tell } from '../ask/session.ts';
import { call, Problem } from '../shared/api.ts';
import type { IngestPreview, ProblemBody, SourceType } from '../shared/contract.ts';
import { eventsOf } from '../shared/events.ts';
import { counted, inOrder } from '../shared/text.ts';
import { findingOf } from './runs.ts';

export interface GivenSource {
  readonly name: string;
  readonly type: SourceType;
  readonly connector: object;
}

type LookEvent =
  | { readonly type: 'progress'; readonly ingestion: { readonly counts: IngestPreview['counts'] } }
  | { readonly type: 'done'; readonly preview: IngestPreview }
  | { readonly type: 'error'; readonly problem: ProblemBody };

interface LookProps {
  readonly source: GivenSource;
  readonly act: string;
  onAct(): void;
  onCancel(): void;
}

export function Look({ source, act, onAct, onCancel }: LookProps) {
  const [looked, setLooked] = useState(0);
  const [found, setFound] = useState<IngestPreview>();
  useEffect(() => {
    const leaving = new AbortController();
    const look = async (): Promise<void> => {
      const { signal } = leaving;
      const reply = await call('v1/sources/preview', { body: source, accept: 'text/event-stream', signal });
      if (!reply.body) return;
      for await (const event of eventsOf<LookEvent>(reply.body))
        if (event.type === 'progress') setLooked(event.ingestion.counts.found);
        else if (event.type === 'error') throw new Problem(event.problem, event.problem);
        else {
          setFound(event.preview);
          tell(findingOf(event.preview).join(' '));
        }
    };
    look().catch((error: unknown) => {
      report(error);
      if (!leaving.signal.aborted) onCancel();
    });
    return () => leaving.abort();
  }, []);
  return (
    <section aria-label={`What reading ${inOrder(source.name)} would bring`}>
      {!found && <p class="place">{`Looking: ${counted(looked, 'file')} so far. Nothing is written.`}</p>}
      {found && <Finding found={found} />}
      <div class="row">
        {found && (
          <button type="button" class="main" onClick={onAct}>
            {act}
          </button>
        )}
        <button type="button" onClick={onCancel}>
          {found ? 'Leave it' : 'Stop looking'}
        </button>
      </div>
    </section>
  );
}

const mostShown = 50;

function Finding({ found }: { readonly found: IngestPreview }) {
  const troubled = found.files.filter(({ error }) => error);
  return (
    <>
      {findingOf(found).map((sentence) => (
        <p key={sentence}>{inOrder(sentence)}</p>
      ))}
      {troubled.length > 0 && (
        <details>
          <summary>{`${counted(found.counts.failed, 'file')} cannot be read`}</summary>
          <FailedFiles files={troubled.slice(0, mostShown)} />
        </details>
      )}
      {found.skipped.length > 0 && (
        <details>
          <summary>{`${counted(found.skipped.length + found.omittedSkipped, 'place')} not looked at`}</summary>
          <ul class="uploads">
            {found.skipped.slice(0, mostShown).map(({ path, reason }) => (
              <li key={path}>
                <bdi>{inOrder(path)}</bdi>
                <span class="place">{` ${reason}`}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

export interface FailedFile {
  readonly uri: string;
  readonly error?: { readonly message: string } | undefined;
}

/** Each with the reason. */
export const FailedFiles = ({ files }: { readonly files: readonly FailedFile[] }) => (
  <ul class="uploads">
    {files.map(({ uri, error }) => (
      <li key={uri}>
        <strong>
          <bdi>{inOrder(uri)}</bdi>
        </strong>
        <p class="notice failure">{inOrder(error?.message ?? 'It could not be read.')}</p>
      </li>
    ))}
  </ul>
);
