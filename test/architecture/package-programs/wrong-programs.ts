const BEGIN = `import { Capstan } from 'capstan/client';\nconst capstan = new Capstan();\n`;

interface WrongProgram {
  readonly text: string;
  /** Part of what the compiler says, which names the mistake. */
  readonly message: string;
}

/** Programs of users with one mistake each, by the mistake. */
export const WRONG_PROGRAMS: Readonly<Record<string, WrongProgram>> = {
  'scripted-call-with-another-input': {
    text: `import { defineTool } from 'capstan/kit'; import { call } from 'capstan/kit/testing'; import { z } from 'zod';
      const refund = defineTool({ name: 'refund', description: 'x', input: z.object({ order: z.string() }), effect: 'unsafe', run: () => null });
      call(refund, { order: 17 });`,
    message: `Type 'number' is not assignable to type 'string'`,
  },
  'tool-by-its-name-in-a-pipeline': {
    text: `import { definePipeline } from 'capstan/kit';
      definePipeline({ name: 'x', instruction: 'x', steps: [{ name: 'find', kind: 'tool', tool: 'find_order' }] });`,
    message: `Type 'string' is not assignable to type 'AnyTool'`,
  },
  'conflict-without-a-code': {
    text: `import { Refusal } from 'capstan/kit';
      throw new Refusal('conflict', 'The parcel is sealed');`,
    message: `'"conflict"' is not assignable to parameter of type`,
  },
  'row-of-another-shape': {
    text: `import { defineRoute } from 'capstan/kit'; import { z } from 'zod';
      defineRoute({ method: 'GET', path: 'x', operation: 'x', tag: 'x', summary: 'x', description: 'x', scope: 'executions:read',
        answer: { name: 'X', schema: z.object({ id: z.string() }), example: { id: '1' }, status: 200, description: 'x' },
        handle: () => Promise.resolve({ id: 1 }) });`,
    message: `Type 'number' is not assignable to type 'string'`,
  },
  'misspelt-option': {
    text: `import { Capstan } from 'capstan/client';\nnew Capstan({ apikey: 'x' });`,
    message: `'apikey' does not exist in type 'CapstanOptions'`,
  },
  'text-for-a-number': {
    text: `${BEGIN}await capstan.agents.get('7');`,
    message: `Argument of type 'string' is not assignable to parameter of type 'number'`,
  },
  'missing-body': {
    text: `${BEGIN}await capstan.llms.create();`,
    message: 'Expected 1-2 arguments, but got 0',
  },
  'misspelt-field': {
    text: `${BEGIN}await capstan.executions.submit(7, { inptu: 'x' });`,
    message: `'inptu' does not exist in type`,
  },
  'missing-query': { text: `${BEGIN}capstan.usage.list();`, message: 'Expected 1-2 arguments, but got 0' },
  'unknown-group': {
    text: `${BEGIN}capstan.usage.list({ group_by: 'week' });`,
    message: `Type '"week"' is not assignable to type '`,
  },
  'misspelt-event': {
    text: `${BEGIN}for await (const { event } of capstan.executions.follow('id')) if (event === 'text_delat') break;`,
    message: `'"text_delat"' have no overlap`,
  },
  'data-of-any-event': {
    text: `${BEGIN}for await (const event of capstan.executions.follow('id')) console.log(event.data.content);`,
    message: `Property 'content' does not exist on type`,
  },
  'misspelt-code': {
    text: `import { ApiError } from 'capstan/client';\nexport const isGone = (error: ApiError): boolean => error.code === 'NOT_FUOND';`,
    message: `'"NOT_FUOND"' have no overlap`,
  },
  'output-of-a-run-that-waits': {
    text: `${BEGIN}console.log((await capstan.run(7, 'x')).output);`,
    message: `Property 'output' does not exist on type 'RequiresAction'`,
  },
  'another-field-than-the-schema': {
    text: `import { z } from 'zod';\n${BEGIN}
      const result = await capstan.run(7, 'x', { output: z.object({ total: z.number() }) });
      if (result.status === 'completed') console.log(result.output.sum);`,
    message: `Property 'sum' does not exist on type '{ total: number; }'`,
  },
  'status-without-a-page': {
    text: `${BEGIN}console.log((await capstan.executions.list()).length);`,
    message: `Property 'length' does not exist on type 'Page<`,
  },
};
