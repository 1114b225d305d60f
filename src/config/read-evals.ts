// How answers are scored while the server runs, as its settings say.

export interface EvalsConfig {
  /** Share of answers that rules score, 0..1; 0 where none is. */
  readonly rulesShare: number;
}

export function readEvals(values: ReadonlyMap<string, string | number | boolean>): EvalsConfig {
  const share = (flag: string, rate: string): number => (values.get(flag) === true ? Number(values.get(rate)) : 0);
  return Object.freeze({ rulesShare: share('ENABLE_ONLINE_EVALS', 'EVAL_SAMPLE_RATE') });
}
