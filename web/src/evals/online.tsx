// What judges said of a sample of answers while the server ran, for admins. Scores hold no words: what was asked stands in the trace.
import { BarChart } from '../charts/bar-chart.tsx';
import { type FigureRow, Figures } from '../charts/figures.tsx';
import { follow, hrefOf } from '../shared/address.ts';
import { callJson } from '../shared/api.ts';
import type { EvalReport, EvalRow } from '../shared/contract.ts';
import { instantText } from '../shared/instants.ts';
import { inOrder } from '../shared/text.ts';
import { useLoaded } from '../shell/use-loaded.ts';
import { changeText, scoreText } from './figures-text.ts';

export function Online() {
  const [report] = useLoaded((stopped) => callJson<EvalReport>('admin/evals', { signal: stopped }), []);
  return (
    <section id="online">
      <h3>Answers that were judged while the server ran</h3>
      {report && (report.stats.totalEvaluations === 0 ? <NoneYet /> : <Report report={report} />)}
      {report?.people && (
        <p id="people">
          {`${report.people.judgements} judgements of citations by people: the mean reciprocal rank of the first good one is ${scoreText(report.people.meanReciprocalRank)}, and ${scoreText(report.people.recallAtThree)} of the good ones are among the first three.`}
        </p>
      )}
      {report?.opened && (
        <p id="opened">
          {`Citations were opened in ${report.opened.judgements} readings of answers: the mean reciprocal rank of the first one is ${scoreText(report.opened.meanReciprocalRank)}, and ${scoreText(report.opened.recallAtThree)} of those opened are among the first three.`}
        </p>
      )}
    </section>
  );
}

const NoneYet = () => (
  <p>
    None yet. With <code>ENABLE_ONLINE_EVALS=true</code> a share of the answers is judged after it was given, and stands
    here.
  </p>
);

function Report({ report: { stats, days, drift, judges = [], worst, recent } }: { readonly report: EvalReport }) {
  const { totalEvaluations: total, avgGroundedness, avgRelevance, lowGroundednessCount: low, errors } = stats;
  return (
    <>
      <p id="standing">
        {`${total} judged: groundedness ${scoreText(avgGroundedness)}, relevance ${scoreText(avgRelevance)} on average; ${low} below 0.70${errors > 0 ? `; ${errors} could not be judged` : ''}.`}
      </p>
      {drift?.isFalling && (
        <p class="notice">
          {`Groundedness falls: ${scoreText(drift.recent)} in the last seven days, ${scoreText(drift.earlier)} before (${changeText(drift.difference)}).`}
        </p>
      )}
      <BarChart
        name="Groundedness by day"
        top={1}
        write={scoreText}
        bars={days.map((one) => ({ label: one.day, value: one.avgGroundedness ?? undefined }))}
      />
      <Figures
        name="By judge"
        columns={['Judge', 'Answers', 'Failed', 'Groundedness', 'Relevance', 'Precision of what was read']}
        rows={judges.map((one) => ({
          key: one.judge,
          head: inOrder(one.judge),
          cells: [
            one.evaluations,
            one.errors,
            scoreText(one.avgGroundedness),
            scoreText(one.avgRelevance),
            scoreText(one.avgRetrievalPrecision),
          ],
        }))}
      />
      <h4>The worst of the last seven days</h4>
      <Answers name="The worst" rows={worst} />
      <details>
        <summary>The last ones</summary>
        <Answers name="The last ones" rows={recent} />
      </details>
    </>
  );
}

const rowOf = ({ traceId, timestamp, judge, error, ...scores }: EvalRow): FigureRow => ({
  key: `${traceId} ${judge}`,
  head: (
    <a
      href={hrefOf({ page: 'traces', id: traceId })}
      onClick={follow({ page: 'traces', id: traceId })}
    >{`Trace of ${instantText(timestamp)}`}</a>
  ),
  cells: [
    inOrder(judge),
    error ?? scoreText(scores.groundedness),
    scoreText(scores.relevance),
    scoreText(scores.coherence),
    scoreText(scores.citationPrecision),
    scoreText(scores.retrievalPrecision),
  ],
});

const Answers = ({ name, rows }: { readonly name: string; readonly rows: readonly EvalRow[] }) => (
  <Figures
    name={name}
    columns={['Answer', 'Judge', 'Groundedness', 'Relevance', 'Coherence', 'Citation precision', 'Read precisely']}
    rows={rows.map(rowOf)}
  />
);
