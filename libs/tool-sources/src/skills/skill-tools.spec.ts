import { describe, expect, it } from '@jest/globals';
import { READ_SKILL } from '#libs/policy';
import type { ToolContext } from '#libs/tooling';
import { SkillTools } from './skill-tools.js';

/** The active skills of each tenant. */
const SKILLS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  acme: { refunds: 'Ask first.' },
  other: { secret: 'Not yours.' },
};
const shelf = {
  readContent: (tenantId: string, name: string) => Promise.resolve(SKILLS[tenantId]?.[name] ?? null),
};
const load = (hasSkills: boolean) => new SkillTools(shelf).load({ hasSkills });

describe('read_skill (S4-7)', () => {
  it('is there for a tenant with an active skill, and for no other', async () => {
    expect((await load(true)).names()).toEqual([READ_SKILL]);
    expect((await load(false)).names()).toEqual([]);
  });

  it('may be repeated, and has room for the largest skill', async () => {
    expect((await load(true)).find(READ_SKILL)).toMatchObject({ effect: 'read', maxOutputBytes: 131_072 });
  });

  it('gives what a skill of the tenant says, and nothing of another one’s', async () => {
    const tool = (await load(true)).find(READ_SKILL);
    const read = (name: string) => tool?.run({ name }, { tenantId: 'acme' } as ToolContext);
    expect(await read('refunds')).toMatchObject({
      result: { status: 'success', result: { name: 'refunds' } },
      outputs: [{ type: 'text', text: 'Ask first.' }],
    });
    const missing = { result: { status: 'error', result: { message: expect.stringContaining('no skill') } } };
    expect(await read('secret')).toEqual(missing);
  });
});
