import { ModelPort, type ModelAnswer, type ModelDelta, type ModelRequest } from '#libs/agent-core';
import type { ScriptedAnswer, ScriptedCall } from '#libs/kit';

/** Name of the scripted model in records. */
export const SCRIPTED_MODEL = 'scripted';

/** Answers each round from a script. The round is read from the prompt, so that a repeated call gets the same answer. */
export class ScriptedModel extends ModelPort {
  constructor(private readonly script: readonly ScriptedAnswer[]) {
    super();
  }

  override async call(
    { messages }: ModelRequest,
    onDelta: (delta: ModelDelta) => void,
  ): Promise<ModelAnswer> {
    await Promise.resolve();
    const round = messages.filter(({ role }) => role === 'assistant').length + 1;
    const answer = this.script[round - 1];
    if (answer === undefined)
      throw new Error(
        `the agent asks its model for answer ${round}, and \`model\` of the test has ${this.script.length}`,
      );
    if (typeof answer === 'string') onDelta({ kind: 'text', content: answer });
    return toModelAnswer(answer, round);
  }
}

function toModelAnswer(answer: ScriptedAnswer, round: number): ModelAnswer {
  const calls = typeof answer === 'string' ? [] : [answer].flat();
  return {
    responseId: null,
    model: SCRIPTED_MODEL,
    text: typeof answer === 'string' ? answer : '',
    thinking: '',
    toolCalls: calls.map((call: ScriptedCall, position) => ({
      callId: `${round}.${position}`,
      toolName: call.tool,
      arguments: JSON.stringify(call.input),
    })),
    usage: null,
    incompleteReason: null,
    providerItems: [],
  };
}
