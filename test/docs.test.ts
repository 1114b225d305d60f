// What the documents say exists, and what exists they say: settings, error codes, commands, npm scripts, paths, links,
// the import table and the benchmark report. Both directions, so that neither side can grow alone.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { benches } from '../bench/names.ts';
import { readResults, renderPages } from '../bench/report.ts';
import { fenceRows } from '../scripts/fence.ts';
import { settings, toFileKey } from '../src/config/settings.ts';
import { errorTable } from '../src/core/errors.ts';
import { listFiles, readText, root } from './source-files.ts';

/** The bundled corpus describes Footnote to its users, so it must be as true as the documents. */
const bundled = existsSync(join(root, 'corpus')) ? listFiles('corpus', /\.(md|txt|html)$/) : [];
const roots = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'CHANGELOG.md'];
const pages = [...roots, ...listFiles('docs', /\.md$/), ...bundled];
const texts = new Map(pages.map((page) => [page, readIfThere(page)]));
const textOf = (page: string): string => texts.get(page) ?? readIfThere(page);

function readIfThere(path: string): string {
  return existsSync(join(root, path)) ? readText(path) : '';
}

describe('pages', () => {
  const promised = ['docs/errors.md', 'docs/configuration.md', 'docs/evaluation.md', 'docs/RESILIENCY.md'];
  it.each([...roots, ...promised, 'bench/REPORT.md'])('%s exists', (page) => {
    expect(readIfThere(page)).toMatch(/^# \S/);
  });
});

describe('the npm package', () => {
  /** `footnote` there is a library of somebody else. */
  const foreign =
    /\b(?:npx|npm (?:exec|x|install|i|add)|pnpm (?:dlx|add)|yarn (?:dlx|add)|bunx)\s+(?:-\S+\s+)*footnote(?![\w-])|(?:from|import|require)\s*\(?\s*['"`]footnote(?:\/[^'"`]*)?['"`]/u;

  it('is asked for by its own name in every page, comment and message', () => {
    for (const wrong of [
      'npx footnote ask',
      'npx -y footnote mcp',
      'npm i -g footnote',
      "from 'footnote'",
      'import("footnote/testing")',
    ])
      expect(wrong).toMatch(foreign);
    for (const right of [
      'npx footnote-server ask',
      "from 'footnote-server/testing'",
      'npm run -s footnote -- ask',
      'footnote ask',
    ])
      expect(right).not.toMatch(foreign);
    const read = [
      ...pages,
      ...['Dockerfile', 'compose.yaml', 'compose.openwebui.yaml'],
      ...['src', 'bin', 'packages', 'ops'].flatMap((folder) =>
        listFiles(folder, /\.(?:ts|mjs|md|json|html|yaml|yml|service)$/u),
      ),
    ];
    expect(read.length).toBeGreaterThan(500);
    expect(read.filter((page) => foreign.test(readIfThere(page)))).toEqual([]);
  });

  it('is named so by its manifest, with the command that pages use', () => {
    const { name, bin } = JSON.parse(readText('package.json')) as { name: string; bin: Record<string, string> };
    const lock = JSON.parse(readText('package-lock.json')) as {
      name: string;
      packages: Record<string, { name?: string }>;
    };
    expect([name, lock.name, lock.packages['']?.name, Object.keys(bin)]).toEqual([
      ...Array.from({ length: 3 }, () => 'footnote-server'),
      ['footnote'],
    ]);
  });
});

/** Rows of the Markdown tables of a text, cells trimmed. */
function tableRows(text: string): string[][] {
  return text
    .split('\n')
    .filter((line) => /^\s*\|.*\|\s*$/.test(line))
    .map((line) =>
      line
        .trim()
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim()),
    );
}

/** The anchor that GitHub gives a heading. */
const anchorOf = (heading: string): string =>
  heading
    .replace(/`|\*|\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');
const anchorsOf = (text: string): string[] =>
  [...text.matchAll(/^#+\s+(.+)$/gm)].map((match) => anchorOf(match[1] ?? ''));

function brokenLinks(page: string, text: string): string[] {
  const prose = text.replace(/^```[\s\S]*?^```/gm, '').replace(/`[^`\n]*`/g, '');
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)]
    .map((match) => match[1] ?? '')
    .filter((target) => !/^[a-z]+:/.test(target))
    .filter((target) => {
      const [file = '', anchor] = target.split('#');
      const path = file === '' ? page : posix.join(posix.dirname(page), file);
      if (!existsSync(join(root, path))) return true;
      return anchor !== undefined && path.endsWith('.md') && !anchorsOf(readText(path)).includes(anchor);
    });
}

describe('links', () => {
  it.each(pages)('of %s lead somewhere', (page) => {
    expect(brokenLinks(page, textOf(page))).toEqual([]);
  });

  it('that are broken would be seen', () => {
    const text =
      'See [a](docs/nowhere.md), [b](#not-here), [c](README.md), `[d](not-a-link.md)` and [e](https://example.org).\n';
    expect(brokenLinks('README.md', text)).toEqual(['docs/nowhere.md', '#not-here']);
  });

  it('reach every page from the README', () => {
    const reached = new Set<string>();
    const visit = (page: string): void => {
      if (reached.has(page) || !page.endsWith('.md') || !existsSync(join(root, page))) return;
      reached.add(page);
      for (const match of readText(page).matchAll(/\]\(([^)\s#]+)[^)]*\)/g)) {
        const target = match[1] ?? '';
        if (/^[a-z]+:/.test(target)) continue;
        const path = posix.join(posix.dirname(page), target);
        if (existsSync(join(root, path, '.')) && !path.endsWith('.md')) {
          for (const file of listFolder(path)) visit(file);
        } else visit(path);
      }
    };
    visit('README.md');
    expect(pages.filter((page) => !reached.has(page) && !bundled.includes(page))).toEqual([]);
  });
});

function listFolder(path: string): string[] {
  try {
    return readdirSync(join(root, path)).map((name) => posix.join(path, name));
  } catch {
    return [];
  }
}

describe('docs/errors.md', () => {
  const page = textOf('docs/errors.md');

  it('has the table of src/core/errors.ts', () => {
    const expected = Object.entries(errorTable).map(([code, rule]) => [
      `\`${code}\``,
      String(rule.status),
      String(rule.exitCode),
      rule.retryable ? 'yes' : 'no',
      rule.title,
    ]);
    expect(tableRows(page).filter((row) => row[0]?.startsWith('`'))).toEqual(expected);
  });

  it('says of every code what to do', () => {
    const advised = [...page.matchAll(/^- (.+?) – /gm)].flatMap(
      (match) => (match[1] ?? '').match(/[a-z-]+(?=`)/g) ?? [],
    );
    expect(advised.sort()).toEqual(Object.keys(errorTable).sort());
  });
});

describe('docs/configuration.md', () => {
  const rows = tableRows(textOf('docs/configuration.md')).filter((row) => /^`[A-Z][A-Z0-9_]+`$/.test(row[0] ?? ''));

  it('has every setting once, and no other', () => {
    expect(rows.map((row) => String(row[0])).sort()).toEqual(settings.map(({ name }) => `\`${name}\``).sort());
  });

  it('shows each default', () => {
    const wrong = settings.filter((setting) => {
      const cells = rows.find((row) => row[0] === `\`${setting.name}\``)?.join(' | ') ?? '';
      return setting.default !== undefined && !cells.includes(`\`${setting.default}\``);
    });
    expect(wrong.map(({ name }) => name)).toEqual([]);
  });

  it('has one key in footnote.yaml for each setting that is no secret', () => {
    const keys = settings.filter(({ secret }) => !secret).map(({ name }) => toFileKey(name));
    expect(new Set(keys).size).toBe(keys.length);
  });
});

describe('settings and scripts', () => {
  it('that a page names exist', () => {
    const known = new Set(settings.map(({ name }) => name));
    const elsewhere = new Set([
      'FOOTNOTE_CONFIG',
      'FOOTNOTE_PICTURES',
      // Of clients: what `mcp config` prints names it.
      'FOOTNOTE_KEY',
      'FOOTNOTE_SHARED_DATA',
      'FOOTNOTE_TEST_DAY',
      'FOOTNOTE_TEST_LONG',
      'FOOTNOTE_TEST_SEED',
      'NO_COLOR',
    ]);
    const unknown = pages.flatMap((page) =>
      [...textOf(page).matchAll(/\b(?:FOOTNOTE|CHUNK|ENABLE|MODEL)_[A-Z0-9_]+\b/g)]
        .map(([name]) => name)
        .filter((name) => !known.has(name) && !elsewhere.has(name))
        .map((name) => `${page}: ${name}`),
    );
    expect(unknown).toEqual([]);
  });

  it('of npm that a page names exist, and a page names each', () => {
    const { scripts } = JSON.parse(readText('package.json')) as { scripts: Record<string, string> };
    const named = pages.flatMap((page) =>
      [
        ...textOf(page).matchAll(
          /\bnpm (?:run )?(?:-s )?(?:run )?(test:[a-z-]+|bench|start|test|check|format|lint|types|fence|build|footnote)\b/g,
        ),
      ].map((match) => match[1] ?? ''),
    );
    const own = Object.keys(scripts).filter((name) => !/^pre/.test(name));
    expect(named.filter((name) => !own.includes(name))).toEqual([]);
    const mentioned = [...texts.values(), readIfThere('bench/REPORT.md')].join('\n');
    expect(own.filter((name) => !mentioned.includes(name))).toEqual([]);
    const measured = [...mentioned.matchAll(/\bnpm run bench\s+([a-z][a-z-]*)/g)].map((match) => match[1] ?? '');
    expect(measured.filter((name) => !['all', 'report', ...Object.keys(benches)].includes(name))).toEqual([]);
  });
});

describe('commands', () => {
  /** The program is loaded once for the helps of all commands. */
  const printHelps = `const { runCli } = await import('./src/cli/program.ts');
    for (const name of process.argv.slice(1)) {
      await runCli(name === '' ? ['--help'] : [name, '--help']);
      process.stdout.write('\\0');
    }`;
  const helpsOf = (names: readonly string[]): readonly string[] =>
    spawnSync(process.execPath, ['--input-type=module', '--eval', printHelps, '--', ...names], {
      cwd: root,
      encoding: 'utf8',
    }).stdout.split('\0');
  const commandsIn = (text: string): string[] => {
    // Each group has a heading of its own; what else a help lists has one of these.
    const others = /^(?:Usage|Arguments|Options|Global Options|Examples?|Exit codes)\b/u;
    const list = text
      .split(/^(?=\S.*:)/mu)
      .filter((part) => !others.test(part))
      .join('');
    return [...list.matchAll(/^ {2}([a-z][a-z-]*)/gm)].map((match) => match[1] ?? '').filter((name) => name !== 'help');
  };
  const commands = commandsIn(helpsOf([''])[0] ?? '');

  it('that a page names exist', () => {
    expect(commands.length).toBeGreaterThan(5);
    const unknown = pages.flatMap((page) =>
      [...textOf(page).matchAll(/(?:`|^|\n|-- |\$ )footnote(?: --)? ([a-z][a-z-]*)/g)]
        .map((match) => match[1] ?? '')
        .filter((name) => !commands.includes(name))
        .map((name) => `${page}: footnote ${name}`),
    );
    expect(unknown).toEqual([]);
  });

  it('are all named in the README', () => {
    expect(commands.filter((name) => !textOf('README.md').includes(`footnote ${name}`))).toEqual([]);
  });

  it('show examples in their help, with options that exist', () => {
    const helps = helpsOf(commands);
    const bare = commands.filter((_, at) => {
      const text = helps[at] ?? '';
      return commandsIn(text).length === 0 && !/^Examples?:\n\s+(?:\$ )?(?:footnote|cat|echo|curl|git|npm)/m.test(text);
    });
    expect(bare).toEqual([]);
  });
});

describe('paths', () => {
  it('in backquotes that start in this repository exist', () => {
    const missing = pages.flatMap((page) =>
      [...textOf(page).matchAll(/`((?:src|test|bench|scripts|docs|bin)\/[\w./-]+)`/g)]
        .map((match) => match[1] ?? '')
        .filter((path) => !existsSync(join(root, path)))
        .map((path) => `${page}: ${path}`),
    );
    expect(missing).toEqual([]);
  });
});

describe('ARCHITECTURE.md', () => {
  it('shows the rows of the import fence', () => {
    const present = new Set(readdirSync(join(root, 'src')).map((name) => name.replace(/\.ts$/, '')));
    const rows = fenceRows().filter(({ from }) => present.has(from));
    const all = rows
      .map(({ from }) => from)
      .filter((name) => !['footnote', 'operations', 'mcp', 'http', 'cli', 'testing', 'index'].includes(name));
    const shown = new Map(
      tableRows(textOf('ARCHITECTURE.md')).map(([from = '', allowed = '']) => {
        const words = allowed.replace(/\([^)]*\)|\bnothing\b|,|\band\b/g, ' ').replace('all of these', all.join(' '));
        return [
          from.replaceAll('`', '').replace(/\.ts$|^src\/|\/$/g, ''),
          words.split(/\s+/).filter((word) => present.has(word)),
        ];
      }),
    );
    const unequal = rows
      .map(({ from, allowed }) => ({
        from,
        kept: allowed
          .filter((name) => present.has(name))
          .sort()
          .join(' '),
        shown: [...new Set(shown.get(from) ?? ['no row'])]
          .filter((name) => name !== from)
          .sort()
          .join(' '),
      }))
      .filter((row) => row.kept !== row.shown);
    expect(unequal).toEqual([]);
  });
});

describe('decisions', () => {
  const records = listFiles('docs/adr', /^\d{4}-.*\.md$/).filter((path) => !path.includes('0000-'));

  it('are numbered without gaps and have the five parts', () => {
    expect(records.map((path) => Number(/(\d{4})-/.exec(path)?.[1]))).toEqual(records.map((_, index) => index + 1));
    const parts = ['## Context', '## Decision', '## Consequences', '## Rejected'];
    const wrong = records.filter((path) => {
      const text = textOf(path);
      const places = parts.map((part) => text.indexOf(`\n${part}`));
      const ordered = places.every((place, index) => place > (places[index - 1] ?? 0));
      return !ordered || !/^# \d{4}: \S/.test(text) || !/^Date: \d{4}-\d{2}-\d{2} · Status: /m.test(text);
    });
    expect(wrong).toEqual([]);
  });
});

describe('CHANGELOG.md', () => {
  it('has the unreleased changes on top', () => {
    expect(textOf('CHANGELOG.md')).toMatch(/^# Changelog\n[\s\S]*?\n## Unreleased\n/);
    expect(textOf('CHANGELOG.md').match(/^## .*/m)?.[0]).toBe('## Unreleased');
  });
});

describe('bench/REPORT.md', () => {
  it('and its pages of details are what the results say', async () => {
    const pages = await renderPages();
    for (const [name, text] of pages) expect(readText(`bench/${name}`), name).toBe(text);
    expect(readdirSync(join(root, 'bench/report')).map((name) => `report/${name}`)).toEqual(
      [...pages.keys()].filter((name) => name !== 'REPORT.md').sort(),
    );
    expect(readText('bench/REPORT.md').split('\n').length).toBeLessThanOrEqual(150);
  });

  it('holds no path of the machine it was made on', async () => {
    const text = JSON.stringify(await readResults());
    expect(text.match(/"[^"]*(?:\/home\/|\/root\/|\/Users\/|\/tmp\/)[^"]*"/g) ?? []).toEqual([]);
    expect(text).not.toContain(dirname(root) === '/' ? '\u0000' : dirname(root));
  });
});
