import { describe, expect, it } from '@jest/globals';
import type { Llm, ModelList } from '../../api/types.js';
import { bodyOf, credentialFields, draftOf } from './model-draft.js';

const field = (variable: string, type: 'secret-input' | 'text-input') => ({
  ...{ variable, label: variable, type, required: false },
});
const FIELDS = [field('api_key', 'secret-input'), field('api_base', 'text-input')];
const LIST = {
  data: [],
  providers: [{ id: 'p', label: 'P', model_credential_schema: FIELDS }],
} as unknown as ModelList;
const LLM = {
  ...{ id: 1, name: 'Ours', provider: 'p', model: 'm', extra: { temperature: 0.2 }, pricing: null },
  credentials: { api_base: 'http://x/v1', stream_usage: false },
  ...{ is_active: false, api_key_hint: '6789', created_at: '', updated_at: '' },
} as Llm;

describe('the draft of a model configuration', () => {
  it('for a stored configuration comes back unchanged, and without its secret', () => {
    const draft = draftOf(LLM, LIST);
    expect(draft.credentials).toEqual({ api_base: 'http://x/v1' });
    expect(JSON.parse(draft.settings)).toEqual({ stream_usage: false });
    const { name, provider, model, credentials, extra, pricing, is_active } = LLM;
    expect(bodyOf(draft, credentialFields(LIST, 'p'))).toEqual({
      kind: 'body',
      body: { name, provider, model, credentials, extra, pricing, is_active },
    });
  });

  it('sends a secret that was typed, and no empty field', () => {
    const draft = { ...draftOf(null, LIST), credentials: { api_key: ' sk-1 ', api_base: '  ' } };
    expect(bodyOf(draft, FIELDS)).toMatchObject({ kind: 'body', body: { credentials: { api_key: 'sk-1' } } });
  });

  it('for a new configuration has the first provider, no prices and no parameters', () => {
    const draft = draftOf(null, LIST);
    expect(draft).toMatchObject({ provider: 'p', isActive: true, extra: '', pricing: '', settings: '' });
    expect(bodyOf(draft, FIELDS)).toMatchObject({ body: { extra: {}, pricing: null, credentials: {} } });
    expect(credentialFields(LIST, 'none')).toEqual([]);
  });

  it.each([
    ['extra', '{'],
    ['pricing', '[]'],
    ['settings', '5'],
  ])('names the field %s whose JSON is wrong', (name, text) => {
    const result = bodyOf({ ...draftOf(null, LIST), [name]: text }, FIELDS);
    expect(result.kind === 'faults' ? Object.keys(result.faults) : []).toEqual([name]);
  });
});
