/** What `.env.example`, documents and people write where a key belongs. No key of a provider looks so. */
const PLACEHOLDER =
  /your[-_ ]?(?:own[-_ ]?|api[-_ ]?|secret[-_ ]?)?key|^<.*>$|\.\.\.|…|^(?:sk-)?x{3,}$|change[-_ ]?me|replace[-_ ]?me/iu;

const KEYS = ['OPENAI_API_KEY', 'OPENAI_COMPATIBLE_API_KEY'] as const;

/**
 * A sentence for each key of a model provider that is only a placeholder. A provider would refuse it too, but much
 * later, and without saying where it came from.
 */
export function placeholderKeys(env: Readonly<Record<string, string | undefined>>): string[] {
  return KEYS.filter((name) => PLACEHOLDER.test(env[name] ?? '')).map(
    (name) => `${name}: "${env[name]}" stands in the place of a key: put your own there, or leave it out`,
  );
}
