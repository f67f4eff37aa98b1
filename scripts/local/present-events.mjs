import { describeAnswer } from './present-answer.mjs';
import { canSayInPlace, clip, say, sayInPlace, style, terminalWidth } from './terminal.mjs';

/**
 * Prints what happens in an execution, one line for each tool call; on a terminal the text of the model appears as it
 * arrives, elsewhere as a whole.
 * @returns {(event: string, data: any) => void}
 */
export function createEventPresenter() {
  let text = '';
  let isMidLine = false;
  const endLine = () => {
    if (isMidLine) say();
    else if (text.trim() !== '') say(`  ${style.dim('│')} ${clip(text, terminalWidth() - 6)}`);
    isMidLine = false;
    text = '';
  };
  const line = (/** @type {string} */ sign, /** @type {string} */ words) => {
    endLine();
    say(`  ${sign} ${clip(words, terminalWidth() - 6)}`);
  };

  return (event, data) => {
    switch (event) {
      case 'session_start':
        line(style.cyan('●'), `conversation ${data.session_uuid}, turn ${data.turn_number}`);
        break;
      case 'status':
        line(style.cyan('●'), `${data.status}${data.attempt > 1 ? `, attempt ${data.attempt}` : ''}`);
        break;
      case 'text_delta':
        if (canSayInPlace()) sayInPlace(`${isMidLine ? '' : `  ${style.dim('│')} `}${indent(data.content)}`);
        isMidLine = canSayInPlace();
        text += data.content;
        break;
      case 'tool_use':
        line(style.yellow('→'), `${data.tool_name} ${asText(data.tool_input)}`);
        break;
      case 'tool_result':
        line(
          data.is_error ? style.red('✗') : style.green('←'),
          `${data.tool_name} ${describeAnswer(data.result)}`,
        );
        break;
      case 'attempt_restarted':
        line(
          style.yellow('↻'),
          `attempt ${data.attempt} goes on in round ${data.round}; its text so far is dropped`,
        );
        break;
      case 'error':
        line(style.red('✗'), `${data.code}: ${data.message}`);
        break;
      case 'result':
        endLine();
        break;
      default:
        // Thoughts, heartbeats and events of a newer API: the stream holds them, a progress line need not.
        break;
    }
  };
}

/** @param {string} text */
function indent(text) {
  return text.replaceAll('\n', `\n  ${style.dim('│')} `);
}

/** @param {unknown} value */
function asText(value) {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
