import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import type { PortPlan } from './ports.ts';

/** Default address of all services, unless HOST is set; the simulator always uses it. */
const LOOPBACK = '127.0.0.1';

/** Environment variables that are set and not empty. */
export type Settings = Readonly<Record<string, string>>;

/** Settings of the user: variables of the process override those of `.env`; an empty variable counts as not set. */
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

/** Whether a real model provider is configured; otherwise the simulator answers. */
export function hasModelProvider(settings: Settings): boolean {
  const { OPENAI_API_KEY, OPENAI_BASE_URL, DEFAULT_PROVIDER = 'openai' } = settings;
  return OPENAI_API_KEY !== undefined || OPENAI_BASE_URL !== undefined || DEFAULT_PROVIDER !== 'openai';
}

/**
 * Environment of every program of this command: the user's settings, overridden by the command's decisions.
 * @param given.defaults variables where the user sets none
 * @param given.documents folder for originals where the user configures no storage
 * @param given.simulatedModel model of the seeded agents without a provider
 * @param given.encryptionKey seals where the user sets no key
 */
export function programEnvironment(
  settings: Settings,
  given: {
    databaseUrl: string;
    defaults: Settings;
    documents: string;
    encryptionKey: string;
    redisNamespace: string;
    simulatedModel: string;
  },
): Record<string, string> {
  return {
    // The user's bucket, if any, replaces the folder.
    ...(settings['S3_BUCKET'] === undefined && { DOCUMENTS_ROOT: given.documents }),
    // Ctrl-C should be quick; the next start resumes interrupted work.
    SHUTDOWN_GRACE_SECONDS: '5',
    REDIS_NAMESPACE: given.redisNamespace,
    // A local model server is likely to be on this machine.
    MODEL_ALLOW_PRIVATE_HOSTS: 'true',
    // Local tool servers, like those of the examples, are on this machine, too.
    PRIVATE_TOOL_HOSTS: 'default:127.0.0.1:*',
    HOST: LOOPBACK,
    AUTH: 'off',
    ...given.defaults,
    ...settings,
    ENCRYPTION_KEY: withLocalKey(settings['ENCRYPTION_KEY'], given.encryptionKey),
    DATABASE_URL: given.databaseUrl,
    // The webhook receiver of the quickstart is on this machine.
    WEBHOOK_ALLOW_LOOPBACK: 'true',
    ...(hasModelProvider(settings) ? {} : { DEFAULT_MODEL: simulatedModel(settings, given.simulatedModel) }),
  };
}

/** Keeps the local key, so that data sealed before the user set a key can still be opened. */
function withLocalKey(own: string | undefined, local: string): string {
  const localId = `${local.split(':', 1)[0]}:`;
  const keys = own?.split(',').map((key) => key.trim()) ?? [];
  return (keys.some((key) => key.startsWith(localId)) ? keys : [...keys, local]).join(',');
}

/** `.env` may still name a model of a real provider, which the simulator lacks. */
function simulatedModel(settings: Settings, usual: string): string {
  return modelWithoutProvider(settings) === null ? (settings['DEFAULT_MODEL'] ?? usual) : usual;
}

/** The DEFAULT_MODEL that no configured provider serves; null if there is none. */
export function modelWithoutProvider(settings: Settings): string | null {
  const { DEFAULT_MODEL = null } = settings;
  return hasModelProvider(settings) || DEFAULT_MODEL?.startsWith('sim-') === true ? null : DEFAULT_MODEL;
}

/** Host by which local programs reach a service listening on HOST, in the form of a URL. */
export function reachableHost({ HOST = LOOPBACK }: Settings): string {
  if (HOST === '0.0.0.0') return LOOPBACK;
  if (HOST === '::') return '[::1]';
  return HOST.includes(':') ? `[${HOST}]` : HOST;
}

/** Further variables of the services: ports, and the address of the model. */
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
 * The key that this environment seals secrets with, in the format of ENCRYPTION_KEY. It is created once and stored beside
 * the data, readable only by its owner.
 */
export function localEncryptionKey(root: string): string {
  const folder = join(root, '.local');
  const file = join(folder, 'encryption-key');
  mkdirSync(folder, { recursive: true });
  try {
    const key = `local:${randomBytes(32).toString('base64')}`;
    // Fails if the file exists: another command may have created it at the same time.
    writeFileSync(file, `${key}\n`, { flag: 'wx', mode: 0o600 });
    return key;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return readFileSync(file, 'utf8').trim();
  }
}
