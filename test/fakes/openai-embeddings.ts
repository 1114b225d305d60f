// The fake moved into the test kit: tests find it here until they import it from there.
export {
  embeddingsOf,
  type FakeEmbedding,
  type FakeEmbeddings,
  fakeVector,
  openFakeEmbeddings,
  textsOf,
} from '../../src/testing/openai-embeddings.ts';
