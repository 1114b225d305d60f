// The image of the Dockerfile, built and run without a registry or a daemon: buildah over a Debian from its mirror with this Node and npm, and a
// chroot in namespaces of its own, which is what a container is. Root is needed for both, on Linux.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const root = join(import.meta.dirname, '../..');

/** What is missing to build an image here; empty: nothing. */
export function missingTools(): readonly string[] {
  const tools = ['buildah', 'mmdebstrap', 'unshare', 'nsenter', 'chroot', 'mount'];
  const missing = tools.filter((name) => spawnSync('sh', ['-c', `command -v ${name}`]).status !== 0);
  return process.getuid?.() === 0 ? missing : ['root', ...missing];
}

function run(program: string, words: readonly string[], cwd = root): string {
  const { status, stdout, stderr, error } = spawnSync(program, words, { cwd, encoding: 'utf8', maxBuffer: 1 << 28 });
  if (status === 0) return stdout.trim();
  throw new Error(`${program} ${words.join(' ')}: ${error?.message ?? `${stdout}\n${stderr}`.slice(-4000)}`);
}

export interface Image {
  /** Where its files lie. */
  readonly root: string;
  readonly config: ImageConfig;
  remove(): void;
}
interface ImageConfig {
  readonly User: string;
  readonly Env: readonly string[];
  readonly Entrypoint: readonly string[];
  readonly Cmd: readonly string[];
  readonly Healthcheck: { readonly Test: readonly string[] };
  readonly WorkingDir: string;
  readonly StopSignal: string;
  readonly Volumes: Readonly<Record<string, unknown>>;
  readonly Labels: Readonly<Record<string, string>>;
}

/** Debian without its manuals, as slim images are; Node and npm of this machine, and the certificates that it trusts. */
function buildBase(folder: string, buildah: (...words: string[]) => string): void {
  mkdirSync(folder);
  const without = ['doc', 'man', 'locale', 'info'].map((name) => `--dpkgopt=path-exclude=/usr/share/${name}/*`);
  run('mmdebstrap', ['--variant=minbase', ...without, 'bookworm', join(folder, 'debian.tar')]);
  cpSync(process.execPath, join(folder, 'node'));
  const npm = realpathSync(run('sh', ['-c', 'command -v npm']));
  cpSync(dirname(dirname(npm)), join(folder, 'npm'), { recursive: true });
  const certificates = process.env['NODE_EXTRA_CA_CERTS'];
  const trusted = certificates !== undefined && existsSync(certificates);
  if (trusted) cpSync(realpathSync(certificates), join(folder, 'trusted.crt'));
  const lines = [
    'FROM scratch',
    'ADD debian.tar /',
    'COPY node /usr/local/bin/node',
    'COPY npm /usr/local/lib/node_modules/npm',
    ...(trusted ? ['COPY trusted.crt /etc/ssl/trusted.crt', 'ENV NODE_EXTRA_CA_CERTS=/etc/ssl/trusted.crt'] : []),
    'RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm',
  ];
  writeFileSync(join(folder, 'Dockerfile'), lines.join('\n'));
  buildah('bud', '--isolation', 'chroot', '--format', 'docker', '-t', 'base', folder);
}

/** Takes minutes. `folder` is made. */
export function buildImage(folder: string): Image {
  const storage = ['--storage-driver', 'vfs', '--root', join(folder, 'storage'), '--runroot', join(folder, 'run')];
  const buildah = (...words: string[]): string => run('buildah', [...storage, ...words]);
  mkdirSync(folder, { recursive: true });
  buildBase(join(folder, 'base'), buildah);
  const options = ['--isolation', 'chroot', '--format', 'docker', '--pull-never', '--build-arg', 'BASE=localhost/base'];
  buildah('bud', ...options, '-t', 'footnote-server', root);
  const container = buildah('from', '--pull-never', 'footnote-server');
  const inspected = JSON.parse(buildah('inspect', '--type', 'image', 'footnote-server')) as {
    readonly Docker: { readonly config: ImageConfig };
  };
  return {
    root: buildah('mount', container),
    config: inspected.Docker.config,
    remove() {
      buildah('umount', container);
      buildah('rm', container);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export interface Container {
  /** Of its first process, as this machine counts. */
  readonly pid: number;
  readonly output: () => string;
  /** Another process in it, as its user: `docker exec`. */
  exec(...words: string[]): { readonly status: number | null; readonly stdout: string; readonly stderr: string };
  /** Ends its first process; the kernel ends all others with it. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null>;
}

interface ContainerOptions {
  readonly data: string;
  readonly documents: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** Mounts as a runtime does, and becomes the first process. $1 root, $2 data, $3 documents, $4 user, then the words. */
const script = `set -e
root=$1 data=$2 documents=$3 user=$4; shift 4
mount --bind "$root" "$root"
mount -o remount,bind,ro "$root"
mount -t proc proc "$root/proc"
mount -t tmpfs tmpfs "$root/tmp"
mount --rbind /dev "$root/dev"
mount --bind "$data" "$root/data"
mount --bind -o ro "$documents" "$root/mnt"
cd "$root"
exec chroot --userspec="$user" "$root" env -i "$@"`;

/** The first child of a process, once it has one. */
async function childOf(pid: number): Promise<number> {
  for (;;) {
    const [child] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ');
    if (child !== undefined && child !== '') return Number(child);
    await pause(5);
  }
}

/** A read-only root, memory at /tmp, `data` at /data, `documents` at /mnt, the network of this machine. */
export async function startContainer(
  { root: files, config }: Pick<Image, 'root' | 'config'>,
  { data, documents, environment }: ContainerOptions,
): Promise<Container> {
  const settings = [...config.Env, ...Object.entries(environment).map(([name, value]) => `${name}=${value}`)];
  const home = ['--chdir', config.WorkingDir];
  const words = [files, data, documents, config.User, ...home, ...settings, ...config.Entrypoint, ...config.Cmd];
  const namespaces = ['--mount', '--pid', '--fork', '--kill-child', '--ipc', '--uts'];
  const child: ChildProcess = spawn('unshare', [...namespaces, 'sh', '-c', script, 'sh', ...words]);
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text) => (said += String(text)));
  const ended = new Promise<number | null>((done) => child.once('close', done));
  const pid = await childOf(child.pid ?? 0);
  const [user = '', group = ''] = config.User.split(':');
  return {
    pid,
    output: () => said,
    exec: (...words) =>
      spawnSync(
        'nsenter',
        [`--target=${pid}`, '--mount', '--pid', '--root', '--wd', '--setuid', user, '--setgid', group, 'env', '-i']
          .concat(settings)
          .concat(words),
        { encoding: 'utf8' },
      ),
    async end(signal) {
      process.kill(pid, signal);
      return ended;
    },
  };
}

/** Bytes of all files. */
export function sizeOf(folder: string): number {
  const [bytes = '0'] = run('du', ['--summarize', '--bytes', '--one-file-system', folder]).split('\t');
  return Number(bytes);
}

/** Owner of what a container writes. */
export function ownedBy(config: Pick<ImageConfig, 'User'>, folder: string): void {
  run('chown', ['-R', config.User, folder]);
}
