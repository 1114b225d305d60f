// One server of MCP for who asks: tools, resources and prompts, the same for both revisions of the protocol and on every way in. Invariant: it is
// made for one caller and reads with that caller's rights alone.
import { type CallToolResult, McpServer, type ServerContext } from '@modelcontextprotocol/server';
import type { CallOptions } from '../footnote/facade.ts';
import { ask } from './answer-tools.ts';
import { peek, turn } from './archive-tools.ts';
import type { McpCaller, McpFacts } from './caller.ts';
import { fetch, search, sources } from './document-tools.ts';
import { registerPrompts } from './prompts.ts';
import { serveResources } from './resources.ts';
import { published, type Tool } from './tool.ts';

const tools = [search, fetch, ask, peek, turn, sources].map((tool) => ({
  tool,
  inputSchema: published(tool.input, 'input'),
  outputSchema: published(tool.output, 'output'),
}));

const instructions =
  'Footnote answers over the documents of a team, with a checked quote for every claim. Use `ask` for answers, `search` and `fetch` to look for yourself, `sources` to see what there is, `peek` and `turn` for past conversations. Keep citations: repeat the url of the passage behind what you say.';

const [cached, fixed] = [{ ttlMs: 300_000, cacheScope: 'private' } as const, { listChanged: false }];

/** Tells each stage as it begins, to a client that asked for it. */
function teller({ mcpReq }: ServerContext): CallOptions['onEvent'] {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return undefined;
  let progress = 0;
  return (event) => {
    if (event.type !== 'status') return;
    progress += 1;
    const params = { progressToken, progress, message: event.stage };
    // Whoever has gone is told nothing.
    void mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined);
  };
}

type Asked = readonly [asked: Record<string, unknown>, context: ServerContext];

async function call({ run, output, lane }: Tool, caller: McpCaller, [asked, context]: Asked): Promise<CallToolResult> {
  const { footnote, address } = caller;
  const onEvent = teller(context);
  try {
    const { value, text, links } = await caller.inTurn({ lane, signal: context.mcpReq.signal }, (options) =>
      run(asked, { footnote, address, call: { ...options, ...(onEvent && { onEvent }) } }),
    );
    const structuredContent = output.parse(value);
    return {
      structuredContent,
      content: [{ type: 'text', text: text ?? JSON.stringify(structuredContent) }, ...(links ?? [])],
    };
  } catch (error) {
    return { isError: true, content: [{ type: 'text', text: caller.tellFailure(error) }] };
  }
}

export function createMcpServer(caller: McpCaller, { version, searchesWeb }: McpFacts): McpServer {
  const server = new McpServer(
    { name: 'footnote', title: 'Footnote', version },
    {
      instructions,
      capabilities: { tools: fixed, resources: fixed, prompts: fixed },
      cacheHints: { 'tools/list': cached, 'prompts/list': cached, 'resources/templates/list': cached },
    },
  );
  for (const { tool, ...schemas } of tools) {
    const { name, title, description, mayAskTheWeb = false } = tool;
    const annotations = {
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: mayAskTheWeb && searchesWeb,
    };
    server.registerTool(name, { title, description, ...schemas, annotations }, (asked, context) =>
      call(tool, caller, [asked as Record<string, unknown>, context]),
    );
  }
  serveResources(server.server, caller);
  registerPrompts(server);
  return server;
}
