// What programs ask the chosen model for themselves: a title, tags, what to ask next. Over documents each would be a slow search whose abstention is shown as
// the title of the chat, so they are answered here, by their shape alone: what is asked for stands first, and the chat is quoted behind it.

export interface Housekeeping {
  /** What is asked for: `title`, or another key of the JSON that is wanted. */
  readonly task: string;
  readonly reply: string;
}

/** Open WebUI: a task, and in a paragraph of its own the form of the output, by the key of its JSON. Other tasks of this form are questions. */
export const task = '### Task:';
const output = /^### \**Output\b/mu;
const keyed = /"(title|tags|follow_ups|queries|prompt|text)"\s{0,4}:/u;
const lists: ReadonlySet<string> = new Set(['tags', 'follow_ups', 'queries']);
const history = '<chat_history>';

/** Open WebUI's other ones, each by how a text begins and what it has; the reply says that there is nothing, and it then goes on with its own. */
const others: readonly ({ readonly begins: string; readonly has: string } & Housekeeping)[] = [
  { begins: task, has: '### Messages Being Compacted', task: 'summary', reply: '' },
  {
    begins: 'Review the completed conversation turn',
    has: '"operations":',
    task: 'operations',
    reply: '{"operations":[]}',
  },
  { begins: 'Available Tools:', has: '"tool_calls"', task: 'tool_calls', reply: '{"tool_calls":[]}' },
  { begins: 'Your task is to reflect the speaker', has: 'emoji', task: 'emoji', reply: '' },
];

/** Others ask for a title in a sentence of the first line, and quote who said what. */
const wantsTitle = [/\btitle\b/iu, /\b(?:concise|short|brief|words?)\b/iu];
const speaking = /^[^\p{L}\n]{0,8}(?:(user|human)|(?:ai|assistant)) ?:(.*)$/iu;

const titleWords = 8;

/** What was said in the quoted chat, each line with whether its user said it. */
function linesOf(prompt: string): readonly { readonly isUser: boolean; readonly said: string }[] {
  const quoted = prompt.slice(Math.max(0, prompt.indexOf(history)));
  return quoted.split('\n').flatMap((line) => {
    const found = speaking.exec(line);
    return found ? [{ isUser: found[1] !== undefined, said: (found[2] ?? '').trim() }] : [];
  });
}

/** The first question of the quoted chat. */
function titleOf(prompt: string): string {
  const first = linesOf(prompt).find(({ isUser, said }) => isUser && said !== '')?.said ?? 'Conversation';
  const whole = first.split(/\s+/u).join(' ');
  const title = whole.split(' ', titleWords).join(' ').slice(0, 100).toWellFormed();
  return title === whole ? title : `${title.replace(/(?<![\p{P}\s])[\p{P}\s]+$/u, '')}…`;
}

/** What a program asks for itself, with the reply; undefined for a question of somebody. `texts`: the system's words, then the last message. */
export function housekeepingOf(texts: readonly string[]): Housekeeping | undefined {
  const prompt = texts.join('\n');
  const asked = texts.find((text) => text.trimStart().startsWith(task));
  if (asked !== undefined) {
    const [, form = ''] = asked.split(output);
    const [paragraph = ''] = form.split('\n\n', 1);
    const key = keyed.exec(paragraph)?.[1];
    if (key === 'title') return { task: key, reply: JSON.stringify({ title: titleOf(asked) }) };
    if (key !== undefined) return { task: key, reply: JSON.stringify({ [key]: lists.has(key) ? [] : '' }) };
  }
  const other = others.find(({ begins, has }) =>
    texts.some((text) => text.trimStart().startsWith(begins) && text.includes(has)),
  );
  if (other) return { task: other.task, reply: other.reply };
  const isAsked = texts.some((text) => {
    const [line = ''] = text.trimStart().split('\n', 1);
    return wantsTitle.every((pattern) => pattern.test(line.slice(0, 200)));
  });
  if (!isAsked) return undefined;
  const speakers = new Set(linesOf(prompt).map(({ isUser }) => isUser));
  return speakers.size === 2 || prompt.includes(history) ? { task: 'title', reply: titleOf(prompt) } : undefined;
}
