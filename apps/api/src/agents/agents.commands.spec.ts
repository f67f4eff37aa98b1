import { describe, expect, it } from '@jest/globals';
import type { AgentFields, AgentStore, AgentVersionStore } from '#libs/persistence';
import type { CheckAgent } from './agents.checks.js';
import { AgentsCommands } from './agents.commands.js';
import { AgentFieldsDto, AgentPatchDto } from './agents.dto.js';

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
  const commands = new AgentsCommands(agents, {} as AgentVersionStore, checks as unknown as CheckAgent);
  return { commands, written };
}

describe('writing an agent', () => {
  it('answers what was written (S3-18)', async () => {
    const { commands } = aWorld();
    expect(await commands.create('acme', AgentFieldsDto.create(LEAST))).toMatchObject({
      view: { id: 1, ...LEAST, system_prompt: null, config: {}, tools: {}, is_active: true },
    });
  });

  it.each(['CUSTOM_CHAT', 'SOMETHING', 'basic_chat', 'rag_chat'])(
    'refuses the usecase %s, and writes nothing (S3-1, S3-23, S3-30, S3-38)',
    async (usecase_type) => {
      const { commands, written } = aWorld();
      const refusal = {
        code: 'UNSUPPORTED_USECASE_TYPE',
        kind: 'unprocessable',
        message: 'Unsupported usecase_type',
        errors: [{ pointer: '#/usecase_type', detail: 'must be one of BASIC_CHAT, RAG_CHAT, CUSTOM' }],
      };
      const whole = AgentFieldsDto.create({ ...LEAST, usecase_type });
      await expect(commands.create('acme', whole)).rejects.toMatchObject(refusal);
      await expect(commands.replace('acme', 1, whole, null)).rejects.toMatchObject(refusal);
      const patch = AgentPatchDto.create({ usecase_type });
      await expect(commands.patch('acme', 1, patch, null)).rejects.toMatchObject(refusal);
      expect(written).toEqual([]);
    },
  );

  it('makes it inactive for DELETE, and changes nothing else of it (S3-17)', async () => {
    const { commands, written } = aWorld();
    await commands.deactivate('acme', 1, null);
    expect(written).toEqual([{ is_active: false }]);
  });

  it('changes by PATCH what is given and no more (S3-17)', async () => {
    const { commands, written } = aWorld();
    await commands.patch('acme', 1, AgentPatchDto.create({ system_prompt: null }), null);
    expect(written).toEqual([{ system_prompt: null }]);
  });
});
