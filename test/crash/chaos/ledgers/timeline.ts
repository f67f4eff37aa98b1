import { appendFileSync } from 'node:fs';

/** Everything that was done to the system and that it did, a JSON object a line, in the order in which it was seen. */
export class Timeline {
  private readonly startedAt = Date.now();

  constructor(private readonly file: string) {}

  note(what: string, details: object = {}): void {
    const line = { ms: Date.now() - this.startedAt, what, ...details };
    appendFileSync(this.file, `${JSON.stringify(line)}\n`);
  }
}
