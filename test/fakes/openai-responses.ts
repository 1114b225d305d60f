// The fake moved into the test kit: tests find it here until they import it from there.
export { renderResponses } from '../../src/testing/openai-responses.ts';
