// The languages whose syntax trees are read, and what the nodes of their grammars mean: which are symbols and how they are called, which only wrap
// what they hold, which are looked through. Names of nodes are those of the tree-sitter grammars in @vscode/tree-sitter-wasm.

export interface CodeLanguage {
  readonly grammar: string;
  readonly language: string;
}

export const codeLanguages: Readonly<Record<string, CodeLanguage>> = {
  'text/x-typescript': { grammar: 'typescript', language: 'TypeScript' },
  'text/x-tsx': { grammar: 'tsx', language: 'TypeScript' },
  'text/javascript': { grammar: 'javascript', language: 'JavaScript' },
  'text/x-python': { grammar: 'python', language: 'Python' },
  'text/x-go': { grammar: 'go', language: 'Go' },
  'text/x-java': { grammar: 'java', language: 'Java' },
  'text/x-rust': { grammar: 'rust', language: 'Rust' },
  'text/x-c++': { grammar: 'cpp', language: 'C++' },
  'text/x-csharp': { grammar: 'c-sharp', language: 'C#' },
  'text/x-ruby': { grammar: 'ruby', language: 'Ruby' },
  'application/x-php': { grammar: 'php', language: 'PHP' },
  'application/x-sh': { grammar: 'bash', language: 'shell' },
  'application/x-powershell': { grammar: 'powershell', language: 'PowerShell' },
  'text/css': { grammar: 'css', language: 'CSS' },
};

/** What a node of the tree is called in a path; nodes that are not here are looked through. */
export const symbolKinds: Readonly<Record<string, string>> = {
  function_declaration: 'function',
  generator_function_declaration: 'function',
  function_signature: 'function',
  function_definition: 'function',
  function_item: 'function',
  function_statement: 'function',
  class_declaration: 'class',
  abstract_class_declaration: 'class',
  class_definition: 'class',
  class_specifier: 'class',
  class_statement: 'class',
  class: 'class',
  struct_item: 'struct',
  struct_specifier: 'struct',
  struct_declaration: 'struct',
  union_item: 'union',
  union_specifier: 'union',
  interface_declaration: 'interface',
  annotation_type_declaration: 'interface',
  trait_item: 'trait',
  trait_declaration: 'trait',
  impl_item: 'impl',
  enum_declaration: 'enum',
  enum_item: 'enum',
  enum_specifier: 'enum',
  enum_statement: 'enum',
  record_declaration: 'record',
  type_alias_declaration: 'type',
  type_spec: 'type',
  type_alias: 'type',
  type_item: 'type',
  type_definition: 'type',
  alias_declaration: 'type',
  delegate_declaration: 'delegate',
  macro_definition: 'macro',
  preproc_function_def: 'macro',
  internal_module: 'namespace',
  namespace_definition: 'namespace',
  namespace_declaration: 'namespace',
  module: 'module',
  mod_item: 'module',
  method_definition: 'method',
  method_declaration: 'method',
  class_method_definition: 'method',
  method: 'method',
  singleton_method: 'method',
  property_declaration: 'property',
  constructor_declaration: 'constructor',
  rule_set: 'rule',
  media_statement: 'rule',
  keyframes_statement: 'rule',
};

/** Nodes that only wrap what they hold: the block is the wrapper, so that decorators and `export` belong to it. */
export const wrappers = new Set([
  'export_statement',
  'decorated_definition',
  'ambient_declaration',
  'type_declaration',
  'expression_statement',
  'template_declaration',
]);

/** Nodes that hold any number of symbols without being one. */
export const transparent = new Set([
  'linkage_specification',
  'preproc_ifdef',
  'preproc_if',
  'preproc_else',
  'preproc_elif',
  'statement_list',
]);

/** Bodies that may hold further symbols. */
export const bodies = new Set([
  'class_body',
  'interface_body',
  'enum_body',
  'statement_block',
  'block',
  'declaration_list',
  'field_declaration_list',
  'body_statement',
  'enum_body_declarations',
]);

/** Symbols whose members are their own children. */
export const memberHolders = new Set(['class_statement']);

/** Kinds that are not looked into. */
export const closedKinds = /^(?:function|method|constructor|type|property|rule|macro) /u;
