// The judges that are asked elsewhere when a suite is run, by the names under which people ask for them.
import type { Config } from '../../config.ts';
import type { Panel } from '../../evals/panel.ts';
import { openFoundry } from './foundry.ts';

export const judgeKinds = ['foundry'] as const;
export type JudgeKind = (typeof judgeKinds)[number];

export interface OpenedPanels {
  readonly panels: readonly Panel[];
  close(): void;
}

/** Calls nothing. Throws `config-invalid` where one is not configured. */
export function openPanels(kinds: readonly JudgeKind[], config: Pick<Config, 'evals' | 'secret'>): OpenedPanels {
  const foundry = kinds.includes('foundry') ? openFoundry(config) : undefined;
  return { panels: foundry ? [foundry.panel] : [], close: () => foundry?.close() };
}
