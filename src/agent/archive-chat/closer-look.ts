// Where people decided, began or thought something of a topic: looked for in the conversations that speak of most of it, and wherever else what was
// to choose from there is named. Turns that speak of it are read for what there was to choose from.
import type { ArchiveMessage, PeekSnippet, TimeRange } from '../../core/archive.ts';
import { analyzeText } from '../../text/analyze.ts';
import { guessLanguage } from '../../text/language/language.ts';
import { segmentSentences } from '../../text/sentences.ts';
import { shownQuery } from './meta-words.ts';
import type { Reading } from './reading.ts';
import type { SpokenIn } from './topic.ts';

export interface CloserLook {
  readonly query: string;
  readonly spokenIn: readonly SpokenIn[];
  readonly timeRange: TimeRange | undefined;
  readonly reading: Pick<Reading, 'peek' | 'read'>;
  /** A sentence tells what is asked for. */
  tells(sentence: string): boolean;
}

export interface CloserFound {
  /** Turns that tell it, the newest first. */
  readonly telling: readonly PeekSnippet[];
  /** Turns that tell what other conversations are about. */
  readonly beside: readonly PeekSnippet[];
  readonly options: readonly Option[];
}

/** What there was to choose from. */
export interface Option {
  readonly name: string;
  /** So few conversations name it that they are of the topic. */
  readonly isRare: boolean;
}

const cues =
  'decided decision chose settled agreed booked bought ordered signed switched switching moved changed mind instead sold cancelled keeping getting entschieden gekauft';
const mostConversations = 6;
const mostOptions = 5;
const mostTelling = 10;
const shownTurns = 15;
/** Turns that are read for the names in them, of all conversations together. */
const mostRead = 4;
const namedCharacters = 2000;
/** A conversation speaks of the topic with so much of it, and of so much of what the best one does. */
const leastShare = 0.4;
const leastOfBest = 0.75;
/** A name that so many conversations have is nobody's option; one that so few have tells what they are about. */
const mostNamedIn = 12;
const rareNamedIn = 4;
const mostNamedLooks = 3;

export async function lookCloser(look: CloserLook): Promise<CloserFound> {
  const { query, spokenIn, timeRange, reading, tells } = look;
  const best = spokenIn[0]?.share ?? 0;
  const close = spokenIn
    .filter(({ share }) => share >= Math.max(leastShare, leastOfBest * best))
    .slice(0, mostConversations);
  const found = new Map<string, PeekSnippet>();
  const take = (snippets: readonly PeekSnippet[], isWanted: (text: string) => boolean = () => true): void => {
    for (const one of snippets)
      if (one.role === 'user' && isWanted(one.snippet) && sentencesOf(one.snippet).some(tells))
        found.set(JSON.stringify([one.conversation_id, one.turn_id]), one);
  };
  const range = timeRange && { time_range: timeRange };
  const texts: string[] = [];
  for (const { conversationId, title } of close) {
    const request = {
      query: `${query} ${cues}`,
      conversation_id: conversationId,
      top_n_snippets: shownTurns,
      ...range,
    };
    const { snippets } = await reading.peek(request, `a closer look at “${title.slice(0, 60)}”`, shownQuery(query));
    take(snippets);
    const isDecided = snippets.some(({ role, snippet }) => role === 'user' && sentencesOf(snippet).some(tells));
    const choice = { tells, isDecided };
    texts.push(
      ...snippets.flatMap(({ snippet, role }) => (role === 'user' ? choiceIn([{ role, text: snippet }], choice) : [])),
    );
    for (const { turn_id: id } of snippets.slice(0, Math.max(1, Math.floor(mostRead / close.length)))) {
      const outcome = await reading.read({ id, conversationId, query });
      if ('turn' in outcome) texts.push(...choiceIn(outcome.turn.messages, choice));
    }
  }
  const options: Option[] = [];
  const beside: PeekSnippet[] = [];
  const looked = new Set(close.map(({ conversationId }) => conversationId));
  for (const name of namesIn(texts, query).slice(0, 2 * mostOptions)) {
    if (options.length >= mostOptions) break;
    const named = await reading.peek({ query: name, top_n_snippets: shownTurns, ...range }, `where “${name}” is named`);
    const { conversations } = named.total;
    if (conversations > mostNamedIn) continue;
    const isRare = conversations <= rareNamedIn;
    options.push({ name, isRare });
    take(named.snippets, (text) => isNamed(text, name));
    if (!isRare) continue;
    for (const one of named.snippets) {
      const { conversation_id: id, title, hit } = one;
      if (!hit || looked.has(id) || looked.size >= close.length + mostNamedLooks) continue;
      looked.add(id);
      const request = { query: `${name} ${cues}`, conversation_id: id, top_n_snippets: shownTurns, ...range };
      take((await reading.peek(request, `a closer look at “${title.slice(0, 60)}”`, name)).snippets);
      beside.push(one);
    }
  }
  const at = ({ timestamp }: PeekSnippet): number => (timestamp === undefined ? 0 : Date.parse(timestamp));
  return {
    telling: [...found.values()].sort((left, right) => at(right) - at(left)).slice(0, mostTelling),
    beside,
    options,
  };
}

interface Choice extends Pick<CloserLook, 'tells'> {
  /** Something is decided in the conversation: what is named beside that is no option any more. */
  readonly isDecided: boolean;
}

/** Texts of a turn that name what there is to choose from: a question and what answers it, or what was chosen. */
function choiceIn(messages: readonly Pick<ArchiveMessage, 'role' | 'text'>[], { tells, isDecided }: Choice): string[] {
  const texts = messages.map(({ role, text }) => ({ role, text: text.slice(0, namedCharacters) }));
  const said = texts.filter(({ role }) => role === 'user');
  if (said.some(({ text }) => text.includes('?'))) return texts.map(({ text }) => text);
  return said.flatMap(({ text }) => (!isDecided || sentencesOf(text).some(tells) ? text : []));
}

/** As it is written: a name that is a common word, too, is told by its capital. */
export const isNamed = (text: string, named: string): boolean => {
  for (let at = text.indexOf(named); at !== -1; at = text.indexOf(named, at + 1))
    if (!/[\p{L}\p{N}]/u.test(text.charAt(at - 1)) && !/[\p{L}\p{N}]/u.test(text.charAt(at + named.length)))
      return true;
  return false;
};

const sentencesOf = (text: string): readonly string[] =>
  segmentSentences(text, { language: guessLanguage(text) }).map(({ start, end }) => text.slice(start, end));

const calendarWords =
  /^(?:mon|tues|wednes|thurs|fri|satur|sun)day|^(?:january|february|march|april|may|june|july|august|september|october|november|december|christmas|easter|i|ok|yes|no|pm|am|hi|hey)$/iu;
const nameForm = /\p{Lu}[\p{L}\p{N}]{1,24}(?:[ -]\p{Lu}[\p{L}\p{N}]{0,24}){0,2}/gu;
/** Who wants or says something is a person. */
const ofPerson =
  /^ (?:prefers?|likes?|loves?|wants?|says?|said|thinks?|insists?|would|asks?|asked|told|hates?|suggests?|suggested|proposes?|needs?)\b/iu;

/** Names that stand within sentences, those of most turns first: what there was to choose from. Of German, which writes every noun so, none. */
export function namesIn(texts: readonly string[], query: string): readonly string[] {
  const known = new Set(analyzeText(query));
  const counts = new Map<string, number>();
  const initial = new Map<string, number>();
  const persons = new Set<string>();
  for (const snippet of texts) {
    if (guessLanguage(snippet) === 'de') continue;
    const seen = new Set<string>();
    for (const found of snippet.matchAll(nameForm)) {
      const [whole] = found;
      const text = whole.replace(/^(?:The|An?|Is|Are|Should|Or|And) /u, '');
      if (calendarWords.test(text) || analyzeText(text).every((term) => known.has(term))) continue;
      if (ofPerson.test(snippet.slice(found.index + whole.length, found.index + whole.length + 12))) persons.add(text);
      if (seen.has(text)) continue;
      seen.add(text);
      const isInitial =
        found.index === 0 || /[.?!“"\n][ \t]{0,2}$/u.test(snippet.slice(Math.max(0, found.index - 3), found.index));
      const isMarked = text !== whole || /\p{Ll}\p{Lu}|\p{N}|\p{L} \p{Lu}/u.test(text);
      const counted = isInitial && !isMarked ? initial : counts;
      counted.set(text, (counted.get(text) ?? 0) + 1);
    }
  }
  for (const [text, count] of initial) if (counts.has(text)) counts.set(text, (counts.get(text) ?? 0) + count);
  return [...counts]
    .filter(([text]) => !persons.has(text))
    .sort(([, left], [, right]) => right - left)
    .map(([text]) => text);
}
