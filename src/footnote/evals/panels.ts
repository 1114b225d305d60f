// The judges that are asked elsewhere when a suite is run.
import type { Config } from '../../config.ts';
import { FootnoteError } from '../../core/errors.ts';
import { createModelPanel } from '../../evals/model/model-panel.ts';
import type { Panel } from '../../evals/panel.ts';
import { createModelBudget } from '../../models/money/model-budget.ts';
import { openLanguageModels } from '../roles/language-models.ts';
import { readSpendingLimits } from '../roles/spending-limits.ts';
import { openFoundry } from './foundry.ts';
import type { JudgeKind } from './judge-kinds.ts';

export interface OpenedPanels {
  readonly panels: readonly Panel[];
  close(): Promise<void>;
}

async function openModel(config: Config): Promise<OpenedPanels> {
  const language = await openLanguageModels(config);
  const model = language.models.of('judge');
  if (!model) {
    await language.close();
    throw new FootnoteError(
      'config-invalid',
      'MODEL_JUDGE is not set. Set it to the model that judges, for example MODEL_JUDGE=openai:gpt-5-mini.',
    );
  }
  const budget = createModelBudget(readSpendingLimits(config).day, { name: 'this evaluation', setting: 'BUDGET_DAY' });
  const panel = createModelPanel({ model, budget });
  return { panels: [panel], close: () => language.close() };
}

/** Calls nothing. Throws `config-invalid` where one is not configured. */
export async function openPanels(kinds: readonly JudgeKind[], config: Config): Promise<OpenedPanels> {
  const foundry = kinds.includes('foundry') ? openFoundry(config) : undefined;
  try {
    const model = kinds.includes('model') ? await openModel(config) : undefined;
    return {
      panels: [...(model?.panels ?? []), ...(foundry ? [foundry.panel] : [])],
      async close() {
        await model?.close();
        foundry?.close();
      },
    };
  } catch (error) {
    foundry?.close();
    throw error;
  }
}
