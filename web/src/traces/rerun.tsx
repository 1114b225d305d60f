// Running a request again: from its trace alone, for real with what differs, or beside another trace. Answers are told apart claim by claim.
import { useState } from 'preact/hooks';
import { attempt, tell } from '../ask/session.ts';
import { modeNames } from '../search/state.ts';
import type { ListDiff, Replay, SavedTrace, Trial } from '../shared/contract.ts';
import { cut, inOrder } from '../shared/text.ts';
import { writtenIn } from '../shared/written.ts';
import { Choice, Field } from '../shell/fields.tsx';
import { costOf, timeOf } from './facts.ts';
import { answerOf, claimsOf, differenceOf, questionOf } from './findings.ts';
import { loadTrace, replayTrace } from './load.ts';

/** Lines such as `FUSION_METHOD=rrf`. */
function settingsIn(text: string): Record<string, string> {
  return Object.fromEntries(
    text.split('\n').flatMap((line) => {
      const at = line.indexOf('=');
      return at > 0 ? [[line.slice(0, at).trim(), line.slice(at + 1).trim()]] : [];
    }),
  );
}

export function Rerun({ saved }: { readonly saved: SavedTrace }) {
  const { id, kind } = saved.trace;
  const [outcome, setOutcome] = useState<Replay | Trial>();
  const [other, setOther] = useState<SavedTrace>();
  const [isRunning, setRunning] = useState(false);
  const run = async (body: object): Promise<void> => {
    setRunning(true);
    tell('Running it again…');
    try {
      const came = await replayTrace(id, body);
      setOutcome(came);
      tell(came.against === 'record' ? outcomeOfReplay(came) : outcomeOfTrial(came));
    } finally {
      setRunning(false);
    }
  };
  const compare = async (otherId: string): Promise<void> => {
    const found = await loadTrace(otherId);
    if ('traces' in found) throw new Error('This is a session. Give the id of one trace or of its answer.');
    setOther(found);
    tell('Compared.');
  };
  return (
    <section aria-labelledby="rerun-title">
      <h3 id="rerun-title">Run it again</h3>
      <div class="row">
        <button type="button" aria-disabled={isRunning} onClick={() => isRunning || attempt(run({}))}>
          Replay from the trace
        </button>
        <span class="facts">Nothing of it is kept, and nothing is asked of anybody.</span>
      </div>
      <form
        class="choices"
        aria-label="What if"
        onSubmit={(event) => {
          event.preventDefault();
          if (isRunning) return;
          const { text } = writtenIn(event.currentTarget);
          const settings = settingsIn(text('settings'));
          const body = {
            against: 'current',
            ...(text('mode') && { mode: text('mode') }),
            ...(text('model') && { model: text('model') }),
            ...(Object.keys(settings).length > 0 && { settings }),
          };
          attempt(run(body));
        }}
      >
        <div class="row">
          <Choice
            name="mode"
            label="What if the mode were"
            value=""
            choices={[['', 'the same'], ...Object.entries(modeNames)]}
          />
          {kind !== 'search' && <Field name="model" label="the model" hint="provider:model" />}
        </div>
        <label>
          and these settings, one a line, such as FUSION_METHOD=rrf
          <textarea name="settings" rows={1} spellcheck={false} autocomplete="off" />
        </label>
        <button type="submit" aria-disabled={isRunning}>
          Run it for real
        </button>
      </form>
      {outcome && (
        <div class="outcome">
          {outcome.against === 'record' ? <Replayed replay={outcome} /> : <Tried trial={outcome} />}
        </div>
      )}
      <form
        class="choices"
        aria-label="Compare"
        onSubmit={(event) => {
          event.preventDefault();
          const otherId = writtenIn(event.currentTarget).text('other');
          if (otherId) attempt(compare(otherId));
        }}
      >
        <div class="row">
          <Field name="other" label="Compare with the trace or answer" hint="Its id" />
          <button type="submit">Compare</button>
        </div>
      </form>
      {other && <Compared first={saved} second={other} />}
    </section>
  );
}

const outcomeOfReplay = ({ same }: Replay): string =>
  same ? 'What came out is what was given then, byte for byte.' : 'What came out differs from what was given then.';
const outcomeOfTrial = ({ diff }: Trial): string =>
  diff.saysTheSame ? 'It says the same.' : 'It says something else.';

function Replayed({ replay }: { readonly replay: Replay }) {
  const { same, sameCalls, divergences, difference, recordedBy, replayedBy } = replay;
  return (
    <div class={same ? undefined : 'notice'}>
      <p>
        <strong>{outcomeOfReplay(replay)}</strong>{' '}
        {sameCalls ? 'Every call was made again, and no other.' : 'Calls differ.'}{' '}
        {recordedBy !== replayedBy && `It was recorded by version ${recordedBy} and replayed by ${replayedBy}.`}
      </p>
      {divergences.length > 0 && (
        <ul>
          {divergences.map((text, at) => (
            <li key={at}>{inOrder(cut(text, 600))}</li>
          ))}
        </ul>
      )}
      {difference && (
        <dl>
          <dt>{inOrder(`Then, at ${difference.at}`)}</dt>
          <dd dir="auto">{inOrder(cut(difference.recorded, 600))}</dd>
          <dt>Now</dt>
          <dd dir="auto">{inOrder(cut(difference.replayed, 600))}</dd>
        </dl>
      )}
    </div>
  );
}

function Tried({ trial }: { readonly trial: Trial }) {
  const { diff, before, now } = trial;
  const lists = [
    ['Claims', diff.claims],
    ['Citations', diff.citations],
    ['Passages', diff.evidence],
    ['Sources', diff.sources],
    ['Models', diff.models],
    ['Limits', diff.degraded],
  ] as const;
  return (
    <>
      <p>
        <strong>{outcomeOfTrial(trial)}</strong>
        {` It took ${timeOf(now.totalMs)} (then ${timeOf(before.totalMs)}) and cost ${costOf(now.costUsd)} (then ${costOf(before.costUsd)}).`}
      </p>
      <ul>
        {diff.changed.map((name) => (
          <li key={name}>{inOrder(`${name}: ${String(before[name])} → ${String(now[name])}`)}</li>
        ))}
      </ul>
      {lists.map(([name, list]) => (
        <Listed key={name} name={name} list={list} />
      ))}
    </>
  );
}

function Listed({ name, list: { same, added, lost } }: { readonly name: string; readonly list: ListDiff }) {
  if (added.length + lost.length === 0) return <p class="place">{`${name}: the same (${same}).`}</p>;
  return <Apart name={name} same={same} first={['Only then', lost]} second={['Only now', added]} />;
}

type Side = readonly [name: string, texts: readonly string[]];

interface ApartProps {
  readonly name: string;
  readonly same: number;
  readonly first: Side;
  readonly second: Side;
}

/** What two answers share is counted; what one alone has stands under its side. */
function Apart({ name, same, first, second }: ApartProps) {
  return (
    <div class="apart">
      <p class="place">{`${name}: ${same} in both`}</p>
      {[first, second].map(([side, texts]) => (
        <section key={side} aria-label={`${name}: ${side}`}>
          <h4>{`${side} (${texts.length})`}</h4>
          <ul>
            {texts.map((text) => (
              <li key={text} dir="auto">
                {inOrder(cut(text, 600))}
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

function Compared({ first, second }: { readonly first: SavedTrace; readonly second: SavedTrace }) {
  const difference = differenceOf(claimsOf(answerOf(first)), claimsOf(answerOf(second)));
  return (
    <div class="outcome">
      <p>
        {'The other was asked '}
        <q dir="auto">{inOrder(cut(questionOf(second), 200))}</q>
        {` and took ${timeOf(second.trace.totalMs)} (this one ${timeOf(first.trace.totalMs)}).`}
      </p>
      <Apart
        name="Claims"
        same={difference.both.length}
        first={['Only in this one', difference.first]}
        second={['Only in the other', difference.second]}
      />
    </div>
  );
}
