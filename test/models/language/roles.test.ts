// Roles: what the operator writes becomes a list of models for each, mistakes are all told at once, and nothing else can choose.
import { describe, expect, it } from 'vitest';
import { FootnoteError } from '../../../src/core/errors.ts';
import type { Candidate } from '../../../src/models/calls/chain.ts';
import type { LanguageModel } from '../../../src/models/language/language-model.ts';
import { createScriptedModel } from '../../../src/models/language/scripted-model.ts';
import { createRoleModels, type languageRoles, type RoleSettings, resolveRoles } from '../../../src/models/roles.ts';

const modelsOf = (settings: Partial<RoleSettings>, role: (typeof languageRoles)[number] = 'answer') =>
  resolveRoles({ roles: {}, configured: [], ...settings }).roles[role].models;
const mistakesOf = (settings: Partial<RoleSettings>): string => {
  try {
    resolveRoles({ roles: {}, configured: [], ...settings });
  } catch (error) {
    if (error instanceof FootnoteError && error.code === 'config-invalid') return error.message;
    throw error;
  }
  throw new Error('no mistake was found');
};

describe('resolveRoles', () => {
  it('lets a model that judges by chances do nothing else', () => {
    const configured = ['onnx', 'gguf'] as const;
    expect(resolveRoles({ roles: { judge: 'onnx:maker/nli' }, configured }).roles.judge.models).toEqual([
      { provider: 'onnx', model: 'maker/nli' },
    ]);
    expect(() => resolveRoles({ roles: { answer: 'onnx:nli' }, configured })).toThrow(
      'MODEL_ANSWER: "onnx:nli" judges claims and writes nothing.',
    );
  });

  it('lets no model that judges by chances stand in a list with others', () => {
    const configured = ['onnx', 'openai', 'gguf'] as const;
    for (const judge of ['onnx:nli, openai:gpt-5.2', 'gguf:small,onnx:nli'])
      expect(mistakesOf({ roles: { judge }, configured })).toBe(
        `MODEL_JUDGE: "${judge}" has onnx models beside others, which are asked in another way. Name onnx models alone, or none of them.`,
      );
    expect(modelsOf({ roles: { judge: 'onnx:nli, onnx:other' }, configured }, 'judge')).toHaveLength(2);
    expect(modelsOf({ roles: { judge: 'gguf:small, openai:gpt-5.2' }, configured }, 'judge')).toHaveLength(2);
  });

  it('gives no role a model without a provider', () => {
    const { roles, intents } = resolveRoles({ roles: {}, configured: [] });
    for (const { models } of [...Object.values(roles), ...Object.values(intents)]) expect(models).toEqual([]);
  });

  it('answers and plans with OpenAI where its key is, and spends nothing else unasked', () => {
    const { roles } = resolveRoles({ roles: {}, configured: ['openai', 'anthropic'] });
    const chosen = Object.entries(roles).filter(([, { models }]) => models.length > 0);
    expect(chosen.map(([role]) => role)).toEqual(['planner', 'answer', 'chat']);
    expect(roles.chat.from).toBe('answer');
    expect(roles.answer).toEqual({ models: [{ provider: 'openai', model: 'gpt-5.2' }], from: 'default' });
    expect(modelsOf({ configured: ['azure'], azureDeployment: 'mine' })).toEqual([
      { provider: 'azure', model: 'mine' },
    ]);
    expect(modelsOf({ configured: ['anthropic'] })).toEqual([]);
    expect(modelsOf({ configured: ['openai'], roles: { answer: 'none' } })).toEqual([]);
  });

  it('reads lists, names with colons, and names that tell their vendor', () => {
    const configured = ['openai', 'anthropic', 'compatible'] as const;
    expect(
      modelsOf({ configured, roles: { answer: 'anthropic:claude-sonnet-4-5, openai:gpt-5.2 ,compatible:qwen3:8b' } }),
    ).toEqual([
      { provider: 'anthropic', model: 'claude-sonnet-4-5' },
      { provider: 'openai', model: 'gpt-5.2' },
      { provider: 'compatible', model: 'qwen3:8b' },
    ]);
    expect(modelsOf({ configured, roles: { judge: 'claude-haiku-4-5, gpt-5.2-mini' } }, 'judge')).toEqual([
      { provider: 'anthropic', model: 'claude-haiku-4-5' },
      { provider: 'openai', model: 'gpt-5.2-mini' },
    ]);
    expect(modelsOf({ configured: ['compatible'], roles: { answer: 'llama3.2:3b' } })).toEqual([
      { provider: 'compatible', model: 'llama3.2:3b' },
    ]);
  });

  it('lets an intent answer by another model', () => {
    const { intents } = resolveRoles({
      configured: ['openai'],
      roles: { answer: 'gpt-5.2', faq: 'gpt-5.2-mini', factual: 'gpt-5.2-nano', conversational: 'none' },
    });
    expect(intents.faq.models[0]?.model).toBe('gpt-5.2-mini');
    expect(intents.factual_lookup.models[0]?.model).toBe('gpt-5.2-nano');
    expect(intents.research).toEqual({ models: [{ provider: 'openai', model: 'gpt-5.2' }], from: 'answer' });
    expect(intents.conversational.models).toEqual([]);
  });

  it('tells all mistakes at once, with what to do', () => {
    const said = mistakesOf({
      configured: ['openai', 'compatible'],
      roles: { answer: 'qwen3:8b', judge: 'anthropic:claude-sonnet-4-5', critic: 'openai:', research: 'azure:x' },
    });
    expect(said.split('\n')).toHaveLength(4);
    expect(said).toContain('MODEL_ANSWER: "qwen3:8b" does not say whose model it is');
    expect(said).toContain('MODEL_JUDGE: "anthropic:claude-sonnet-4-5" needs ANTHROPIC_API_KEY');
    expect(said).toContain('MODEL_CRITIC: "openai:" names no model');
    expect(said).toContain('MODEL_RESEARCH: "azure:x" needs AZURE_OPENAI_API_KEY and AZURE_OPENAI_ENDPOINT');
    expect(mistakesOf({ roles: { answer: 'gpt-5.2' } })).toContain('none is');
    expect(mistakesOf({ roles: { answer: 'compatible:qwen3:8b' } })).toContain('needs OPENAI_BASE_URL');
    // With an address of one's own, the key goes there alone.
    expect(mistakesOf({ configured: ['compatible'], roles: { answer: 'openai:gpt-5.2' } })).toContain(
      'needs OPENAI_API_KEY, without OPENAI_BASE_URL',
    );
  });
});

describe('createRoleModels', () => {
  it('opens each model once, and calls none', () => {
    const opened: string[] = [];
    const chains: Candidate[][] = [];
    const resolved = resolveRoles({
      configured: ['openai', 'anthropic'],
      roles: { answer: 'openai:a, anthropic:b', judge: 'openai:a', router: 'none' },
    });
    const models = createRoleModels(resolved, {
      open: ({ provider, model }) => {
        opened.push(`${provider}:${model}`);
        const circuit = {
          enter: () => 0,
          succeeded: () => undefined,
          failed: () => undefined,
          undecided: () => undefined,
          state: () => 'closed' as const,
          silent: () => undefined,
          silences: () => 0,
        };
        return { model: createScriptedModel([], { id: model }), circuit };
      },
      chain: (candidates): LanguageModel => {
        chains.push([...candidates]);
        return candidates[0]!.model;
      },
    });
    expect(opened).toEqual(['openai:gpt-5.2', 'openai:a', 'anthropic:b']);
    expect(models.of('answer')?.id).toBe('a');
    expect(models.of('router')).toBeUndefined();
    expect(models.answering('faq')?.id).toBe('a');
    const judge = chains.find((candidates) => candidates.length === 1 && candidates[0]?.model.id === 'a');
    const answer = chains.find((candidates) => candidates.length === 2);
    expect(judge?.[0]).toBe(answer?.[0]);
  });
});
