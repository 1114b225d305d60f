// A checkout below the folders that are open to keys leads git nowhere else: whatever in it names another place is refused before git runs, a
// repository that only leads to itself is read, and nothing that its configuration or its hooks name is run.
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { mkdtemp, readdir, realpath, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { localScope } from '../../src/core/scope.ts';
import type { Footnote } from '../../src/footnote/facade.ts';
import { diskFolder } from '../../testkit/disk-folder.ts';
import { commitFiles, createRepository, git, gitBackend, hasGit } from '../../testkit/git-repository.ts';
import { type OpenedFootnote, openFootnote } from '../../testkit/open-footnote.ts';

let place: string;
let root: string;
let outside: string;
let checkout: string;
let server: Server;
let host: string;
let opened: OpenedFootnote;
let guest: Footnote;
const secret = 'The vault opens with heron.';

beforeEach(async () => {
  place = await realpath(await mkdtemp(join(diskFolder(), 'footnote-places-')));
  root = join(place, 'open');
  outside = join(place, 'outside');
  checkout = join(root, 'checkout');
  createRepository(outside);
  commitFiles(outside, { 'secret.md': secret });
  createRepository(checkout);
  commitFiles(checkout, { 'note.md': 'The lamp is lit at dusk.' });
  server = createServer(gitBackend(join(place, 'served')));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const environment = { FOOTNOTE_DATA: join(place, 'data'), SOURCE_ROOTS: root, WEB_ALLOW_HOSTS: host };
  opened = await openFootnote(loadConfig({ folder: place, environment }));
  guest = opened.forScope({ tenant: 'default', principal: { id: 'key:1', role: 'admin', groups: [] } });
});
afterEach(async () => {
  await opened.close();
  server.closeAllConnections();
  server.close();
  await rm(place, { recursive: true, force: true });
});

async function sync(path = checkout, footnote = guest) {
  await footnote.sources.put({ name: 'code', type: 'code', connector: { kind: 'git', path } });
  return footnote.sources.sync('code');
}
const texts = async (): Promise<string[]> => (await guest.documents.list({ limit: 100 })).data.map(({ uri }) => uri);

/** Points the branch of the checkout at the commit of the other repository. */
function adopt(): void {
  writeFileSync(join(checkout, '.git/refs/heads/main'), `${git(outside, 'rev-parse', 'HEAD')}\n`);
}
const inGit = (...names: string[]): string => join(checkout, '.git', ...names);
/** Replaces what is there by a link. */
function link(target: string, path: string): void {
  rmSync(path, { recursive: true, force: true });
  symlinkSync(target, path);
}

const leads: Record<string, () => void> = {
  'a link in the place of .git': () => link(join(outside, '.git'), inGit()),
  'a relative link in the place of .git': () => link(relative(checkout, join(outside, '.git')), inGit()),
  'a link to a link': () => {
    symlinkSync(join(outside, '.git'), join(checkout, 'hop'));
    link('hop', inGit());
  },
  'a .git file': () => {
    rmSync(inGit(), { recursive: true });
    writeFileSync(inGit(), `gitdir: ${join(outside, '.git')}\n`);
  },
  'a .git file with a zero behind its path': () => {
    rmSync(inGit(), { recursive: true });
    writeFileSync(inGit(), `gitdir: ../../outside/.git\0/x\n`);
  },
  'a .git file through a link': () => {
    rmSync(inGit(), { recursive: true });
    symlinkSync(outside, join(checkout, 'hop'));
    writeFileSync(inGit(), `gitdir: hop/../outside/.git\n`);
  },
  'a worktree': () => {
    rmSync(checkout, { recursive: true });
    git(outside, 'worktree', 'add', '-q', checkout, '-b', 'side');
  },
  commondir: () => {
    adopt();
    writeFileSync(inGit('commondir'), `${join(outside, '.git')}\n`);
  },
  'a relative commondir through a link': () => {
    symlinkSync(join(outside, '.git', 'refs'), inGit('hop'));
    writeFileSync(inGit('commondir'), 'hop/..');
  },
  'a commondir that is a link': () => {
    writeFileSync(join(place, 'words'), join(outside, '.git'));
    symlinkSync(join(place, 'words'), inGit('commondir'));
  },
  alternates: () => {
    adopt();
    writeFileSync(inGit('objects/info/alternates'), `${join(outside, '.git/objects')}\n`);
  },
  'relative alternates behind a remark': () => {
    adopt();
    writeFileSync(inGit('objects/info/alternates'), `# mine\n\n../../../../outside/.git/objects\n`);
  },
  'alternates between quotes': () => {
    adopt();
    writeFileSync(inGit('objects/info/alternates'), `"${join(outside, '.git/objects').replace('/', '\\057')}"\n`);
  },
  'alternates with a zero': () => {
    adopt();
    writeFileSync(inGit('objects/info/alternates'), `${join(outside, '.git/objects')}\0x\n`);
  },
  'alternates of alternates': () => {
    adopt();
    mkdirSync(join(checkout, 'more/info'), { recursive: true });
    writeFileSync(inGit('objects/info/alternates'), `${join(checkout, 'more')}\n`);
    writeFileSync(join(checkout, 'more/info/alternates'), `${join(outside, '.git/objects')}\n`);
  },
  'alternates in a folder that a link names': () => {
    adopt();
    mkdirSync(join(checkout, 'docs'));
    writeFileSync(join(checkout, 'docs/alternates'), `../../../../outside/.git/objects\n`);
    link('../../docs', inGit('objects/info'));
  },
  'alternates through a link beside it': () => {
    adopt();
    writeFileSync(join(checkout, 'words'), join(outside, '.git/objects'));
    symlinkSync('../../../words', inGit('objects/info/alternates'));
  },
  'a link in the place of the objects': () => {
    adopt();
    link(join(outside, '.git/objects'), inGit('objects'));
  },
  'links in the place of each folder of objects': () => {
    adopt();
    for (const name of readdirSync(join(outside, '.git/objects')))
      link(join(outside, '.git/objects', name), inGit('objects', name));
  },
  'links in the place of packs': () => {
    git(outside, 'repack', '-a', '-d', '-q');
    adopt();
    for (const name of readdirSync(join(outside, '.git/objects/pack')))
      link(join(outside, '.git/objects/pack', name), inGit('objects/pack', name));
  },
  'a link in the place of the refs': () => link(join(outside, '.git/refs'), inGit('refs')),
  'a link in the place of a branch': () => link(join(outside, '.git/refs/heads/main'), inGit('refs/heads/main')),
  'a link in the place of HEAD': () => link(join(outside, '.git/HEAD'), inGit('HEAD')),
  'an included configuration': () =>
    appendFileSync(inGit('config'), `[include]\n\tpath = ${join(outside, '.git/config')}\n`),
  'a configuration that is included on a condition': () =>
    appendFileSync(inGit('config'), '[includeIf "gitdir:/**"]\n\tpath = ../../../outside/.git/config\n'),
  'an included configuration of a person': () =>
    appendFileSync(inGit('config'), '[include]\n\tpath = ~root/.gitconfig\n'),
  'an included configuration that includes': () => {
    appendFileSync(inGit('config'), '[include]\n\tpath = more\n');
    writeFileSync(inGit('more'), `[include]\n\tpath = ${join(outside, '.git/config')}\n`);
  },
  'a link in the place of the configuration': () => link(join(outside, '.git/config'), inGit('config')),
  'a bare repository with alternates': () => {
    rmSync(checkout, { recursive: true });
    git(place, 'clone', '-q', '--bare', '--shared', outside, checkout);
  },
  'a clone with a reference': () => {
    rmSync(checkout, { recursive: true });
    git(place, 'clone', '-q', '--reference', outside, outside, checkout);
  },
};

describe.runIf(hasGit)('a checkout that an admin of one tenant names', () => {
  it.each(Object.entries(leads))('is not followed by %s', async (_, lead) => {
    expect(await sync()).toMatchObject({ state: 'done' });
    lead();
    const run = await sync();
    expect(run).toMatchObject({ state: 'failed', error: { code: 'forbidden' } });
    expect(run.error?.message).toMatch(/^\S+ \w.*Name the repository itself/u);
    expect(run.error?.message).not.toContain('outside');
    const look = guest.sources.preview({ name: 'code', type: 'code', connector: { kind: 'git', path: checkout } });
    await expect(look).rejects.toMatchObject({ code: 'forbidden' });
    expect(await texts()).toEqual(['note.md']);
  });

  const whole: Record<string, () => void> = {
    'links inside it': () => {
      renameSync(inGit('objects'), join(checkout, 'kept'));
      symlinkSync('../kept', inGit('objects'));
      link('refs/heads/main', inGit('HEAD'));
    },
    'packs, hooks and submodules of its own': () => {
      git(checkout, 'gc', '-q');
      link('/usr/share/hooks', inGit('hooks'));
      symlinkSync('/nowhere', inGit('gone'));
      mkdirSync(inGit('modules/part'), { recursive: true });
      symlinkSync(outside, inGit('modules/part/objects'));
    },
    'branches that are called as files of git are': () => {
      for (const name of ['config', 'commondir', 'info/alternates']) git(checkout, 'branch', name);
    },
    'alternates inside it': () => {
      cpSync(inGit('objects'), join(checkout, 'shared'), { recursive: true });
      rmSync(inGit('objects'), { recursive: true });
      mkdirSync(inGit('objects/info'), { recursive: true });
      writeFileSync(inGit('objects/info/alternates'), '../../shared\n');
    },
    'a .git file that leads to a folder in it': () => {
      renameSync(inGit(), join(checkout, 'kept'));
      writeFileSync(inGit(), 'gitdir: kept\n');
    },
  };
  it.each(Object.entries(whole))('is read with %s', async (_, change) => {
    change();
    expect(await sync()).toMatchObject({ state: 'done', counts: { done: 1 } });
  });

  it('is read by the owner where a worktree or a clone shares another, but nothing of the data folder', async () => {
    const owner = opened.forScope(localScope());
    git(checkout, 'worktree', 'add', '-q', join(place, 'tree'), '-b', 'side');
    git(place, 'clone', '-q', '--shared', checkout, join(place, 'shared'));
    expect(await sync(join(place, 'tree'), owner)).toMatchObject({ state: 'done', counts: { done: 1 } });
    expect(await sync(join(place, 'shared'), owner)).toMatchObject({ state: 'done', counts: { unchanged: 1 } });
    mkdirSync(join(place, 'data/objects'));
    writeFileSync(inGit('objects/info/alternates'), `${join(place, 'data/objects')}\n`);
    expect(await sync(checkout, owner)).toMatchObject({ state: 'failed', error: { code: 'forbidden' } });
  });

  it('runs nothing that its configuration, its attributes or its hooks name', async () => {
    const mark = join(place, 'ran');
    const program = join(checkout, 'program.sh');
    writeFileSync(program, `#!/bin/sh\ntouch ${mark}\ncat\n`);
    chmodSync(program, 0o755);
    for (const name of readdirSync(inGit('hooks'))) cpSync(program, inGit('hooks', name.replace('.sample', '')));
    const settings = [
      'core.fsmonitor',
      'core.sshCommand',
      'core.pager',
      'core.editor',
      'core.askPass',
      'core.gitProxy',
      'core.alternateRefsCommand',
      'diff.external',
      'diff.x.textconv',
      'diff.x.command',
      'filter.x.smudge',
      'filter.x.clean',
      'filter.x.process',
      'credential.helper',
      'uploadpack.packObjectsHook',
      'gpg.program',
      'remote.origin.uploadpack',
      'pager.cat-file',
      'pager.ls-tree',
      'alias.ls-tree',
      'alias.cat-file',
    ];
    for (const name of settings) git(checkout, 'config', name, name.startsWith('alias') ? `!${program}` : program);
    writeFileSync(join(checkout, '.gitattributes'), '* filter=x diff=x\n');
    git(
      checkout,
      '-c',
      'filter.x.clean=',
      '-c',
      'filter.x.process=',
      '-c',
      'core.fsmonitor=',
      '-c',
      'core.hooksPath=/dev/null',
      'add',
      '.gitattributes',
    );
    // Of a partial clone whose rest would be fetched by a program.
    git(checkout, 'config', 'core.repositoryformatversion', '1');
    git(checkout, 'config', 'extensions.partialClone', 'origin');
    git(checkout, 'config', 'remote.origin.promisor', 'true');
    git(checkout, 'config', 'remote.origin.url', `ext::${program}`);
    git(checkout, 'config', 'protocol.allow', 'always');
    rmSync(mark, { force: true });
    expect(await sync()).toMatchObject({ state: 'done' });
    const blob = git(checkout, 'rev-parse', 'HEAD:note.md');
    rmSync(inGit('objects', blob.slice(0, 2), blob.slice(2)), { force: true });
    await guest.sources.remove('code');
    expect((await sync()).counts).toMatchObject({ done: 0, failed: 1 });
    expect(existsSync(mark)).toBe(false);
    // The settings would run it: git itself does.
    execFileSync('git', ['-C', checkout, 'status'], { stdio: 'ignore' });
    expect(existsSync(mark)).toBe(true);
  });
});

describe.runIf(hasGit)('a look at a repository that is fetched', () => {
  const looks = async (): Promise<string[]> =>
    (await readdir(tmpdir())).filter((name) => name.startsWith('footnote-look-'));

  it.each([true, false])('leaves nothing behind and brings what it reads (a part can be sent: %s)', async (isPart) => {
    commitFiles(checkout, { 'docs/a.md': '# A\n\nThe pump is red.\n', 'big.txt': randomBytes(50_000).toString('hex') });
    const served = join(place, 'served/engine.git');
    git(place, 'clone', '-q', '--bare', checkout, served);
    git(served, 'config', 'uploadpack.allowFilter', String(isPart));
    const connector = { kind: 'git' as const, url: `http://${host}/engine.git`, include: ['docs/**'] };
    const before = await looks();
    const sockets = new Set<Socket>();
    server.on('connection', (socket) => sockets.add(socket));
    const look = await guest.sources.preview({ name: 'x', type: 'code', connector });
    const sentBytes = [...sockets].reduce((sum, { bytesWritten }) => sum + bytesWritten, 0);
    expect(sentBytes > 0 && sentBytes < 20_000).toBe(isPart);
    expect(look).toMatchObject({ counts: { found: 1, done: 1 }, bytes: 22 });
    expect(await looks()).toEqual(before);
    expect(existsSync(join(place, 'data/repositories'))).toBe(false);
    // One that fails, too.
    const none = guest.sources.preview({ name: 'x', type: 'code', connector: { ...connector, ref: 'none' } });
    await expect(none).rejects.toBeDefined();
    expect(await looks()).toEqual(before);
    expect(existsSync(join(place, 'data/repositories'))).toBe(false);
    // After a run it tells what changed, and leaves the copy as it is.
    await guest.sources.put({ name: 'x', type: 'code', connector });
    expect(await guest.sources.sync('x')).toMatchObject({ state: 'done' });
    const copies = readdirSync(join(place, 'data/repositories'), { recursive: true }).map(String).toSorted();
    commitFiles(checkout, { 'docs/b.md': '# B\n\nThe valve is blue.\n' });
    git(checkout, 'push', '-q', served, 'main');
    const again = await guest.sources.preview({ name: 'x', type: 'code', connector });
    expect(again.counts).toMatchObject({ done: 1, unchanged: 1, failed: 0 });
    expect(readdirSync(join(place, 'data/repositories'), { recursive: true }).map(String).toSorted()).toEqual(copies);
    expect(readFileSync(join(served, 'config'), 'utf8')).toContain(String(isPart));
  });
});
