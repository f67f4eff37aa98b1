import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { setImmediate } from 'node:timers/promises';
import type { GptEncoding } from 'gpt-tokenizer/GptEncoding';

export type EncodingName = 'o200k_base' | 'cl100k_base';

/** Tokens by rank: text, or bytes that are no complete text. */
type Tokens = readonly (string | readonly number[])[];

const PACKAGE = 'gpt-tokenizer';
/** Tokens parsed before yielding to the event loop. */
const TOKENS_IN_A_STEP = 5_000;

const require = createRequire(import.meta.url);
/** Encodings, each loaded once. An encoding takes about 40 MB, and most processes use at most one. */
export class Encodings {
  private readonly loaded = new Map<EncodingName, GptEncoding>();
  private readonly loading = new Map<EncodingName, Promise<void>>();

  /** Loads an encoding step by step, yielding to the event loop; without breaks it takes half a second. */
  async load(name: EncodingName): Promise<void> {
    if (this.loaded.has(name)) return;
    const inWork = this.loading.get(name) ?? this.loadInSteps(name).finally(() => this.loading.delete(name));
    this.loading.set(name, inWork);
    await inWork;
  }

  /** An encoding, loaded without a break if it is missing. */
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
    // Disables the cache: it is shared by all tenants, retains their texts, and is slow once full.
    encoding.setMergeCacheSize(0);
    this.loaded.set(name, encoding);
    return encoding;
  }
}

export const encodings = new Encodings();

function fileOf(name: EncodingName): string {
  return require.resolve(`${PACKAGE}/data/${name}.tiktoken`);
}

/** Parses lines of a base64 token and its rank. */
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

/** The package drops a byte order mark when it decodes text, so tokens that begin with one are kept as bytes. */
function readToken(base64: string): string | readonly number[] {
  const bytes = Buffer.from(base64, 'base64');
  const text = bytes.toString('utf8');
  const isText = !text.startsWith('\uFEFF') && (!text.includes('\uFFFD') || Buffer.from(text).equals(bytes));
  return isText ? text : [...bytes];
}
