import { describe, expect, it } from '@jest/globals';
import type { AgentView, TenantStore } from '#libs/persistence';
import { readTenantSettings } from '#libs/policy';
import { CheckStanding } from './executions.checks.js';

const AGENT = { id: 1, llm: 4 } as AgentView;
const LIMITS = { queued_executions: 3, input_characters: 5, tokens_per_execution: null };

type Standing = Awaited<ReturnType<TenantStore['findStanding']>>;
const GOOD: Standing = {
  tenant: { status: 'active', settings: readTenantSettings({ limits: LIMITS }) },
  isModelActive: true,
};

function check(standing: Standing, input = 'hello') {
  const asked: unknown[] = [];
  const tenants = {
    findStanding: (tenantId: string, llmId: number) => {
      asked.push([tenantId, llmId]);
      return Promise.resolve(standing);
    },
  } as unknown as TenantStore;
  return { asked, verdict: new CheckStanding(tenants).execute('acme', AGENT, { input }) };
}

describe('who may submit (S4-2)', () => {
  it('is a tenant in good standing, by the limits that it has, with a model in use', async () => {
    const { asked, verdict } = check(GOOD);
    expect(await verdict).toEqual(LIMITS);
    expect(asked).toEqual([['acme', 4]]);
  });

  it('is nobody whom no tenant stands for', async () => {
    await expect(check({ ...GOOD, tenant: null }).verdict).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it.each<[string, Standing]>([
    ['tenant', { ...GOOD, tenant: { ...(GOOD.tenant as object), status: 'inactive' } as Standing['tenant'] }],
    ['model configuration', { ...GOOD, isModelActive: false }],
  ])('is nobody whose %s is inactive', async (what, standing) => {
    await expect(check(standing).verdict).rejects.toMatchObject({
      code: 'INACTIVE_RESOURCE',
      kind: 'invalid_input',
      message: `the ${what} is inactive`,
    });
  });

  it('is nobody with more to say than the tenant allows', async () => {
    await expect(check(GOOD, 'hello!').verdict).rejects.toMatchObject({
      errors: [{ pointer: '#/input', detail: 'at most 5 characters' }],
    });
  });
});
