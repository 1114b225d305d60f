// A module in the place of node-llama-cpp, written into a folder of models: it has the calls that are used of it (src/models/gguf/llama.ts), reads
// `ok`, `cut-off` and the like from the end of a file, and "writes" the last message word by word. The real one runs in the bench.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { libraryHere, runtimeVersion } from '../../../src/models/gguf/runtime.ts';

const source = `
import { readFileSync } from 'node:fs';
const kindOf = (path) => /[a-z-]+$/.exec(readFileSync(path, 'latin1'))[0];
export const GgufArchitectureType = { llama: 'llama' };
export async function readGgufFileInfo(path) {
  const kind = kindOf(path);
  if (kind === 'no-header') throw new Error('Invalid GGUF file');
  return {
    metadata: { general: { architecture: kind === 'unknown' ? 'abacus' : 'llama' } },
    infoEndOffset: 2,
    tensorInfo: kind === 'cut-off' ? [{ offset: 0n }, { offset: 900n }] : [{ offset: 0 }],
  };
}
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
export async function getLlama({ gpu }) {
  if (gpu === 'auto') throw new Error('no GPU');
  return {
    createGrammarForJsonSchema: async (schema) => ({ schema }),
    async loadModel({ modelPath }) {
      if (kindOf(modelPath) === 'no-load') throw new Error('Failed to load model');
      let [input, output, held] = [0, 0, []];
      const meter = { getState: () => ({ input, output }), diff: (old) => ({ usedInputTokens: input - old.input, usedOutputTokens: output - old.output }) };
      const sequence = { tokenMeter: meter, contextSize: 4096, get nextTokenIndex() { return held.length; }, clearHistory: async () => { held = []; } };
      sequence.adaptStateToTokens = async (tokens) => { held = held.slice(0, held.findIndex((token, at) => token !== tokens[at]) >>> 0); };
      sequence.evaluateWithoutGeneratingNewTokens = async (tokens) => {
        await pause(tokens.includes('slow') ? 30 : 1);
        input += tokens.length;
        held.push(...tokens);
      };
      sequence.controlledEvaluate = async ([[token, { generateNext }]]) => {
        await sequence.evaluateWithoutGeneratingNewTokens([token]);
        const words = held.includes('silent') ? [['Maybe', 1]] : held.includes('muttering') ? [['Well', 0.6], ['Yes', 0.38], ['No', 0.02]] : [['Yes', 0.6], ['no', 0.15], [' yes', 0.15], ['Maybe', 0.1]];
        return [{ next: { probabilities: new Map(generateNext.probabilities ? words : []) } }];
      };
      sequence.wrote = (word) => { output += 1; held.push(word); };
      return { trainContextSize: 4096, createContext: async ({ contextSize, threads }) => ({ contextSize: contextSize.max, threads, getSequence: () => sequence }) };
    },
  };
}
export class LlamaChat {
  constructor({ contextSequence }) {
    this.sequence = contextSequence;
    this.model = { detokenize: ([token]) => token, tokenizer: (text) => text.split(' ').filter((word) => word !== '') };
    this.chatWrapper = { generateContextState: ({ chatHistory }) => ({ contextText: { tokenize: (tokenizer) => tokenizer(chatHistory.map(({ text = '' }) => text).join(' ') + ' model:') } }) };
  }
  async generateResponse(history, { onTextChunk, signal, maxTokens, grammar }) {
    const text = grammar ? JSON.stringify(grammar.schema.properties) : history.at(-2).text;
    if (text === 'die') process.exit(3);
    if (text === 'long') throw new Error('The context size is too small');
    const tokens = this.chatWrapper.generateContextState({ chatHistory: history }).contextText.tokenize(this.model.tokenizer);
    await this.sequence.adaptStateToTokens(tokens);
    await this.sequence.evaluateWithoutGeneratingNewTokens(tokens.slice(this.sequence.nextTokenIndex));
    let [said, count] = ['', 0];
    for (const word of text === 'forever' ? Array.from({ length: 10_000 }, () => 'on ') : text.split(/(?<= )/)) {
      if (count === maxTokens) return { response: said, metadata: { stopReason: 'maxTokens' } };
      await pause(text === 'forever' ? 20 : 1);
      if (signal.aborted) throw signal.reason;
      count += 1;
      this.sequence.wrote(word);
      onTextChunk(word);
      said += word;
    }
    return { response: said, metadata: { stopReason: 'eogToken' } };
  }
}
`;

/** Puts the stand-in where `findLlamaRuntime` looks first. */
export async function installStandIn(modelsFolder: string): Promise<void> {
  const folder = join(modelsFolder, 'runtime/node_modules/node-llama-cpp');
  await mkdir(join(folder, 'dist'), { recursive: true });
  const manifest = JSON.stringify({ type: 'module', version: runtimeVersion });
  await writeFile(join(folder, 'package.json'), manifest);
  await mkdir(join(modelsFolder, 'runtime/node_modules', libraryHere()), { recursive: true });
  await writeFile(join(modelsFolder, 'runtime/node_modules', libraryHere(), 'package.json'), manifest);
  await writeFile(join(folder, 'dist/index.js'), source);
}
