// What a plain BM25 reaches on the judged sets of the evaluation data: the reference that retrieval is measured against, as the notes of
// the data have it (title and text, Porter's stemmer, k1 0.9, b 0.4; trec_eval's nDCG@10).

/** nDCG@10 by set and split. */
export const references: Readonly<Record<string, number>> = {
  'scifact/test': 0.6767,
  'scifact/train': 0.6951,
  'cranfield/test': 0.3428,
  'cisi/test': 0.3611,
  'time/test': 0.66,
  'adi/test': 0.4737,
  'cacm/test': 0.4662,
  'cosqa/dev': 0.3562,
  'hotpotqa-100/test': 0.7866,
  'xquad-en/test': 0.9678,
  'xquad-de/test': 0.9215,
  'xquad-zh/test': 0.9671,
  'xquad-ar/test': 0.8874,
};
