// Two runs: for each measure the questions won and lost, and how far the mean moved with its interval; and which questions moved.
import { useMemo, useState } from 'preact/hooks';
import { Figures } from '../charts/figures.tsx';
import { counted, inOrder } from '../shared/text.ts';
import { compareRuns, type Estimate, type RunComparison } from './compare.ts';
import { changeText, scoreText } from './figures-text.ts';
import type { OpenRun } from './run-file.ts';

type Compared = { readonly comparison: RunComparison } | { readonly failure: string };

function compared(before: OpenRun | undefined, after: OpenRun | undefined): Compared | undefined {
  if (!before || !after) return undefined;
  try {
    return { comparison: compareRuns(before.run, after.run) };
  } catch (error) {
    return { failure: error instanceof Error ? error.message : String(error) };
  }
}

export function Comparison({ runs }: { readonly runs: readonly OpenRun[] }) {
  const [before, setBefore] = useState(runs.length - 2);
  const [after, setAfter] = useState(runs.length - 1);
  const result = useMemo(() => compared(runs[before], runs[after]), [runs, before, after]);
  const choice = (name: string, value: number, choose: (index: number) => void) => (
    <label>
      {name}
      <select value={value} onChange={({ currentTarget }) => choose(Number(currentTarget.value))}>
        {runs.map((one, index) => (
          <option key={one.name} value={index}>
            {one.name}
          </option>
        ))}
      </select>
    </label>
  );
  return (
    <>
      <h4>Two runs</h4>
      <div class="fields">
        {choice('Before', before, setBefore)}
        {choice('After', after, setAfter)}
      </div>
      {result && 'failure' in result && <p class="notice failure">{inOrder(result.failure)}</p>}
      {result && 'comparison' in result && <Changes comparison={result.comparison} />}
    </>
  );
}

const changedAtOnce = 50;

function Changes({ comparison: { questions, missing, measures, changed } }: { readonly comparison: RunComparison }) {
  const reach = Math.max(1e-9, ...measures.flatMap(({ low, high }) => [Math.abs(low), Math.abs(high)]));
  return (
    <>
      <p id="compared">
        {`${counted(questions, 'question')} in both${missing > 0 ? `; ${missing} of the first run are not in the second` : ''}. An interval that does not reach 0 is more than chance.`}
      </p>
      <Figures
        name="What changed"
        columns={['Measure', 'Before', 'After', 'Won', 'Lost', 'Same', 'Change', 'Interval of 95 %', 'Drawn']}
        rows={measures.map(({ measure, better, worse, same, ...figures }) => ({
          key: measure,
          head: inOrder(measure),
          cells: [
            scoreText(figures.before),
            scoreText(figures.after),
            better,
            worse,
            same,
            changeText(figures.mean),
            `${changeText(figures.low)} to ${changeText(figures.high)}`,
            <Interval key={measure} reach={reach} {...figures} />,
          ],
        }))}
      />
      {changed.length > 0 && (
        <details>
          <summary>{`${counted(changed.length, 'question')} moved, the worst first`}</summary>
          <Figures
            name="Questions that moved"
            columns={['Question', 'In all', 'Measures']}
            rows={changed.slice(0, changedAtOnce).map(({ id, question, balance, changes }) => ({
              key: id,
              head: <bdi>{inOrder(question)}</bdi>,
              cells: [
                changeText(balance),
                inOrder(
                  Object.entries(changes)
                    .map(([name, [one, other]]) => `${name}: ${scoreText(one)} → ${scoreText(other)}`)
                    .join('; '),
                ),
              ],
            }))}
          />
          {changed.length > changedAtOnce && <p class="place">{`And ${changed.length - changedAtOnce} more.`}</p>}
        </details>
      )}
    </>
  );
}

/** The interval as a line, the mean as a point on it, and nothing at all as the line across. */
function Interval({ mean, low, high, reach }: Estimate & { readonly reach: number }) {
  const at = (value: number): number => 50 + (value / reach) * 48;
  return (
    <svg class="small interval" viewBox="0 0 100 20" aria-hidden="true">
      <path class="nothing" d="M50 0V20" />
      <path class="span" d={`M${at(low)} 10H${at(high)}M${at(low)} 6V14M${at(high)} 6V14`} />
      <circle cx={at(mean)} cy={10} r={3.5} />
    </svg>
  );
}
