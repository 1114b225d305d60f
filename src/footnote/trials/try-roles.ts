// `footnote models test`: the trials of a configuration, one for each role that is on, and why the others are not tried. Invariant: no
// folder of data is opened and nothing is saved; what a trial opens is closed again; all trials together stay within limits of their own.
import type { ModelBudget, ModelBudgetLimits } from '../../core/budget.ts';
import { FootnoteError } from '../../core/errors.ts';
import type { Clock } from '../../core/ids.ts';
import { listedContextTokens } from '../../models/context-window.ts';
import { parseEmbeddingReference } from '../../models/embedding/facts.ts';
import { openProviderEmbeddings } from '../../models/embedding/provider-embeddings.ts';
import { createModelBudget } from '../../models/money/model-budget.ts';
import { modelSettingsOf, openLanguageModels } from '../roles/language-models.ts';
import { type EmbedTrialOptions, embedTrial } from '../roles/models.ts';
import { openReranker, rerankerSettingsOf } from '../roles/rerankers.ts';
import { type RoleRow, type RolesConfig, roleTable } from '../roles/role-table.ts';
import type { RoleTrial } from '../roles/role-trial.ts';
import { readSpendingLimits } from '../roles/spending-limits.ts';
import { languageTrials, pickTrials, runTrials, type TrialReport, toCall, tryReranker } from './role-trials.ts';

export interface TriedRoles {
  /** What all trials together may take, and took. */
  readonly budget: Pick<ModelBudget, 'limits'> & { readonly spent: ReturnType<ModelBudget['spent']> };
  readonly trials: readonly TrialReport[];
  readonly skipped: readonly { readonly role: string; readonly why: string }[];
}

export interface TryRolesOptions {
  /** Only this one. */
  readonly role?: string;
  /** What the embedding model embeds. */
  readonly text: string;
  readonly clock: Clock;
  readonly onStart?: (trial: RoleTrial) => void;
}

/** Many times what a trial of every role takes: what goes wrong costs no more than cents. */
const ownLimits: ModelBudgetLimits = { calls: 50, inputTokens: 20_000, outputTokens: 20_000 };

/** Also within what a day may take, as if nothing had been spent of it: what was is in a folder of data, which another process may own. */
function openTrialBudget(config: TrialConfig): ModelBudget {
  const { keyDay, day } = readSpendingLimits(config);
  const ofDay = createModelBudget(day, { name: 'a tenant in a day', setting: 'BUDGET_DAY' });
  const ofKey = createModelBudget(keyDay, { name: 'a key in a day', setting: 'BUDGET_KEY_DAY', above: ofDay });
  return createModelBudget(ownLimits, { name: 'all trials together', above: ofKey });
}

type TrialConfig = RolesConfig &
  EmbedTrialOptions['config'] &
  Parameters<typeof readSpendingLimits>[0] & { readonly requestTimeoutMs: number };

/** Throws `config-invalid` for mistakes in the settings, `invalid-request` for an unknown role, `cancelled`. */
export async function tryRoles(
  config: TrialConfig,
  options: TryRolesOptions,
  signal?: AbortSignal,
): Promise<TriedRoles> {
  const { role, text, clock, onStart } = options;
  const table = roleTable(config);
  const rows = role === undefined ? table : pickTrials(table, role);
  const settings = modelSettingsOf(config);
  const budget = openTrialBudget(config);
  const opened = await openLanguageModels(config);
  try {
    const embedding = embedTrial({
      config,
      text,
      clock,
      openProvider(setting, ends) {
        const reference = parseEmbeddingReference(setting);
        if (!reference) throw new FootnoteError('config-invalid', `There is no embedding model ${setting}.`);
        return openProviderEmbeddings(settings, reference, { budget: budget.forRole('embed') }, ends);
      },
      budget: budget.forRole('embed'),
    });
    const found = [
      ...languageTrials({
        opened,
        rows,
        budget,
        timeoutMs: config.requestTimeoutMs,
        answerForm: config.language.answerForm,
        toldContextTokens: (reference, ends) => listedContextTokens(settings, reference, {}, ends),
      }),
      ...(embedding ? [embedding] : []),
      ...rerankTrial(config, budget),
    ];
    const trials = rows.flatMap((row) => found.find((trial) => trial.role === row.role) ?? []);
    const skipped = rows
      .filter((row) => !trials.some((trial) => trial.role === row.role))
      .map((row) => ({ role: row.role, why: reasonOf(row) }));
    const reports = await runTrials(trials, { clock, ...(onStart && { onStart }) }, signal);
    return { trials: reports, skipped, budget: { limits: budget.limits, spent: budget.spent() } };
  } finally {
    await opened.close();
  }
}

/** Of a cross-encoder or a rerank service; a language model of that role is tried with the others. */
function rerankTrial(config: TrialConfig, budget: ModelBudget): readonly RoleTrial[] {
  const { model } = config.reranking;
  if (!/^(onnx|service):/u.test(model)) return [];
  return [
    {
      role: 'rerank',
      model,
      async run(signal) {
        const opened = await openReranker(rerankerSettingsOf(config));
        if (!opened) throw new FootnoteError('internal', `${model} is configured and was not opened.`);
        try {
          // Loading is part of the trial, and no part of the time that a search gives it.
          return await tryReranker(opened.reranking.model, toCall(config.requestTimeoutMs, budget, signal));
        } finally {
          await opened.close();
        }
      },
    },
  ];
}

function reasonOf({ models, unused, without, hints = [] }: RoleRow): string {
  if (unused) return 'nothing asks it as things are set';
  if (models.length === 0) return [`off (${without})`, ...hints].join('. ');
  return 'learned from the documents: "footnote search --mode vector" tries it, and says what is still missing';
}
