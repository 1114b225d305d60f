// The steps that look at a draft before it is released, as the configuration switches them on: assessing, a team of workers, a critic; and who speaks where no
// document does. Invariant: a step
// that is off is absent, and costs nothing; models are asked on the budget of the request under their own roles.
import { createModelCritic } from '../../agent/critic/by-model.ts';
import { ruleCritic } from '../../agent/critic/critic.ts';
import { createReview, reviewLimits } from '../../agent/critic/review.ts';
import { assessmentLimits, createAssessment } from '../../agent/revise/assess.ts';
import type { RevisePortsOfTurn } from '../../agent/revise-turn.ts';
import type { TalkPorts } from '../../agent/steps/greet.ts';
import { createTalker } from '../../agent/talk/talker.ts';
import type { OrchestratedPorts } from '../../agent/tools/orchestrate.ts';
import type { Gatherer } from '../../agent/turn/gatherer.ts';
import { createTeam } from '../../agent/workers/team.ts';
import { workers } from '../../agent/workers/worker.ts';
import { createModelJudge } from '../../answer/judge/model-judge.ts';
import type { AgentConfig } from '../../config/read-agent.ts';
import type { RequestBudget } from '../../core/budget.ts';
import type { LanguageModel } from '../../models/language/language-model.ts';
import { withTemperature } from '../../models/language/model-name.ts';

export interface RevisedRequest extends OrchestratedPorts {
  /** What is read is no business of a model that somebody else runs. */
  readonly staysHere: boolean;
}

/** Absent models leave the deterministic form of each step. */
export interface RevisingModels {
  readonly critic: LanguageModel | undefined;
  readonly judge: LanguageModel | undefined;
  /** Makes small talk. */
  readonly talk: LanguageModel | undefined;
  /** Answers where no document does. */
  readonly guess: LanguageModel | undefined;
  /** Who looks things up with a model at this temperature; undefined: one search does. */
  readonly gathererAt: (temperature: number, budget: RequestBudget, ports: OrchestratedPorts) => Gatherer | undefined;
}

export function createRevisingSteps(agent: AgentConfig, { critic, judge, talk, guess, gathererAt }: RevisingModels) {
  const assess = agent.isAssessing
    ? createAssessment({ ...assessmentLimits, rounds: agent.assessmentRounds })
    : undefined;
  const limits = { ...reviewLimits, rounds: agent.criticRounds };
  return (budget: RequestBudget, { staysHere, ...ports }: RevisedRequest): RevisePortsOfTurn & TalkPorts => {
    const speaking = staysHere ? undefined : budget.forRole('answer');
    const { plain, further = [] } = ports;
    const byModel =
      critic && !staysHere ? createModelCritic({ model: critic, budget: budget.forRole('critic') }) : ruleCritic;
    const checking =
      judge && !staysHere
        ? createModelJudge({
            model: withTemperature(judge, workers.check.temperature),
            budget: budget.forRole('judge'),
          })
        : undefined;
    return {
      ...(speaking && talk && { talk: createTalker({ model: talk, budget: speaking, kind: 'talk' }) }),
      ...(speaking && guess && { guess: createTalker({ model: guess, budget: speaking, kind: 'ungrounded' }) }),
      ...(assess && { assess }),
      ...(agent.isCriticising && { review: createReview(byModel, limits) }),
      ...(agent.isTeamed && {
        team: {
          from: agent.teamThreshold,
          open: () =>
            createTeam({
              // The web is the business of another worker.
              retrieving:
                (staysHere ? undefined : gathererAt(workers.retrieve.temperature, budget, { ...ports, further: [] })) ??
                plain,
              web: staysHere ? [] : further,
              judge: checking,
              mostAtOnce: agent.mostWorkers,
            }),
        },
      }),
    };
  };
}
