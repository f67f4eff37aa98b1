import type { ScriptBook } from './script-book.js';
import { chooseAnswer } from './choose-answer.js';
import { playAnswer } from './play-answer.js';
import { MODELS_CREATED, type SimulatedModel } from '../simulated-model.js';

export const SCRIPT_MODEL = 'sim-script';

/** Answers from a script in the conversation, else from a posted one. */
export function scriptModel(book: ScriptBook): SimulatedModel {
  return {
    card: {
      id: SCRIPT_MODEL,
      created: MODELS_CREATED,
      description:
        'Simulator: plays answers from a script, given in a ```sim-script block of a user message or posted to ' +
        '/__control/scripts. It is not a language model.',
    },
    reply: (request, key) => {
      const { answer, script, scope, number } = chooseAnswer(request, key, book);
      const faults = [
        { scope: `${scope}:answer${number}`, rules: answer.faults },
        { scope, rules: script.faults },
      ];
      return { answer: playAnswer(answer), faults };
    },
  };
}
