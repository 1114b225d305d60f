// The steps that look at a draft before it is released, as the configuration switches them on: assessing, a team of workers, a critic; and who speaks where no
// document does. Invariant: a step
// that is off is absent, and costs nothing; models are asked on the budget of the request under their own roles.
import { createModelCritic } from '../../agent/critic/by-model.ts';
import type { Critic } from '../../agent/critic/critic.ts';
import { createAssessment, createReview, reviewLimits } from '../../agent/critic/review.ts';
import type { RevisePortsOfTurn } from '../../agent/revise-turn.ts';
import type { TalkPorts } from '../../agent/steps/greet.ts';
import { createTalker } from '../../agent/talk/talker.ts';
import type { OrchestratedPorts } from '../../agent/tools/orchestrate.ts';
import type { Gatherer } from '../../agent/turn/gatherer.ts';
import { createTeam, type Team } from '../../agent/workers/team.ts';
import { workers } from '../../agent/workers/worker.ts';
import { createModelJudge } from '../../answer/judge/model-judge.ts';
import type { AgentConfig } from '../../config/agent.ts';
import type { RequestBudget } from '../../core/budget.ts';
import type { LanguageModel } from '../../models/language/language-model.ts';
import { withTemperature } from '../../models/language/model-name.ts';
import { toDegradation, undoneSteps } from './undone-steps.ts';

export interface RevisedRequest extends OrchestratedPorts {
  /** What is read is no business of a model that somebody else runs. */
  readonly staysHere: boolean;
}

/** A step whose model is absent is not run, and the answer says so where the configuration asks for it. */
export interface RevisingModels {
  readonly critic: LanguageModel | undefined;
  readonly judge: LanguageModel | undefined;
  /** Makes small talk. */
  readonly talk: LanguageModel | undefined;
  /** Answers where no document does. */
  readonly guess: LanguageModel | undefined;
  /** A model serves a worker of a team. */
  readonly isTeamServed: boolean;
  /** Who looks things up with a model at this temperature; undefined: one search does. */
  readonly gathererAt: (temperature: number, budget: RequestBudget, ports: OrchestratedPorts) => Gatherer | undefined;
}

export function createRevisingSteps(agent: AgentConfig, { critic, judge, talk, guess, ...tools }: RevisingModels) {
  return (budget: RequestBudget, { staysHere, ...ports }: RevisedRequest): RevisePortsOfTurn & TalkPorts => {
    const speaking = staysHere ? undefined : budget.forRole('answer');
    const criticising =
      critic && !staysHere ? createModelCritic({ model: critic, budget: budget.forRole('critic') }) : undefined;
    const isWorking = tools.isTeamServed && !staysHere;
    const undone = undoneSteps(agent, { critic: criticising !== undefined, worker: isWorking });
    return {
      ...(speaking && talk && { talk: createTalker({ model: talk, budget: speaking, kind: 'talk' }) }),
      ...(speaking && guess && { guess: createTalker({ model: guess, budget: speaking, kind: 'ungrounded' }) }),
      ...(criticising && lookingSteps(agent, criticising)),
      ...(agent.isTeamed &&
        isWorking && {
          team: { from: agent.teamThreshold, open: () => openTeam({ agent, budget, ports, judge, tools }) },
        }),
      ...(undone.length > 0 && {
        undone: ({ complexity = 0 }) =>
          undone
            .filter(({ component }) => component !== 'team' || complexity >= agent.teamThreshold)
            .map((step) => toDegradation(step, staysHere)),
      }),
    };
  };
}

/** Who looks at drafts. A critic sees them all: then nobody has to assess the weak ones. */
const lookingSteps = (agent: AgentConfig, critic: Critic): RevisePortsOfTurn =>
  agent.isCriticising
    ? { review: createReview(critic, { ...reviewLimits, rounds: agent.criticRounds }) }
    : agent.isAssessing
      ? { assess: createAssessment(critic, { ...reviewLimits, rounds: agent.assessmentRounds + 1 }) }
      : {};

interface OpenedTeam {
  readonly agent: AgentConfig;
  readonly budget: RequestBudget;
  readonly ports: OrchestratedPorts;
  readonly judge: LanguageModel | undefined;
  readonly tools: Pick<RevisingModels, 'gathererAt'>;
}

function openTeam({ agent, budget, ports, judge, tools }: OpenedTeam): Team {
  return createTeam({
    // The web is the business of another worker.
    retrieving: tools.gathererAt(workers.retrieve.temperature, budget, { ...ports, further: [] }) ?? ports.plain,
    web: ports.further,
    judge:
      judge &&
      createModelJudge({
        model: withTemperature(judge, workers.check.temperature),
        budget: budget.forRole('judge'),
      }),
    mostAtOnce: agent.mostWorkers,
  });
}
