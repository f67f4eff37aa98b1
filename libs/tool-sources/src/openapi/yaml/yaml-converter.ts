import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { BoundedProcess, type ProcessLimits } from '#libs/bounded-process';
import { DocumentFault } from '../document-fault.js';
import type { DescriptionText } from '../parse-description.js';
import { AT_FAULT, CONVERTED, type YamlFault, type YamlOrder } from './yaml-protocol.js';
import { yamlToJson } from './yaml-to-json.js';

export interface YamlConverterOptions extends Partial<ProcessLimits> {
  /** The file of the program; that of this library by default. */
  readonly program?: string;
}

/** Longer texts are converted in a process of their own; to start one takes longer than to read a shorter one. */
const MOST_CHARS_HERE = 2 ** 18;
/** A text of 16 MiB takes a tenth of it. */
const TIMEOUT_MS = 20_000;
const MOST_RSS_BYTES = 512 * 2 ** 20;
/** Keeps garbage small: with the young generation that Node has by default the same text takes more memory. */
const FLAGS = ['--max-semi-space-size=4'];

/**
 * Makes JSON of descriptions in YAML when they are written, so that whoever reads them later reads JSON: that takes a
 * fraction of the time and memory. One long text is converted at a time.
 */
export class YamlConverter {
  private last: Promise<unknown> = Promise.resolve();
  private readonly limits: ProcessLimits;
  private readonly program: string;

  constructor({
    timeoutMs = TIMEOUT_MS,
    mostRssBytes = MOST_RSS_BYTES,
    program = PROGRAM,
  }: YamlConverterOptions = {}) {
    this.limits = { timeoutMs, mostRssBytes };
    this.program = program;
  }

  /** The description with each file as JSON, under the name that it has; JSON stays as it is. Throws a `DocumentFault`. */
  async toJson(document: DescriptionText): Promise<DescriptionText> {
    if (typeof document === 'string') return this.convert(document, '');
    const files: [string, string][] = [];
    for (const [name, text] of Object.entries(document.files))
      files.push([name, await this.convert(text, name)]);
    return { ...document, files: Object.fromEntries(files) };
  }

  private async convert(text: string, file: string): Promise<string> {
    if (isJson(text)) return text;
    if (text.length > MOST_CHARS_HERE) return this.inTurn(() => this.convertApart(text, file));
    // Whatever else waits comes first: there may be many files.
    await setImmediate();
    return yamlToJson(text, file);
  }

  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.last.then(work);
    this.last = turn.catch(() => undefined);
    return turn;
  }

  private async convertApart(text: string, file: string): Promise<string> {
    const order: YamlOrder = { file };
    const converting = new BoundedProcess(this.program, order, this.limits, FLAGS);
    try {
      // It may end before it has read all.
      converting.stdin.on('error', () => undefined).end(text);
      const parts: Buffer[] = [];
      for await (const part of converting.stdout as AsyncIterable<Buffer>) parts.push(part);
      const code = await converting.exitCode;
      const answer = Buffer.concat(parts.splice(0)).toString();
      if (code === CONVERTED) return answer;
      if (code === AT_FAULT) throw faultIn(answer);
      if (code !== null) throw new Error(`the program that reads YAML has ended with ${code}`);
      const limit = converting.isTimeUp ? 'time' : 'memory';
      throw new DocumentFault(
        `${file}#`,
        `takes too much ${limit} to be read as YAML: must be given as JSON`,
      );
    } finally {
      converting.end();
    }
  }
}

function isJson(text: string): boolean {
  if (!/^\s*[{[]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function faultIn(answer: string): DocumentFault {
  const { place, reason } = JSON.parse(answer) as YamlFault;
  return new DocumentFault(place, reason);
}

const PROGRAM = fileURLToPath(new URL('./yaml-program.js', import.meta.url));
