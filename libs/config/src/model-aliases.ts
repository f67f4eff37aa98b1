import { z } from 'zod';

/** Ids of models by alias, for each provider. */
export type AliasesByProvider = Readonly<Record<string, Readonly<Record<string, string>>>>;

const ENTRY = /^(?<provider>[a-z_]{1,40}):(?<alias>[\w.-]{1,100})=(?<id>\S{1,200})$/u;
const FORM = 'a list of provider:name=id with commas between, e.g. openai:small=gpt-5-mini';

/** `openai:small=gpt-5-mini, openai:large=gpt-5.2`; a later entry of the same name wins. */
export const modelAliases = z.string().transform((text, context): AliasesByProvider => {
  const found: Record<string, Record<string, string>> = {};
  for (const entry of text.split(',').map((one) => one.trim())) {
    const { provider, alias, id } = ENTRY.exec(entry)?.groups ?? {};
    if (provider === undefined || alias === undefined || id === undefined) {
      context.addIssue({ code: 'custom', message: FORM, input: text });
      return z.NEVER;
    }
    found[provider] = { ...found[provider], [alias]: id };
  }
  return found;
});
