import { ModelPort, type ModelAnswer, type ModelDelta, type ModelRequest } from '#libs/agent-core';
import type { AgentTestOptions, ScriptedAnswer, ScriptedCall } from '#libs/kit';

/** Name of the scripted model in records. */
export const SCRIPTED_MODEL = 'scripted';

/** The answers for a step of a pipeline, or for the agent under test. */
export function scriptOf(model: AgentTestOptions['model'], step: string | null): readonly ScriptedAnswer[] {
  if (isList(model)) return step === null ? model : [];
  return step === null ? [] : (model[step] ?? []);
}

function isList(model: AgentTestOptions['model']): model is readonly ScriptedAnswer[] {
  return Array.isArray(model);
}

/** Answers each round from a script. The round is read from the prompt, so that a repeated call gets the same answer. */
export class ScriptedModel extends ModelPort {
  /** @param step name of the step whose model this is; null for the agent under test */
  constructor(
    private readonly script: readonly ScriptedAnswer[],
    private readonly step: string | null,
  ) {
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
        `${this.step === null ? 'the agent' : `the step "${this.step}"`} asks its model for answer ${round}, ` +
          `and \`model\` of the test has ${this.script.length}`,
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
