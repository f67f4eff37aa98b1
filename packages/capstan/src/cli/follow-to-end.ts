import type { Execution, ExecutionEvent } from '../client/index.js';
import { askDecisions } from './ask-decisions.js';
import { endLines } from './format/execution-lines.js';
import { showEvent } from './format/event-line.js';
import { jsonLine } from './format/plain-text.js';
import { exitCodeOf } from './exit-codes.js';
import type { Session } from './session.js';

/** Shows the events of an execution as they come. */
class EventWriter {
  /** Text that is being written, which the next line has to begin after. */
  private isInText = false;
  /** Whether the answer was shown as it was written. */
  hasText = false;

  constructor(private readonly session: Session) {}

  show(event: ExecutionEvent): void {
    const { write } = this.session.surroundings;
    if (this.session.isJson) {
      write(`${jsonLine(event)}\n`);
      return;
    }
    const shown = showEvent(event);
    if (shown === null) return;
    if ('text' in shown) {
      write(shown.text);
      this.isInText = true;
      this.hasText = true;
      return;
    }
    this.endText();
    this.hasText = false;
    this.session.note(shown.line);
  }

  endText(): void {
    if (this.isInText) this.session.surroundings.write('\n');
    this.isInText = false;
  }
}

/**
 * Waits for the end of an execution and shows it; a person at the terminal is asked where one is needed.
 * @param showsEvents whether events are shown as they come, too
 * @returns the exit code
 */
export async function followToEnd(session: Session, id: string, showsEvents: boolean): Promise<number> {
  const { client, signal } = session;
  const writer = new EventWriter(session);
  let after: string | undefined;
  for (;;) {
    const execution = await client.executions.wait(id, {
      signal,
      ...(after !== undefined && { after }),
      onEvent: (event) => {
        after = 'id' in event ? event.id : after;
        if (showsEvents) writer.show(event);
      },
    });
    writer.endText();
    if (await isDecided(session, execution)) continue;
    const wasShown = writer.hasText && execution.status === 'completed';
    if (!(session.isJson && showsEvents)) session.show(execution, wasShown ? [] : endLines(execution));
    return exitCodeOf(execution);
  }
}

/** Whether a person at the terminal has decided, so that the execution goes on. */
async function isDecided(session: Session, execution: Execution): Promise<boolean> {
  if (execution.status !== 'requires_action' || !session.surroundings.canAsk || session.isJson) return false;
  return askDecisions(session, execution);
}
