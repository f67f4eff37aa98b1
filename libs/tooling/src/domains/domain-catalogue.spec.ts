import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { defineTool } from '../define-tool.js';
import type { ToolDefinition } from '../tool-definition.js';
import { defineStagedChange, UnreadableStagedChangeError } from './staged-change-kind.js';
import { defineDomain, type Domain, type DomainAgent, type DomainDefinition } from './domain.js';
import { DomainCatalogue } from './domain-catalogue.js';
import { defineTask, type BackgroundTask } from './background-task.js';

const tool = (name: string): ToolDefinition =>
  defineTool({
    name,
    label: name,
    description: name,
    effect: 'read',
    input: z.object({}),
    timeoutMs: 1_000,
    run: () => Promise.resolve({ result: { status: 'success', result: {} } }),
  });
const agent = (name: string, tools: readonly string[] = []) => {
  return { name, usecaseType: 'BASIC_CHAT' as const, systemPrompt: 'Be brief.', tools };
};

/** Calls that the appliers and seeds below received. */
type Calls = string[];
const parcels = defineDomain<Calls>({
  name: 'parcels',
  tools: () => [tool('book_parcel')],
  messageData: {
    input: { branch: z.string(), snapshot: z.string() },
    stored: { parcelId: z.number().int() },
    hiddenFromModel: ['snapshot'],
  },
  stagedChanges: {
    'parcel.booked': defineStagedChange({
      data: z.object({ id: z.number().int() }),
      apply: (calls: Calls, { id }, { tenantId }) => {
        calls.push(`${tenantId} parcel ${id}`);
        return Promise.resolve();
      },
    }),
  },
  agents: [agent('parcelAgent', ['book_parcel'])],
  seed: async ({ manager: calls, tenantId }) => {
    calls.push(`seed ${tenantId}`);
    return Promise.resolve();
  },
});
const letters = defineDomain<Calls>({
  name: 'letters',
  tools: () => [tool('write_letter')],
  messageData: { stored: { letterId: z.string() } },
});
const both = new DomainCatalogue<Calls>([parcels, letters]);
const described = {
  seen: ['execution'],
  status: [],
  meaning: 'It is lost.',
  advice: 'Look for it.',
} as const;
const NOTHING = defineStagedChange({ data: z.object({}), apply: () => Promise.resolve() });
const EXECUTION = { tenantId: 't', executionId: 'e' };

function task(kind: string, timeoutMs: number): BackgroundTask<Calls> {
  const perform = () => Promise.resolve({ kind: 'done', result: null } as const);
  return defineTask({ kind, data: z.object({}), timeoutMs, perform, record: () => Promise.resolve() });
}

describe('DomainCatalogue', () => {
  it('lets each tool keep what its own domain declares', () => {
    const keeps = Object.fromEntries(both.tools({ manager: [] }).map(({ name, keeps }) => [name, keeps]));
    expect(keeps['book_parcel']?.baked.safeParse({ parcelId: 5 }).success).toBe(true);
    expect(keeps['book_parcel']?.baked.safeParse({ letterId: 'a' }).success).toBe(false);
    expect([...(keeps['book_parcel']?.staged.keys() ?? [])]).toEqual(['parcel.booked']);
    expect(keeps['write_letter']?.staged.size).toBe(0);
  });

  it('has every tool answer unreadable arguments by a FunctionCallResult (S2-34)', () => {
    expect(both.tools({ manager: [] }).map((tool) => tool.answersWith)).toEqual(['result', 'result']);
  });

  it('has a staged change applied by the domain that declares its kind', async () => {
    const calls: Calls = [];
    await both.applyStagedChange(calls, { kind: 'parcel.booked', data: { id: 5 } }, EXECUTION);
    expect(calls).toEqual(['t parcel 5']);
  });

  it('refuses a staged change that its applier cannot read, before it is applied', async () => {
    const calls: Calls = [];
    const change = { kind: 'parcel.booked', data: { id: 'five' } };
    await expect(both.applyStagedChange(calls, change, EXECUTION)).rejects.toThrow(
      UnreadableStagedChangeError,
    );
    expect(calls).toEqual([]);
  });

  it.each(['parcel.lost', 'constructor'])('refuses a staged change of the kind %s', async (kind) => {
    await expect(both.applyStagedChange([], { kind, data: {} }, EXECUTION)).rejects.toMatchObject({
      code: 'UNKNOWN_STAGED_CHANGE',
    });
  });

  it('seeds every domain', async () => {
    const calls: Calls = [];
    await both.seed({ manager: calls, tenantId: 't' });
    expect(calls).toEqual(['seed t']);
  });

  it.each<[string, DomainDefinition<Calls>[], RegExp]>([
    ['no proper name', [{ name: 'Parcels' }], /lower-case-words/],
    ['the name of another', [{ name: 'a' }, { name: 'a' }], /the name "a" is taken by "a"/],
    [
      'a key of another',
      [
        { name: 'a', messageData: { input: { id: z.string() } } },
        { name: 'b', messageData: { stored: { id: z.string() } } },
      ],
      /"b".*key of messageData "id" is taken by "a"/,
    ],
    [
      'an unusable key',
      [{ name: 'a', messageData: { input: { 'x/y': z.string() } } }],
      /"x\/y" cannot be a key/,
    ],
    [
      'a hidden key that it does not have',
      [{ name: 'a', messageData: { hiddenFromModel: ['x'] } }],
      /names "x"/,
    ],
    [
      'a kind of change of another',
      ['a', 'b'].map((name) => ({ name, stagedChanges: { saved: NOTHING } })),
      /kind of staged change "saved"/,
    ],
    [
      'a task of another',
      ['a', 'b'].map((name) => ({ name, tasks: [task('a/send', 1_000)] })),
      /the task "a\/send" is taken by "a"/,
    ],
    [
      'a task whose tries take longer than it may be held',
      [{ name: 'a', tasks: [task('a/send', 60_000)] }],
      /its task "a\/send" must end within 30000 ms/,
    ],
    [
      'an error code of another',
      ['a', 'b'].map((name) => ({ name, errors: { PARCEL_LOST: described } })),
      /error code "PARCEL_LOST" is taken/,
    ],
    [
      'an error code of the service',
      [{ name: 'a', errors: { NOT_FOUND: described } }],
      /"NOT_FOUND" is one of the service/,
    ],
    [
      'an error code in another spelling',
      [{ name: 'a', errors: { 'parcel-lost': described } }],
      /UPPER_SNAKE_CASE/,
    ],
    [
      'a list where another one reads',
      [
        { name: 'a', routes: [{ method: 'GET', path: 'parcels', operation: 'A_b' } as never] },
        { name: 'b', lists: [{ path: 'parcels', operation: 'C_d' } as never] },
      ],
      /route "GET parcels" is taken/,
    ],
    [
      'a version before which one is missing',
      [
        {
          name: 'a',
          messageData: { version: 3, earlier: [{ version: 2, keys: {}, upgrade: (data) => data }] },
        },
      ],
      /of version 3 and must have every version before it in earlier, from 1; it has 2/,
    ],
    [
      'a key that another one had in an earlier version',
      [
        {
          name: 'a',
          messageData: {
            version: 2,
            earlier: [{ version: 1, keys: { id: z.string() }, upgrade: (data) => data }],
          },
        },
        { name: 'b', messageData: { stored: { id: z.string() } } },
      ],
      /key of messageData "id" is taken by "a"/,
    ],
    ['an agent of another', ['a', 'b'].map((name) => ({ name, agents: [agent('x')] })), /agent "x" is taken/],
  ])('refuses a domain with %s', (_what, definitions, message) => {
    const domains: Domain<Calls>[] = definitions.map((definition) => defineDomain<Calls>(definition));
    expect(() => new DomainCatalogue(domains)).toThrow(message);
  });

  it('refuses an agent, or a tool, that reads like another, and says whose it is (S2-1)', () => {
    const like = (more: Partial<DomainDefinition<Calls>>) =>
      new DomainCatalogue([letters, parcels, defineDomain<Calls>({ name: 'x', ...more })]);
    expect(() => like({ agents: [agent('parcel_agents')] })).toThrow(
      /"x".*its agent "parcel_agents" reads like the agent "parcelAgent"/,
    );
    const withTool = like({ tools: () => [tool('writeLetter')] });
    expect(() => withTool.tools({ manager: [] })).toThrow(
      /"x".*its tool "writeLetter" reads like the tool "write_letter"/,
    );
  });

  it('refuses an agent whose tool no domain has; one of another domain will do', () => {
    const withAgent = (name: string): DomainCatalogue<Calls> =>
      new DomainCatalogue([letters, defineDomain<Calls>({ name: 'x', agents: [agent('a', [name])] })]);
    withAgent('write_letter').checkAgents({ manager: [] });
    expect(() => withAgent('read_letter').checkAgents({ manager: [] })).toThrow(
      /"a" names tools.*read_letter/,
    );
  });

  it('refuses an agent that calls one which does not stand before it; one of an earlier domain will do', () => {
    const boss = { ...agent('boss', []), calls: ['clerk'] };
    const having = (...lists: DomainAgent[][]): DomainCatalogue<Calls> =>
      new DomainCatalogue(
        lists.map((agents, index) => defineDomain<Calls>({ name: `domain-${index}`, agents })),
      );
    having([agent('clerk', []), boss]).checkAgents({ manager: [] });
    having([agent('clerk', [])], [boss]).checkAgents({ manager: [] });
    for (const lists of [[[boss]], [[boss, agent('clerk', [])]], [[{ ...boss, calls: ['boss'] }]]])
      expect(() => having(...lists).checkAgents({ manager: [] })).toThrow(
        /"boss" calls agents.*(clerk|boss)$/,
      );
  });
});

describe('the data of messages', () => {
  const { input, stored } = both.messageData;

  it('takes what a front end may send, all of it optional', () => {
    expect(input.parse({})).toEqual({});
    expect(input.parse({ branch: 'Kyoto' })).toEqual({ branch: 'Kyoto' });
  });

  it.each([{ parcelId: 5 }, { brunch: 'Kyoto' }])('refuses %j and names what is allowed', (data) => {
    const issue = input.safeParse(data).error?.issues[0];
    expect(issue).toMatchObject({ code: 'unrecognized_keys', keys: Object.keys(data) });
    expect(issue?.message).toBe('is not a key of any domain; allowed: branch, snapshot, attachments');
  });

  it('answers what is stored, also of a domain that is no longer there', () => {
    const data = { branch: 'Kyoto', parcelId: 5, letterId: 'a', faxNumber: 7 };
    expect(stored.parse(data)).toEqual(data);
    expect(stored.safeParse({ parcelId: 'five' }).success).toBe(false);
  });

  it('hides from the model what its domain hides (S2-24)', () => {
    expect(both.messageData.shownToModel({ branch: 'Kyoto', snapshot: '<html>', parcelId: 5 })).toEqual({
      branch: 'Kyoto',
      parcelId: 5,
    });
  });
});
