// footnote keys: API keys for callers of the server. A secret is shown once, when it is made. The first one closes the server for whoever has
// none, so that is asked, and can be undone on this machine.
import { type Command, InvalidArgumentError, Option } from 'commander';
import { asAbsent, FootnoteError } from '../../core/errors.ts';
import { type DoorName, doors, type Role, roles } from '../../core/scope.ts';
import { type KeyLimits, keyLimitsSchema } from '../../core/spending.ts';
import { defined } from '../../core/values/defined.ts';
import type { OpenedFootnote } from '../../footnote/compose.ts';
import type { Access } from '../remote/access.ts';
import { plural } from '../render/render.ts';
import { repeatable } from '../terminal/options.ts';
import { toPrintable } from '../terminal/terminal.ts';
import type { Cli } from './cli.ts';

type Keys = Pick<OpenedFootnote['keys'], 'create' | 'rotate' | 'list' | 'revoke'>;
type MadeKey = Awaited<ReturnType<Keys['create']>>;
type KeyList = Awaited<ReturnType<Keys['list']>>;

/** The keys of the folder, or of the server that owns it. */
async function keysOf({ opened, remote }: Access): Promise<Keys> {
  if (opened) return opened.keys;
  if (!remote) throw new FootnoteError('internal', 'There is neither a folder nor a server.');
  const { http } = remote;
  const { keys: operations } = await import('../../operations/server.ts');
  return {
    create: (key) => http.json(operations.create, { body: key }),
    list: async () => (await http.json<{ data: KeyList }>(operations.list)).data,
    rotate: (id, overlapSeconds) =>
      http.json<MadeKey>(operations.rotate, { params: [id], body: defined({ overlapSeconds }) }).catch(asAbsent),
    revoke: async (id) =>
      http.json(operations.revoke, { params: [id] }).then(
        () => true,
        (error: unknown) => asAbsent(error) ?? false,
      ),
  };
}

const toNames = (text: string): readonly string[] => text.split(',').map((name) => name.trim());

function toDoors(text: string): readonly DoorName[] {
  return toNames(text).map((name) => {
    const door = doors.find((one) => one === name);
    if (door) return door;
    throw new InvalidArgumentError(`It must be one or more of ${doors.join(', ')}, separated by commas.`);
  });
}

const secondsOf: Readonly<Record<string, number>> = { m: 60, h: 3600, d: 86_400 };

function toSeconds(text: string): number {
  const [, amount = '', unit = ''] = /^(\d{1,5})([mhd])$/u.exec(text) ?? [];
  if (unit === '') throw new InvalidArgumentError('It must be a time such as 30m, 12h or 90d.');
  return Number(amount) * (secondsOf[unit] ?? 0);
}

interface CreateOptions extends KeyLimits {
  readonly role: Role;
  readonly tenant?: string;
  readonly group?: readonly string[];
  readonly sources?: readonly string[];
  readonly doors?: readonly DoorName[];
  /** In so many seconds. */
  readonly expires?: number;
  readonly yes?: boolean;
}

const noActiveKey = (id: string): FootnoteError =>
  new FootnoteError('not-found', `There is no active key ${id}. List them with "footnote keys list".`);

function stateOf({ revokedAt, expiresAt }: Pick<KeyList[number], 'revokedAt' | 'expiresAt'>): string {
  if (revokedAt !== undefined) return `revoked ${revokedAt}`;
  if (expiresAt === undefined) return 'active';
  return Date.parse(expiresAt) > Date.now() ? `until ${expiresAt}` : `ended ${expiresAt}`;
}

/** Undefined where none is named. Throws what to write for one that is none. */
function limitsOf(options: CreateOptions): KeyLimits | undefined {
  const given = Object.keys(keyLimitsSchema.shape).flatMap((name) => {
    const value = options[name as keyof KeyLimits];
    return value === undefined ? [] : [[name, value] as const];
  });
  const { data, error } = keyLimitsSchema.safeParse(Object.fromEntries(given));
  if (data) return given.length === 0 ? undefined : data;
  const [issue] = error.issues;
  const flag = String(issue?.path[0]).replaceAll(/[A-Z]/gu, (letter) => `-${letter.toLowerCase()}`);
  throw new FootnoteError('invalid-request', `--${flag}: ${issue?.message}. Nothing was made.`);
}

export function addKeysCommand(program: Command, cli: Cli): void {
  const { terminal } = cli;
  const keys = program.command('keys').description('Create, rotate, list and revoke API keys, or ask for none again');

  const create = keys
    .command('create')
    .description('Create an API key; its secret is shown this once')
    .argument('[name]', 'who or what will use it')
    .addOption(new Option('--role <role>', 'what it may do').choices([...roles]).default('reader' satisfies Role))
    .option('--tenant <name>', 'tenant whose documents it opens (default: default)')
    .addOption(repeatable('--group <name>', 'group that documents may be shared with (repeatable)'))
    .option('--sources <names>', 'only these sources, separated by commas: there are no others for it', toNames)
    .option('--doors <names>', `only these ways in, of ${doors.join(', ')} (default: all)`, toDoors)
    .option('--expires <time>', 'when it ends, such as 90d or 12h (default: never)', toSeconds)
    .option('--rate <requests>', 'requests in a time, such as 60/min, 5/s or 1000/h (default: KEY_RATE)')
    .option('--daily-requests <number>', 'requests in a day (default: KEY_DAILY_REQUESTS)', Number)
    .option('--daily-tokens <number>', 'tokens of models in a day (default: BUDGET_KEY_DAY)', Number)
    .option('--daily-usd <number>', 'US dollars that models may cost in a day (default: BUDGET_KEY_DAY)', Number)
    .option('--daily-bytes <number>', 'bytes of documents in a day (default: KEY_DAILY_BYTES)', Number)
    .option('-y, --yes', 'do not ask before the first key')
    .addHelpText(
      'after',
      '\nFrom the first key on, the server asks every caller for one. "footnote keys open" undoes that.\n\nExamples:\n  footnote keys create website\n  footnote keys create laptop --role admin\n  footnote keys create guest --tenant acme\n  footnote keys create editor --sources handbook --doors mcp --expires 90d',
    );
  create.action(async (name: string | undefined, options: CreateOptions) => {
    if (name === undefined)
      throw new FootnoteError(
        'invalid-request',
        'A key needs a name that says who or what will use it, such as "footnote keys create website". From the first key on, the server asks every caller for one. Nothing was made.',
      );
    await cli.withData(create, {}, async (access) => {
      const own = await keysOf(access);
      const isFirst = (await own.list()).every(({ revokedAt }) => revokedAt !== undefined);
      if (isFirst && terminal.isInteractive && !terminal.json && options.yes !== true) {
        const { confirm } = await import('@clack/prompts');
        const message = `Make the first key? From then on the server asks every caller for one: pages and programs that use it without a key are refused.`;
        if ((await confirm({ message, initialValue: false })) !== true)
          throw new FootnoteError('cancelled', 'No key was made.');
      }
      const { role, tenant, group: groups, sources, doors: ways, expires } = options;
      const limits = limitsOf(options);
      const expiresAt = expires === undefined ? undefined : new Date(Date.now() + expires * 1000).toISOString();
      const { key, secret } = await own.create({
        name,
        role,
        ...defined({ tenant, groups, sources, doors: ways, limits, expiresAt }),
      });
      terminal.value({ ...key, secret });
      terminal.line(secret);
      terminal.note(
        `Key ${key.id} (${key.role}, tenant ${toPrintable(key.tenant)}) for ${toPrintable(name)}. Keep the secret: it is not shown again. Send it as`,
      );
      terminal.note('  Authorization: Bearer <secret>');
      terminal.note('From now on the server asks every caller for a key.');
      if (isFirst)
        terminal.note('To undo that, stop the server and run "footnote keys open --yes-i-know" on this machine.');
    });
  });

  const list = keys.command('list').description('List the keys (never their secrets)');
  cli.onData(list, async (access) => {
    const data = await (await keysOf(access)).list();
    terminal.value({ data });
    const rows = data.map(({ id, name, role, tenant, createdAt, ...key }) => [
      id,
      toPrintable(name),
      role,
      toPrintable(tenant),
      createdAt,
      stateOf(key),
      key.lastUsedAt === undefined ? 'never used' : `used ${key.lastUsedAt}`,
      toPrintable([...(key.sources ?? []), ...(key.doors ?? [])].join(', ')),
    ]);
    terminal.table(rows, 'There are no keys. Create one with "footnote keys create NAME".');
  });

  const rotate = keys
    .command('rotate')
    .description('Give a key another secret, shown this once; the one before it is valid beside it for a while')
    .argument('<id>', 'id of the key')
    .option(
      '--overlap <time>',
      'how long both are valid, such as 7d; 0m ends the one before at once (default: 24h)',
      toSeconds,
    );
  cli.onData(rotate, async (access, id: string) => {
    const { overlap } = rotate.opts<{ readonly overlap?: number }>();
    const made = await (await keysOf(access)).rotate(id, overlap);
    if (!made) throw noActiveKey(id);
    terminal.value({ ...made.key, secret: made.secret });
    terminal.line(made.secret);
    terminal.note(`The secret before it is valid until ${made.key.previousUntil}. This one is not shown again.`);
  });

  const revoke = keys
    .command('revoke')
    .description('Revoke a key: it stops working at once')
    .argument('<id>', 'id of the key');
  cli.onData(revoke, async (access, id: string) => {
    const keys = await keysOf(access);
    if (!(await keys.revoke(id))) throw noActiveKey(id);
    terminal.value({ id, revoked: true });
    terminal.line(`Revoked ${toPrintable(id)}.`);
    if ((await keys.list()).some(({ revokedAt }) => revokedAt === undefined)) return;
    terminal.note('That was the last key: the server refuses every caller but commands on this machine.');
    terminal.note('Make a new one here with "footnote keys create NAME".');
  });
  addOpen(keys, cli);
}

function addOpen(keys: Command, cli: Cli): void {
  const { terminal } = cli;
  const open = keys
    .command('open')
    .description('Revoke every key and ask no caller on this machine for one until the next is made')
    .option('--yes-i-know', 'without it nothing is done')
    .addHelpText(
      'after',
      '\nRevoked keys stay in the list. The server has to be stopped: it is opened by whoever owns its data folder, never over the network.',
    );
  open.action(async ({ yesIKnow }: { readonly yesIKnow?: boolean }) => {
    if (yesIKnow !== true)
      throw new FootnoteError(
        'invalid-request',
        'This revokes every key, and until the next is made every program on this machine is let in as the owner. If that is meant, add --yes-i-know. Nothing was done.',
      );
    await cli.withData(open, { needsData: true }, async ({ opened }) => {
      if (!opened)
        throw new FootnoteError(
          'conflict',
          'A server is running on this data folder, and it is never opened while it serves. Stop it, and run this again.',
        );
      const lifted = await opened.keys.open();
      terminal.value({ lifted });
      terminal.line(
        lifted === 0
          ? 'No key was asked for.'
          : `Open again: ${plural(lifted, 'key')} revoked, and the server asks for none.`,
      );
    });
  });
}
