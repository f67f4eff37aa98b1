import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import type { PortPlan } from './ports.ts';

/** Where everything of a command listens, unless HOST says otherwise; the simulator always. */
const LOOPBACK = '127.0.0.1';

/** Environment variables that are set: none is empty. */
export type Settings = Readonly<Record<string, string>>;

/**
 * What the user has set: the variables of the process win over those of the file `.env`; an empty one counts as not
 * set.
 */
export function readSettings(root: string, processEnv: NodeJS.ProcessEnv): Settings {
  const file = join(root, '.env');
  const fromFile = existsSync(file) ? parseEnv(readFileSync(file, 'utf8')) : {};
  return { ...withoutEmpty(fromFile), ...withoutEmpty(processEnv) };
}

function withoutEmpty(variables: NodeJS.ProcessEnv): Settings {
  return Object.fromEntries(
    Object.entries(variables).filter(
      (entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== '',
    ),
  );
}

/** Whether a real model provider is to be used; without one the simulator answers. */
export function hasModelProvider(settings: Settings): boolean {
  const { OPENAI_API_KEY, OPENAI_BASE_URL, DEFAULT_PROVIDER = 'openai' } = settings;
  return OPENAI_API_KEY !== undefined || OPENAI_BASE_URL !== undefined || DEFAULT_PROVIDER !== 'openai';
}

/**
 * The environment of every program of this command: what the user has set, and over it what the command has decided.
 * @param given.domains those that are loaded where the user has named none
 * @param given.documents the folder of their originals, where the user has named no place
 * @param given.simulatedModel the seeded agents' model where the simulator stands in for a provider
 * @param given.encryptionKey seals where the user has set none
 */
export function programEnvironment(
  settings: Settings,
  given: {
    databaseUrl: string;
    domains: string;
    documents: string;
    encryptionKey: string;
    redisNamespace: string;
    simulatedModel: string;
  },
): Record<string, string> {
  return {
    // One place is enough: the user's bucket, where there is one.
    ...(settings['S3_BUCKET'] === undefined && { DOCUMENTS_ROOT: given.documents }),
    // Ctrl-C shall not take long; what is cut off is taken up again by the next start.
    SHUTDOWN_GRACE_SECONDS: '5',
    REDIS_NAMESPACE: given.redisNamespace,
    // A model server of one's own is most likely on this machine.
    MODEL_ALLOW_PRIVATE_HOSTS: 'true',
    // So is a tool server; those of the examples are.
    PRIVATE_TOOL_HOSTS: 'default:127.0.0.1:*',
    HOST: LOOPBACK,
    AUTH: 'off',
    DOMAINS: given.domains,
    ...settings,
    ENCRYPTION_KEY: withLocalKey(settings['ENCRYPTION_KEY'], given.encryptionKey),
    DATABASE_URL: given.databaseUrl,
    // The webhook receiver of the quickstart lives on this machine.
    WEBHOOK_ALLOW_LOOPBACK: 'true',
    ...(hasModelProvider(settings) ? {} : { DEFAULT_MODEL: simulatedModel(settings, given.simulatedModel) }),
  };
}

/** What was sealed before the user has set a key of their own can still be opened. */
function withLocalKey(own: string | undefined, local: string): string {
  const localId = `${local.split(':', 1)[0]}:`;
  const keys = own?.split(',').map((key) => key.trim()) ?? [];
  return (keys.some((key) => key.startsWith(localId)) ? keys : [...keys, local]).join(',');
}

/** A model of a real provider may stand in `.env` from another day: the simulator has none of that name. */
function simulatedModel(settings: Settings, usual: string): string {
  return modelWithoutProvider(settings) === null ? (settings['DEFAULT_MODEL'] ?? usual) : usual;
}

/** The DEFAULT_MODEL that cannot be asked, since no provider is set that has it; null: there is none. */
export function modelWithoutProvider(settings: Settings): string | null {
  const { DEFAULT_MODEL = null } = settings;
  return hasModelProvider(settings) || DEFAULT_MODEL?.startsWith('sim-') === true ? null : DEFAULT_MODEL;
}

/** The host by which programs of this machine reach what listens on HOST, as a URL has it. */
export function reachableHost({ HOST = LOOPBACK }: Settings): string {
  if (HOST === '0.0.0.0') return LOOPBACK;
  if (HOST === '::') return '[::1]';
  return HOST.includes(':') ? `[${HOST}]` : HOST;
}

/** What the services need on top of it: where to listen, and where the model is. */
export function serviceEnvironment(settings: Settings, ports: PortPlan): Record<string, string> {
  const simulator = {
    OPENAI_BASE_URL: `http://${LOOPBACK}:${ports.simulator}/v1`,
    OPENAI_API_KEY: 'simulator',
  };
  return {
    PORT: String(ports.api),
    WORKER_PORT: String(ports.worker),
    SIMULATOR_HOST: LOOPBACK,
    SIMULATOR_PORT: String(ports.simulator),
    ...(hasModelProvider(settings) ? {} : simulator),
  };
}

/**
 * The key that this environment seals secrets with, as ENCRYPTION_KEY takes it: made once and kept beside its data,
 * readable by its owner only.
 */
export function localEncryptionKey(root: string): string {
  const folder = join(root, '.local');
  const file = join(folder, 'encryption-key');
  mkdirSync(folder, { recursive: true });
  try {
    const key = `local:${randomBytes(32).toString('base64')}`;
    // Fails where the file is there: another command may have made it in the same moment.
    writeFileSync(file, `${key}\n`, { flag: 'wx', mode: 0o600 });
    return key;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return readFileSync(file, 'utf8').trim();
  }
}
