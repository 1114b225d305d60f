// footnote models get, add, use, verify, remove: models in the folder of models. Nothing is fetched before its size and licence were told and a person
// agreed, on the terminal or with --yes.
import { availableParallelism } from 'node:os';
import type { Command } from 'commander';
import { type Config, readProxies } from '../../config.ts';
import { FootnoteError } from '../../core/errors.ts';
import { systemClock } from '../../core/ids.ts';
import type { KeepOptions, KeptModel, NamedModel, Plan } from '../../footnote/kept-models/kept-models.ts';
import { openBar } from '../render/bar.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { Cli } from './cli.ts';

const purposes = {
  writer: 'writes answers',
  encoder: 'search by meaning',
  order: 'orders passages',
  judge: 'judges claims',
};
const secondsOf = (ms: number): string => `${Math.max(1, Math.round(ms / 1000))} s`;
const sizeOf = (bytes: number): string =>
  bytes < 1e9 ? `${(bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;

/** What was fetched or added; nothing where nothing was. */
export function renderKept(terminal: Terminal, kept: readonly KeptModel[]): void {
  if (kept.length === 0) return;
  terminal.line();
  terminal.table([
    ['FETCHED OR ADDED', 'FOR', 'SIZE', 'AN ANSWER', 'LICENCE', 'LAST USE', 'USED BY'],
    ...kept.map(({ name, kind, bytes, answerMs, license = 'not said', lastUsedAt = 'never', usedBy, isThere }) => [
      ...[name, purposes[kind], sizeOf(bytes), answerMs === undefined ? '' : secondsOf(answerMs)],
      ...[license, lastUsedAt.slice(0, 10)],
      isThere ? usedBy.join(', ') : `its folder is gone: footnote models remove ${name} takes it off the list`,
    ]),
  ]);
}

function tellPlan(terminal: Terminal, { name, model, runtimeBytes }: Plan): void {
  if (model) {
    const { repository, revision, bytes, license, terms } = model;
    terminal.note(`${name}: ${repository} at ${revision.slice(0, 12)}, ${sizeOf(bytes)}, licence ${license}.`);
    if (terms !== undefined) terminal.note(terms);
  }
  if (runtimeBytes !== undefined)
    terminal.note(`What runs .gguf models comes from the npm registry: node-llama-cpp (MIT), ${sizeOf(runtimeBytes)}.`);
}

interface Given {
  readonly yes?: boolean;
  readonly runtime?: string;
  readonly name?: string;
}

function keeping({ terminal, signal }: Cli, { yes = false, runtime, name }: Given): KeepOptions {
  const agree = async (plan: Plan): Promise<boolean> => {
    tellPlan(terminal, plan);
    if (yes) return true;
    if (!terminal.isInteractive || terminal.json)
      throw new FootnoteError('invalid-request', `Fetching it needs your word for its size and licence: add --yes.`);
    const { confirm } = await import('@clack/prompts');
    return (await confirm({ message: 'Fetch it, under that licence?', initialValue: false })) === true;
  };
  return { agree, name, runtimeFrom: runtime, signal };
}

function tellKept(terminal: Terminal, model: NamedModel): void {
  terminal.value(model);
  terminal.line(`${model.name} is there (${purposes[model.kind]}), and every byte of it was checked.`);
  terminal.line(`Put it to work: footnote models use ${model.name}`);
}

async function showRecommended(terminal: Terminal, config: Config): Promise<void> {
  const { estimateAnswerMs, keptModels, recommended } = await import('../../footnote/kept-models/kept-models.ts');
  const kept = await keptModels(config);
  const told = recommended.map((one) => ({
    ...one,
    ...(one.kind === 'writer' && { answerMs: estimateAnswerMs(one.bytes, kept, availableParallelism()) }),
  }));
  terminal.value({ recommended: told });
  terminal.table([
    ['NAME', 'FOR', 'DISK', 'MEMORY', 'AN ANSWER', 'LICENCE', 'LANGUAGES', ''],
    ...told.map(({ name, kind, bytes, memoryBytes, answerMs, license, languages, tried }) => [
      ...[
        name,
        purposes[kind],
        sizeOf(bytes),
        sizeOf(memoryBytes),
        answerMs === undefined ? '' : `~ ${secondsOf(answerMs)}`,
      ],
      ...[license, languages, tried ? '' : 'not run here'],
    ]),
  ]);
  terminal.line('Fetch one with "footnote models get NAME". OWNER/REPOSITORY names any other of the hub.');
}

const withConsent = (command: Command): Command =>
  command
    .option('--name <name>', 'what it is called here')
    .option('--runtime <folder>', 'unpacked copy of what runs .gguf models, for machines without network')
    .option('-y, --yes', 'agree to size and licence without being asked');

export function addKeptModelCommands(models: Command, cli: Cli): void {
  const { terminal } = cli;

  const get = withConsent(models.command('get'))
    .description('Fetch a model from the hub (HF_ENDPOINT), or show which are recommended')
    .argument('[name]', 'a name of that list, OWNER/REPOSITORY, or runtime: what runs .gguf models alone')
    .option('--file <path>', 'the file of another repository that is run, such as model-Q4_K_M.gguf')
    .addHelpText('after', '\nExamples:\n  footnote models get\n  footnote models get qwen3-1.7b');
  get.action(async (wanted: string | undefined, given: Given & { readonly file?: string }) => {
    if (wanted === undefined) return showRecommended(terminal, cli.config(get));
    const { getModel } = await import('../../footnote/kept-models/kept-models.ts');
    const counted = (done: number, total: number): string => `${sizeOf(done)} of ${sizeOf(total)}`;
    const bar = openBar(terminal, 'Fetching', { first: 'beginning', counted });
    const got = await getModel(cli.config(get), {
      ...keeping(cli, given),
      ...{ wanted, file: given.file, proxies: readProxies(), onProgress: bar.update },
    }).finally(bar.end);
    if (got) return tellKept(terminal, got);
    terminal.value({ runtime: true });
    terminal.line('What runs .gguf models is there.');
  });

  const add = withConsent(models.command('add'))
    .description('Take in a model that is on this machine: a folder with an ONNX graph, or a .gguf file')
    .argument('<path>', 'the folder or the file')
    .option('--link', 'link its files instead of copying them')
    .addHelpText('after', '\nExamples:\n  footnote models add ~/Downloads/model-Q4_K_M.gguf --name mine');
  add.action(async (path: string, given: Given & { readonly link?: boolean }) => {
    const { takeModel } = await import('../../footnote/kept-models/kept-models.ts');
    tellKept(terminal, await takeModel(cli.config(add), { ...keeping(cli, given), path, isLinked: given.link }));
  });

  const use = models
    .command('use')
    .description('Try a model once, and write the setting that puts it to work into the configuration file')
    .argument('<model>', 'one that was fetched or added, ollama:NAME (lmstudio, llamacpp, vllm), or compatible:NAME')
    .option('--url <address>', 'address of the server of compatible:NAME, with its path')
    .addHelpText('after', '\nExamples:\n  footnote models use qwen3-1.7b\n  footnote models use ollama:qwen3:4b');
  use.action(async (reference: string, { url }: { readonly url?: string }) => {
    const { applyModel } = await import('../../footnote/kept-models/use-model.ts');
    const { config: file } = use.optsWithGlobals<{ readonly config?: string }>();
    cli.config(use);
    const used = await applyModel({ reference, url, file, clock: systemClock, signal: cli.signal });
    terminal.value(used);
    const { values, trial } = used;
    terminal.line(`${terminal.paint('green', 'ok')}  ${trial.role}: ${trial.served} ${trial.detail}`);
    for (const [name, value] of Object.entries(values)) terminal.line(`      ${name}=${value}`);
    terminal.line(`That stands in ${used.file}. A running server goes by it when it is started again.`);
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
    for (const { name: one, ok, wrong } of verified) {
      const why = ok ? '' : `: ${wrong.join(', ')} differ or are gone. Remove it, and fetch it again.`;
      terminal.line(`${ok ? terminal.paint('green', 'ok') : terminal.paint('red', 'XX')}  ${one}${why}`);
      if (!ok) cli.exitCode = 1;
    }
    if (verified.length === 0) terminal.line('Nothing was fetched or added.');
  });

  const remove = models
    .command('remove')
    .description('Remove a model that was fetched or added')
    .argument('<name>', 'its name')
    .option('--force', 'also while a role is set to it')
    .addHelpText('after', '\nExamples:\n  footnote models remove qwen3-1.7b');
  remove.action(async (name: string, { force = false }: { readonly force?: boolean }) => {
    const { removeKept } = await import('../../footnote/kept-models/kept-models.ts');
    const { files } = await removeKept(cli.config(remove), name, force);
    const bytes = files.reduce((sum, one) => sum + one.bytes, 0);
    terminal.value({ removed: name, bytes });
    terminal.line(`Removed ${name}: ${sizeOf(bytes)}.`);
  });
}
