// A question to the archive of conversations, answered without a model: explore, extract, check each quote against the record, and say where
// the evidence is weak. Invariant: no line without a quote that stands in its turn, and what is read is bounded and told.
import type { ArchiveChatAnswer, ArchiveChatEvent, ArchiveCitation } from '../../core/archive.ts';
import { FootnoteError } from '../../core/errors.ts';
import type { Clock, Ids } from '../../core/ids.ts';
import type { Archive, ArchiveChats } from '../../memory/archive/archive.ts';
import { analyzeText } from '../../text/analyze.ts';
import { type ExploreLimits, exploreArchive } from './explore.ts';
import { type Extracted, extractAnswer } from './extract.ts';

export interface ChatRequest {
  readonly conversationId?: string | undefined;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
}

export interface ChatCall {
  readonly signal?: AbortSignal | undefined;
  readonly onEvent?: ((event: ArchiveChatEvent) => void) | undefined;
}

export interface ArchiveChatPorts {
  readonly archive: Archive;
  readonly chats: ArchiveChats;
  readonly limits: ExploreLimits;
  readonly clock: Clock;
  readonly ids: Ids;
}

/** Below this share of the question nothing is answered; below the other it is said to be weak. */
const abstainBelow = 0.3;
const weakBelow = 0.6;
const idPattern = /^[A-Za-z0-9._:@-]{1,128}$/u;

export function createArchiveChat({ archive, chats, limits, clock, ids }: ArchiveChatPorts) {
  return async ({ conversationId, messages }: ChatRequest, call: ChatCall = {}): Promise<ArchiveChatAnswer> => {
    const asked = messages.filter(({ role }) => role === 'user');
    const content = asked.at(-1)?.content.trim() ?? '';
    if (content === '')
      throw new FootnoteError('invalid-request', 'messages: holds no message of the role "user" that says anything.');
    if (conversationId !== undefined && !idPattern.test(conversationId))
      throw new FootnoteError('invalid-request', 'conversation_id: has 1 to 128 letters, digits or . _ : @ - signs.');
    const id = conversationId ?? ids.next('chat');
    const before = asked.at(-2)?.content ?? (conversationId === undefined ? undefined : await chats.lastQuestion(id));
    const question = resolve(content, before);
    const signal = call.signal ?? new AbortController().signal;
    const tell = (event: ArchiveChatEvent): void => call.onEvent?.(event);
    const explored = await exploreArchive(question, { archive, limits, nowMs: Date.parse(clock.now()), signal, tell });
    const extracted = extractAnswer(question, explored);
    const cited = explored.turns.length === 0 ? [] : await checked(extracted.citations);
    const verdict = judge(extracted, cited.length, explored.hits);
    const shown = verdict.abstained ? [] : cited;
    let answer = '';
    const say = (text: string): void => {
      answer += text;
      tell({ type: 'delta', text });
    };
    if (verdict.opening !== undefined) say(shown.length > 0 ? `${verdict.opening}\n\n` : verdict.opening);
    for (const [at, { citation, line }] of shown.entries()) {
      tell({ type: 'citation', ...citation });
      say(at === 0 ? line : `\n${line}`);
    }
    const { turns, timeRange, peeks, tokens, degraded } = explored;
    const done: ArchiveChatAnswer = {
      conversation_id: id,
      answer,
      citations: shown.map(({ citation }) => citation),
      cited_turn_ids: [...new Set(shown.map(({ citation }) => citation.turn_id))],
      hydrated_turn_ids: turns.map(({ turn_id }) => turn_id),
      abstained: verdict.abstained,
      weak: verdict.weak,
      coverage: extracted.coverage,
      ...(timeRange && { time_range: timeRange }),
      usage: {
        peeks,
        hydrations: turns.length,
        max_hydrations: limits.maxHydrations,
        tokens,
        max_tokens: limits.maxTokens,
      },
      degraded,
    };
    const read = new Set(turns.map(({ conversation_id }) => conversation_id));
    await chats.add({ id, question: content, answer: done, conversations: [...read], at: clock.now() });
    return done;

    /** Quotes are looked up again: what is not in the record word for word is left out. */
    async function checked(citations: readonly ArchiveCitation[]) {
      const kept: { readonly citation: ArchiveCitation; readonly line: string }[] = [];
      for (const citation of citations) {
        const turn = await archive.turn(citation.turn_id, {
          conversationId: citation.conversation_id,
          content: 'full',
          maxTokens: limits.turnMaxTokens,
        });
        if (!turn.messages.some(({ role, text }) => role === citation.role && text.includes(citation.quote))) continue;
        const index = kept.length + 1;
        const line = (extracted.lines[citation.index - 1] ?? '').replace(/\[\d+\]$/u, `[${index}]`);
        kept.push({ citation: { ...citation, index }, line });
      }
      return kept;
    }
  };
}

function judge({ coverage, isOfAnother }: Extracted, citations: number, hits: number) {
  if (hits === 0 || citations === 0)
    return { abstained: true, weak: true, opening: 'The archive says nothing about this.' };
  if (coverage < abstainBelow || isOfAnother)
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
      opening: 'The evidence is weak: these turns speak of a part of the question.',
    };
  return { abstained: false, weak: false, opening: undefined };
}

const leaning = /^(?:and|but|so|what about|how about|und)\b|\b(?:it|that|this|they|them|he|she|him|her|then|there)\b/iu;

/** A question that leans on the one before is asked together with it. */
function resolve(content: string, before: string | undefined): string {
  if (before === undefined) return content;
  const terms = analyzeText(content).length;
  return terms <= 1 || (terms <= 4 && leaning.test(content)) ? `${before} ${content}` : content;
}
