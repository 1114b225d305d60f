// Looks at everything that this installation needs and says what is wrong and what to do about it. Changes nothing.
import { constants } from 'node:fs';
import { access, stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Config } from '../config.ts';
import { toFootnoteError } from '../core/errors.ts';
import type { ParserPool } from '../ingest/read/parse.ts';
import { createParserPool } from '../ingest/read/parser-pool.ts';
import { missingWalls } from '../ingest/read/sandbox.ts';
import { type LocalEncoder, openLocalEncoder } from '../models/encoder/local-encoder.ts';
import { installCommand } from '../models/local/onnx-runtime.ts';
import { type RoleRow, roleTable } from './roles/role-table.ts';
import { undoneSteps } from './roles/undone-steps.ts';

export interface Finding {
  readonly area: string;
  readonly state: 'ok' | 'warning' | 'problem';
  readonly detail: string;
  /** What to do; absent where nothing has to be done. */
  readonly advice?: string;
}

const leastNode = 24;
const leastSqlite = [3, 51, 3] as const;
/** Below this, writing is likely to fail soon. */
const leastFreeBytes = 256 * 1024 * 1024;

function atLeast(version: string, least: readonly number[]): boolean {
  const parts = version.split('.').map(Number);
  for (const [index, wanted] of least.entries()) {
    const part = parts[index] ?? 0;
    if (part !== wanted) return part > wanted;
  }
  return true;
}

export function examineRuntime(versions: NodeJS.ProcessVersions = process.versions): Finding[] {
  const sqlite = versions['sqlite'] ?? '0';
  return [
    atLeast(versions.node, [leastNode])
      ? { area: 'node', state: 'ok', detail: `Node ${versions.node}` }
      : {
          area: 'node',
          state: 'problem',
          detail: `Node ${versions.node} is too old.`,
          advice: `Use Node ${leastNode} or newer.`,
        },
    atLeast(sqlite, leastSqlite)
      ? { area: 'sqlite', state: 'ok', detail: `SQLite ${sqlite}` }
      : {
          area: 'sqlite',
          state: 'problem',
          detail: `SQLite ${sqlite} has a known fault that can damage data.`,
          advice: 'Use a newer Node, which brings SQLite 3.51.3 or later.',
        },
  ];
}

/** The nearest folder on the way to `path` that exists. */
async function nearestFolder(path: string): Promise<string> {
  for (let folder = path; ; folder = dirname(folder)) {
    const exists = await stat(folder).then(
      (facts) => facts.isDirectory(),
      () => false,
    );
    if (exists || dirname(folder) === folder) return folder;
  }
}

export async function examineFolder(path: string): Promise<Finding[]> {
  const folder = await nearestFolder(path);
  const isThere = folder === path;
  const findings: Finding[] = [];
  try {
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    findings.push({
      area: 'data folder',
      state: 'ok',
      detail: isThere ? path : `${path} is not there yet and can be made`,
    });
  } catch {
    findings.push({
      area: 'data folder',
      state: 'problem',
      detail: `No permission to ${isThere ? 'read and write' : 'make'} ${path}.`,
      advice: 'Change the owner or the mode of the folder, or choose another with --data.',
    });
  }
  if (isThere && process.platform !== 'win32') {
    const mode = (await stat(path)).mode & 0o077;
    if (mode !== 0)
      findings.push({
        area: 'data folder',
        state: 'warning',
        detail: 'Other users of this machine may look into the data folder.',
        advice: `Run: chmod 700 ${path}`,
      });
  }
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  const shown = `${(free / 1024 ** 3).toFixed(1)} GiB free`;
  findings.push(
    free >= leastFreeBytes
      ? { area: 'disk', state: 'ok', detail: shown }
      : {
          area: 'disk',
          state: 'warning',
          detail: `Only ${shown}.`,
          advice: 'Free some space before documents are added.',
        },
  );
  return findings;
}

export function examineConfig(config: Config): Finding[] {
  const given = config.effective.filter(({ origin }) => origin !== 'default' && origin !== 'not set');
  const findings: Finding[] = [
    {
      area: 'configuration',
      state: 'ok',
      detail: given.length === 0 ? 'all defaults' : `${given.length} setting${given.length === 1 ? '' : 's'} given`,
    },
  ];
  for (const { name, origin, unused } of given)
    if (unused)
      findings.push({
        area: 'configuration',
        state: 'warning',
        detail: `${name} (${origin}) is not used by this version.`,
        advice: 'It does no harm; nothing depends on it.',
      });
  if (config.web.search.sendsAnyWords)
    findings.push({
      area: 'web search',
      state: 'warning',
      detail:
        'ENABLE_WEB_SEARCH_ANY_WORDS is on: queries of models may take words of documents, memories and past conversations to the provider of web search.',
      advice: 'Unset it, unless everything here may be read there.',
    });
  return findings;
}

/** Who writes answers, and which other roles have a model. Calls nothing: `footnote models test` does. */
export function examineModels(config: Config): Finding[] {
  try {
    const rows = roleTable(config).filter(({ unused }) => !unused);
    const [answer] = rows.filter(({ role }) => role === 'answer');
    const named = (row: RoleRow): string => row.models.map(({ model }) => model).join(', then ');
    const writer =
      answer === undefined || answer.models.length === 0
        ? 'answers are passages of the documents; no model is configured'
        : `answers are written by ${named(answer)}; set by ${answer.from.replace(/^default, for /u, '')}`;
    const others = rows.filter(
      ({ role, models: [first] }) => role !== 'answer' && first !== undefined && first.model !== 'corpus',
    );
    const shown = others.map((row) => `${row.role} ${named(row)}`);
    const hints = answer?.hints ?? [];
    const has = (wanted: string): boolean =>
      rows.some(({ role, models }) => role.split(' ', 1)[0] === wanted && models.length > 0);
    const serving = {
      critic: has('critic'),
      worker: has('answer') || has('judge') || (config.agent.isOrchestrating && has('planner')),
    };
    return [
      {
        area: 'models',
        state: hints.length === 0 ? 'ok' : 'warning',
        detail: [writer, ...shown].join('; '),
        ...(hints.length > 0 && { advice: hints.join(' ') }),
      },
      ...undoneSteps(config.agent, serving).map(
        ({ component, detail, advice }): Finding => ({ area: component, state: 'warning', detail, advice }),
      ),
    ];
  } catch (thrown) {
    return [
      {
        area: 'models',
        state: 'problem',
        detail: toFootnoteError(thrown).message,
        advice: 'Correct the setting, or set it to none.',
      },
    ];
  }
}

/** Whether the sentence encoder runs here: it encodes a word. `open` is for tests. */
export async function examineEncoder(
  { encoder: { isOn } }: Pick<Config, 'encoder'>,
  open: () => Promise<LocalEncoder> = openLocalEncoder,
): Promise<Finding[]> {
  const area = 'encoder';
  if (!isOn) return [{ area, state: 'ok', detail: 'off (ENCODER=off): words alone order passages' }];
  try {
    const encoder = await open();
    try {
      await encoder.encodeQuery('sample');
      return [{ area, state: 'ok', detail: `passages are ordered by ${encoder.id}` }];
    } finally {
      await encoder.close();
    }
  } catch (thrown) {
    const { message, details } = toFootnoteError(thrown);
    const isOfPlatform = details?.['fault'] === 'runtime-platform';
    return [
      {
        area,
        state: 'warning',
        detail: `The sentence encoder does not run, so words alone order passages: ${message}`,
        advice: isOfPlatform
          ? 'Nothing has to be done; ENCODER=off says no more of it.'
          : `Run where Footnote is installed: ${installCommand()}`,
      },
    ];
  }
}

/** One tiny sample of each kind that needs a parser of its own. */
const samples: Readonly<Record<string, string>> = {
  'sample.md': '# Sample\n\nA paragraph of Markdown.\n',
  'sample.html': '<!doctype html><title>Sample</title><p>A paragraph of HTML.</p>',
  'sample.csv': 'name,value\nsample,1\n',
  'sample.json': '{"name": "sample"}',
  'sample.ts': 'export function sample(): number {\n  return 1;\n}\n',
  'sample.py': 'def sample():\n    return 1\n',
  'sample.pdf': samplePdf(),
};

/** A page with the word "sample", its cross-reference table counted out. */
function samplePdf(): string {
  const content = 'BT /F1 24 Tf 72 700 Td (A sample page of text) Tj ET';
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>',
    `<</Length ${content.length}>>\nstream\n${content}\nendstream`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
  ];
  let pdf = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const offset = pdf.length;
    pdf += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  return `${pdf}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer\n<</Size ${objects.length + 1}/Root 1 0 R>>\nstartxref\n${pdf.length}\n%%EOF\n`;
}

/** Reads a sample of each kind, and says what the system does not lock parsers up with. `pool` is closed; `walls` is for tests. */
export async function examineParsers(
  pool: ParserPool = createParserPool(),
  walls = missingWalls(),
): Promise<Finding[]> {
  const findings: Finding[] = [];
  try {
    for (const [name, text] of Object.entries(samples)) {
      try {
        await pool.parse({ bytes: new TextEncoder().encode(text), name }, { timeoutMs: 30_000 });
      } catch (thrown) {
        findings.push({
          area: 'parsers',
          state: 'problem',
          detail: `A sample ${name.replace('sample', '')} file could not be read: ${toFootnoteError(thrown).message}`,
          advice: 'Install the packages again (npm ci); files of this kind cannot be read until then.',
        });
      }
    }
  } finally {
    await pool.close();
  }
  const kinds = Object.keys(samples).map((name) => name.replace('sample', ''));
  if (findings.length === 0)
    findings.push({ area: 'parsers', state: 'ok', detail: `read samples of ${kinds.join(' ')}` });
  if (walls.length > 0)
    findings.push({
      area: 'parsers',
      state: process.platform === 'linux' ? 'warning' : 'ok',
      detail: `This system does not lock parsers up with ${walls.join(' and ')}. Their own walls stand: no files, no network, a watch over memory and time.`,
      advice:
        'Containers forbid "unshare": leave that as it is. Elsewhere install util-linux and allow user namespaces.',
    });
  return findings;
}
