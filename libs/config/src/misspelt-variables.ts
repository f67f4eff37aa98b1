import { distance } from 'fastest-levenshtein';

/** An environment variable that is set but never read, with the setting that it probably stands for. */
export interface MisspeltVariable {
  readonly variable: string;
  readonly setting: string;
}

/** Names of the programs beside the service: simulator, commands, Compose, examples, tests. */
const OTHER_NAMES =
  /^(?:SIMULATOR_(?:HOST|PORT|API_KEY)|CAPSTAN_(?:STARTED_AT|TEST_\w+)|(?:POSTGRES|REDIS)_PASSWORD|\w+_IMAGE|API_KEY|DOCUMENTS_AT_ONCE)$/;
/** Kubernetes injects the addresses of neighbouring services into every container. */
const SERVICE_LINK = /_SERVICE_(?:HOST|PORT(?:_\w+)?)$|_PORT_\d+_(?:TCP|UDP|SCTP)(?:_(?:PROTO|PORT|ADDR))?$/;
const SERVICE_ADDRESS = /^(?:tcp|udp|sctp):\/\//;
const OWN_PREFIX = 'CAPSTAN_';
/** Minimum characters for two changes: in shorter names two changes make another word, e.g. FILES and TITLES. */
const LONG_NAME = 8;

/**
 * Variables that look like one of `settings` but are none. Pure. A name matches if it differs by one character (from 8
 * on by two), lacks one word of a setting, begins with two words of a longer one, or has the service's prefix.
 * Lower-case names, as npm sets them, are ignored.
 */
export function misspeltVariables(
  env: Readonly<Record<string, string | undefined>>,
  settings: readonly string[],
): MisspeltVariable[] {
  const known = new Set(settings);
  return Object.entries(env).flatMap(([variable, value]) => {
    if (value === undefined || known.has(variable) || !/^[A-Z][A-Z0-9_]*$/.test(variable)) return [];
    if (OTHER_NAMES.test(variable) || isServiceLink(variable, value)) return [];
    const setting = meantSetting(variable, settings);
    return setting === null ? [] : [{ variable, setting }];
  });
}

export function describeMisspeltVariable({ variable, setting }: MisspeltVariable): string {
  return `the variable ${variable} is no setting and has no effect; the nearest one is ${setting}`;
}

function isServiceLink(variable: string, value: string): boolean {
  return SERVICE_LINK.test(variable) || (variable.endsWith('_PORT') && SERVICE_ADDRESS.test(value));
}

function meantSetting(variable: string, settings: readonly string[]): string | null {
  if (variable.startsWith(OWN_PREFIX)) return nearest(variable.slice(OWN_PREFIX.length), settings);
  return nearest(
    variable,
    settings.filter((setting) => isNear(variable, setting) || sharesWords(variable, setting)),
  );
}

function isNear(variable: string, setting: string): boolean {
  const changes = distance(variable, setting);
  if (changes <= (setting.length < LONG_NAME ? 1 : 2)) return true;
  return changes === 2 && variable.length === setting.length && sorted(variable) === sorted(setting);
}

function sorted(text: string): string {
  return [...text].toSorted().join('');
}

function sharesWords(variable: string, setting: string): boolean {
  const [given, meant] = [variable.split('_'), setting.split('_')];
  if (meant.length < 3 || given.length < 2 || given[0] !== meant[0]) return false;
  if (meant.some((_, at) => meant.toSpliced(at, 1).join('_') === variable)) return true;
  // Other programs have OpenAI variables of their own, e.g. OPENAI_API_VERSION.
  return given[1] === meant[1] && given[0] !== 'OPENAI';
}

function nearest(name: string, settings: readonly string[]): string | null {
  const [first] = settings
    .map((setting) => ({ setting, changes: distance(name, setting) }))
    .toSorted((one, other) => one.changes - other.changes);
  return first?.setting ?? null;
}
