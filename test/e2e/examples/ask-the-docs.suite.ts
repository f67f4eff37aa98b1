import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { execa } from 'execa';
import { chosen } from '../../support/selection.js';
import type { ExampleStack } from './example-stack.js';

const PROGRAM = join(import.meta.dirname, '../../../examples/ask-the-docs/ask.ts');

/** Automates `examples/ask-the-docs/README.md`. */
export function askTheDocs(stack: () => ExampleStack): void {
  /** The output of the program: the answer, and the sources below it. */
  async function ask(question: string): Promise<{ readonly answer: string; readonly sources: string }> {
    const { stdout } = await execa('node', [PROGRAM, question], {
      env: { CAPSTAN_BASE_URL: stack().api.url },
    });
    const [answer = '', sources = ''] = stdout.split('\nSources:', 2);
    return { answer, sources };
  }

  interface Call {
    readonly endpoint: string;
    readonly body: { readonly input: readonly string[] };
  }

  async function textsEmbedded(): Promise<readonly string[]> {
    const answer = await fetch(`${stack().simulatorUrl}/__control/requests`);
    const { requests } = (await answer.json()) as { readonly requests: readonly Call[] };
    return requests.filter(({ endpoint }) => endpoint === 'embeddings').flatMap(({ body }) => body.input);
  }

  describe('an agent that answers from the guides of this repository', () => {
    it.each(
      chosen(
        [
          ['How is the signature of a webhook checked?', 'webhooks.md > Webhooks', /signature/i],
          ['What happens to memories when an executor is forgotten?', 'memory.md > Memory', /forg[eo]t/i],
          ['How do I archive a session?', 'sessions.md > Sessions', /archive/i],
        ] as const,
        ([question]) => question.startsWith('How do I'),
      ),
    )('names the passage that says it: %s', async (question, source, said) => {
      const { answer, sources } = await ask(question);
      expect(answer).toMatch(/^Answer the question with the help of these passages.*foreign content/s);
      expect(answer).toMatch(said);
      expect(answer).toContain(`Question: ${question}`);
      expect(sources).toMatch(new RegExp(String.raw`^\n  \[1\] ${source}.* \(0\.\d+\)`));
    });

    it.each(
      chosen(['What is the best recipe for sourdough bread?', 'ラーメンの作り方を教えて'], (question) =>
        question.startsWith('What'),
      ),
    )('names none where the documents say nothing of it: %s', async (question) => {
      const { answer, sources } = await ask(question);
      expect(answer.trim()).toBe(question);
      expect(sources).toMatch(/^ none\./);
    });

    it('gives the documents once: what has not changed is not embedded again', async () => {
      await ask('How do I archive a session?');
      const before = await textsEmbedded();
      expect(before.length).toBeGreaterThan(100);
      await ask('How do I reset a session?');
      expect((await textsEmbedded()).slice(before.length)).toEqual(['How do I reset a session?']);
    });
  });
}
