// `footnote models test`: the trials of a configuration, one for each role that is on, and why the others are not tried. Invariant: no
// folder of data is opened and nothing is saved; what a trial opens is closed again.
import { FootnoteError } from '../core/errors.ts';
import type { Clock } from '../core/ids.ts';
import { openProviderEmbeddings } from '../models/provider-embeddings.ts';
import { parseEmbeddingReference } from '../models/provider-embeddings-facts.ts';
import { toldContextTokens } from '../models/told-context.ts';
import { modelSettingsOf, openLanguageModels } from './language-models.ts';
import { type EmbedTrialOptions, embedTrial } from './models.ts';
import { openReranker, rerankerSettingsOf } from './rerankers.ts';
import { type RoleRow, type RolesConfig, roleTable } from './role-table.ts';
import { languageTrials, pickTrials, type RoleTrial, runTrials, type TrialReport, tryReranker } from './role-trials.ts';

export interface TriedRoles {
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
  /** Of local models, where not as usual. */
  readonly places?: EmbedTrialOptions['places'];
}

type TrialConfig = RolesConfig & EmbedTrialOptions['config'] & { readonly requestTimeoutMs: number };

/** Throws `config-invalid` for mistakes in the settings, `invalid-request` for a role that there is not, `cancelled`. */
export async function tryRoles(
  config: TrialConfig,
  options: TryRolesOptions,
  signal?: AbortSignal,
): Promise<TriedRoles> {
  const { role, text, clock, onStart, places } = options;
  const table = roleTable(config);
  const rows = role === undefined ? table : pickTrials(table, role);
  const settings = modelSettingsOf(config);
  const opened = await openLanguageModels(config);
  try {
    const embedding = embedTrial({
      config,
      text,
      clock,
      openProvider(setting, ends) {
        const reference = parseEmbeddingReference(setting);
        if (!reference) throw new FootnoteError('config-invalid', `There is no embedding model ${setting}.`);
        return openProviderEmbeddings(settings, reference, {}, ends);
      },
      ...(places && { places }),
    });
    const found = [
      ...languageTrials({
        opened,
        rows,
        timeoutMs: config.requestTimeoutMs,
        toldContextTokens: (reference, ends) => toldContextTokens(settings, reference, {}, ends),
      }),
      ...(embedding ? [embedding] : []),
      ...rerankTrial(config, places),
    ];
    const trials = rows.flatMap((row) => found.find((trial) => trial.role === row.role) ?? []);
    const skipped = rows
      .filter((row) => !trials.some((trial) => trial.role === row.role))
      .map((row) => ({ role: row.role, why: reasonOf(row) }));
    return { trials: await runTrials(trials, { clock, ...(onStart && { onStart }) }, signal), skipped };
  } finally {
    opened.close();
  }
}

/** Of a cross-encoder or a rerank service; a language model of that role is tried with the others. */
function rerankTrial(config: TrialConfig, places: TryRolesOptions['places']): readonly RoleTrial[] {
  const { model } = config.reranking;
  if (!/^(local|service):/u.test(model)) return [];
  return [
    {
      role: 'rerank',
      model,
      async run(signal) {
        const ports = places ? { local: { peerPlaces: places } } : {};
        const opened = await openReranker(rerankerSettingsOf(config), ports);
        if (!opened) throw new FootnoteError('internal', `${model} is configured and was not opened.`);
        try {
          // Loading is part of the trial, and no part of the time that a search gives it.
          return await tryReranker(opened.reranking.model, config.requestTimeoutMs, signal);
        } finally {
          await opened.close();
        }
      },
    },
  ];
}

function reasonOf({ models, unused, without }: RoleRow): string {
  if (unused) return 'no step of this version asks it';
  if (models.length === 0) return `off (${without})`;
  return 'learned from the documents: "footnote search --mode vector" tries it, and says what is still missing';
}
