// Runs of suites, from files that `footnote eval run` wrote: judges side by side, each question with its reasons, and two runs compared. Nothing is uploaded.
import { useRef, useState } from 'preact/hooks';
import { attempt, tell } from '../ask/session.ts';
import { BarChart } from '../charts/bar-chart.tsx';
import { Figures } from '../charts/figures.tsx';
import { instantText } from '../shared/instants.ts';
import { counted, inOrder } from '../shared/text.ts';
import { Comparison } from './comparison.tsx';
import { scoreText } from './figures-text.ts';
import { type OpenRun, type Run, type RunResult, readRun } from './run-file.ts';

const suitePath = 'footnote eval run ./suite --out before';

export function Runs() {
  const [runs, setRuns] = useState<readonly OpenRun[]>([]);
  const field = useRef<HTMLInputElement>(null);
  const open = async (files: readonly File[]): Promise<void> => {
    const read = await Promise.all(files.map(async (file) => readRun(await file.text(), file.name)));
    const known = new Set(runs.map(({ run }) => run.at));
    const added = read
      .filter(({ at }) => !known.has(at))
      .map((run) => ({ name: `${run.suite.name}, ${instantText(run.at)}, ${run.program}`, run }));
    setRuns([...runs, ...added].sort((one, other) => Date.parse(one.run.at) - Date.parse(other.run.at)));
    tell(`${counted(added.length, 'run')} opened.`);
  };
  return (
    <section id="runs">
      <h3>Runs of suites</h3>
      <p>
        Open the files <code>run.json</code> of <code>{suitePath}</code>. They are read in this tab and go nowhere.
      </p>
      <div class="row">
        <button type="button" onClick={() => field.current?.click()}>
          Open runs
        </button>
        <input
          ref={field}
          type="file"
          multiple
          hidden
          accept=".json,application/json"
          aria-label="Runs"
          onChange={({ currentTarget }) => {
            const files = [...(currentTarget.files ?? [])];
            currentTarget.value = '';
            attempt(open(files));
          }}
        />
        {runs.length > 0 && (
          <button type="button" onClick={() => setRuns([])}>
            Close all
          </button>
        )}
      </div>
      {runs.length > 0 && <Judges runs={runs} />}
      {runs.length > 0 && <OneRun key={runs.length} runs={runs} />}
      {runs.length > 1 && <Comparison runs={runs} />}
    </section>
  );
}

/** `0.83, 12 of 14 pass`. */
function standingOf({ results }: Run, judge: string): { readonly mean: number; readonly text: string } | undefined {
  const judged = results.filter(({ measures }) => measures[judge] !== undefined);
  if (judged.length === 0) return undefined;
  const mean = judged.reduce((sum, { measures }) => sum + (measures[judge] ?? 0), 0) / judged.length;
  const passed = judged.filter(({ missed }) => !missed.includes(judge)).length;
  return { mean, text: `${scoreText(mean)}, ${passed} of ${judged.length} pass` };
}

function Judges({ runs }: { readonly runs: readonly OpenRun[] }) {
  const judges = [...new Map(runs.flatMap(({ run }) => run.judges.map((one) => [one.name, one] as const))).values()];
  const [chosen, setChosen] = useState(judges[0]?.name ?? '');
  return (
    <>
      <Figures
        name="Runs and judges"
        columns={['Judge', 'Passes from', ...runs.map(({ name }) => name)]}
        rows={judges.map(({ name, by, threshold }) => ({
          key: name,
          head: inOrder(by === 'rules' || name.includes(by) ? name : `${name} (${by})`),
          cells: [scoreText(threshold), ...runs.map(({ run }) => standingOf(run, name)?.text ?? '–')],
        }))}
      />
      {runs.length > 1 && (
        <>
          <label>
            {'Over time: '}
            <select value={chosen} onChange={({ currentTarget }) => setChosen(currentTarget.value)}>
              {judges.map(({ name }) => (
                <option key={name}>{name}</option>
              ))}
            </select>
          </label>
          <BarChart
            name={inOrder(chosen)}
            top={1}
            write={scoreText}
            markedAs="another version than before"
            bars={runs.map(({ name, run }, at) => ({
              label: name,
              value: standingOf(run, chosen)?.mean,
              ...(at > 0 && runs[at - 1]?.run.program !== run.program && { marked: true }),
            }))}
          />
        </>
      )}
    </>
  );
}

const rowsAtOnce = 100;

function OneRun({ runs }: { readonly runs: readonly OpenRun[] }) {
  const [at, setAt] = useState(runs.length - 1);
  const [onlyMissed, setOnlyMissed] = useState(true);
  const [shown, setShown] = useState(rowsAtOnce);
  const run = runs[at]?.run;
  if (!run) return null;
  const rows = run.results.filter(({ missed }) => !onlyMissed || missed.length > 0);
  return (
    <>
      <h4>Question by question</h4>
      <div class="fields">
        <label>
          Run
          <select value={at} onChange={({ currentTarget }) => setAt(Number(currentTarget.value))}>
            {runs.map(({ name }, index) => (
              <option key={name} value={index}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <label class="tick">
          <input
            type="checkbox"
            checked={onlyMissed}
            onChange={({ currentTarget }) => setOnlyMissed(currentTarget.checked)}
          />{' '}
          Only those that a judge does not pass
        </label>
      </div>
      <p id="rows" class="place">{`${rows.length} of ${counted(run.results.length, 'question')}`}</p>
      {rows.length > 0 && (
        <Figures
          name="Question by question"
          columns={['Question', 'Answer', ...run.judges.map(({ name }) => name)]}
          rows={rows.slice(0, shown).map((result) => ({
            key: result.id,
            head: <bdi>{inOrder(result.question)}</bdi>,
            cells: [
              <bdi key="answer">{inOrder(answerOf(result))}</bdi>,
              ...run.judges.map(({ name }) => <Verdict key={name} result={result} judge={name} />),
            ],
          }))}
        />
      )}
      {rows.length > shown && (
        <button type="button" onClick={() => setShown(shown + rowsAtOnce)}>
          More questions
        </button>
      )}
    </>
  );
}

const answerOf = ({ answer, abstained, error }: RunResult): string =>
  error ?? (abstained ? 'Abstained' : (answer ?? '').slice(0, 400));

function Verdict({
  result: { measures, missed, reasons },
  judge,
}: {
  readonly result: RunResult;
  readonly judge: string;
}) {
  const score = measures[judge];
  const reason = reasons[judge];
  if (score === undefined) return <>–</>;
  return (
    <>
      <p class={missed.includes(judge) ? 'fails' : undefined}>
        {`${scoreText(score)} ${missed.includes(judge) ? 'does not pass' : 'passes'}`}
      </p>
      {reason && <p class="place">{inOrder(reason)}</p>}
    </>
  );
}
