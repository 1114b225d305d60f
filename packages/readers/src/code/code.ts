// Source code by its syntax tree (tree-sitter): the canonical text is the source, blocks are functions, classes and
// methods with the path of their names. Code that does not parse whole is still kept whole.
import { createRequire } from 'node:module';
import { setFlagsFromString } from 'node:v8';
import { Language, type Node, Parser as TreeParser } from 'web-tree-sitter';
import { parsedDocument, requireText } from '../canonical/canonical-text.ts';
import { decodeText } from '../canonical/decode.ts';
import type { Block } from '../document.ts';
import { ReadError } from '../read-error.ts';
import type { ParseInput, Parser } from '../reader.ts';
import {
  bodies,
  closedKinds,
  codeLanguages,
  memberHolders,
  symbolKinds,
  transparent,
  wrappers,
} from './code-languages.ts';
import { withoutMacros } from './code-macros.ts';
import { withRest } from './code-rest.ts';

export const code: Parser = {
  name: 'code',
  mimes: Object.keys(codeLanguages),
  parse: async (input: ParseInput) => {
    const mime = input.mime ?? '';
    const choice = codeLanguages[mime];
    if (choice === undefined)
      throw new ReadError('unsupported-media', `${input.name}: no grammar for ${mime || 'this file'}.`);
    const { text, warnings } = decodeText(input.bytes, input.name, declaredEncoding(input.bytes));
    requireText(text, input.name);
    // SCSS and Less extend CSS in ways that its grammar does not know.
    const isKnown = mime !== 'text/css' || !/\.(?:scss|less)$/iu.test(input.name);
    const { symbols, hasErrors } = isKnown
      ? await readSymbols(choice.grammar === 'cpp' ? withoutMacros(text) : text, choice.grammar)
      : { symbols: [], hasErrors: false };
    return parsedDocument({
      text,
      mime,
      blocks: withRest(text, symbols),
      metadata: { programmingLanguage: choice.language },
      citeByLine: true,
      warnings: hasErrors
        ? [...warnings, `Parts of it could not be read as ${choice.language}: they have no structure.`]
        : warnings,
    });
  },
};

const loaded = new Map<string, Promise<Language>>();
const require = createRequire(import.meta.url);
let ready: Promise<void> | undefined;

async function languageOf(grammar: string): Promise<Language> {
  ready ??= TreeParser.init();
  await ready;
  let language = loaded.get(grammar);
  if (language === undefined) {
    language = Language.load(require.resolve(`@vscode/tree-sitter-wasm/wasm/tree-sitter-${grammar}.wasm`));
    loaded.set(grammar, language);
  }
  return language;
}

/**
 * Grammars hold functions of 100 KB and more, and V8 takes 500 MB to compile one of them (shell) a second time, for speed: more than a file
 * may take, for ten lines of script. So what runs here stays as it was compiled first, which costs little (a fifth of the speed for the smallest files): meanwhile
 * only a function with a number that none has is compiled again. All of it is synchronous, so that nothing else runs under the flag.
 */
function unoptimised<Result>(run: () => Result): Result {
  setFlagsFromString('--wasm-tier-up-filter=100000000');
  try {
    return run();
  } finally {
    // The default: every function.
    setFlagsFromString('--wasm-tier-up-filter=-1');
  }
}

/** The encoding that a comment in the first two lines names (PEP 263, and editors). */
function declaredEncoding(bytes: Uint8Array): string | undefined {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, 300)).split('\n', 2);
  return head
    .map((line) => /^\s*(?:#|\/[/*]).*?coding[:=]\s*([-\w.]+)/u.exec(line)?.[1])
    .find((found) => found !== undefined);
}

/** Of processor time: 100 times what a megabyte of usual code takes is for code made to hurt (brackets that nest without end). */
const maxParseMicroseconds = 5_000_000;

async function readSymbols(text: string, grammar: string): Promise<{ symbols: Block[]; hasErrors: boolean }> {
  const language = await languageOf(grammar);
  const parser = new TreeParser();
  try {
    parser.setLanguage(language);
    const before = process.cpuUsage().user;
    const progressCallback = (): boolean => process.cpuUsage().user - before > maxParseMicroseconds;
    const tree = unoptimised(() => parser.parse(text, null, { progressCallback }));
    if (tree === null) return { symbols: [], hasErrors: true };
    try {
      const symbols: Block[] = [];
      collect(tree.rootNode, [], symbols);
      symbols.sort((a, b) => a.start - b.start || b.end - a.end);
      return { symbols, hasErrors: tree.rootNode.hasError && losesStructure(tree.rootNode, symbols) };
    } finally {
      tree.delete();
    }
  } finally {
    parser.delete();
  }
}

/** Of a fault inside of a function, its structure knows nothing; faults that are longer hide functions. */
const longFault = 500;
const maxFaultNodes = 10_000;
const manyFaults = 200;

function losesStructure(root: Node, symbols: readonly Block[]): boolean {
  const pending: Node[] = [root];
  let faults = 0;
  for (let next = pending.pop(), seen = 0; next !== undefined; next = pending.pop(), seen++) {
    const { startIndex: start, endIndex: end } = next;
    if (seen > maxFaultNodes || faults > manyFaults) return true;
    if (next.type === 'ERROR') {
      faults++;
      const isInside = symbols.some((symbol) => symbol.start <= start && end <= symbol.end);
      if (end - start >= longFault || (!isInside && end > start)) return true;
    } else if (next.hasError) for (const child of next.children) if (child !== null) pending.push(child);
  }
  return false;
}

/** Symbols in one another: deeper ones are part of the text only. */
const maxDepth = 40;

function collect(parent: Node, path: readonly string[], symbols: Block[], depth = 0): void {
  if (depth > maxDepth) return;
  for (const child of parent.namedChildren) {
    if (child === null) continue;
    if (transparent.has(child.type)) {
      collect(child, path, symbols, depth + 1);
      for (const body of child.namedChildren)
        if (body?.type === 'declaration_list') collect(body, path, symbols, depth + 1);
      continue;
    }
    const found = symbolIn(child);
    if (found === undefined) continue;
    const { node, label } = found;
    const inner = [...path, label];
    symbols.push({ start: startWithComments(child), end: child.endIndex, kind: 'code', symbol: inner.join(' > ') });
    if (closedKinds.test(label)) continue;
    if (memberHolders.has(node.type)) collect(node, inner, symbols, depth + 1);
    for (const body of node.namedChildren)
      if (body !== null && bodies.has(body.type)) collect(body, inner, symbols, depth + 1);
  }
}

// oxlint-disable-next-line complexity -- Each form that the format knows is a case.
function symbolIn(node: Node, depth = 0): { node: Node; label: string } | undefined {
  if (wrappers.has(node.type)) {
    if (depth > maxDepth) return undefined;
    for (const child of node.namedChildren) {
      const found = child === null ? undefined : symbolIn(child, depth + 1);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  if (node.type === 'lexical_declaration' || node.type === 'variable_declaration') return functionValue(node);
  if (node.type === 'public_field_definition' || node.type === 'field_definition') return functionField(node);
  const kind = symbolKinds[node.type];
  const name = nameOf(node);
  if (kind === undefined || name === undefined) return undefined;
  // Python, C++, Rust and Go: a function in a class, a method of a receiver.
  const isMethod =
    (node.type === 'function_definition' && node.parent?.parent?.type === 'class_definition') ||
    node.parent?.type === 'field_declaration_list' ||
    /^(?:impl|trait)_item$/u.test(node.parent?.parent?.type ?? '');
  const inDecorated =
    node.parent?.type === 'decorated_definition' && node.parent.parent?.parent?.type === 'class_definition';
  const receiver = node.childForFieldName('receiver')?.text.replace(/^\(\s*(?:\w+\s+)?|(?<!\s)\s*\)$/g, '');
  const owner = receiver === undefined ? '' : `${receiver.replace(/^\*/, '')}.`;
  const isFunction = kind === 'function' && (isMethod || inDecorated);
  return { node, label: `${isFunction ? 'method' : kind} ${owner}${name}` };
}

const longestName = 100;

/** What a symbol is called; undefined where it has no name, or is a mere mention of one. */
function nameOf(node: Node): string | undefined {
  const named = node.childForFieldName('name')?.text;
  switch (node.type) {
    case 'impl_item': {
      const type = node.childForFieldName('type')?.text;
      const trait = node.childForFieldName('trait')?.text;
      return trait === undefined ? type : `${trait} for ${type}`;
    }
    // `struct Foo;` and `struct Foo x;` mention it; `namespace A;` holds nothing.
    case 'class_specifier':
    case 'struct_specifier':
    case 'union_specifier':
    case 'enum_specifier':
    case 'namespace_definition':
      return node.childForFieldName('body') === null ? undefined : named;
    case 'type_definition':
      return node.childForFieldName('declarator')?.text.slice(0, longestName);
    case 'function_definition':
      return named ?? declaredName(node);
    case 'function_statement':
    case 'class_statement':
    case 'enum_statement':
    case 'class_method_definition':
      return node.namedChildren.find((child) => child !== null && /^(?:function_name|simple_name)$/u.test(child.type))
        ?.text;
    case 'rule_set':
      return node.namedChildren[0]?.text.replace(/\s+/gu, ' ').slice(0, longestName);
    case 'media_statement':
    case 'keyframes_statement':
      return node.text.slice(0, 200).split('{')[0]?.replace(/\s+/gu, ' ').trim().slice(0, longestName);
    default:
      return named;
  }
}

/** C and C++ have the name inside of pointers and parameters. */
function declaredName(node: Node): string | undefined {
  let declarator = node.childForFieldName('declarator');
  for (let depth = 0; declarator !== null && depth < 20; depth++) {
    if (declarator.type === 'function_declarator')
      return declarator.childForFieldName('declarator')?.text.replace(/\s+/gu, ' ').slice(0, longestName);
    declarator = declarator.childForFieldName('declarator') ?? declarator.namedChildren.at(-1) ?? null;
  }
  return undefined;
}

/** `const name = () => …`: a function by another name. */
function functionValue(node: Node): { node: Node; label: string } | undefined {
  for (const declarator of node.namedChildren) {
    const value = declarator?.childForFieldName('value');
    const name = declarator?.childForFieldName('name')?.text;
    if (value == null || name === undefined) continue;
    if (/^(?:arrow_function|function_expression|generator_function)$/.test(value.type))
      return { node: value, label: `function ${name}` };
    if (value.type === 'class') return { node: value, label: `class ${name}` };
  }
  return undefined;
}

function functionField(node: Node): { node: Node; label: string } | undefined {
  const value = node.childForFieldName('value');
  const name = (node.childForFieldName('name') ?? node.childForFieldName('property'))?.text;
  if (value == null || name === undefined || !/^(?:arrow_function|function_expression)$/.test(value.type))
    return undefined;
  return { node: value, label: `method ${name}` };
}

/** Comments directly above belong to what they describe. */
function startWithComments(node: Node): number {
  let start = node;
  for (let before = node.previousSibling; before !== null; before = before.previousSibling) {
    const isAbove = start.startPosition.row - endRow(before) <= 1;
    const hasOwnLine = before.previousSibling === null || endRow(before.previousSibling) < before.startPosition.row;
    if (!/comment|^(?:decorator|attribute_item)$/.test(before.type) || !isAbove || !hasOwnLine) break;
    start = before;
  }
  return start.startIndex;
}

/** Some grammars count the line end to a comment. */
const endRow = ({ endPosition }: Node): number => (endPosition.column === 0 ? endPosition.row - 1 : endPosition.row);
