import { z } from 'zod';
import { clip, isTerminal, say, style, terminalWidth } from '../local/terminal.ts';

/** The fields read from the printed events. */
const EVENTS = {
  session_start: z.object({ session_uuid: z.string(), turn_number: z.number() }),
  status: z.object({ status: z.string(), attempt: z.number() }),
  text_delta: z.object({ content: z.string() }),
  tool_use: z.object({ tool_name: z.string(), tool_input: z.unknown() }),
  tool_result: z.object({ tool_name: z.string(), is_error: z.boolean(), result: z.unknown() }),
  attempt_restarted: z.object({ attempt: z.number(), round: z.number() }),
  step_skipped: z.object({ step: z.string() }),
  error: z.object({ code: z.string(), message: z.string() }),
};

/**
 * Prints the events of an execution, one line for each tool call. On a terminal the model's text appears as it arrives,
 * elsewhere as a whole.
 */
export function createEventPresenter(): (event: string, data: unknown) => void {
  let text = '';
  let isMidLine = false;
  const endLine = (): void => {
    if (isMidLine) say();
    else if (text.trim() !== '') say(`  ${style.dim('│')} ${clip(text, terminalWidth() - 6)}`);
    isMidLine = false;
    text = '';
  };
  const line = (sign: string, words: string): void => {
    endLine();
    say(`  ${sign} ${clip(words, terminalWidth() - 6)}`);
  };

  return (event, data) => {
    switch (event) {
      case 'session_start': {
        const { session_uuid, turn_number } = EVENTS.session_start.parse(data);
        line(style.cyan('●'), `conversation ${session_uuid}, turn ${turn_number}`);
        break;
      }
      case 'status': {
        const { status, attempt } = EVENTS.status.parse(data);
        line(style.cyan('●'), `${status}${attempt > 1 ? `, attempt ${attempt}` : ''}`);
        break;
      }
      case 'text_delta': {
        const { content } = EVENTS.text_delta.parse(data);
        if (isTerminal) {
          process.stdout.write(`${isMidLine ? '' : `  ${style.dim('│')} `}${indent(content)}`);
          isMidLine = true;
        }
        text += content;
        break;
      }
      case 'tool_use': {
        const { tool_name, tool_input } = EVENTS.tool_use.parse(data);
        line(
          style.yellow('→'),
          `${tool_name} ${typeof tool_input === 'string' ? tool_input : JSON.stringify(tool_input)}`,
        );
        break;
      }
      case 'tool_result': {
        const { tool_name, is_error, result } = EVENTS.tool_result.parse(data);
        line(is_error ? style.red('✗') : style.green('←'), `${tool_name} ${describeAnswer(result)}`);
        break;
      }
      case 'attempt_restarted': {
        const { attempt, round } = EVENTS.attempt_restarted.parse(data);
        line(style.yellow('↻'), `attempt ${attempt} goes on in round ${round}; its text so far is dropped`);
        break;
      }
      case 'step_skipped':
        line(style.dim('∅'), `${EVENTS.step_skipped.parse(data).step} skipped`);
        break;
      case 'error': {
        const { code, message } = EVENTS.error.parse(data);
        line(style.red('✗'), `${code}: ${message}`);
        break;
      }
      case 'result':
        endLine();
        break;
      default:
        // Thoughts, heartbeats and events of newer APIs are not printed.
        break;
    }
  };
}

const MESSAGE = z.object({ message: z.string() }).transform(({ message }) => message);
const ANSWER = z.union([
  z.object({ result: MESSAGE }).transform(({ result }) => result),
  MESSAGE,
  z.object({ error: z.string() }).transform(({ error }) => error),
]);

/**
 * Summarises a tool's answer: its message, if it has one.
 * @param answer the answer, or its JSON
 */
export function describeAnswer(answer: unknown): string {
  if (typeof answer !== 'string') return ANSWER.safeParse(answer).data ?? JSON.stringify(answer);
  try {
    return describeAnswer(JSON.parse(answer));
  } catch {
    return answer;
  }
}

function indent(text: string): string {
  return text.replaceAll('\n', `\n  ${style.dim('│')} `);
}
