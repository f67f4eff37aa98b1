import { describe, expect, it } from '@jest/globals';
import type { AgentFields, AgentPage, AgentStore, AgentVersionStore, AgentView } from '#libs/persistence';
import type { CheckAgent } from './agents.checks.js';
import { AgentFieldsDto, AgentListQuery, AgentPatchDto } from './agents.dto.js';
import { AgentsService } from './agents.service.js';

const LEAST = { name: 'Basic', usecase_type: 'BASIC_CHAT', llm: 1 };

function aWorld() {
  const written: Partial<AgentFields>[] = [];
  const write = (fields: Partial<AgentFields>) => {
    written.push(fields);
    return { view: { id: 1, ...fields }, version: 1 };
  };
  const agents = {
    create: (_tenantId: string, fields: AgentFields) =>
      Promise.resolve({ kind: 'created', ...write(fields) }),
    update: (_tenantId: string, _id: number, fields: Partial<AgentFields>) =>
      Promise.resolve({ kind: 'changed', ...write(fields) }),
  } as unknown as AgentStore;
  const checks = { execute: () => Promise.resolve([]), executeChange: () => Promise.resolve([]) };
  const service = new AgentsService(agents, {} as AgentVersionStore, checks as unknown as CheckAgent);
  return { service, written };
}

describe('writing an agent', () => {
  it('answers what was written (S3-18)', async () => {
    const { service } = aWorld();
    expect(await service.create('acme', AgentFieldsDto.create(LEAST))).toMatchObject({
      view: { id: 1, ...LEAST, system_prompt: null, config: {}, tools: {}, is_active: true },
    });
  });

  it.each(['CUSTOM_CHAT', 'SOMETHING', 'basic_chat', 'rag_chat'])(
    'refuses the usecase %s, and writes nothing (S3-1, S3-23, S3-30, S3-38)',
    async (usecase_type) => {
      const { service, written } = aWorld();
      const refusal = {
        code: 'UNSUPPORTED_USECASE_TYPE',
        kind: 'unprocessable',
        message: 'Unsupported usecase_type',
        errors: [{ pointer: '#/usecase_type', detail: 'must be one of BASIC_CHAT, RAG_CHAT, CUSTOM' }],
      };
      const whole = AgentFieldsDto.create({ ...LEAST, usecase_type });
      await expect(service.create('acme', whole)).rejects.toMatchObject(refusal);
      await expect(service.replace('acme', 1, whole, null)).rejects.toMatchObject(refusal);
      const patch = AgentPatchDto.create({ usecase_type });
      await expect(service.patch('acme', 1, patch, null)).rejects.toMatchObject(refusal);
      expect(written).toEqual([]);
    },
  );

  it('makes it inactive for DELETE, and changes nothing else of it (S3-17)', async () => {
    const { service, written } = aWorld();
    await service.deactivate('acme', 1, null);
    expect(written).toEqual([{ is_active: false }]);
  });

  it('changes by PATCH what is given and no more (S3-17)', async () => {
    const { service, written } = aWorld();
    await service.patch('acme', 1, AgentPatchDto.create({ system_prompt: null }), null);
    expect(written).toEqual([{ system_prompt: null }]);
  });
});

const AGENT: AgentView = {
  id: 1,
  name: 'Basic',
  usecase_type: 'BASIC_CHAT',
  llm: 1,
  system_prompt: null,
  config: {},
  tools: {},
  is_active: true,
};

function serviceOver(found: AgentView | null) {
  const asked: [string, AgentPage | number][] = [];
  const agents = {
    find: (tenantId: string, id: number) => {
      asked.push([tenantId, id]);
      return Promise.resolve(found && { view: found, version: 1 });
    },
    list: (tenantId: string, page: AgentPage) => {
      asked.push([tenantId, page]);
      return Promise.resolve({ rows: found ? [found] : [], hasMore: false });
    },
  } as unknown as AgentStore;
  return { service: new AgentsService(agents, {} as AgentVersionStore, {} as CheckAgent), asked };
}

describe('an agent that may be used', () => {
  it('is found in its tenant (S3-9)', async () => {
    const { service, asked } = serviceOver(AGENT);
    expect(await service.findActive('acme', 1)).toEqual({ view: AGENT, version: 1 });
    expect(asked).toEqual([['acme', 1]]);
  });

  it.each([
    ['does not exist', null],
    ['is inactive', { ...AGENT, is_active: false }],
  ])('is not one that %s (S3-3, S3-9, S3-29)', async (_name, found) => {
    await expect(serviceOver(found).service.findActive('acme', 1)).rejects.toMatchObject({
      code: 'NOT_FOUND',
      kind: 'not_found',
      message: 'Agent not found',
    });
  });
});

describe('the list of agents', () => {
  it('has only active agents by default, and all with `include_inactive` (S3-3)', async () => {
    const { service, asked } = serviceOver(AGENT);
    await service.list('acme', AgentListQuery.create({}));
    await service.list('acme', AgentListQuery.create({ include_inactive: 'true' }));
    expect(asked.map(([, page]) => page)).toMatchObject([
      { includeInactive: false },
      { includeInactive: true },
    ]);
  });

  it('is a plain array by default, and a page with `limit` (S3-17)', async () => {
    const { service } = serviceOver(AGENT);
    expect(await service.list('acme', AgentListQuery.create({}))).toMatchObject({
      isPaged: false,
      page: { data: [AGENT] },
    });
    expect(await service.list('acme', AgentListQuery.create({ limit: '1' }))).toMatchObject({
      isPaged: true,
    });
  });
});
