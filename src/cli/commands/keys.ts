// footnote keys: API keys for callers of the server. A secret is shown once, when it is made.
import { type Command, Option } from 'commander';
import { FootnoteError } from '../../core/errors.ts';
import { type Role, roles } from '../../core/scope.ts';
import type { OpenedFootnote } from '../../footnote/compose.ts';
import type { Access } from '../remote/access.ts';
import { part } from '../remote/remote-http.ts';
import { repeatable } from '../terminal/options.ts';
import { toPrintable, toTable } from '../terminal/terminal.ts';
import type { Cli } from './cli.ts';

type Keys = Pick<OpenedFootnote['keys'], 'create' | 'list' | 'revoke'>;
type KeyList = Awaited<ReturnType<Keys['list']>>;

/** The keys of the folder, or of the server that owns it. */
function keysOf({ opened, remote }: Access): Keys {
  if (opened) return opened.keys;
  if (!remote) throw new FootnoteError('internal', 'There is neither a folder nor a server.');
  const { http } = remote;
  return {
    create: (key) => http.json('POST', '/admin/keys', { body: key }),
    list: async () => (await http.json<{ data: KeyList }>('GET', '/admin/keys')).data,
    async revoke(id) {
      try {
        await http.json('DELETE', `/admin/keys/${part(id)}`);
        return true;
      } catch (error) {
        if (error instanceof FootnoteError && error.code === 'not-found') return false;
        throw error;
      }
    },
  };
}

interface CreateOptions {
  readonly role: Role;
  readonly tenant?: string;
  readonly group?: readonly string[];
}

export function addKeysCommand(program: Command, cli: Cli): void {
  const { terminal } = cli;
  const keys = program.command('keys').description('Create, list and revoke API keys');

  const create = keys
    .command('create')
    .description('Create an API key; its secret is shown this once')
    .argument('[name]', 'who or what will use it', 'default')
    .addOption(new Option('--role <role>', 'what it may do').choices([...roles]).default('reader' satisfies Role))
    .option('--tenant <name>', 'tenant whose documents it opens (default: default)')
    .addOption(repeatable('--group <name>', 'group that documents may be shared with (repeatable)'))
    .addHelpText(
      'after',
      '\nExamples:\n  footnote keys create website\n  footnote keys create laptop --role admin\n  footnote keys create guest --tenant acme',
    );
  create.action(async (name: string, options: CreateOptions) => {
    await cli.withData(create, {}, async (access) => {
      const { key, secret } = await keysOf(access).create({
        name,
        role: options.role,
        ...(options.tenant !== undefined && { tenant: options.tenant }),
        ...(options.group && { groups: options.group }),
      });
      terminal.value({ ...key, secret });
      terminal.line(secret);
      terminal.note(
        `Key ${key.id} (${key.role}, tenant ${toPrintable(key.tenant)}) for ${toPrintable(name)}. Keep the secret: it is not shown again. Send it as`,
      );
      terminal.note('  Authorization: Bearer <secret>');
      terminal.note('From now on the server asks every caller for a key.');
    });
  });

  const list = keys.command('list').description('List the keys (never their secrets)');
  list.action(async () => {
    await cli.withData(list, { needsData: true }, async (access) => {
      const data = await keysOf(access).list();
      terminal.value({ data });
      if (data.length === 0) terminal.line('There are no keys. Create one with "footnote keys create NAME".');
      const rows = data.map(({ id, name, role, tenant, createdAt, revokedAt }) => [
        id,
        toPrintable(name),
        role,
        toPrintable(tenant),
        createdAt,
        revokedAt === undefined ? 'active' : `revoked ${revokedAt}`,
      ]);
      for (const row of toTable(rows)) terminal.line(row);
    });
  });

  const revoke = keys
    .command('revoke')
    .description('Revoke a key: it stops working at once')
    .argument('<id>', 'id of the key');
  revoke.action(async (id: string) => {
    await cli.withData(revoke, { needsData: true }, async (access) => {
      const keys = keysOf(access);
      if (!(await keys.revoke(id)))
        throw new FootnoteError('not-found', `There is no active key ${id}. List them with "footnote keys list".`);
      terminal.value({ id, revoked: true });
      terminal.line(`Revoked ${toPrintable(id)}.`);
      if ((await keys.list()).some(({ revokedAt }) => revokedAt === undefined)) return;
      terminal.note('That was the last key: the server refuses every caller but commands on this machine.');
      terminal.note('Make a new one here with "footnote keys create NAME".');
    });
  });
}
