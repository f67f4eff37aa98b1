import { describe, expect, it } from '@jest/globals';
import type { Tenant } from '../../api/types.js';
import { bodyOf, draftOf } from './tenant-draft.js';

const TENANT: Tenant = {
  ...{ id: 'acme', name: 'Acme', status: 'inactive', system_prompt: 'Be brief.' },
  settings: {
    workspace: { enabled: true },
    limits: { queued_executions: 0, input_characters: null, tokens_per_execution: 5_000 },
    retention: { days: 30 },
    ...{ tool_servers: 'all', title_llm: 3 },
  },
  ...{ created_at: '', updated_at: '' },
};

describe('the draft of a tenant', () => {
  it('for a stored tenant comes back unchanged', () => {
    const { id: _id, created_at: _created, updated_at: _updated, ...body } = TENANT;
    expect(bodyOf(draftOf(TENANT))).toEqual(body);
  });

  it('takes an empty number for none, which is not 0', () => {
    const body = bodyOf(draftOf(null));
    expect(body).toMatchObject({ status: 'active', system_prompt: null });
    expect(body).not.toHaveProperty('name');
    expect(body.settings.limits.queued_executions).toBeNull();
    expect(bodyOf({ ...draftOf(null), queued: ' 0 ' }).settings.limits.queued_executions).toBe(0);
  });

  it('passes on what is no number, so that the service names the field', () => {
    expect(bodyOf({ ...draftOf(null), days: 'many' }).settings.retention.days).toBe('many');
  });
});
