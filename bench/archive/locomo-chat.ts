// What a chat over the archive makes of LoCoMo's questions without a model: whether the turns with the answer are cited or read, and whether it
// abstains where the question is about what nobody said (adversarial questions, which name the other person). Beside it what a search for words,
// the best turns alone and the whole conversation would show, with the tokens that each takes. Thresholds were chosen on conversations 26 and
// 30 and are reported on 41, 42 and 43.
// Usage: node bench/archive/locomo-chat.ts [--dry] [--out=FILE]
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { countTokens } from '../../src/text/tokens/tokens.ts';
import { writeResult } from '../report.ts';
import { withArchive } from './asked-archive.ts';
import { type LocomoQuestion, locomoFolder, locomoLines, locomoQuestions } from './locomo-data.ts';

const { values: flags } = parseArgs({
  options: { dry: { type: 'boolean', default: false }, out: { type: 'string' } },
});

const chosenOn: ReadonlySet<string> = new Set(['conv-26', 'conv-30']);
const categories = ['multi-hop', 'temporal', 'open-domain', 'single-hop', 'adversarial'];
const adversarial = 5;
/** Turns that a plain search shows. */
const plainTurns = 20;

interface Line {
  readonly conversation_id: string;
  readonly turn_id: string;
  readonly text: string;
}

interface Outcome {
  readonly question: LocomoQuestion;
  readonly abstained: boolean;
  readonly coverage: number;
  /** Any of the turns with the answer is cited, or was read. */
  readonly isCited: boolean;
  readonly isRead: boolean;
  readonly tokens: number;
  /** The same of what other ways would show. */
  readonly plain: { readonly isRead: boolean; readonly tokens: number };
  readonly words: { readonly isRead: boolean; readonly tokens: number };
  readonly wholeTokens: number;
}

const share = (rows: readonly Outcome[], is: (row: Outcome) => boolean): number =>
  Number(((100 * rows.filter(is).length) / Math.max(1, rows.length)).toFixed(1));
const mean = (rows: readonly Outcome[], of: (row: Outcome) => number): number =>
  Math.round(rows.reduce((sum, row) => sum + of(row), 0) / Math.max(1, rows.length));

/** As a person with a text editor would: turns with the rarest long word of the question. */
function searchedByWord(question: string, lines: readonly Line[]): readonly Line[] {
  const sought = [...new Set(question.toLowerCase().match(/\p{L}{4,}/gu))].map((word) => ({
    word,
    lines: lines.filter(({ text }) => text.toLowerCase().includes(word)),
  }));
  return (
    sought.filter((one) => one.lines.length > 0).sort((one, other) => one.lines.length - other.lines.length)[0]
      ?.lines ?? []
  );
}

const measure = (conversation: string, lines: readonly Line[]): Promise<readonly Outcome[]> =>
  withArchive(lines, async ({ conversations }) => {
    const tokensOf = new Map(lines.map(({ turn_id, text }) => [turn_id, countTokens(text)]));
    const tokens = (ids: Iterable<string>): number => [...ids].reduce((sum, id) => sum + (tokensOf.get(id) ?? 0), 0);
    const wholeTokens = tokens(tokensOf.keys());
    const outcomes: Outcome[] = [];
    for (const question of (await locomoQuestions()).filter((one) => one.conversation === conversation)) {
      const { text, evidence } = question;
      const done = await conversations.chat({ messages: [{ role: 'user', content: text }] });
      const { snippets } = await conversations.peek({ query: text, top_n_snippets: plainTurns });
      const plain = snippets.map(({ turn_id }) => turn_id);
      const word = searchedByWord(text, lines).map(({ turn_id }) => turn_id);
      const has = (ids: readonly string[]): boolean => ids.some((id) => evidence.has(id));
      const { abstained, coverage } = done;
      outcomes.push({
        question,
        abstained,
        coverage,
        isCited: has(done.cited_turn_ids),
        isRead: has(done.cited_turn_ids) || has(done.hydrated_turn_ids),
        tokens: done.usage.tokens,
        plain: { isRead: has(plain), tokens: tokens(plain) },
        words: { isRead: has(word), tokens: tokens(word) },
        wholeTokens,
      });
    }
    return outcomes;
  });

if (locomoFolder !== undefined) {
  const lines = (await locomoLines()) as readonly Line[];
  const outcomes: Outcome[] = [];
  const began = process.cpuUsage();
  for (const [conversation, own] of Map.groupBy(lines, ({ conversation_id }) => conversation_id))
    outcomes.push(...(await measure(conversation, own)));
  const { user, system } = process.cpuUsage(began);
  if (flags.out !== undefined)
    await writeFile(
      flags.out,
      JSON.stringify(
        outcomes.map((one) => ({ ...one, question: { ...one.question, evidence: [...one.question.evidence] } })),
      ),
    );
  const isAsked = ({ question: { category } }: Outcome): boolean => category !== adversarial;
  const reported = outcomes.filter(({ question }) => !chosenOn.has(question.conversation));
  const rowOf = (name: string, rows: readonly Outcome[]) => [
    name,
    rows.length,
    share(rows, ({ isCited }) => isCited),
    share(rows, ({ isRead }) => isRead),
    share(rows, ({ abstained }) => abstained),
    mean(rows, ({ tokens }) => tokens),
  ];
  const tables = [
    {
      title: 'Deterministic chat, percent of questions',
      columns: ['questions of', 'questions', 'answer cited', 'answer cited or read', 'abstained', 'tokens read'],
      rows: [
        rowOf(
          'the two that thresholds were chosen on',
          outcomes.filter(({ question }) => chosenOn.has(question.conversation)),
        ),
        rowOf('the other three', reported),
        ...categories.map((name, at) =>
          rowOf(
            name,
            reported.filter(({ question }) => question.category === at + 1),
          ),
        ),
      ],
    },
    {
      title: 'Other ways to the turn with the answer, the three conversations',
      columns: ['way', 'answer shown, percent', 'tokens'],
      rows: [
        ['this chat', share(reported, ({ isRead }) => isRead), mean(reported, ({ tokens }) => tokens)],
        [
          `the best ${plainTurns} turns of one look`,
          share(reported, ({ plain }) => plain.isRead),
          mean(reported, ({ plain }) => plain.tokens),
        ],
        [
          'all turns with the rarest word',
          share(reported, ({ words }) => words.isRead),
          mean(reported, ({ words }) => words.tokens),
        ],
        ['the whole conversation', 100, mean(reported, ({ wholeTokens }) => wholeTokens)],
      ],
    },
  ];
  for (const { rows } of tables) for (const row of rows) console.log(row.join('\t'));
  const asked = reported.filter(isAsked);
  const refused = share(
    reported.filter((row) => !isAsked(row)),
    ({ abstained }) => abstained,
  );
  const wrongly = share(asked, ({ abstained }) => abstained);
  const read = share(reported, ({ isRead }) => isRead);
  const cpuMs = Number(((user + system) / 1000 / outcomes.length).toFixed(1));
  console.log(`adversarial ${refused}, wrongly ${wrongly}, read ${read}, ${cpuMs} ms of processor time a question`);
  if (!flags.dry)
    await writeResult('locomo-chat', {
      title: 'Questions to long conversations without a model (LoCoMo)',
      command: 'npm run bench locomo-chat',
      seed: null,
      data: [locomoFolder],
      metrics: { questions: outcomes.length, 'processor ms a question': cpuMs },
      goals: [
        { what: 'turn with the answer cited or read, percent', wanted: '>= 65', got: read, met: read >= 65 },
        { what: 'adversarial questions abstained, percent', wanted: '>= 60', got: refused, met: refused >= 60 },
        { what: 'other questions abstained, percent', wanted: '<= 15', got: wrongly, met: wrongly <= 15 },
      ],
      tables,
      notes: [
        'Each conversation is an archive of its own. Adversarial questions ask one person for what the other did; a chat that knows only words must tell them apart by who speaks.',
      ],
    });
}
