import { describe, expect, it } from '@jest/globals';
import type { PromptMessage } from '#libs/payloads';
import { readTenantSettings, type Workspace } from '#libs/policy';
import { ToolCatalogue } from '#libs/tooling';
import { PARAMETER_RULES } from '../../../../test/support/builders/parameter-rules.js';
import { aClaim } from '../../../../test/support/builders/claim.js';
import {
  aStoredContext,
  aStoredLlm,
  aStoredTenant,
} from '../../../../test/support/builders/stored-context.js';
import { aTool } from '../../../../test/support/builders/tool.js';
import type { Claim } from '../ports/claim-store.js';
import type { StoredContext, StoredMessage } from '../ports/stored-context.js';
import { planExecution, type ExecutionPlan } from './execution-plan.js';
import { assertUsable } from './usable-context.js';
import { BY_CHARACTERS } from '../../../../test/support/builders/counted-model.js';

interface Given {
  readonly claim?: Partial<Claim>;
  readonly request?: Partial<Claim['request']>;
  readonly stored?: Partial<StoredContext>;
  readonly workspace?: Workspace;
  readonly tools?: readonly string[];
  readonly warnings?: readonly string[];
  readonly mostListed?: number;
}

function plan(given: Given = {}): ExecutionPlan {
  const { claim, request, stored, workspace, tools = [], warnings = [], mostListed = 128 } = given;
  const claimed = aClaim(claim);
  const usable = { ...assertUsable(aStoredContext(stored)), workspace: workspace ?? null };
  return planExecution(
    { ...claimed, request: { ...claimed.request, ...request } },
    usable,
    { costOf: () => null, prices: null, maxRetries: 1, ...BY_CHARACTERS, parameters: PARAMETER_RULES },
    new ToolCatalogue(tools.map((name) => aTool(name))).warning(warnings),
    {
      messageData: { shownToModel: ({ shown }) => (shown === undefined ? {} : { shown }) },
      sha256: (text) => `hash of ${text.length}`,
      toolSearch: { mostListed, indexTools: () => ({ rank: () => [], nearest: () => [] }) },
    },
  );
}

const message = (role: StoredMessage['role'], content: string, data = {}): StoredMessage => ({
  role,
  content,
  data,
  turnNumber: 1,
  tokens: null,
});

describe('the parameters of a model call', () => {
  const llm = aStoredLlm({ extra: { temperature: 0.1, top_p: 0.1, verbosity: 'low' } });
  const config = { temperature: 0.2, top_p: 0.2 };

  it('are those of the model, under those of the agent, under those of the request (S3-13, S3-26)', () => {
    const { context } = plan({ stored: { llm, config }, request: { options: { temperature: 0.3 } } });
    expect(context.parameters).toEqual({ temperature: 0.3, top_p: 0.2, verbosity: 'low' });
  });

  it('leave the configuration of the model and the agent as they are (S3-38)', () => {
    const stored = { llm: aStoredLlm({ extra: { temperature: 0.1 } }), config: { temperature: 0.2 } };
    const before = structuredClone(stored);
    plan({ stored, request: { options: { temperature: 0.3 } } });
    expect(stored).toEqual(before);
  });

  it('are replaced whole, not mixed (S3-26)', () => {
    const { context } = plan({
      stored: { config: { custom: { a: 1, b: 1 } } },
      request: { options: { custom: { b: 2 } } },
    });
    expect(context.parameters).toEqual({ custom: { b: 2 } });
  });

  it('are all written ones, also unknown ones (S3-7)', () => {
    expect(plan({ stored: { config: { anything: ['goes'] } } }).context.parameters).toEqual({
      anything: ['goes'],
    });
  });

  it('are refused where the API of the model does not take them (S3-27)', () => {
    expect(() => plan({ stored: { config: { temperature: 9 } } })).toThrow(
      expect.objectContaining({ code: 'VALIDATION_ERROR' }),
    );
  });
});

describe('the prompt before the input', () => {
  const messages = [
    message('system', 'Be brief.'),
    message('user', 'hello', { shown: 'file 1', hidden: 'x' }),
    message('assistant', 'hi'),
  ];

  it('is the conversation so far, in its order, with what it may see of the data (S3-13)', () => {
    const shown: PromptMessage[] = [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'hello\n\n\n\nshown: file 1' },
      { role: 'assistant', content: 'hi' },
    ];
    expect(plan({ stored: { messages } }).context.history).toEqual(shown);
  });

  it('is the agent’s prompt, to be stored where the conversation has none (S3-6, S3-11)', () => {
    expect(plan().context).toMatchObject({ instruction: 'Be brief.', newSystemPrompt: 'Be brief.' });
  });

  it.each([
    ['the agent has none', null],
    ['the agent’s is empty', ''],
  ])('is nothing where %s (S3-11)', (_name, systemPrompt) => {
    expect(plan({ stored: { systemPrompt } }).context).toMatchObject({
      instruction: null,
      newSystemPrompt: null,
    });
  });

  it('is the prompt that the conversation began with, and that one is not stored again (S3-6, S3-11, S3-38)', () => {
    for (const known of [messages, messages.slice(0, 1)]) {
      const { context } = plan({ stored: { messages: known, systemPrompt: 'Be verbose.' } });
      expect(context).toMatchObject({ instruction: 'Be brief.', newSystemPrompt: null });
    }
  });

  it('is stored also in a session that has turns without any prompt (S3-11)', () => {
    const { context } = plan({ stored: { messages: messages.slice(1) } });
    expect(context).toMatchObject({ instruction: 'Be brief.', newSystemPrompt: 'Be brief.' });
  });
});

describe('the layers of a prompt', () => {
  const tenant = aStoredTenant({ systemPrompt: 'We are Acme.' });
  const workspace: Workspace = { path: '/files', files: [], isCut: false };

  it('are the preferred skills, the tenant, the agent, the workspace and the skills (S4-6, S4-7)', () => {
    const skills = [{ name: 'refunds', description: 'Pay back.' }];
    const { context } = plan({
      stored: { tenant, skills },
      workspace,
      request: { preferred_skills: ['refunds', 'no such/name'] },
    });
    const tags = context.instruction?.match(/^(?:<\w+>|We are Acme\.|Be brief\.|refunds)$/gm);
    expect(tags).toEqual([
      '<preferred_skills>',
      'refunds',
      'We are Acme.',
      'Be brief.',
      '<workspace>',
      '<skills>',
    ]);
  });

  it('are named by their hashes in what the attempt was prepared with, in their order, for the audit', () => {
    const { context } = plan({ stored: { tenant }, request: { preferred_skills: ['refunds'] } });
    const [skills] = (context.instruction ?? '').split('\n\n');
    expect(context.preparation?.layers).toEqual([
      { name: 'preferred_skills', hash: `hash of ${skills?.length}` },
      { name: 'tenant', hash: `hash of ${'We are Acme.'.length}` },
      { name: 'agent', hash: `hash of ${'Be brief.'.length}` },
    ]);
  });

  it('are stored with no conversation but the agent’s own (S4-6, S3-11)', () => {
    expect(plan({ stored: { tenant }, workspace }).context.newSystemPrompt).toBe('Be brief.');
  });

  it('list no skills that were not preferred (S4-7)', () => {
    expect(plan({ stored: { tenant } }).context.instruction).toBe('We are Acme.\n\nBe brief.');
  });
});

describe('the facts of an attempt before it begins (S4-4)', () => {
  it('is who runs what, where, and as which turn', () => {
    const claim = { agentId: 3, turnNumber: 7, attempt: 2, epoch: 5, followsLostAttempt: true };
    const { context } = plan({
      claim,
      request: { input: 'and now?', additional_data: { shown: 's', hidden: 'h' } },
      stored: { llm: aStoredLlm({ model: 'model-7' }) },
      tools: ['look'],
    });
    const { executionId, tenantId, sessionId } = aClaim();
    expect(context).toMatchObject({ ...claim, executionId, tenantId, sessionId, model: 'model-7' });
    expect(context).toMatchObject({
      input: 'and now?',
      additionalData: { shown: 's', hidden: 'h' },
      tools: [{ name: 'look' }],
    });
    expect(context.inputContext).toBe('shown: s');
  });

  it('is what was wrong with its tools, once and bounded, and not again in a later attempt (S4-9)', () => {
    const warned = (warnings: string[], stored: Partial<StoredContext> = {}) =>
      plan({ stored, warnings }).context.preparation;
    const first = warned(['no token crm', 'no token crm', 'x'.repeat(400)]);
    expect(first?.warnings?.[0]).toBe('no token crm');
    expect(first?.warnings?.map(({ length }) => length)).toEqual([12, 300]);
    expect(warned(Array.from({ length: 30 }, (_, index) => `${index}`))?.warnings).toHaveLength(20);
    expect(warned([])).not.toHaveProperty('warnings');
    expect(warned(['later'], { preparation: first })).toBe(first);
  });

  it('are those of the first attempt, also after later changes', () => {
    const first = plan({ tools: ['look'] }).context.preparation;
    const { context } = plan({
      stored: {
        preparation: first,
        systemPrompt: 'Be verbose.',
        agentIsActive: false,
        llm: aStoredLlm({ model: 'another', isActive: false }),
      },
      tools: ['new', 'look'],
    });
    expect(context).toMatchObject({ instruction: 'Be brief.', model: 'a-model', tools: [{ name: 'look' }] });
    expect(context.preparation).toEqual(first);
  });
});

describe('runnable executions', () => {
  it.each<[string, Partial<StoredContext>, string]>([
    ['the tenant', { tenant: aStoredTenant({ isActive: false }) }, 'the tenant is inactive'],
    ['the agent', { agentIsActive: false }, 'the agent is inactive'],
    ['the model', { llm: aStoredLlm({ isActive: false }) }, 'the model configuration is inactive'],
  ])('is nothing where %s is inactive (S4-2)', (_name, stored, text) => {
    expect(() => assertUsable(aStoredContext(stored))).toThrow(
      expect.objectContaining({ code: 'INACTIVE_RESOURCE', message: text }),
    );
  });

  it.each([
    ['the agent', null],
    ['the tenant', aStoredContext({ tenant: null })],
  ])('is nothing where %s is gone (S4-2)', (_name, stored) => {
    expect(() => assertUsable(stored)).toThrow(expect.objectContaining({ code: 'NOT_FOUND' }));
  });

  it.each([
    ['its own', { budget: { total_tokens: 10 } }, 20],
    ['the tenant’s', { budget: { total_tokens: 20 } }, 10],
    ['the tenant’s, where it has none', {}, 10],
  ])('has the budget that is the smaller one: %s', (_name, config, tokens_per_execution) => {
    const settings = readTenantSettings({ limits: { tokens_per_execution } });
    const { rules } = plan({ stored: { tenant: aStoredTenant({ settings }), config } });
    expect(rules.budget.total_tokens).toBe(10);
  });
});
