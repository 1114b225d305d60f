// The house's rule of the linter for long functions: a function is as long as the lines that are its own. Lines of the functions inside it are theirs,
// as the lines of a method are not those of its class; blank lines and comments count for nobody. The file limit bounds the whole.

const functions = 'FunctionDeclaration, FunctionExpression, ArrowFunctionExpression';

const ownLines = {
  meta: { schema: [{ type: 'object', properties: { max: { type: 'number' } } }] },
  create(context) {
    const { max } = context.options[0];
    const spans = [];
    return {
      [functions](node) {
        spans.push(node);
      },
      'Program:exit'() {
        const { sourceCode } = context;
        const isCode = codeLines(sourceCode);
        // The innermost function that covers a line owns it: those that begin later are nearer.
        const ownerOf = new Map();
        for (const node of spans) {
          const { start, end } = node.loc;
          for (let line = start.line; line <= end.line; line++) if (isCode.has(line)) ownerOf.set(line, node);
        }
        const lines = new Map();
        for (const node of ownerOf.values()) lines.set(node, (lines.get(node) ?? 0) + 1);
        for (const [node, count] of lines) {
          if (count <= max) continue;
          context.report({ node, message: `This function has ${count} lines of its own; the limit is ${max}.` });
        }
      },
    };
  },
};

/** Numbers of the lines that hold a token. */
function codeLines({ ast }) {
  const lines = new Set();
  for (const { loc } of ast.tokens) for (let line = loc.start.line; line <= loc.end.line; line++) lines.add(line);
  return lines;
}

export default { meta: { name: 'house' }, rules: { 'own-lines': ownLines } };
