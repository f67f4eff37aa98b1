/** Matches placeholders for a key, as in `.env.example`. No provider's key matches. */
const PLACEHOLDER =
  /your[-_ ]?(?:own[-_ ]?|api[-_ ]?|secret[-_ ]?)?key|^<.*>$|\.\.\.|…|^(?:sk-)?x{3,}$|change[-_ ]?me|replace[-_ ]?me/iu;

const KEYS = ['OPENAI_API_KEY', 'OPENAI_COMPATIBLE_API_KEY', 'ANTHROPIC_API_KEY', 'BEDROCK_KEY'] as const;

/**
 * Returns a message for each model provider key that is a placeholder. The provider would reject it too, but much later
 * and without naming the variable.
 */
export function placeholderKeys(env: Readonly<Record<string, string | undefined>>): string[] {
  return KEYS.filter((name) => PLACEHOLDER.test(env[name] ?? '')).map(
    (name) => `${name}: "${env[name]}" stands in the place of a key: put your own there, or leave it out`,
  );
}
