// Judges held against rows that people labelled, as the product has them: the rules, the model of the judge role, Azure AI Foundry.
import type { Config } from '../../config.ts';
import { FootnoteError } from '../../core/errors.ts';
import {
  calibratePanel,
  calibrationNames,
  type JudgeCalibration,
  type LabelledRow,
  labelledRowSchema,
  panelOfRules,
} from '../../evals/calibration-rows.ts';
import { readJsonl } from '../../evals/datasets.ts';
import { ruleJudges } from '../../evals/judges/rules.ts';
import type { JudgeKind } from '../evals/judge-kinds.ts';
import { openPanels } from '../evals/panels.ts';

export interface CalibrationTrial {
  readonly config: Config;
  readonly judges: readonly JudgeKind[];
  readonly folds?: number;
  readonly seed?: number;
  readonly signal?: AbortSignal;
}

/** The rules always, for comparison. Throws `invalid-request` with the line for rows that cannot be read. */
export async function calibrateJudges(path: string, trial: CalibrationTrial): Promise<readonly JudgeCalibration[]> {
  const { config, judges, ...run } = trial;
  const rows: LabelledRow[] = [];
  for await (const row of readJsonl(path, labelledRowSchema)) rows.push(row);
  const names = calibrationNames.filter((name) => rows.some(({ labels }) => labels[name] !== undefined));
  if (names.length === 0)
    throw new FootnoteError(
      'invalid-request',
      `${path} has no labels. Give lines of {"question", "response", "context", "labels": {"groundedness": true}}.`,
    );
  const { panels, close } = await openPanels(judges, { config, names });
  try {
    const all: JudgeCalibration[] = [];
    for (const panel of [panelOfRules(ruleJudges), ...panels]) all.push(...(await calibratePanel(rows, panel, run)));
    return all;
  } finally {
    close();
  }
}
