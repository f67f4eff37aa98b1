import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { execa } from 'execa';
import type { ExampleStack } from './example-stack.js';

const EXAMPLES = join(import.meta.dirname, '../../../examples');
const TIMEOUT_MS = 60_000;

/** The examples that need an agent only. */
export function smallExamples(stack: () => ExampleStack): void {
  async function run(program: string, args: readonly string[], input = ''): Promise<string> {
    return (
      await execa('node', [join(EXAMPLES, program), ...args], {
        env: { CAPSTAN_BASE_URL: stack().api.url },
        input,
      })
    ).stdout;
  }

  /** Automates `examples/chat/README.md`. */
  it(
    'a conversation shows each answer, and its agent sees what came before',
    async () => {
      expect(await run('chat/chat.ts', [], 'I am Mara.\n\nWho am I?\n')).toBe('I am Mara.\nWho am I?');
      const answer = await fetch(`${stack().simulatorUrl}/__control/requests`);
      const { requests } = (await answer.json()) as { requests: { body: { input: unknown } }[] };
      expect(JSON.stringify(requests.at(-1)?.body.input)).toMatch(/I am Mara\..*I am Mara\..*Who am I\?/);
    },
    TIMEOUT_MS,
  );

  /** Automates `examples/approval/README.md`. */
  describe('an order that a person has to agree to', () => {
    const ORDER = '5 cases of roma tomatoes for Friday, please';

    it(
      'is saved where the person agrees',
      async () => {
        const said = await run('approval/approve.ts', [ORDER]);
        expect(said).toMatch(/^agreed: save_order_draft \{.*"quantity":5/);
        expect(said).toMatch(/\{"savedOrderRequestId":\d+\}$/);
      },
      TIMEOUT_MS,
    );

    it(
      'is not where the person refuses',
      async () => {
        const said = await run('approval/approve.ts', [ORDER, '--refuse', 'called off']);
        expect(said).toMatch(/^refused: save_order_draft /);
        expect(said).toMatch(/\n\{\}$/);
      },
      TIMEOUT_MS,
    );
  });
}
