// What front ends ask the model for themselves is told from what people ask, by its shape.
import { describe, expect, it } from 'vitest';
import { housekeepingOf } from '../../../src/http/foreign/housekeeping.ts';

const chat = `### Chat History:
<chat_history>
USER: How tall is the lighthouse of Cabo Frio, and who keeps it open today?
ASSISTANT: It is 43 metres tall. [1]
</chat_history>`;
const openWebUI = (what: string, form: string): string =>
  `### Task:\n${what}\n\n### Guidelines:\n- Be brief.\n\n### Output:\n${form}\n\n### Examples:\n- { "title": "Stocks" }\n\n${chat}`;

describe('housekeeping', () => {
  it.each([
    [
      openWebUI(
        'Generate a concise, 3-5 word title with an emoji summarizing the chat history.',
        'JSON format: { "title": "your concise title here" }',
      ),
      '{"title":"How tall is the lighthouse of Cabo Frio…"}',
    ],
    [
      openWebUI(
        'Generate 1-3 broad tags categorizing the main themes.',
        'JSON format: { "tags": ["tag1", "tag2", "tag3"] }',
      ),
      '{"tags":[]}',
    ],
    [
      openWebUI(
        'Suggest 3-5 relevant follow-up questions.',
        'JSON format: { "follow_ups": ["Question 1?", "Question 2?"] }',
      ),
      '{"follow_ups":[]}',
    ],
    [
      openWebUI(
        'Analyze the chat history to determine the necessity of generating search queries.',
        'Strictly return in JSON format: \n{\n  "queries": ["query1"]\n}',
      ),
      '{"queries":[]}',
    ],
    [openWebUI('You are an autocompletion system.', 'Return: { "text": "<your_completion>" }'), '{"text":""}'],
    [
      '### Task:\nYou are an autocompletion system. Continue the text in `<text>`.\n\n### **Output Rules**:\n- Respond only in JSON format: `{ "text": "<your_completion>" }`.\n\n<type>search query</type>\n<text>How tall is</text>',
      '{"text":""}',
    ],
    [
      `Create a concise, 3-5 word title with an emoji as a title for the chat history.\nRESPOND ONLY WITH THE TITLE.\n\n${chat}`,
      'How tall is the lighthouse of Cabo Frio…',
    ],
    [
      'Provide a concise, 5-word-or-less title for the conversation, using title case conventions. Only return the title itself.\n\nConversation:\nUser: When was the mill built?\nAI: In 1804.',
      'When was the mill built?',
    ],
    [
      openWebUI('Generate a concise title.', 'JSON format: { "title": "x" }').replace(/USER: .*/u, ''),
      '{"title":"Conversation"}',
    ],
  ])('answers %.60s', (prompt, expected) => {
    const key = /^\{"(\w+)"/u.exec(expected)?.[1];
    expect(housekeepingOf(['', prompt])).toEqual({ task: key ?? 'title', reply: expected });
  });

  it.each([
    [
      [
        '',
        `### Task:\nSummarize the conversation history.\n\n### Messages Being Compacted:\nUSER: How tall is it?\n\n### Recent Messages Kept In Context:\n`,
      ],
      '',
    ],
    [
      [
        'You review memories in private. Return only valid JSON.',
        'Review the completed conversation turn and decide what to remember.\n- Return only JSON in this shape:\n  {"operations":[]}\n\nConversation:\nuser: How tall is it?',
      ],
      '{"operations":[]}',
    ],
    [['Available Tools: []\n\nReturn {\n  "tool_calls": []\n}', 'Query: How tall is it?'], '{"tool_calls":[]}'],
    [['', 'Your task is to reflect the speaker’s likely facial expression through an emoji.\n\nMessage: ```Hi```'], ''],
  ])('has nothing to say to %.120j', (texts, expected) => {
    expect(housekeepingOf(texts)?.reply).toBe(expected);
  });

  it('reads the instruction in the words of the system, too', () => {
    const system =
      'Please generate a concise, 5-word-or-less title for the conversation, using its same language, with no punctuation.';
    const said = '||>User:\nAlice: hi\n||>Assistant: hello\n||>User: When was it?';
    expect(housekeepingOf([system, said])).toEqual({ task: 'title', reply: 'When was it?' });
  });

  it.each([
    'What is the short title of the act?',
    'Provide a concise title for the conversation that Ana had.',
    '### Task:\nRespond to the user query using the provided context, incorporating inline citations in the format [id].\n\n### Output:\nProvide a clear and direct response to the user’s query.\n\n<context>\n{"title": "x"}\n</context>\n\n<user_query>\nHow tall is it?\n</user_query>',
    'User: hello\nAI: hello\nWho said hello?',
    '### Task: what is a task?',
    'Review the completed conversation turn of chapter two.',
    'Available Tools: which are there?',
    'Which JSON has "tags": []?',
  ])('is no question of somebody: %.60s', (prompt) => {
    expect(housekeepingOf(['You are helpful.', prompt])).toBeUndefined();
  });
});
