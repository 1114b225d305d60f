// footnote models get, add, use, verify, remove: models in the folder of models. Nothing is fetched before its size and licence were told and a person
// agreed, on the terminal or with --yes.
import type { Command } from 'commander';
import { readProxies } from '../../config.ts';
import { FootnoteError } from '../../core/errors.ts';
import { systemClock } from '../../core/ids.ts';
import type { CarriedOut, KeepOptions, KeptModel, Plan } from '../../footnote/kept-models/kept-models.ts';
import { openBar } from '../render/bar.ts';
import { type Terminal, toPrintable } from '../terminal/terminal.ts';
import type { Cli } from './cli.ts';

const purposes = {
  writer: 'writes answers',
  encoder: 'search by meaning',
  order: 'orders passages',
  judge: 'judges claims',
};
const sizeOf = (bytes: number): string =>
  bytes < 1e9 ? `${(bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;
const counted = (done: number, total: number): string => `${sizeOf(done)} of ${sizeOf(total)}`;
const dayOf = (at: string | undefined): string => at?.slice(0, 10) ?? 'never';

/** What was fetched or added; nothing where nothing was. */
export function renderKept(terminal: Terminal, kept: readonly KeptModel[]): void {
  if (kept.length === 0) return;
  terminal.line();
  terminal.table([
    ['FETCHED OR ADDED', 'FOR', 'SIZE', 'LICENCE', 'LAST USE', 'USED BY'],
    ...kept.map(({ name, kind, bytes, license = 'not said', lastUsedAt, usedBy, isThere }) => [
      toPrintable(name),
      purposes[kind],
      sizeOf(bytes),
      toPrintable(license),
      dayOf(lastUsedAt),
      isThere ? usedBy.join(', ') : 'its folder is gone: footnote models remove takes it off the list',
    ]),
  ]);
}

function tellPlan(terminal: Terminal, plan: Plan): void {
  const { name, repository, revision = '', license, terms, bytes, runtimeBytes } = plan;
  if (repository !== undefined)
    terminal.note(`${name}: ${repository} at ${revision.slice(0, 12)}, ${sizeOf(bytes)}, licence ${license}.`);
  if (terms !== undefined) terminal.note(terms);
  if (runtimeBytes !== undefined)
    terminal.note(`What runs .gguf models comes from the npm registry: node-llama-cpp (MIT), ${sizeOf(runtimeBytes)}.`);
}

interface Consent {
  readonly yes?: boolean;
  readonly runtime?: string;
}

/** How a command asks, and shows what comes. */
function keeping(cli: Cli, { yes = false, runtime }: Consent): KeepOptions & { end(): void } {
  const { terminal } = cli;
  const bar = openBar(terminal, 'Fetching', { first: 'beginning', counted });
  return {
    proxies: readProxies(),
    signal: cli.signal,
    ...(runtime !== undefined && { runtimeFrom: runtime }),
    onProgress: (done, total, file) => bar.update(done, total, file),
    async agree(plan) {
      tellPlan(terminal, plan);
      if (yes) return true;
      if (!terminal.isInteractive || terminal.json)
        throw new FootnoteError(
          'invalid-request',
          `Fetching ${plan.name} needs your word for its size and licence: add --yes.`,
        );
      const { confirm } = await import('@clack/prompts');
      return (await confirm({ message: 'Fetch it, under that licence?', initialValue: false })) === true;
    },
    end: () => bar.end(),
  };
}

function tellKept(terminal: Terminal, model: CarriedOut): void {
  terminal.value(model);
  terminal.line(toPrintable(`${model.name} is there (${purposes[model.kind]}), and every byte of it was checked.`));
  terminal.line(toPrintable(`Put it to work: footnote models use ${model.name}`));
}

async function showRecommended(terminal: Terminal): Promise<void> {
  const { recommended } = await import('../../footnote/kept-models/kept-models.ts');
  terminal.value({ recommended });
  terminal.table([
    ['NAME', 'FOR', 'DISK', 'MEMORY', 'LICENCE', 'LANGUAGES', ''],
    ...recommended.map(({ name, kind, bytes, memoryBytes, license, languages, tried }) => [
      name,
      purposes[kind],
      sizeOf(bytes),
      sizeOf(memoryBytes),
      license,
      languages,
      tried ? '' : 'not run here',
    ]),
  ]);
  terminal.line('Fetch one with "footnote models get NAME". OWNER/REPOSITORY names any other of the hub.');
}

export function addKeptModelCommands(models: Command, cli: Cli): void {
  const { terminal } = cli;
  const runtimeOption = [
    '--runtime <folder>',
    'unpacked copy of what runs .gguf models, for machines without network',
  ] as const;

  const get = models
    .command('get')
    .description('Fetch a model from the hub (HF_ENDPOINT), or show which are recommended')
    .argument('[name]', 'a name of that list, or OWNER/REPOSITORY')
    .option('--file <path>', 'the file of another repository that is run, such as model-Q4_K_M.gguf')
    .option('--name <name>', 'what it is called here')
    .option(...runtimeOption)
    .option('-y, --yes', 'agree to size and licence without being asked')
    .addHelpText('after', '\nExamples:\n  footnote models get\n  footnote models get qwen3-1.7b');
  get.action(
    async (wanted: string | undefined, options: Consent & { readonly file?: string; readonly name?: string }) => {
      if (wanted === undefined) return showRecommended(terminal);
      const { getModel } = await import('../../footnote/kept-models/kept-models.ts');
      const { file, name } = options;
      const { end, ...keep } = keeping(cli, options);
      const named = { ...(file !== undefined && { file }), ...(name !== undefined && { name }) };
      const model = await getModel(cli.config(get), { ...keep, wanted, ...named }).finally(end);
      tellKept(terminal, model);
    },
  );

  const add = models
    .command('add')
    .description('Take in a model that is on this machine: a folder with an ONNX graph, or a .gguf file')
    .argument('<path>', 'the folder or the file')
    .option('--name <name>', 'what it is called here; by default as the folder or the file')
    .option('--link', 'link its files instead of copying them')
    .option(...runtimeOption)
    .option('-y, --yes', 'agree without being asked to what has to be fetched')
    .addHelpText('after', '\nExamples:\n  footnote models add ~/Downloads/model-Q4_K_M.gguf --name mine');
  add.action(async (path: string, options: Consent & { readonly name?: string; readonly link?: boolean }) => {
    const { takeModel } = await import('../../footnote/kept-models/kept-models.ts');
    const { name, link = false } = options;
    const { end, ...keep } = keeping(cli, options);
    const taken = { path, isLinked: link, ...(name !== undefined && { name }) };
    tellKept(terminal, await takeModel(cli.config(add), { ...keep, ...taken }).finally(end));
  });

  const use = models
    .command('use')
    .description('Try a model once, and write the setting that puts it to work into the configuration file')
    .argument(
      '<model>',
      'a model that was fetched or added, ollama:NAME (lmstudio, llamacpp, vllm), or compatible:NAME',
    )
    .option('--url <address>', 'address of the server of compatible:NAME, with its path')
    .addHelpText('after', '\nExamples:\n  footnote models use qwen3-1.7b\n  footnote models use ollama:qwen3:4b');
  use.action(async (reference: string, { url }: { readonly url?: string }) => {
    const { applyModel } = await import('../../footnote/kept-models/use-model.ts');
    const { config: file } = use.optsWithGlobals<{ readonly config?: string }>();
    cli.config(use);
    const named = { ...(url !== undefined && { url }), ...(file !== undefined && { file }) };
    const used = await applyModel({ reference, ...named, clock: systemClock, signal: cli.signal });
    terminal.value(used);
    const { values, trial } = used;
    if (trial.ok) terminal.line(toPrintable(`ok  ${trial.role}: ${trial.served} ${trial.detail}`));
    for (const [name, value] of Object.entries(values)) terminal.line(toPrintable(`${name}=${value}`));
    terminal.line(toPrintable(`That stands in ${used.file}. A running server goes by it when it is started again.`));
  });

  const verify = models
    .command('verify')
    .description('Read every byte of what was fetched or added again; the exit code is 1 where one differs')
    .argument('[name]', 'all unless told')
    .addHelpText('after', '\nExamples:\n  footnote models verify');
  verify.action(async (name: string | undefined) => {
    const { verifyKept } = await import('../../footnote/kept-models/kept-models.ts');
    const verified = await verifyKept(cli.config(verify), name, cli.signal);
    terminal.value({ models: verified });
    for (const { name: one, ok, wrong } of verified)
      terminal.line(
        `${ok ? terminal.paint('green', 'ok') : terminal.paint('red', 'XX')}  ${toPrintable(one)}${ok ? '' : `: ${toPrintable(wrong.join(', '))} differ or are gone. Remove it, and fetch it again.`}`,
      );
    if (verified.length === 0) terminal.line('Nothing was fetched or added.');
    if (verified.some(({ ok }) => !ok)) cli.exitCode = 1;
  });

  const remove = models
    .command('remove')
    .description('Remove a model that was fetched or added')
    .argument('<name>')
    .option('--force', 'also while a role is set to it')
    .addHelpText('after', '\nExamples:\n  footnote models remove qwen3-1.7b');
  remove.action(async (name: string, { force = false }: { readonly force?: boolean }) => {
    const { removeKept } = await import('../../footnote/kept-models/kept-models.ts');
    const { files } = await removeKept(cli.config(remove), name, force);
    const bytes = files.reduce((sum, one) => sum + one.bytes, 0);
    terminal.value({ removed: name, bytes });
    terminal.line(toPrintable(`Removed ${name}: ${sizeOf(bytes)}.`));
  });
}
