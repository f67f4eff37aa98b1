import { appendFileSync } from 'node:fs';

/** The log of faults and of the system's events, in the order in which they were seen, with a JSON object a line. */
export class Timeline {
  private readonly startedAt = Date.now();

  constructor(private readonly file: string) {}

  note(what: string, details: object = {}): void {
    const line = { ms: Date.now() - this.startedAt, what, ...details };
    appendFileSync(this.file, `${JSON.stringify(line)}\n`);
  }
}
