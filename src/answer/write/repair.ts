// Repairs one claim that its quotes did not carry: one targeted search, one question to the model, one check. Invariants: the search runs
// under the request's own scope; what comes back goes through the same check as every claim; nothing is repaired twice.
import type { Degradation } from '../../core/search.ts';
import type { ContextBlock } from '../claims/draft.ts';
import type { ComposePorts } from '../composer.ts';
import { numberBlocks } from '../context/evidence.ts';
import { assembleForModel } from '../context/model-context.ts';
import type { Grading } from '../graded-claims.ts';
import { repairMessages, repairPromptName } from '../prompts/repair-claim.ts';
import type { ModelAsker } from './ask.ts';
import { type CheckedClaim, checkModelClaim, kindOf, showBlocks } from './check.ts';
import type { Relevance } from './relevance.ts';

export interface RepairRequest {
  readonly question: string;
  readonly failed: CheckedClaim;
  /** What the model was shown when it wrote the claim. */
  readonly shown: readonly ContextBlock[];
  /** Tokens of the passages in the prompt. */
  readonly budgetTokens: number;
  /** English name of the language to write in. */
  readonly language: string | undefined;
}

export interface RepairPorts {
  readonly search: ComposePorts['search'];
  readonly readSpan: ComposePorts['readSpan'];
  readonly asker: ModelAsker;
  readonly relevance: Relevance;
  readonly signal: AbortSignal;
  readonly grading?: Grading | undefined;
}

export interface Repaired {
  /** Undefined: the model or the search failed, or there was no claim to check. */
  readonly checked?: CheckedClaim;
  /** Passages that were read beyond those shown before. */
  readonly blocks: readonly ContextBlock[];
  readonly failure?: Omit<Degradation, 'effect'>;
}

/** Refusals that another search cannot mend: the text itself is not one that is shown. */
const hopeless = new Set([
  'empty-claim',
  'claim-too-long',
  'link-not-in-quote',
  'markup-not-in-quote',
  'hidden-character',
  'look-alike',
]);
const longestQuery = 300;
const leastTimeMs = 200;

export function isRepairable({ reasons }: CheckedClaim, { remainingMs }: Pick<ModelAsker, 'remainingMs'>): boolean {
  return remainingMs() >= leastTimeMs && !reasons.some((reason) => hopeless.has(kindOf(reason)));
}

/** Throws what the search throws, and the request's own end. */
export async function repairClaim(request: RepairRequest, ports: RepairPorts): Promise<Repaired> {
  const { question, failed, shown, budgetTokens, language } = request;
  const evidence = await ports.search(failed.text.slice(0, longestQuery).toWellFormed());
  const citedIds = new Set(failed.places.map(({ block }) => block.id));
  // What was shown as one sentence is read in full where a claim rests on it.
  const cited = shown.filter(({ isSummary }, at) => citedIds.has(at + 1) && !isSummary);
  const taken = cited.reduce((total, { tokens }) => total + tokens, 0);
  const fresh = evidence.filter(({ chunkId }) => !cited.some((block) => block.evidence.chunkId === chunkId));
  const found = assembleForModel({
    question: failed.text,
    evidence: fresh,
    budgetTokens: Math.max(0, budgetTokens - taken),
  });
  const blocks = [...cited, ...found.blocks];
  if (blocks.length === 0) return { blocks: [] };
  const numbered = numberBlocks(blocks);
  const messages = repairMessages({
    question,
    claim: failed.text,
    reasons: failed.reasons,
    blocks: numbered,
    language,
  });
  const { value, failure } = await ports.asker.ask({ name: repairPromptName, messages });
  const isNew = (block: ContextBlock): boolean =>
    !shown.some(({ evidence: { chunkId } }) => chunkId === block.evidence.chunkId);
  const read = found.blocks.filter(isNew);
  const claim = value?.claims[0];
  if (!claim) return { blocks: read, ...(failure && { failure }) };
  return { blocks: read, checked: await checkModelClaim(claim, showBlocks(numbered), ports) };
}
