// Sites whose pages share a template, with a question for each page: generated handbooks, and the Fastify documentation dressed as a
// site. Invariant: drawn from a seed; the halves of a set differ in what is asked, so that rules can be chosen on one and reported on the other.
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { sha256 } from '../../src/core/ids.ts';
import { createRandom } from '../../testkit/duplicates-mutations.ts';

export type PageFormat = 'md' | 'html';
export type Half = 'choosing' | 'reporting';

interface SitePage {
  readonly uri: string;
  readonly content: string;
}
export interface Question {
  readonly text: string;
  /** Uris of the pages that answer it. */
  readonly right: ReadonlySet<string>;
}
export interface SiteSet {
  readonly name: string;
  readonly half: Half;
  readonly pages: readonly SitePage[];
  readonly questions: readonly Question[];
  /** Lines of the template that say something by themselves. */
  readonly notices: readonly string[];
  /** Lines of the template that only lead somewhere. */
  readonly labels: readonly string[];
}

interface Template {
  readonly head: readonly string[];
  readonly tail: readonly string[];
}

const vocabulary =
  'pump valve basin tariff invoice refund parcel courier ledger audit pension lease tenant landlord deposit notice warranty repair engine brake filter gasket orchard pruning grafting vineyard harvest barrel cellar bottle'.split(
    ' ',
  );
const headLabels = [
  'Home',
  'About us',
  'Contact',
  'Getting started',
  'API reference',
  'Help centre',
  'Search the handbook',
  'News',
  'Jobs',
  'Skip to main content',
  'Edit this page',
  'Pricing',
  'Blog',
  'Downloads',
];
const tailLabels = [
  'Was this page helpful?',
  'Privacy',
  'Imprint',
  'Subscribe to our newsletter',
  'Cookie settings',
  'Site map',
  'Partners',
  'Community forum',
  'Terms of use',
  'Report a problem',
  'Pump and valve shop',
];
const handbookNotice = 'All rights in these pages are held by the Basin Trust of Lindau; reprints need written leave.';
const docsNotices = [
  'Copyright 2016-present The Fastify team: these pages may be copied under the MIT licence.',
  'Security reports go to security@fastify.example and are answered within three working days.',
];
/** What people write before what they look for: the words stand in the template of nearly every site. */
const openings = ['report a problem with', 'help getting started with', 'edit the page about', 'search downloads for'];

/** The older generator of this measure: seed 7 is what ADR 0022 was judged by. */
function createSteps(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

const escaped = (text: string): string => text.replace(/&/gu, '&amp;').replace(/</gu, '&lt;');
const lines = (texts: readonly string[]): string => texts.map((text) => `<div>${escaped(text)}</div>`).join('');

/** Markdown as far as its shape matters: headings, code, paragraphs. */
function htmlOf(body: string): string {
  return body
    .split(/^(```[\s\S]*?^```)/mu)
    .flatMap((part) =>
      part.startsWith('```') ? [`<pre>${escaped(part.replace(/^```.*$/gmu, ''))}</pre>`] : blocks(part),
    )
    .join('');
}
const blocks = (text: string): string[] =>
  text
    .split(/\n(?:\s*\n|(?=#))/u)
    .filter((block) => block.trim() !== '')
    .map((block) => {
      const [, marks, title] = /^\s*(#{1,6}) +(.*)$/mu.exec(block) ?? [];
      return marks && title ? `<h${marks.length}>${escaped(title)}</h${marks.length}>` : `<p>${escaped(block)}</p>`;
    });

function pageOf(format: PageFormat, title: string, { head, tail, body }: Template & { readonly body: string }): string {
  if (format === 'md') return [...head, '', `# ${title}`, '', body, '', ...tail].join('\n');
  return `<!doctype html><title>${escaped(title)}</title><body><div>${lines(head)}</div><div><h1>${escaped(title)}</h1>${htmlOf(body)}</div><div>${lines(tail)}</div>`;
}

/** 80 pages of a handbook, one question each; every fourth uses words of the template. */
export function handbookSite(format: PageFormat, seed: number, half: Half): SiteSet {
  const random = createSteps(seed);
  const draw = (): string => vocabulary[Math.floor(random() * vocabulary.length)] ?? '';
  const tail = [...tailLabels, handbookNotice];
  const made = Array.from({ length: 80 }, (_, number) => {
    const [a, b, c] = [draw(), draw(), vocabulary[number % vocabulary.length] ?? ''];
    const body = [
      `The ${a} of unit ${number} needs a ${b} every ${number + 2} weeks.`,
      `Staff of unit ${number} keep the ${c} and the ${a} dry.`,
      `Unit ${number} writes the ${b} into the ${c} book.`,
    ];
    const uri = `site/s${number % 8}/page-${number}.${format}`;
    const text = number % 4 ? `which unit needs a ${a} and a ${b}` : `report a problem with ${a} and ${b}`;
    return {
      uri,
      a,
      b,
      body,
      text,
      content: pageOf(format, `Unit ${number}`, { head: headLabels, tail, body: body.join('\n\n') }),
    };
  });
  const questions = made.map(({ text, a, b }): Question => {
    const right = made.filter(({ body }) => [a, b].every((word) => body.join(' ').includes(word)));
    return { text, right: new Set(right.map(({ uri }) => uri)) };
  });
  const labels = [...headLabels, ...tailLabels];
  return { name: `handbook ${seed}, ${format}`, half, pages: made, questions, notices: [handbookNotice], labels };
}

/** The documentation with navigation that lists its own pages, as such sites have; two questions for each page of the half. */
export function docsSite(folder: string, format: PageFormat, half: Half): SiteSet {
  const names = readdirSync(folder, { recursive: true })
    .map(String)
    .filter((name) => name.endsWith('.md') && !/index/iu.test(basename(name)))
    .sort();
  const titleOf = (name: string): string => basename(name, '.md').replace(/-/gu, ' ');
  const nav = ['Skip to main content', 'Fastify', 'Docs', ...names.map(titleOf), 'Search the docs', 'Edit this page'];
  const tail = ['Was this page helpful?', 'Report a problem', 'Community', 'Downloads', ...docsNotices];
  const random = createRandom(5);
  const pages: SitePage[] = [];
  const questions: Question[] = [];
  for (const [at, name] of names.entries()) {
    const text = readFileSync(join(folder, name), 'utf8')
      .replace(/<h1[^>]*>.*?<\/h1>/gu, '')
      .replace(/<a[^>]*><\/a>/gu, '');
    const uri = `docs/${name.slice(0, -3)}.${format}`;
    pages.push({ uri, content: pageOf(format, titleOf(name), { head: nav, tail, body: text }) });
    const isChoosing = Number.parseInt(sha256(name).slice(0, 8), 16) % 2 === 0;
    if (isChoosing !== (half === 'choosing')) continue;
    const found = [...text.matchAll(/^#{2,4} +(.+)$/gmu)].map((match) =>
      (match[1] ?? '').replace(/<[^>]*>|[`*]/gu, ''),
    );
    const sections = [...new Set(found)].filter((section) => section.toLowerCase() !== titleOf(name).toLowerCase());
    for (let index = 0; index < 2 && sections.length > 0; index++) {
      const [section] = sections.splice(Math.floor(random() * sections.length), 1);
      const opening = (at * 2 + index) % 4 === 0 ? `${openings[at % openings.length]} ` : '';
      questions.push({ text: `${opening}${section} ${titleOf(name)}`, right: new Set([uri]) });
    }
  }
  return {
    name: `Fastify docs, ${format}`,
    half,
    pages,
    questions,
    notices: docsNotices,
    labels: [...nav, ...tail.slice(0, 4)],
  };
}
