// Which embedding model follows from the keys that are set, and how that is shown.
import { expect, it } from 'vitest';
import { loadConfig } from '../../src/config.ts';

const modelsOf = (environment: Readonly<Record<string, string>>) => {
  const config = loadConfig({ folder: '/nowhere', environment: { HOME: '/nowhere', ...environment } });
  const shown = config.effective.find(({ name }) => name === 'MODEL_EMBED');
  return [config.models.embed, config.models.isEmbedByKey, shown?.value, shown?.origin];
};
const key = { OPENAI_API_KEY: 'sk-not-a-key' };
const small = 'openai:text-embedding-3-small';

it.each([
  ['nothing is set', {}, ['corpus', false, 'corpus', 'default']],
  ['a key of OpenAI is', key, [small, true, small, 'default with OPENAI_API_KEY']],
  [
    'its own address is, too',
    { ...key, OPENAI_BASE_URL: 'https://api.openai.com/v1' },
    [small, true, small, 'default with OPENAI_API_KEY'],
  ],
  [
    'an address of one’s own is, too',
    { ...key, OPENAI_BASE_URL: 'http://127.0.0.1:9/v1' },
    ['corpus', false, 'corpus', 'default'],
  ],
  ['somebody said otherwise', { ...key, MODEL_EMBED: 'corpus' }, ['corpus', false, 'corpus', 'environment']],
])('is as it should be where %s', (_, environment, expected) => {
  expect(modelsOf(environment as Readonly<Record<string, string>>)).toEqual(expected);
});
