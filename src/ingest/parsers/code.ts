// Source code by its syntax tree (tree-sitter): the canonical text is the source, blocks are functions, classes and
// methods with the path of their names. Code that does not parse whole is still kept whole.
import { createRequire } from 'node:module';
import { Language, type Node, Parser as TreeParser } from 'web-tree-sitter';
import type { Block } from '../../core/document.ts';
import { FootnoteError } from '../../core/errors.ts';
import type { ParseInput, Parser } from '../parse.ts';
import { paragraphBlocks, parsedDocument, requireText } from './canonical-text.ts';
import { decodeText } from './decode.ts';

const grammars: Readonly<Record<string, { readonly grammar: string; readonly language: string }>> = {
  'text/x-typescript': { grammar: 'typescript', language: 'TypeScript' },
  'text/x-tsx': { grammar: 'tsx', language: 'TypeScript' },
  'text/javascript': { grammar: 'javascript', language: 'JavaScript' },
  'text/x-python': { grammar: 'python', language: 'Python' },
  'text/x-go': { grammar: 'go', language: 'Go' },
  'text/x-java': { grammar: 'java', language: 'Java' },
};

export const code: Parser = {
  name: 'code',
  mimes: Object.keys(grammars),
  parse: async (input: ParseInput) => {
    const mime = input.mime ?? '';
    const choice = grammars[mime];
    if (choice === undefined)
      throw new FootnoteError('unsupported-media', `${input.name}: no grammar for ${mime || 'this file'}.`);
    const { text, warnings } = decodeText(input.bytes, input.name);
    requireText(text, input.name);
    const { symbols, hasErrors } = await readSymbols(text, choice.grammar);
    return parsedDocument({
      text,
      mime,
      blocks: symbols.length > 0 ? withRest(text, symbols) : paragraphBlocks(text, 'code'),
      metadata: { programmingLanguage: choice.language },
      citeByLine: true,
      warnings: hasErrors ? [...warnings, `Parts of it are not valid ${choice.language}.`] : warnings,
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

/** What a node of the tree is called in a path; nodes that are not here are looked through. */
const kinds: Readonly<Record<string, string>> = {
  function_declaration: 'function',
  generator_function_declaration: 'function',
  function_signature: 'function',
  function_definition: 'function',
  class_declaration: 'class',
  abstract_class_declaration: 'class',
  class_definition: 'class',
  interface_declaration: 'interface',
  annotation_type_declaration: 'interface',
  enum_declaration: 'enum',
  record_declaration: 'record',
  type_alias_declaration: 'type',
  type_spec: 'type',
  type_alias: 'type',
  internal_module: 'namespace',
  module: 'module',
  method_definition: 'method',
  method_declaration: 'method',
  constructor_declaration: 'constructor',
};

/** Nodes that only wrap what they hold: the block is the wrapper, so that decorators and `export` belong to it. */
const wrappers = new Set([
  'export_statement',
  'decorated_definition',
  'ambient_declaration',
  'type_declaration',
  'expression_statement',
]);
/** Bodies that may hold further symbols. */
const bodies = new Set([
  'class_body',
  'interface_body',
  'enum_body',
  'statement_block',
  'block',
  'declaration_list',
  'enum_body_declarations',
]);

async function readSymbols(text: string, grammar: string): Promise<{ symbols: Block[]; hasErrors: boolean }> {
  const language = await languageOf(grammar);
  const parser = new TreeParser();
  try {
    parser.setLanguage(language);
    const tree = parser.parse(text);
    if (tree === null) return { symbols: [], hasErrors: true };
    try {
      const symbols: Block[] = [];
      collect(tree.rootNode, [], symbols);
      symbols.sort((a, b) => a.start - b.start || b.end - a.end);
      return { symbols, hasErrors: tree.rootNode.hasError };
    } finally {
      tree.delete();
    }
  } finally {
    parser.delete();
  }
}

function collect(parent: Node, path: readonly string[], symbols: Block[]): void {
  for (const child of parent.namedChildren) {
    if (child === null) continue;
    const found = symbolIn(child);
    if (found === undefined) continue;
    const { node, label } = found;
    const inner = [...path, label];
    symbols.push({ start: startWithComments(child), end: child.endIndex, kind: 'code', symbol: inner.join(' > ') });
    if (!/^(?:function|method|constructor|type) /.test(label)) {
      for (const body of node.namedChildren) if (body !== null && bodies.has(body.type)) collect(body, inner, symbols);
    }
  }
}

function symbolIn(node: Node): { node: Node; label: string } | undefined {
  if (wrappers.has(node.type)) {
    for (const child of node.namedChildren) {
      const found = child === null ? undefined : symbolIn(child);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  if (node.type === 'lexical_declaration' || node.type === 'variable_declaration') return functionValue(node);
  if (node.type === 'public_field_definition' || node.type === 'field_definition') return functionField(node);
  const kind = kinds[node.type];
  const name = node.childForFieldName('name')?.text;
  if (kind === undefined || name === undefined) return undefined;
  // Python and Go: a function in a class, a method of a receiver.
  const isMethod = node.type === 'function_definition' && node.parent?.parent?.type === 'class_definition';
  const inDecorated =
    node.parent?.type === 'decorated_definition' && node.parent.parent?.parent?.type === 'class_definition';
  const receiver = node.childForFieldName('receiver')?.text.replace(/^\(\s*(?:\w+\s+)?|\s*\)$/g, '');
  const owner = receiver === undefined ? '' : `${receiver.replace(/^\*/, '')}.`;
  return { node, label: `${isMethod || inDecorated ? 'method' : kind} ${owner}${name}` };
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
    const isAbove = start.startPosition.row - before.endPosition.row <= 1;
    const hasOwnLine =
      before.previousSibling === null || before.previousSibling.endPosition.row < before.startPosition.row;
    if (!/comment|^decorator$/.test(before.type) || !isAbove || !hasOwnLine) break;
    start = before;
  }
  return start.startIndex;
}

/** Adds blocks for the code between the outermost symbols: imports, constants, statements. */
function withRest(text: string, symbols: readonly Block[]): Block[] {
  const rest: Block[] = [];
  let covered = 0;
  const addRest = (to: number): void => {
    for (const block of paragraphBlocks(text.slice(covered, to), 'code'))
      rest.push({ ...block, start: block.start + covered, end: block.end + covered });
  };
  for (const symbol of symbols) {
    if (symbol.end <= covered) continue;
    addRest(symbol.start);
    covered = symbol.end;
  }
  addRest(text.length);
  return [...symbols, ...rest].sort((a, b) => a.start - b.start || b.end - a.end);
}
