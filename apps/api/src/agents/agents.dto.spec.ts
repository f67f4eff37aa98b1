import { describe, expect, it } from '@jest/globals';
import { AgentFieldsDto, AgentPatchDto, agentSchema } from './agents.dto.js';

const LEAST = { name: 'Basic', usecase_type: 'BASIC_CHAT', llm: 1 };
const faultsOf = (fields: object): string[] => {
  const { error } = AgentFieldsDto.schema.safeParse({ ...LEAST, ...fields });
  return (error?.issues ?? []).map(({ path }) => path.join('.'));
};

describe('the fields of an agent', () => {
  it('have defaults for what is left out (S3-2, S3-18)', () => {
    expect(AgentFieldsDto.create(LEAST)).toEqual({
      ...LEAST,
      system_prompt: null,
      config: {},
      tools: {},
      is_active: true,
    });
  });

  it.each(['name', 'usecase_type', 'llm'])('need %s (S3-2, S3-23)', (field) => {
    expect(faultsOf({ [field]: undefined })).toEqual([field]);
  });

  it.each([
    ['a name of 100 characters', { name: 'x'.repeat(100) }, []],
    ['a name of 101 characters', { name: 'x'.repeat(101) }, ['name']],
    ['a blank name', { name: ' ' }, ['name']],
    ['a usecase that is a number', { usecase_type: 5 }, ['usecase_type']],
    ['a flag that is a text', { is_active: 'yes' }, ['is_active']],
  ])('with %s: %j (S3-2)', (_name, fields, faults) => {
    expect(faultsOf(fields)).toEqual(faults);
  });

  it.each([
    ['a config that is a list', { config: [] }, ['config']],
    ['a config that is null', { config: null }, ['config']],
    ['any object as config', { config: { anything: ['goes'] } }, []],
    ['an llm that is a text', { llm: '1' }, ['llm']],
  ])('an agent with %s: %j is judged field by field (S3-7, S3-23)', (_name, fields, faults) => {
    expect(faultsOf(fields)).toEqual(faults);
  });

  it('are no rag_config: that is part of config (S3-4)', () => {
    expect(AgentFieldsDto.schema.safeParse({ ...LEAST, rag_config: {} }).success).toBe(false);
    expect(AgentPatchDto.schema.safeParse({ rag_config: {} }).success).toBe(false);
  });

  it('are shown exactly so (S3-22)', () => {
    expect(Object.keys(agentSchema.shape).toSorted()).toEqual(
      ['id', 'name', 'usecase_type', 'llm', 'system_prompt', 'config', 'tools', 'is_active'].toSorted(),
    );
  });
});
