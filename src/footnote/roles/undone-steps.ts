// Steps that the configuration asks for and that no model can take: what answers and the doctor say of them. Pure.
import type { AgentConfig } from '../../config/agent.ts';
import type { Degradation } from '../../core/search.ts';

export interface UndoneStep {
  /** As `degraded` names it. */
  readonly component: 'critic' | 'assessment' | 'team';
  readonly detail: string;
  readonly advice: string;
}

export interface ServingModels {
  readonly critic: boolean;
  /** A model that a worker of a team would ask: of answers, of tools, of judgements. */
  readonly worker: boolean;
}

/** A critic looks at every draft: an assessment of weak ones adds nothing to it. */
export function undoneSteps(
  { isCriticising, isAssessing, isTeamed }: Pick<AgentConfig, 'isCriticising' | 'isAssessing' | 'isTeamed'>,
  serving: ServingModels,
): readonly UndoneStep[] {
  const step = (component: UndoneStep['component'], flag: string, setting: string): UndoneStep => ({
    component,
    detail: `${flag} is on, and the step needs a model.`,
    advice: `Set ${setting}, or ${flag} to false.`,
  });
  return [
    ...(isCriticising && !serving.critic ? [step('critic', 'ENABLE_CRITIC', 'MODEL_CRITIC')] : []),
    ...(isAssessing && !isCriticising && !serving.critic
      ? [step('assessment', 'ENABLE_ASSESSMENT', 'MODEL_CRITIC')]
      : []),
    ...(isTeamed && !serving.worker ? [step('team', 'ENABLE_MULTI_AGENT', 'MODEL_ANSWER or MODEL_JUDGE')] : []),
  ];
}

/** `isKeptHere`: there may be a model, and what is read is no business of it. */
export const toDegradation = ({ component, detail, advice }: UndoneStep, isKeptHere: boolean): Degradation => ({
  component,
  code: 'needs-model',
  detail: isKeptHere
    ? 'The step needs a model, and no model is shown what this question reads.'
    : `${detail} ${advice}`,
  effect: 'The answer was written without it.',
});
