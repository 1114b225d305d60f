// footnote serve: opens the data folder, listens, and tells other commands where. In a data folder that never held
// anything it first reads the small corpus about Footnote that ships with it, so that there is something to ask.
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { inspect } from 'node:util';
import type { Command } from 'commander';
import { programName, version } from '../../config/version.ts';
import { FootnoteError, toFootnoteError } from '../../core/errors.ts';
import { isLoopbackHost } from '../../core/hosts/loopback.ts';
import { localScope } from '../../core/scope.ts';
import type { Footnote } from '../../footnote/facade.ts';
import { makeFirstKey } from '../../footnote/first-key.ts';
import { clearOwnerPasses, isOwnerPass } from '../../footnote/owner-pass.ts';
import { bundledSource } from '../../footnote/record/bundled.ts';
import type { HttpServer } from '../../http/server.ts';
import { toAddress } from '../remote/remote-http.ts';
import { plural } from '../render/render.ts';
import type { Cli } from './cli.ts';

const corpus = fileURLToPath(new URL('../../../corpus', import.meta.url));

async function wasNeverUsed(footnote: Footnote): Promise<boolean> {
  const [sources, documents, runs] = await Promise.all([
    footnote.sources.list(),
    footnote.documents.list({ limit: 1 }),
    footnote.ingestions.list({ limit: 1 }),
  ]);
  return sources.length === 0 && documents.data.length === 0 && runs.data.length === 0;
}

/**
 * Reads the bundled corpus: the first time, and again at later starts while its source is there, so that a run that was cut
 * off is made good and a new version brings its new texts. The server starts all the same if that fails.
 */
async function readCorpus(footnote: Footnote, isNew: boolean, cli: Cli): Promise<void> {
  if (!existsSync(corpus)) return;
  try {
    if (!isNew && !(await footnote.sources.list()).some((source) => source.name === bundledSource)) return;
    await footnote.sources.put({ name: bundledSource, type: 'docs', connector: { kind: 'folder', path: corpus } });
    const { counts, state, error } = await footnote.sources.sync(bundledSource, { signal: cli.signal });
    cli.signal.throwIfAborted();
    if (state !== 'done') throw new FootnoteError('internal', error?.message ?? state);
    if (counts.done > 0)
      cli.terminal.note(`Read ${plural(counts.done, 'document')} about Footnote itself (source ${bundledSource}).`);
  } catch (thrown) {
    cli.signal.throwIfAborted();
    const { code, message } = toFootnoteError(thrown);
    // Another server of the record reads them.
    if (code !== 'conflict') cli.terminal.warn(`The bundled documents could not be read: ${message}`);
  }
}

/** Whether a server can start at this address. The reason why not is told by the server itself. */
async function canServe(
  { host, port }: { readonly host: string; readonly port: number },
  hasKeys: () => Promise<boolean>,
): Promise<boolean> {
  if (!isLoopbackHost(host) && !(await hasKeys())) return false;
  if (port === 0) return true;
  const probe = createServer();
  try {
    probe.listen({ host, port });
    await once(probe, 'listening');
  } catch {
    return false;
  }
  probe.close();
  await once(probe, 'close');
  return true;
}

async function stop(server: HttpServer): Promise<void> {
  await server.close({ deadlineMs: 8000 });
}

export function addServeCommand(parent: Command, cli: Cli): void {
  const { terminal } = cli;
  const command = parent
    .command('serve')
    .description('Serve the HTTP API and the ask page')
    .option('-p, --port <number>', 'port to listen on; 0 takes a free one (default: 4180)')
    .option('--host <address>', 'address to listen on (default: 127.0.0.1; others need an API key first)')
    .addHelpText(
      'after',
      `
While it runs, every other command on this data folder goes through it. Ctrl-C stops it in order.

Examples:
  footnote serve
  footnote serve --port 8080 --data ~/notes.footnote`,
    );
  command.action(async () => {
    const config = cli.config(command);
    const [{ openFootnote }, { startHttpServer }] = await Promise.all([
      import('../../footnote/compose.ts'),
      import('../../http/server.ts'),
    ]);
    const opened = await openFootnote(config, {
      command: 'footnote serve',
      withTelemetry: true,
      tell: (message) => terminal.note(message),
      // A line of JSON each, for whoever collects logs.
      log: (line) => terminal.warn(JSON.stringify(line)),
      warn: (message) => terminal.warn(message),
    });
    // Whoever asks is served to the end, also where nobody reads the log any more.
    const readerGone = new AbortController();
    terminal.onReaderGone(() => readerGone.abort());
    const signal = AbortSignal.any([cli.signal, readerGone.signal, opened.lost]);
    try {
      const footnote = opened.forScope(localScope());
      const isNew = await wasNeverUsed(footnote);
      const first = await makeFirstKey(config.bootstrapKeyFile, opened.keys);
      if (first !== undefined) terminal.line(first);
      // Before anyone can ask: the first question finds its documents.
      if (await canServe(config, () => opened.keys.required())) await readCorpus(footnote, isNew, cli);
      await clearOwnerPasses(config.data);
      const server = await startHttpServer({
        system: opened,
        idempotency: opened.idempotency,
        version,
        limits: { fileBytes: config.maxFileBytes },
        admission: config.admission,
        serverPaths: [config.data, config.models.folder, config.recognition.folder ?? '', process.cwd()],
        host: config.host,
        port: config.port,
        publicUrl: config.publicUrl,
        allowedOrigins: config.allowedOrigins,
        protectedResource: config.oidc,
        chatText: config.chatText,
        searchesWeb: config.web.search.provider !== undefined,
        unchecked: () =>
          terminal.warn(
            `No API key exists, so nobody checks the keys that programs on this machine send: each is taken for the owner. Make one with "${programName} keys create NAME".`,
          ),
        isOwner: (secret) => isOwnerPass(config.data, secret),
        authenticate: (secret) => opened.keys.authenticate(secret),
        hasKeys: () => opened.keys.required(),
        isLocked: () => opened.keys.locked(),
        log({ requestId, method, route, status, error }) {
          if (error === undefined) return;
          const reason =
            error instanceof FootnoteError
              ? `${error.code}: ${error.message}${error.cause instanceof Error && status === 503 ? ` (${error.cause.message})` : ''}`
              : error instanceof Error
                ? (error.stack ?? error.message)
                : inspect(error);
          terminal.warn(`${new Date().toISOString()} ${requestId} ${method} ${route} ${status} ${reason}`);
        },
      });
      try {
        opened.setAddress(server.url);
        opened.upkeep.start();
        await opened.lock.announce({ host: config.host, port: server.port });
        terminal.value({ url: server.url, data: config.data, pid: process.pid });
        terminal.line(`Footnote ${version} serves on ${terminal.paint('bold', server.url)} (data in ${config.data})`);
        if (config.publicUrl !== undefined) {
          terminal.line(`Links lead to ${config.publicUrl}`);
          if (!isLoopbackHost(new URL(config.publicUrl).hostname) && !(await opened.keys.required()))
            terminal.warn(
              `No API key exists, so whoever comes through ${config.publicUrl} is refused, unless the proxy there hides that they come from elsewhere. Make one with "${programName} keys create NAME".`,
            );
        }
        const [writer] = opened.languageModels.roles.answer.models;
        if (writer)
          terminal.line(
            writer.provider === 'gguf'
              ? `Answers are written by gguf:${writer.model}, on this machine.`
              : `Answers are written by ${writer.provider}:${writer.model}: questions and passages go there. MODEL_ANSWER=none keeps them here.`,
          );
        if (await opened.keys.locked())
          terminal.warn(
            `Every API key is revoked, so callers are refused. Make one with "${programName} keys create NAME".`,
          );
        const { roleTable } = await import('../../footnote/roles/role-table.ts');
        for (const hint of roleTable(config).flatMap(({ hints = [] }) => hints)) terminal.line(hint);
        const { findRunning, tellServer } = await import('../../footnote/kept-models/use-model.ts');
        // Whoever listens already waits for nobody.
        void findRunning(config, { signal }).then((found) => {
          for (const one of found) terminal.line(tellServer(one));
        });
        terminal.line();
        terminal.line(`  ${isNew ? 'Try' : 'Ask'}, in another terminal:`);
        // Another terminal knows nothing of this one's flags and environment.
        const origin = config.effective.find(({ name }) => name === 'FOOTNOTE_DATA')?.origin ?? 'default';
        const data = origin === 'default' || origin.includes(':') ? '' : ` --data ${config.data}`;
        terminal.line(`    ${programName} ask "${isNew ? 'What does a citation point to?' : 'your question'}"${data}`);
        terminal.line(`    ${programName} ingest ./your-folder${data}`);
        if (isNew)
          terminal.line(
            `  Remove the documents about Footnote with: ${programName} sources remove ${bundledSource}${data}`,
          );
        terminal.line(`  The ask page is ${toAddress({ host: config.host, port: server.port })}/ · Ctrl-C stops.`);
        if (!signal.aborted)
          await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
        opened.lost.throwIfAborted();
      } finally {
        await opened.lock.announceStop();
        await stop(server);
      }
    } finally {
      await opened.close();
    }
  });
}
