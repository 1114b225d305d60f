// A suite run on the product as it is configured, in a throw-away data folder: its documents read in, every question asked, every answer judged.
import type { Config } from '../../config.ts';
import { FootnoteError } from '../../core/errors.ts';
import { systemClock } from '../../core/ids.ts';
import type { Mode } from '../../core/search.ts';
import { readCorpus, readDocuments } from '../../evals/datasets.ts';
import { ruleJudges } from '../../evals/judges/rules.ts';
import { runSuite, type SuiteRun } from '../../evals/suite/run.ts';
import type { Suite } from '../../evals/suite/suite.ts';
import type { JudgeKind } from '../evals/judge-kinds.ts';
import { openPanels } from '../evals/panels.ts';
import { settingFacts } from '../replay/setting-facts.ts';
import { isBeirFolder, openEvaluatedSystem } from './evaluated-system.ts';

export interface SuiteTrialOptions {
  readonly config: Config;
  /** Who judges beside the rules. Default: nobody. */
  readonly judges?: readonly JudgeKind[];
  /** Default: the suite's, else the configured one. */
  readonly mode?: Mode;
  readonly onRefused?: (refused: { readonly id: string; readonly reason: string }) => void;
  readonly onProgress?: (done: number, total: number) => void;
  readonly signal?: AbortSignal;
}

/** Throws only what ends the whole run; a question that fails is a result. */
export async function trySuite(suite: Suite, options: SuiteTrialOptions): Promise<SuiteRun> {
  const { config, judges = [], onRefused, onProgress, signal } = options;
  // Before anything is read: what is not configured is told at once.
  const { panels, close } = await openPanels(judges, config);
  const system = await openEvaluatedSystem(config).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  try {
    const corpora: string[] = [];
    for (const path of suite.docs) {
      const isCorpus = await isBeirFolder(path);
      if (isCorpus) corpora.push(path);
      if (corpora.length > 1)
        throw new FootnoteError(
          'invalid-request',
          'A suite has one folder in BEIR layout: ids of two could be the same.',
        );
      const { failed } = isCorpus
        ? await system.ingest(readCorpus(path), signal)
        : await system.ingestPath(path, signal);
      for (const one of failed) onRefused?.(one);
    }
    if (suite.conversations !== undefined) await system.importConversations(suite.conversations, signal);
    const { settings, program } = settingFacts(config);
    const { update } = suite;
    return await runSuite({
      suite,
      system,
      judges: ruleJudges,
      panels,
      mode: options.mode ?? suite.mode ?? config.defaultMode,
      about: { program, at: systemClock.now(), settings: { ...settings } },
      verify: async (answer) => (await system.footnote.answers.verify(system.toRecorded(answer))).citations,
      contextOf: (answer) => system.contextOf(answer),
      ...(update !== undefined && { update: () => system.ingest(readDocuments(update), signal) }),
      ...(onProgress && { onProgress }),
      ...(signal && { signal }),
    });
  } finally {
    await close();
    await system.close();
  }
}
