import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { setImmediate } from 'node:timers/promises';
import type { GptEncoding } from 'gpt-tokenizer/GptEncoding';

export type EncodingName = 'o200k_base' | 'cl100k_base';

/** Tokens by rank: a text, or the bytes of one that is no text by itself. */
type Tokens = readonly (string | readonly number[])[];

const PACKAGE = 'gpt-tokenizer';
/** Tokens that are read without a break. */
const TOKENS_IN_A_STEP = 5_000;

const require = createRequire(import.meta.url);
/** Encodings that are loaded once. Each takes some forty megabytes, and most processes count by one of them or by none. */
export class Encodings {
  private readonly loaded = new Map<EncodingName, GptEncoding>();
  private readonly loading = new Map<EncodingName, Promise<void>>();

  /** Loads one in steps, between which other work of the process has its turn: in one piece that takes half a second. */
  async load(name: EncodingName): Promise<void> {
    if (this.loaded.has(name)) return;
    const inWork = this.loading.get(name) ?? this.loadInSteps(name).finally(() => this.loading.delete(name));
    this.loading.set(name, inWork);
    await inWork;
  }

  /** One of them, loaded in one piece where it is not there. */
  get(name: EncodingName): GptEncoding {
    const known = this.loaded.get(name);
    if (known !== undefined) return known;
    const steps = readTokens(readFileSync(fileOf(name), 'latin1'));
    let step = steps.next();
    while (step.done !== true) step = steps.next();
    return this.keep(name, step.value);
  }

  private async loadInSteps(name: EncodingName): Promise<void> {
    const steps = readTokens(await readFile(fileOf(name), 'latin1'));
    let step = steps.next();
    while (step.done !== true) {
      await setImmediate();
      step = steps.next();
    }
    await setImmediate();
    this.keep(name, step.value);
  }

  private keep(name: EncodingName, tokens: Tokens): GptEncoding {
    const known = this.loaded.get(name);
    if (known !== undefined) return known;
    const { GptEncoding: Encoding } = require(`${PACKAGE}/GptEncoding`) as {
      GptEncoding: typeof GptEncoding;
    };
    const encoding = Encoding.getEncodingApi(name, () => tokens);
    // Its cache is shared by all tenants, slow once it is full, and holds the texts that its words are of.
    encoding.setMergeCacheSize(0);
    this.loaded.set(name, encoding);
    return encoding;
  }
}

/** The encodings of this process. */
export const encodings = new Encodings();

function fileOf(name: EncodingName): string {
  return require.resolve(`${PACKAGE}/data/${name}.tiktoken`);
}

/** Reads lines of a token in base64 and its rank. */
function* readTokens(lines: string): Generator<void, Tokens> {
  const tokens: (string | readonly number[])[] = [];
  let inStep = 0;
  for (let at = 0; at < lines.length;) {
    const [blank, end] = [lines.indexOf(' ', at), endOfLine(lines, at)];
    tokens[Number(lines.slice(blank + 1, end))] = readToken(lines.slice(at, blank));
    at = end + 1;
    inStep += 1;
    if (inStep % TOKENS_IN_A_STEP === 0) yield;
  }
  return tokens;
}

function endOfLine(lines: string, from: number): number {
  const end = lines.indexOf('\n', from);
  return end === -1 ? lines.length : end;
}

/** The package decodes texts without a byte order mark: a token that begins with one is bytes to it. */
function readToken(base64: string): string | readonly number[] {
  const bytes = Buffer.from(base64, 'base64');
  const text = bytes.toString('utf8');
  const isText = !text.startsWith('\uFEFF') && (!text.includes('\uFFFD') || Buffer.from(text).equals(bytes));
  return isText ? text : [...bytes];
}
