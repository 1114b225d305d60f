// A question to the archive answered without a model: explore, extract, check each quote against the record, and say where the evidence is
// weak. Invariant: no line without a quote that stands in its turn.
import { toInert } from '../../core/answers/inert-text.ts';
import type { ArchiveCitation } from '../../core/archive.ts';
import { marked, marksOf } from '../../core/marked-text.ts';
import { exploreArchive } from './explore.ts';
import { abstainBelow, type Extracted, extractAnswer } from './extract.ts';
import { answerOfTime } from './of-time.ts';
import type { AnswerPorts, ChatOutcome } from './outcome.ts';
import type { ReadableArchive } from './reading.ts';

/** Below this share of the question an answer is said to be weak. */
export const weakBelow = 0.6;

export async function answerByRules(question: string, ports: AnswerPorts): Promise<ChatOutcome> {
  const { archive, say } = ports;
  const ofTime = await answerOfTime(question, ports);
  if (ofTime) return ofTime;
  const explored = await exploreArchive(question, ports);
  const extracted = await extractAnswer(question, explored, ports);
  const cited = explored.turns.length === 0 ? [] : await checked(extracted, archive);
  const { abstained, weak, opening } = judge(extracted, cited.length);
  const shown = abstained ? [] : cited;
  if (opening !== undefined) say(marked`${toInert(opening)}${shown.length > 0 ? '\n\n' : ''}`);
  for (const [at, { citation, line }] of shown.entries())
    say(marked`${at === 0 ? '' : '\n'}${line} ${marksOf([citation.index])}`, [citation]);
  const { timeRange, degraded } = explored;
  return {
    citations: shown.map(({ citation }) => citation),
    abstained,
    weak,
    coverage: extracted.coverage,
    ...(timeRange && { timeRange }),
    degraded: [...degraded, ...extracted.degraded],
  };
}

/** Quotes are looked up again: what is not in the record word for word is left out. */
async function checked({ citations, lines }: Extracted, archive: Pick<ReadableArchive, 'turn'>) {
  const kept: { readonly citation: ArchiveCitation; readonly line: string }[] = [];
  for (const citation of citations) {
    const turn = await archive.turn(citation.turn_id, {
      conversationId: citation.conversation_id,
      content: 'full',
      maxTokens: Number.MAX_SAFE_INTEGER,
    });
    if (!turn.messages.some(({ role, text }) => role === citation.role && text.includes(citation.quote))) continue;
    const index = kept.length + 1;
    kept.push({ citation: { ...citation, index }, line: lines[citation.index - 1] ?? '' });
  }
  return kept;
}

function judge({ coverage, isNear, isOfAnother }: Extracted, citations: number) {
  if (citations === 0) return { abstained: true, weak: true, opening: 'The archive says nothing about this.' };
  if ((coverage < abstainBelow && !isNear) || isOfAnother)
    return {
      abstained: true,
      weak: true,
      opening: isOfAnother
        ? 'The archive has nothing of this from the person whom the question names.'
        : 'What the archive says about this is too little to answer.',
    };
  if (coverage < weakBelow)
    return {
      abstained: false,
      weak: true,
      opening:
        coverage < abstainBelow
          ? 'The evidence is weak: these turns are near the question in meaning and share few words with it.'
          : 'The evidence is weak: these turns speak of a part of the question.',
    };
  return { abstained: false, weak: false, opening: undefined };
}
