// One trace: what it came to, where its time went, what was called, and what became of each passage and claim. The strip of facts stays in view.
import { useEffect, useRef, useState } from 'preact/hooks';
import { report } from '../ask/session.ts';
import { address, follow, go, hrefOf } from '../shared/address.ts';
import { failureOf } from '../shared/api.ts';
import type { SavedTrace } from '../shared/contract.ts';
import { cut, inOrder } from '../shared/text.ts';
import { writtenIn } from '../shared/written.ts';
import { Choice } from '../shell/fields.tsx';
import { Actions } from './actions.tsx';
import { Claims, Passages } from './evidence.tsx';
import { costOf, momentOf, outcomeOf, timeOf } from './facts.ts';
import { answerOf, eventsOfType, findingsOf, questionOf, saidOf } from './findings.ts';
import { loadTrace, type SessionTraces } from './load.ts';
import { passagesOf } from './passages.ts';
import { Rerun } from './rerun.tsx';
import { plainly, type Stage, spentOf, stagesOf } from './rows.ts';
import { TraceRow } from './trace-row.tsx';
import { type Shown, Waterfall } from './waterfall.tsx';

export function TracePageOf({ id }: { readonly id: string }) {
  const [loaded, setLoaded] = useState<SavedTrace | SessionTraces>();
  const [failure, setFailure] = useState<string>();
  const [tries, setTries] = useState(0);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    let isCurrent = true;
    setFailure(undefined);
    loadTrace(id).then(
      (trace) => isCurrent && setLoaded(trace),
      (error: unknown) => {
        if (!isCurrent) return;
        report(error);
        setFailure(failureOf(error).detail);
      },
    );
    return () => {
      isCurrent = false;
    };
  }, [id, tries]);
  const title = !loaded ? 'Trace' : 'traces' in loaded ? 'Traces of a session' : questionOf(loaded) || 'Trace';
  useEffect(() => {
    document.title = `${cut(inOrder(title), 60)} – Traces – Footnote`;
    heading.current?.focus();
  }, [title]);
  return (
    <>
      <a href={hrefOf({ page: 'traces' })} onClick={follow({ page: 'traces' })}>
        All traces
      </a>
      <h2 ref={heading} tabIndex={-1} dir="auto">
        {inOrder(cut(title, 300))}
      </h2>
      {failure && <p class="notice">{inOrder(failure)}</p>}
      {!loaded && !failure && <p class="place">Opening…</p>}
      {loaded &&
        ('traces' in loaded ? (
          <OfSession traces={loaded.traces} />
        ) : (
          <One saved={loaded} onChanged={() => setTries(tries + 1)} />
        ))}
    </>
  );
}

function OfSession({ traces }: Pick<SessionTraces, 'traces'>) {
  const most = Math.max(0, ...traces.map(({ trace }) => trace.totalMs));
  return (
    <ul class="documents traces">
      {traces.map((saved) => (
        <li key={saved.trace.id}>
          <TraceRow one={{ question: cut(questionOf(saved), 120), ...saved.trace }} most={most} />
        </li>
      ))}
    </ul>
  );
}

function One({ saved, onChanged }: { readonly saved: SavedTrace; onChanged(): void }) {
  const { trace } = saved;
  const stages = stagesOf(saved);
  const passages = passagesOf(saved);
  const at = address.value;
  const query = new URLSearchParams(at.page === 'traces' ? at.query : undefined);
  const scale = query.get('scale') === 'log' ? 'log' : 'linear';
  const shown: Shown = query.get('show') === 'long' ? 'long' : query.get('show') === 'odd' ? 'odd' : 'all';
  const choose = (form: HTMLFormElement): void => {
    const { text } = writtenIn(form);
    for (const name of ['scale', 'show']) {
      const value = text(name);
      if (value) query.set(name, value);
      else query.delete(name);
    }
    go({ page: 'traces', id: trace.id, ...(query.size > 0 && { query: query.toString() }) }, 'replace');
  };
  return (
    <>
      <Strip saved={saved} stages={stages} passages={passages} />
      <Actions trace={trace} onChanged={onChanged} />
      <Answered saved={saved} />
      <Findings saved={saved} />
      <Spent stages={stages} totalMs={trace.totalMs} />
      <section aria-labelledby="steps-title">
        <h3 id="steps-title">What was done, and when</h3>
        <form class="choices" aria-label="How steps are shown" onChange={(event) => choose(event.currentTarget)}>
          <div class="row">
            <Choice
              name="scale"
              label="Scale of time"
              value={scale === 'log' ? 'log' : ''}
              choices={[
                ['', 'linear'],
                ['log', 'logarithmic'],
              ]}
            />
            <Choice
              name="show"
              label="Steps"
              value={shown === 'all' ? '' : shown}
              choices={[
                ['', 'all'],
                ['long', 'long ones (1 % of the time and more)'],
                ['odd', 'what failed or needs a look'],
              ]}
            />
          </div>
        </form>
        <Waterfall stages={stages} totalMs={trace.totalMs} scale={scale} shown={shown} />
      </section>
      <Claims saved={saved} />
      <Passages passages={passages} />
      <Rerun saved={saved} />
    </>
  );
}

interface StripProps {
  readonly saved: SavedTrace;
  readonly stages: readonly Stage[];
  readonly passages: ReturnType<typeof passagesOf>;
}

/** Always in view. */
function Strip({ saved, stages, passages }: StripProps) {
  const { trace } = saved;
  const answer = answerOf(saved);
  const calls = stages.flatMap(({ rows }) => rows).filter(({ call }) => call);
  const longest = spentOf(stages)[0];
  const fateCount = (...fates: readonly string[]): number => passages.filter(({ fate }) => fates.includes(fate)).length;
  const [environment] = eventsOfType(saved, 'environment');
  const failed = calls.filter(({ call }) => call?.error).length;
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['Outcome', answer?.abstained ? 'no answer' : outcomeOf(trace)],
    ['Took', timeOf(trace.totalMs)],
    ['Most of it', longest && `${plainly(longest.label)} (${timeOf(longest.ms)})`],
    ['Calls', `${calls.length}${failed > 0 ? `, ${failed} failed` : ''}`],
    ['Passages', `${fateCount('cited')} cited, ${fateCount('read')} read, ${fateCount('left out')} left out`],
    ['Confidence', answer && !answer.abstained ? `${Math.round(answer.confidence * 100)} %` : undefined],
    ['Cost', costOf(trace.costUsd)],
    ['Mode', trace.mode],
    ['Kind', trace.kind],
    ['Begun', momentOf(trace.startedAt)],
    ['Version', environment?.program],
  ];
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: On a narrow screen it scrolls, and must be reached by the keyboard.
    <section class="strip" tabIndex={0} aria-label="Facts">
      <dl>
        {facts.map(([name, value]) =>
          value === undefined ? null : (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{inOrder(value)}</dd>
            </div>
          ),
        )}
      </dl>
    </section>
  );
}

function Findings({ saved }: { readonly saved: SavedTrace }) {
  const findings = findingsOf(saved);
  return (
    <section aria-labelledby="findings-title">
      <h3 id="findings-title">What needs a look</h3>
      {findings.length === 0 && <p>Nothing failed or was limited, and no claim was dropped.</p>}
      <ul class="findings">
        {findings.slice(0, mostFindings).map(({ what, why }, at) => (
          <li key={at}>
            <strong>{inOrder(what)}.</strong> <span dir="auto">{inOrder(cut(why, 400))}</span>
          </li>
        ))}
      </ul>
      {findings.length > mostFindings && (
        <p class="place">{`And ${findings.length - mostFindings} more among the steps.`}</p>
      )}
    </section>
  );
}

const mostFindings = 12;
const share = new Intl.NumberFormat(undefined, { style: 'percent' });

/** Where the time went. */
function Spent({ stages, totalMs }: { readonly stages: readonly Stage[]; readonly totalMs: number }) {
  const spent = spentOf(stages).filter(({ ms }) => ms > 0);
  return (
    <section aria-labelledby="spent-title">
      <h3 id="spent-title">Where the time went</h3>
      <ul class="spent">
        {spent.slice(0, 5).map(({ label, calls, ms }) => (
          <li key={label}>
            <span class="name">{inOrder(plainly(label))}</span>
            <svg class="took-bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
              <rect width={totalMs > 0 ? Math.min(100, (ms / totalMs) * 100) : 0} height="10" />
            </svg>
            <span class="ms">{`${timeOf(ms)}, ${share.format(totalMs > 0 ? ms / totalMs : 0)}${calls > 1 ? `, ${calls} calls` : ''}`}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Characters of an answer that stand before what needs a look. */
const answerHead = 200;

function Answered({ saved }: { readonly saved: SavedTrace }) {
  const answer = saidOf(saved)?.answer;
  if (answer === undefined) return null;
  return (
    <section aria-labelledby="answered-title">
      <h3 id="answered-title">What was answered</h3>
      <p class="passage" dir="auto">
        {inOrder(cut(answer, answerHead))}
      </p>
      {answer.length > answerHead && (
        <details>
          <summary>All of it</summary>
          <p class="passage" dir="auto">
            {inOrder(answer)}
          </p>
        </details>
      )}
    </section>
  );
}
