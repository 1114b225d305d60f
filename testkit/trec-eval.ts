// The measures of trec_eval 9 once more, after its own sources and apart from the program's: a run and judgments as their files have them, in
// its order of work (form_res_rels, m_ndcg_cut, m_recall, m_map, m_recip_rank). Scores are single precision there, and so they are here.

export interface TrecMeasures {
  readonly ndcg_cut_10: number;
  readonly recall_10: number;
  readonly recall_100: number;
  readonly map: number;
  /** recip_rank over the first ten, as `-M 10` has it. */
  readonly recip_rank_10: number;
}

interface Retrieved {
  readonly docno: string;
  readonly sim: number;
}

/** strcmp on the bytes. */
function strcmp(a: string, b: string): number {
  const [left, right] = [new TextEncoder().encode(a), new TextEncoder().encode(b)];
  for (let at = 0; at < Math.min(left.length, right.length); at++) {
    const difference = (left[at] ?? 0) - (right[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

const longestRun = 1000;

/** Lines of a run (`qid Q0 docno rank sim tag`) and of judgments (`qid 0 docno rel`); a judged query without results counts 0 (`-c`). */
export function trecEval(runLines: readonly string[], qrelLines: readonly string[]): Map<string, TrecMeasures> {
  const rels = new Map<string, Map<string, number>>();
  for (const line of qrelLines) {
    const [qid = '', , docno = '', rel = '0'] = line.split(/\s+/u);
    rels.set(qid, (rels.get(qid) ?? new Map<string, number>()).set(docno, Number.parseInt(rel, 10)));
  }
  const runs = new Map<string, Retrieved[]>();
  for (const line of runLines) {
    const [qid = '', , docno = '', , sim = '0'] = line.split(/\s+/u);
    const of = runs.get(qid) ?? [];
    of.push({ docno, sim: Math.fround(Number.parseFloat(sim)) });
    runs.set(qid, of);
  }
  const measured = new Map<string, TrecMeasures>();
  for (const [qid, judged] of rels) {
    const ranked = (runs.get(qid) ?? []).sort((a, b) => (a.sim === b.sim ? strcmp(b.docno, a.docno) : b.sim - a.sim));
    const levels = ranked.slice(0, longestRun).map(({ docno }) => judged.get(docno) ?? -1);
    measured.set(qid, measure(levels, [...judged.values()]));
  }
  return measured;
}

function measure(levels: readonly number[], judged: readonly number[]): TrecMeasures {
  const numRel = judged.filter((rel) => rel >= 1).length;
  let [dcg, idcg, found, found10, found100, precisions, first] = [0, 0, 0, 0, 0, 0, 0];
  for (let i = 0; i < levels.length; i++) {
    const rel = levels[i] ?? -1;
    if (i < 10 && rel > 0) dcg += rel / (Math.log(i + 2) / Math.log(2));
    if (rel < 1) continue;
    found += 1;
    if (i < 10) found10 += 1;
    if (i < 100) found100 += 1;
    precisions += found / (i + 1);
    if (first === 0 && i < 10) first = i + 1;
  }
  const ideal = judged.filter((rel) => rel > 0).sort((a, b) => b - a);
  for (let i = 0; i < Math.min(10, ideal.length); i++) idcg += (ideal[i] ?? 0) / (Math.log(i + 2) / Math.log(2));
  return {
    ndcg_cut_10: idcg === 0 ? 0 : dcg / idcg,
    recall_10: numRel === 0 ? 0 : found10 / numRel,
    recall_100: numRel === 0 ? 0 : found100 / numRel,
    map: numRel === 0 ? 0 : precisions / numRel,
    recip_rank_10: first === 0 ? 0 : 1 / first,
  };
}
