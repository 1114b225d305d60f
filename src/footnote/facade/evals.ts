// What doors may ask of the scores that judges gave to answers while the server ran.
import type { EvalReport } from '../../core/evaluation.ts';

export interface Evals {
  /** An admin sees the tenant's, others their own. */
  report(): Promise<EvalReport>;
}
