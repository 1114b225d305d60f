// What is used of node-llama-cpp, which is installed beside the models and not with Footnote: its types are not there when this is compiled.

export interface LlamaModule {
  getLlama(options: {
    readonly gpu: 'auto' | false;
    readonly build: 'never';
    readonly skipDownload: true;
    readonly progressLogs: false;
    readonly logLevel: 'disabled';
  }): Promise<Llama>;
  readGgufFileInfo(path: string, options: { readonly logWarnings: false }): Promise<GgufFileInfo>;
  readonly GgufArchitectureType: Readonly<Record<string, string>>;
  readonly LlamaChat: new (options: { readonly contextSequence: LlamaSequence }) => LlamaChat;
}

export interface GgufFileInfo {
  readonly metadata: { readonly general?: { readonly architecture?: string } };
  readonly infoEndOffset: bigint | number;
  readonly tensorInfoSize?: number;
  readonly tensorInfo?: readonly GgufTensor[];
}

interface GgufTensor {
  /** From the first byte behind the header. */
  readonly offset: bigint | number;
}

export interface Llama {
  loadModel(options: { readonly modelPath: string }): Promise<LlamaModel>;
  createGrammarForJsonSchema(schema: Readonly<Record<string, unknown>>): Promise<object>;
}

export interface LlamaModel {
  readonly trainContextSize: number;
  createContext(options: {
    readonly contextSize: { readonly max: number };
    readonly batchSize: number;
    readonly threads: number;
  }): Promise<LlamaContext>;
}

interface LlamaContext {
  readonly contextSize: number;
  getSequence(): LlamaSequence;
}

interface Meter {
  readonly usedInputTokens: number;
  readonly usedOutputTokens: number;
}

export type Token = number;

export interface LlamaSequence {
  readonly contextSize: number;
  /** So many tokens stand in its memory. */
  readonly nextTokenIndex: number;
  readonly tokenMeter: { getState(): Meter; diff(earlier: Meter): Meter };
  clearHistory(): Promise<void>;
  /** Forgets what stands behind the first difference. */
  adaptStateToTokens(tokens: readonly Token[], allowShift: false): Promise<void>;
  evaluateWithoutGeneratingNewTokens(tokens: readonly Token[]): Promise<void>;
  /** Of a token that asks for it, the chances of all that may come next, the most likely first. */
  controlledEvaluate(
    tokens: readonly [
      Token,
      { readonly generateNext: { readonly probabilities: true; readonly options: { readonly temperature: number } } },
    ][],
  ): Promise<readonly ({ readonly next: { readonly probabilities: ReadonlyMap<Token, number> } } | undefined)[]>;
}

export interface ChatItem {
  readonly type: 'system' | 'user' | 'model';
  readonly text?: string;
  readonly response?: readonly string[];
}

export interface LlamaChat {
  readonly sequence: LlamaSequence;
  readonly model: { readonly tokenizer: object; detokenize(tokens: readonly Token[]): string };
  readonly chatWrapper: {
    generateContextState(state: { readonly chatHistory: readonly ChatItem[] }): {
      readonly contextText: { tokenize(tokenizer: object): readonly Token[] };
    };
  };
  generateResponse(
    history: readonly ChatItem[],
    options: {
      readonly onTextChunk: (text: string) => void;
      readonly signal: AbortSignal;
      readonly maxTokens: number;
      readonly temperature: number;
      readonly grammar?: object;
      readonly repeatPenalty?: false;
      /** No tokens for thoughts: they are never shown. */
      readonly budgets: { readonly thoughtTokens: 0 };
      readonly contextShift?: undefined;
    },
  ): Promise<{ readonly response: string; readonly metadata: { readonly stopReason: string } }>;
}
