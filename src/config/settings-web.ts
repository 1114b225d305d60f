// Settings of what the web brings.
import { decimal, flag, later, type Setting } from './setting-kinds.ts';

export const webSettings: readonly Setting[] = [
  later('ENABLE_WEB_RERANKING', flag, { default: 'false', meaning: 'Web results are reranked' }),
  later('ENABLE_SEMANTIC_BOOST', flag, { default: 'false', meaning: 'Semantic boost of web results' }),
  later('SEMANTIC_BOOST_WEIGHT', decimal(0, 1), { default: '0.3', meaning: 'Weight of that boost' }),
];
