// The fake moved into the test kit: tests find it here until they import it from there.
export { renderChat } from '../../src/testing/openai-chat.ts';
