// From what a turn understood to what it says: written, assessed, checked and criticised as far as those steps are on, then shown. Invariant: while a
// step may still change the draft nothing of it is shown; without such a step claims stream as they are checked.
import { passageComposer } from '../answer/passages/passage-composer.ts';
import type { Degradation } from '../core/search.ts';
import { createHolding, draftOf, type Reviser, releaseDraft } from './revise/held-draft.ts';
import type { ComposeOptions, ComposeStepPorts } from './steps/compose.ts';
import type { Composed, Planned, TurnContext } from './turn/turn-state.ts';
import type { Team } from './workers/team.ts';
import { workers } from './workers/worker.ts';

export interface RevisePortsOfTurn {
  /** Looks at weak drafts of plain questions; absent: nobody does. */
  readonly assess?: Reviser | undefined;
  /** Looks at the draft before it is released; absent: nobody does. */
  readonly review?: Reviser | undefined;
  /** Who works on questions of this complexity and above; absent: one pass does. */
  readonly team?: { readonly from: number; readonly open: () => Team } | undefined;
  /** Of steps that are configured and cannot run: told where a question of this complexity would have had them. */
  readonly undone?: ((question: Pick<Planned, 'complexity'>) => readonly Degradation[]) | undefined;
}

/** Says once of each step that is configured and has no model that it was not run. */
export function tellUndone(
  planned: Planned,
  { undone }: RevisePortsOfTurn,
  { sink }: Pick<TurnContext, 'sink'>,
): Planned {
  const degraded = undone?.(planned) ?? [];
  for (const degradation of degraded) sink({ type: 'degraded', degradation });
  return degraded.length === 0 ? planned : { ...planned, degraded: [...planned.degraded, ...degraded] };
}

export type WritePorts = ComposeStepPorts & RevisePortsOfTurn;

/** The team of a question that is complex enough. */
export const teamFor = ({ complexity = 0 }: Planned, { team }: RevisePortsOfTurn): Team | undefined =>
  team && complexity >= team.from ? team.open() : undefined;

/** The ports of a turn on which a team works; for questions that nobody writes an answer to, passages of the documents are synthesized. */
export function withTeam<Ports extends WritePorts>(ports: Ports, team: Team | undefined): Ports {
  if (!team) return ports;
  const { composerFor } = ports;
  return {
    ...ports,
    gatherer: team.gatherer,
    partGatherer: team.gatherer,
    contextTokens: Math.max(ports.contextTokens, workers.synthesize.contextTokens),
    composerFor: (intent) => team.synthesizing(composerFor?.(intent) ?? passageComposer),
  };
}

export interface Written {
  readonly composed: Composed;
  /** With which it was composed: what was recalled may stand beside what was found. */
  readonly ports: WritePorts;
}

export interface TurnShape {
  /** It asks several things: its parts were assessed one by one. */
  readonly isPlanned: boolean;
  /** A model writes: its claims stream unless somebody has to see them first. */
  readonly isByModel: () => boolean;
  readonly team: Team | undefined;
}

/** `write` composes, and releases into what it is given, if anything. */
export async function reviseTurn(
  { isPlanned, isByModel, team }: TurnShape,
  write: (options: ComposeOptions) => Promise<Written>,
  {
    ports: { assess: assessing, review },
    context,
  }: { readonly ports: RevisePortsOfTurn; readonly context: TurnContext },
): Promise<Composed> {
  const assess = isPlanned ? undefined : assessing;
  const revisers = [assess, team?.check, review].filter((one) => one !== undefined);
  if (revisers.length === 0) return (await write({})).composed;
  const isHeld = team !== undefined || review !== undefined || !isByModel();
  const holding = createHolding();
  const { composed, ports } = await write(isHeld ? { releasing: holding } : {});
  const revising = { ports, context };
  // What was shown stands; where nothing was, all can still be done.
  if (!isHeld && composed.rendered.claims.length > 0) return composed;
  let draft = draftOf(composed, holding);
  for (const revise of revisers) draft = await revise(draft, revising);
  return releaseDraft(draft, revising);
}
