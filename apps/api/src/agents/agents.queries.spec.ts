import { describe, expect, it } from '@jest/globals';
import type { AgentPage, AgentStore, AgentVersionStore, AgentView } from '#libs/persistence';
import { AgentListQuery } from './agents.dto.js';
import { AgentsQueries } from './agents.queries.js';

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

function queriesOver(found: AgentView | null) {
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
  return { queries: new AgentsQueries(agents, {} as AgentVersionStore), asked };
}

describe('an agent that may be used', () => {
  it('is found in its tenant (S3-9)', async () => {
    const { queries, asked } = queriesOver(AGENT);
    expect(await queries.findActive('acme', 1)).toEqual({ view: AGENT, version: 1 });
    expect(asked).toEqual([['acme', 1]]);
  });

  it.each([
    ['does not exist', null],
    ['is inactive', { ...AGENT, is_active: false }],
  ])('is not one that %s (S3-3, S3-9, S3-29)', async (_name, found) => {
    await expect(queriesOver(found).queries.findActive('acme', 1)).rejects.toMatchObject({
      code: 'NOT_FOUND',
      kind: 'not_found',
      message: 'Agent not found',
    });
  });
});

describe('the list of agents', () => {
  it('has only active ones unless somebody asks for all (S3-3)', async () => {
    const { queries, asked } = queriesOver(AGENT);
    await queries.list('acme', AgentListQuery.create({}));
    await queries.list('acme', AgentListQuery.create({ include_inactive: 'true' }));
    expect(asked.map(([, page]) => page)).toMatchObject([
      { includeInactive: false },
      { includeInactive: true },
    ]);
  });

  it('is the plain array unless somebody asks for pages (S3-17)', async () => {
    const { queries } = queriesOver(AGENT);
    expect(await queries.list('acme', AgentListQuery.create({}))).toMatchObject({
      isPaged: false,
      page: { data: [AGENT] },
    });
    expect(await queries.list('acme', AgentListQuery.create({ limit: '1' }))).toMatchObject({
      isPaged: true,
    });
  });
});
