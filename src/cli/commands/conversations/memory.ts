// footnote memory: what is remembered of a user beyond sessions; list it, look for something, edit, prune, export and erase it.
import { type Command, Option } from 'commander';
import { FootnoteError } from '../../../core/errors.ts';
import { type Memory, type MemoryType, memoryTypes } from '../../../core/memory.ts';
import type { Footnote } from '../../../footnote/facade.ts';
import { everyPage } from '../../remote/every-page.ts';
import { repeatable, toWholeNumber } from '../../terminal/options.ts';
import { toPrintable } from '../../terminal/terminal.ts';
import type { Cli } from '../cli.ts';

interface UserOption {
  readonly user?: string;
}
interface ListOptions extends UserOption {
  readonly type?: MemoryType;
  readonly tag?: string;
  readonly history?: boolean;
}
interface AddOptions extends UserOption {
  readonly type?: MemoryType;
  readonly tag?: readonly string[];
}
interface RecallOptions extends UserOption {
  readonly k?: number;
  readonly type?: MemoryType;
  readonly tag?: readonly string[];
  readonly minSimilarity?: string;
}
interface PruneOptions extends UserOption {
  readonly maxAgeDays?: number;
  readonly minUsageCount?: number;
  readonly dryRun?: boolean;
}

const ofUser = ({ user }: UserOption): UserOption => (user === undefined ? {} : { user });
const typeOption = (): Option => new Option('--type <type>', 'only of this type').choices([...memoryTypes]);
const counted = (memories: number): string => (memories === 1 ? '1 memory' : `${memories} memories`);

const allMemories = (
  footnote: Footnote,
  request: Omit<Parameters<Footnote['memories']['list']>[0], 'limit' | 'cursor'>,
): AsyncGenerator<Memory> => everyPage((page) => footnote.memories.list({ ...request, ...page }));

const rowOf = ({ id, type, text, validFrom, validUntil }: Memory): string[] => [
  id,
  type,
  validFrom.slice(0, 10) + (validUntil === undefined ? '' : ` to ${validUntil.slice(0, 10)}`),
  toPrintable(text),
];

export function addMemoryCommand(program: Command, cli: Cli): void {
  const memory = program
    .command('memory')
    .description('Show, add, recall, prune, export or erase what is remembered about you beyond sessions');
  /** A subcommand that every user's memories are named for alike. */
  const subcommand = (name: string, description: string): Command =>
    memory
      .command(name, { isDefault: name === 'list' })
      .description(description)
      .option('--user <name>', 'whose memories, where one caller serves several people');
  addReading(cli, subcommand);
  addWriting(cli, subcommand);
}

type Subcommand = (name: string, description: string) => Command;

function addReading(cli: Cli, subcommand: Subcommand): void {
  const { terminal } = cli;
  const list = subcommand('list', 'List what is remembered, newest first')
    .addOption(typeOption())
    .option('--tag <name>', 'only with this tag')
    .option('--history', 'what was superseded, too');
  cli.onData(list, async ({ footnote }, { type, tag, history, ...user }: ListOptions) => {
    const asked = { ...user, ...(type && { type }), ...(tag !== undefined && { tag }), history: history === true };
    const data = await Array.fromAsync(allMemories(footnote, asked));
    terminal.value({ data });
    terminal.table(data.map(rowOf), 'Nothing is remembered. ENABLE_SEMANTIC_MEMORY=true lets questions do so.');
  });

  const recall = subcommand('recall', 'Show what would be recalled for a question')
    .argument('<query>', 'the question')
    .addOption(typeOption())
    .option('-k, --k <count>', 'how many (default: 5)', toWholeNumber)
    .option('--min-similarity <share>', "least share of the question's idf that a memory covers (default: 0.6)")
    .addOption(repeatable('--tag <name>', 'memories with this tag come first (repeatable)'))
    .addHelpText('after', '\nExample:\n  footnote memory recall "which editor do I use?" --min-similarity 0.4');
  recall.action(async (query: string, { k, type, tag, minSimilarity, ...user }: RecallOptions) => {
    const least = minSimilarity === undefined ? undefined : Number(minSimilarity);
    if (least !== undefined && !(least >= 0 && least <= 1))
      throw new FootnoteError('invalid-request', `--min-similarity is ${minSimilarity}: write a share from 0 to 1.`);
    await cli.withData(recall, { needsData: true }, async ({ footnote }) => {
      const data = await footnote.memories.recall({
        query,
        ...ofUser(user),
        ...(k !== undefined && { k }),
        ...(type && { type }),
        ...(tag && { tags: tag }),
        ...(least !== undefined && { minSimilarity: least }),
      });
      terminal.value({ data });
      terminal.table(
        data.map((one) => [one.similarity.toFixed(2), ...rowOf(one)]),
        'No memory fits that.',
      );
    });
  });

  const stats = subcommand('stats', 'Count what is remembered, by type');
  cli.onData(stats, async ({ footnote }, user: UserOption) => {
    const counted = await footnote.memories.stats(ofUser(user));
    terminal.value(counted);
    for (const type of memoryTypes) terminal.line(`${type.padEnd(10)}  ${counted.byType[type]}`);
    terminal.line(`${'together'.padEnd(10)}  ${counted.total}`);
    terminal.line(`${'superseded'.padEnd(10)}  ${counted.superseded}`);
  });

  const write = subcommand('export', 'Write everything that is remembered, with its history, as JSON lines');
  cli.onData(write, async ({ footnote }, user: UserOption) => {
    const kept: Memory[] = [];
    for await (const one of allMemories(footnote, { ...ofUser(user), history: true }))
      if (terminal.json) kept.push(one);
      else terminal.line(JSON.stringify(one));
    terminal.value({ data: kept });
  });
}

function addWriting(cli: Cli, subcommand: Subcommand): void {
  const { terminal } = cli;
  const add = subcommand('add', 'Remember something')
    .argument('<text>', 'what to remember, in your words')
    .addOption(
      new Option('--type <type>', 'what kind of memory it is (default: as its words say)').choices([...memoryTypes]),
    )
    .addOption(repeatable('--tag <name>', 'tag by which it is recalled more easily (repeatable)'))
    .addHelpText('after', '\nExample:\n  footnote memory add "I prefer short answers" --type preference');
  cli.onData(
    add,
    async ({ footnote }, text: string, { type, tag, ...user }: AddOptions) => {
      const written = await footnote.memories.add({
        text,
        ...ofUser(user),
        ...(type && { type }),
        ...(tag && { tags: tag }),
      });
      terminal.value(written);
      const told = written.change === 'merged' ? 'It was remembered already, as' : 'Remembered as';
      const ended = written.superseded.length > 0 ? `, in the place of ${written.superseded.join(', ')}` : '';
      terminal.line(`${told} ${written.memory.id} (${written.memory.type})${ended}.`);
    },
    {},
  );

  const forget = subcommand('forget', 'Forget one memory').argument('<id>', 'id of the memory');
  cli.onData(forget, async ({ footnote }, id: string, user: UserOption) => {
    await footnote.memories.delete(id, ofUser(user));
    terminal.value({ id, forgotten: true });
    terminal.line(`Forgot ${toPrintable(id)}.`);
  });

  const prune = subcommand('prune', 'Forget memories that are old and were hardly used')
    .option('--max-age-days <days>', 'younger ones stay (default: SEMANTIC_MEMORY_PRUNE_AGE_DAYS)', toWholeNumber)
    .option('--min-usage-count <count>', 'those that were used as often stay (default: 2)', toWholeNumber)
    .option('--dry-run', 'only tell which they are');
  cli.onData(prune, async ({ footnote }, { maxAgeDays, minUsageCount, dryRun, ...user }: PruneOptions) => {
    const report = await footnote.memories.prune({
      ...ofUser(user),
      ...(maxAgeDays !== undefined && { maxAgeDays }),
      ...(minUsageCount !== undefined && { minUsageCount }),
      dryRun: dryRun === true,
    });
    terminal.value(report);
    for (const id of report.dryRun ? report.memories : []) terminal.line(id);
    terminal.line(
      report.dryRun ? `${counted(report.pruned)} would be forgotten.` : `Forgot ${counted(report.pruned)}.`,
    );
  });

  const erase = subcommand('erase', 'Erase everything that is remembered, with its history').option(
    '-y, --yes',
    'do not ask',
  );
  cli.onData(erase, async ({ footnote }, { yes, ...user }: UserOption & { readonly yes?: boolean }) => {
    if (terminal.isInteractive && !terminal.json && !yes) {
      const { confirm } = await import('@clack/prompts');
      const { total } = await footnote.memories.stats(ofUser(user));
      const message = `Erase ${counted(total)}?`;
      if ((await confirm({ message, initialValue: false })) !== true)
        throw new FootnoteError('cancelled', 'Nothing was erased.');
    }
    const erased = await footnote.memories.erase(ofUser(user));
    terminal.value({ erased });
    terminal.line(`Erased ${counted(erased)}.`);
  });
}
