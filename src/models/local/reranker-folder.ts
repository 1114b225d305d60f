// What a folder of a cross-encoder says of itself: weights, tokens, window, classes, read from the files that transformers and Optimum
// write. Invariant: nothing is guessed in silence — whatever no file says is named in `assumed` — and each way a folder can be wrong
// has a fault of its own.
import {
  asNumber,
  asObject,
  asText,
  factsOf,
  type LocalFacts,
  type LocalFiles,
  localFault,
  openLocalFiles,
} from './files.ts';

export interface LocalRerankerFolder extends LocalFacts {
  /** Whether query and text are told apart by token types: BERT does, RoBERTa does not. */
  readonly hasTypes: boolean;
  /** Of two classes, the one that means relevant. */
  readonly relevantClass: 0 | 1;
}

/** Models whose config.json may leave out that they have two types of tokens. */
const typed = /^(bert|electra)$/u;
/** Whether the two texts of a pair are told apart by types of tokens. */
export const hasTypes = ({ config, architecture }: Pick<LocalFiles, 'config' | 'architecture'>): boolean =>
  (asNumber(config['type_vocab_size']) ?? (typed.test(architecture) ? 2 : 1)) >= 2;
const relevant = /^(relevant|yes|true|positive|match|1)$/iu;

/** `folder` holds one folder for each model. The weights are not read. Throws `config-invalid` with `details.fault`. */
export async function readLocalRerankerFolder(folder: string, name: string): Promise<LocalRerankerFolder> {
  const files = await openLocalFiles(folder, name, { setting: 'MODEL_RERANK', task: 'text-classification' });
  const { path, config, classes } = files;
  const labels = Object.entries(asObject(config['id2label'])).map(([id, label]) => ({
    id,
    label: asText(label) ?? '',
  }));
  const count = asNumber(config['num_labels']) ?? (labels.length > 0 ? labels.length : undefined);
  if (classes.length > 0 && !classes.some((one) => one.endsWith('ForSequenceClassification')))
    throw localFault(
      'not-reranker',
      `${path} is not a cross-encoder: config.json names ${classes.join(', ')}, which does not grade pairs of texts. Choose a reranker whose config.json names …ForSequenceClassification.`,
    );
  if (count !== undefined && count > 2)
    throw localFault(
      'not-reranker',
      `${path} is not a reranker: config.json names ${count} classes, and a reranker has one or two. Choose a cross-encoder that was trained to rank.`,
    );
  const facts = await factsOf(files, 8);
  const assumed = [...facts.assumed];
  const named = labels.find(({ label }) => relevant.test(label));
  if (count === 2 && named === undefined)
    assumed.push('classes: the second of two means relevant, because config.json does not name them');
  return {
    ...facts,
    hasTypes: hasTypes(files),
    relevantClass: named?.id === '0' ? 0 : 1,
    assumed,
  };
}
