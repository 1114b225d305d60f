// Requests as clients of OpenAI send them, which both of its routes take: whole and in a stream. A request beside `question` has one field or another that they know.

export const tall = 'How tall is the lighthouse of Cabo Frio?';
export const user = (content: string) => [{ role: 'user' as const, content }];
/** The search of a vector store. */
export const tool = (more: object = {}) => ({ type: 'file_search', vector_store_ids: ['vs_handbook'], ...more });
const eq = { type: 'eq', key: 'kind', value: 'handbook' };
/** Of `POST /v1/chat/completions`, beside `model` and `messages`. */
export const completionShapes: readonly object[] = [
  {},
  ...[null, 0, 0.7, 2].map((temperature) => ({ temperature })),
  { top_p: 0.1, seed: 7, stop: ['\n'], user: 'u', store: true, service_tier: 'auto', logit_bias: { 5: 1 } },
  {
    frequency_penalty: 1,
    presence_penalty: -1,
    logprobs: true,
    top_logprobs: 3,
    reasoning_effort: 'low',
    verbosity: 'low',
  },
  { metadata: { a: 'b' } },
  { n: 1, response_format: { type: 'text' }, modalities: ['text'], tool_choice: 'auto', parallel_tool_calls: true },
  {
    n: null,
    response_format: null,
    modalities: null,
    tool_choice: null,
    tools: null,
    audio: null,
    prediction: null,
    footnote: null,
    metadata: null,
    stream_options: null,
    max_tokens: null,
  },
  { include: null, previous_response_id: null, truncation: null, conversation: null, background: null },
  { tools: [{ type: 'function', function: { name: 'f', parameters: { type: 'object' } } }], tool_choice: 'none' },
  { web_search_options: {}, chat_id: 'x', session_id: 'y', features: { web_search: false } },
  ...[{}, { max_num_results: 3 }, { ranking_options: { ranker: 'auto', score_threshold: 0 } }, { filters: eq }].map(
    (more) => ({ tools: [tool(more)] }),
  ),
  { tools: [tool({ filters: { type: 'and', filters: [eq, { type: 'nin', key: 'kind', value: ['vault'] }] } })] },
  { tools: [tool()], footnote: { sources: ['handbook', 'vault'] }, model: 'footnote/handbook' },
  ...[{ mode: 'embedded' }, { topK: 3 }, { minScore: 0 }, { unconfirmed: true }, { sources: ['handbook'] }].map(
    (footnote) => ({ footnote }),
  ),
  { footnote: { filter: { op: 'prefix', field: 'uri', value: 'tow' } } },
  ...['footnote-embedded', 'footnote-vector', 'footnote-hybrid', 'footnote:text', 'footnote/handbook:links:text'].map(
    (model) => (model.includes('links:text') ? { model: 'footnote/handbook:links' } : { model }),
  ),
  { messages: [{ role: 'developer', content: 'Be brief.' }, ...user(tall)] },
  { messages: [{ role: 'assistant', content: 'Welcome!' }, ...user(tall)] },
  {
    messages: [
      { role: 'user', content: 'Hi', name: 'Ana' },
      { role: 'assistant', content: null, tool_calls: [] },
      { role: 'tool', content: 'x', tool_call_id: 'c' },
      ...user(tall),
    ],
  },
  { messages: [...user('Hi'), { role: 'assistant', content: [{ type: 'refusal', refusal: 'No.' }] }, ...user(tall)] },
  {
    messages: [
      ...Array.from({ length: 120 }, (_, at) => ({ role: at % 2 ? 'assistant' : 'user', content: 'word '.repeat(at) })),
      ...user(tall),
    ],
  },
  { messages: [...user('x'.repeat(30_000)), { role: 'assistant', content: 'y'.repeat(30_000) }, ...user(tall)] },
  { messages: user(`${tall} \ud83d\ude00`) },
];

const says = (role: string, type: string, text: string, more: object = {}) => ({
  role,
  content: [{ type, text }],
  ...more,
});
export const asks = says('user', 'input_text', tall);
/** Of `POST /v1/responses`, beside `model` and `input`. */
export const responseShapes: readonly object[] = [
  {},
  ...[null, 0, 2].map((temperature) => ({ temperature, top_p: temperature === null ? null : 0.5 })),
  {
    include: null,
    previous_response_id: null,
    truncation: null,
    conversation: null,
    background: null,
    store: null,
    instructions: null,
    tools: null,
    tool_choice: null,
    metadata: null,
    text: null,
    reasoning: null,
    user: null,
    stream_options: null,
    max_output_tokens: null,
    prompt: null,
    footnote: null,
  },
  { instructions: 'Answer in rhymes.', user: 'u', safety_identifier: 's', prompt_cache_key: 'k', service_tier: 'auto' },
  { metadata: { a: 'b' }, parallel_tool_calls: false, truncation: 'auto', max_tool_calls: 3 },
  { reasoning: { effort: 'low', summary: 'auto' }, include: ['reasoning.encrypted_content'] },
  { text: { format: { type: 'text' }, verbosity: 'low' } },
  { background: false, store: false },
  { max_output_tokens: 5000, stream_options: { include_obfuscation: false } },
  { tools: [{ type: 'function', name: 'f', parameters: { type: 'object' }, strict: true }], tool_choice: 'auto' },
  { tools: [{ type: 'function', name: 'f', description: 'd', parameters: null, strict: null }], tool_choice: 'none' },
  { tools: [{ type: 'web_search' }] },
  ...[{}, { max_num_results: 3 }, { ranking_options: { ranker: 'auto', score_threshold: 0 } }, { filters: eq }].map(
    (more) => ({ tools: [tool(more)] }),
  ),
  { tools: [tool()], tool_choice: 'required' },
  { tools: [tool()], tool_choice: { type: 'file_search' } },
  {
    tools: [tool({ filters: { type: 'and', filters: [eq, { type: 'nin', key: 'kind', value: ['vault'] }] } })],
    include: ['file_search_call.results'],
  },
  ...['footnote-embedded', 'footnote-hybrid', 'footnote:text', 'footnote/handbook:links'].map((model) => ({ model })),
  ...[{ mode: 'embedded' }, { topK: 3 }, { unconfirmed: true }, { sources: ['handbook'] }].map((footnote) => ({
    footnote,
  })),
  { input: [asks] },
  { input: [{ ...asks, type: 'message' }] },
  { input: [{ role: 'user', content: tall }] },
  { input: [says('developer', 'input_text', 'Be brief.'), says('system', 'input_text', 'Be kind.'), asks] },
  {
    input: [
      { role: 'user', content: 'Hi' },
      says('assistant', 'output_text', 'Hello!', { type: 'message', id: 'msg_x', status: 'completed' }),
      asks,
    ],
  },
  {
    input: [
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: [{ type: 'refusal', refusal: 'No.' }] },
      asks,
    ],
  },
  {
    input: [
      asks,
      { type: 'function_call', name: 'f', call_id: 'c', arguments: '{}' },
      { type: 'function_call_output', call_id: 'c', output: '1' },
      { type: 'reasoning', id: 'rs_1', summary: [] },
      { type: 'item_reference', id: 'fs_1' },
    ],
  },
  {
    input: Array.from({ length: 121 }, (_, at) => ({
      role: at % 2 ? 'assistant' : 'user',
      content: at === 120 ? tall : 'word '.repeat(at + 1),
    })),
  },
  { input: `${tall} \ud83d\ude00` },
];
