import { styleText } from 'node:util';
import { Capstan, type PagePromise } from '../client/index.js';
import { jsonLine } from './format/plain-text.js';
import { table, type Column } from './format/table.js';
import type { Surroundings } from './surroundings.js';

export interface GlobalOptions {
  readonly baseUrl?: string;
  readonly json?: boolean;
}

type Style = 'dim' | 'red' | 'green' | 'yellow' | 'bold';

/** One run of the program: its client, and how it answers. */
export class Session {
  readonly client: Capstan;
  readonly isJson: boolean;

  constructor(
    readonly surroundings: Surroundings,
    options: GlobalOptions,
  ) {
    const { environment, fetch } = surroundings;
    this.client = new Capstan({
      apiKey: environment['CAPSTAN_API_KEY'],
      baseUrl: options.baseUrl ?? environment['CAPSTAN_BASE_URL'],
      fetch,
    });
    this.isJson = options.json ?? false;
  }

  get signal(): AbortSignal {
    return this.surroundings.signal;
  }

  /** A value as one line of JSON, or as lines for a person. */
  show(value: unknown, lines: readonly string[]): void {
    if (this.isJson) this.surroundings.write(`${jsonLine(value)}\n`);
    else for (const line of lines) this.surroundings.write(`${line}\n`);
  }

  /** A list: JSON, one item a line, as it comes; else a table. */
  async showList<Row>(
    items: PagePromise<Row>,
    limit: number,
    columns: readonly Column<Row>[],
  ): Promise<void> {
    const rows: Row[] = [];
    let count = 0;
    for await (const item of items) {
      count += 1;
      if (this.isJson) this.surroundings.write(`${jsonLine(item)}\n`);
      else rows.push(item);
      if (count >= limit) break;
    }
    if (this.isJson) return;
    const [titles = '', ...lines] = table(rows, columns, this.surroundings.columns);
    this.show(null, [this.style('dim', titles), ...lines]);
    if (rows.length === 0) this.note('Nothing found.');
  }

  /** A line beside the output, which a pipe does not get. */
  note(line: string): void {
    this.surroundings.writeError(`${this.style('dim', line)}\n`);
  }

  /** Coloured on a terminal, unless NO_COLOR is set. */
  style(style: Style, text: string): string {
    const noColor = this.surroundings.environment['NO_COLOR'] ?? '';
    return this.surroundings.isTerminal && noColor === ''
      ? styleText(style, text, { validateStream: false })
      : text;
  }
}
