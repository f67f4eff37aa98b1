import { describe, expect, it } from '@jest/globals';
import { openAiProvider } from '../openai/openai-provider.js';
import type { ModelProvider } from '../provider/model-provider.js';
import { ProviderRegistry } from '../provider/provider-registry.js';
import { modelProviders } from '../providers.js';
import { ModelCatalogue } from './model-catalogue.js';
import { describeProvider } from './provider-description.js';

const catalogue = new ModelCatalogue(modelProviders);
const EIGHT = [
  'gpt-5.2',
  'gpt-5.2-pro',
  'gpt-5',
  'gpt-5-mini',
  'gpt-5-nano',
  'gpt-5-codex',
  'gpt-5.1-codex',
  'gpt-5.3-codex',
];

describe('ModelCatalogue', () => {
  const idsOf = (provider: string) =>
    catalogue.list().flatMap((model) => (model.provider === provider ? model.id : []));

  it('S1-2, S1-12: offers the eight predefined models first', () => {
    expect(idsOf('openai')).toEqual(EIGHT);
    expect(
      catalogue
        .list()
        .slice(0, 8)
        .map(({ id }) => id),
    ).toEqual(EIGHT);
  });

  it.each(EIGHT)('S1-2: knows %s as predefined', (id) =>
    expect(catalogue.describe('openai', id).source).toBe('predefined-model'),
  );

  it('S1-6, S1-13: never refuses a model that it does not know', () =>
    expect(catalogue.describe('openai', 'my-own-model')).toMatchObject({
      id: 'my-own-model',
      source: 'customizable-model',
      pricing: null,
    }));

  const own = { currency: 'USD', input: '1', cached_input: '1', output: '2', as_of: '2026-01-01' };
  it.each<[string, string, unknown, boolean]>([
    ['a listed model', 'gpt-5', null, true],
    ['an unknown one', 'my-own-model', null, false],
    ['one with prices of its own', 'my-own-model', own, true],
    ['one with prices in another currency', 'gpt-5', { ...own, currency: 'EUR' }, false],
  ])('can say what %s costs: %j with %j → %j', (_case, id, prices, expected) =>
    expect(catalogue.isPriced({ provider: 'openai', model: id, pricing: prices })).toBe(expected),
  );

  it.each([...EIGHT, 'my-own-model'])('S1-14, S1-78: %s has the features of an agent and no vision', (id) =>
    expect(catalogue.describe('openai', id).features).toEqual([
      'tool-call',
      'multi-tool-call',
      'agent-thought',
      'stream-tool-call',
    ]),
  );

  it.each(EIGHT)('%s reads 400 000 tokens, has nine parameters and dated prices in a currency', (id) => {
    const model = catalogue.describe('openai', id);
    expect(model.context_size).toBe(400_000);
    expect(model.parameters).toHaveLength(9);
    expect(model.pricing?.currency).toBe('USD');
    expect(model.pricing?.as_of).toMatch(/^\d{4}-\d\d-\d\d$/);
    expect(Number(model.pricing?.input)).toBeGreaterThan(0);
    expect(Number(model.pricing?.output)).toBeGreaterThan(Number(model.pricing?.cached_input));
  });

  const offering = (...models: object[]) =>
    new ProviderRegistry([Object.create(openAiProvider, { models: { value: models } }) as ModelProvider]);
  const [first = {}] = openAiProvider.models;

  it('refuses a description with a wrong field when it is made, and names the field', () => {
    expect(() => new ModelCatalogue(offering({ ...first, contextSize: 0 }))).toThrow(/context_size/);
    const pricing = { ...openAiProvider.models[0]?.pricing, input: 1.25 };
    expect(() => new ModelCatalogue(offering({ ...first, pricing }))).toThrow(/pricing\.input/);
  });

  it('refuses two descriptions of one model', () =>
    expect(() => new ModelCatalogue(offering(first, first))).toThrow('two models have the same id'));

  it('says of each model whose it is: the same id elsewhere is another model, of unknown price', () => {
    expect(catalogue.describe('openai_compatible', 'gpt-5')).toMatchObject({
      provider: 'openai_compatible',
      source: 'customizable-model',
      pricing: null,
    });
    const configured = { provider: 'openai_compatible', model: 'gpt-5', pricing: null };
    expect(catalogue.isPriced(configured)).toBe(false);
  });
});

describe('models of the provider anthropic', () => {
  const models = catalogue.list().filter(({ provider }) => provider === 'anthropic');

  it.each(models.map((model) => [model.id, model] as const))(
    '%s has prices of what is read from the cache and written into it, and reads pictures and PDFs',
    (_id, { pricing, native_media }) => {
      for (const prices of [pricing, pricing?.long_prompt ?? pricing]) {
        const input = Number(prices?.input);
        expect(Number(prices?.cache_write_5m)).toBeCloseTo(input * 1.25, 9);
        expect(Number(prices?.cache_write_1h)).toBeCloseTo(input * 2, 9);
        expect(Number(prices?.cached_input)).toBeLessThanOrEqual(input * 0.1);
        expect(Number(prices?.output)).toBeCloseTo(input * 5, 9);
      }
      expect(native_media).toEqual(['image', 'pdf']);
    },
  );

  it('S4-30: are known by the names of their families, with prices, size and media', () => {
    const named = { provider: 'anthropic', model: 'haiku', pricing: null };
    expect(catalogue.idOf(named)).toBe('claude-haiku-5-5');
    expect(catalogue.pricingOf(named)).toMatchObject({
      input: '0.1',
      long_prompt: { above_tokens: 100_000 },
    });
    expect(catalogue.contextSizeOf(named)).toBe(1_000_000);
    expect(catalogue.nativeMediaOf(named)).toEqual(['image', 'pdf']);
    expect(catalogue.isPriced({ ...named, provider: 'openai' })).toBe(false);
  });

  it('S4-30: are known by the names that the operator set, which win', () => {
    const aliases = { anthropic: { haiku: 'claude-haiku-4-5-20251001' }, openai: { small: 'gpt-5-mini' } };
    const set = new ModelCatalogue(modelProviders, aliases);
    expect(set.aliasesOf('anthropic')).toMatchObject({ ...aliases.anthropic, opus: 'claude-opus-5-5' });
    expect(set.contextSizeOf({ provider: 'anthropic', model: 'haiku' })).toBe(200_000);
    expect(set.isPriced({ provider: 'openai', model: 'small', pricing: null })).toBe(true);
    expect(set.aliasesOf('unknown_provider')).toEqual({});
  });

  it.each([
    ['gpt-5-mini', 'openai', 'openai'],
    ['haiku', 'openai', 'anthropic'],
    ['haiku', 'bedrock', 'bedrock'],
    ['small', 'anthropic', 'openai'],
  ])('S4-30: finds %s, first at %s, with %s', (name, first, provider) => {
    const set = new ModelCatalogue(modelProviders, { openai: { small: 'gpt-5-mini' } });
    expect(set.find(name, first)).toEqual({ provider, model: name });
  });

  it('S4-30: finds no model of an unknown name', () => {
    expect(catalogue.find('haikuu', 'anthropic')).toBeNull();
  });
});

describe('describeProvider', () => {
  it('S1-6: offers language models, predefined and customizable, with a form for each', () =>
    expect(describeProvider(openAiProvider)).toMatchObject({
      supported_model_types: ['llm'],
      configurate_methods: ['predefined-model', 'customizable-model'],
    }));

  it.each(['provider_credential_schema', 'model_credential_schema'] as const)(
    'S1-6 … S1-11: %s asks for the five credentials',
    (form) =>
      expect(describeProvider(openAiProvider)[form].map(({ label: _label, ...field }) => field)).toEqual([
        { variable: 'openai_api_key', type: 'secret-input', required: true },
        { variable: 'openai_organization', type: 'text-input', required: false },
        { variable: 'openai_api_base', type: 'text-input', required: false, default: '' },
        { variable: 'request_timeout_seconds', type: 'text-input', required: false, default: '300' },
        { variable: 'max_retries', type: 'text-input', required: false, default: '1' },
      ]),
  );
});
