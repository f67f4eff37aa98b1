import { describe, expect, it } from '@jest/globals';
import type { SubmissionGrounds } from '#libs/persistence';
import { readTenantSettings } from '#libs/policy';
import { requireStanding } from './executions.checks.js';

const LIMITS = { queued_executions: 3, input_characters: 5, tokens_per_execution: null };

type Standing = Omit<SubmissionGrounds, 'checkedBy'>;
const TENANT = { status: 'active', settings: readTenantSettings({ limits: LIMITS }) } as const;
const LLM = { provider: 'a provider', model: 'm', extra: {}, pricing: null, is_active: true };
const GOOD: Standing = {
  agent: { usecase_type: 'BASIC_CHAT', config: {}, is_active: true },
  llm: LLM,
  tenant: TENANT,
};

const check = (standing: Standing, input = 'hello') => requireStanding(standing, { input });

describe('the check of a submission (S4-2)', () => {
  it('is a tenant in good standing, by the limits that it has, with a model in use', () => {
    expect(check(GOOD)).toEqual(LIMITS);
  });

  it.each<[string, Standing]>([
    ['an agent that is inactive', { ...GOOD, agent: { ...GOOD.agent, is_active: false } }],
    ['no tenant', { ...GOOD, tenant: null }],
  ])('is not found with %s', (_what, standing) => {
    expect(() => check(standing)).toThrow(expect.objectContaining({ code: 'NOT_FOUND' }));
  });

  it.each<[string, Standing]>([
    ['tenant', { ...GOOD, tenant: { ...TENANT, status: 'inactive' } }],
    ['model configuration', { ...GOOD, llm: { ...LLM, is_active: false } }],
    ['model configuration', { ...GOOD, llm: null }],
  ])('refuses an inactive %s', (what, standing) => {
    expect(() => check(standing)).toThrow(
      expect.objectContaining({
        ...{ code: 'INACTIVE_RESOURCE', kind: 'invalid_input' },
        message: `the ${what} is inactive`,
      }),
    );
  });

  it('refuses an input longer than the tenant allows', () => {
    expect(() => check(GOOD, 'hello!')).toThrow(
      expect.objectContaining({ errors: [{ pointer: '#/input', detail: 'at most 5 characters' }] }),
    );
  });
});
