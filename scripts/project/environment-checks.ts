/** One finding of `capstan doctor --environment`. */
export interface EnvironmentCheck {
  readonly name: string;
  readonly outcome: 'ok' | 'warning' | 'failed';
  /** The finding. */
  readonly found: string;
  /** The remedy; null where there is nothing to do. */
  readonly advice: string | null;
}

/** Values of the environment that are not empty. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Answers of a database over one connection. */
export interface SeenDatabase {
  /** As the server says it, such as 18.1. */
  readonly version: string;
  /** Whether the server that greeted the connection also runs its statements. */
  readonly isDirect: boolean;
  readonly isEncrypted: boolean;
  /** Time of the server, in ms since 1970. */
  readonly now: number;
  /** Number of migrations that ran; null where there is no table of them. */
  readonly migrations: number | null;
}

const ok = (name: string, found: string): EnvironmentCheck => ({ name, outcome: 'ok', found, advice: null });
const warning = (name: string, found: string, advice: string): EnvironmentCheck => ({
  ...{ name, outcome: 'warning', found, advice },
});
const failed = (name: string, found: string, advice: string): EnvironmentCheck => ({
  ...{ name, outcome: 'failed', found, advice },
});

const MIN_MAJOR = 14;
/** Leases are judged by the clock of the database; logs and signatures by that of the machine. */
const MAX_SKEW_MS = 5_000;
const GIB = 1_073_741_824;
const LEAST_BYTES = GIB / 4;
const FEW_BYTES = 2 * GIB;
const MODEL_KEYS = ['OPENAI_API_KEY', 'OPENAI_COMPATIBLE_API_KEY', 'ANTHROPIC_API_KEY', 'BEDROCK_KEY'];

export function judgeDatabase(seen: SeenDatabase | Error | null): EnvironmentCheck[] {
  const name = 'database';
  if (seen === null)
    return [failed(name, 'DATABASE_URL is not set', 'Set it to postgres://user:password@host:5432/name.')];
  if (seen instanceof Error)
    return [failed(name, seen.message, 'Is PostgreSQL up there, and are user, password and name right?')];
  const { version, migrations } = seen;
  const isOld = Number.parseInt(version, 10) < MIN_MAJOR;
  return [
    isOld
      ? failed(name, `PostgreSQL ${version}`, `Upgrade it to ${MIN_MAJOR} or newer.`)
      : ok(name, `PostgreSQL ${version}`),
    migrations === null || migrations === 0
      ? failed('migrated', 'the database has no tables of the service', 'Run: npx capstan migrate')
      : ok('migrated', `${migrations} migrations`),
  ];
}

/** @param direct the database at `DATABASE_DIRECT_URL`; null where that is not set */
export function judgePooler(seen: SeenDatabase, direct: SeenDatabase | Error | null): EnvironmentCheck {
  const name = 'pooler';
  if (direct instanceof Error)
    return failed(name, direct.message, 'Set DATABASE_DIRECT_URL to the database itself, past its pooler.');
  if (direct !== null)
    return direct.isDirect
      ? ok(name, 'DATABASE_DIRECT_URL leads past it')
      : failed(name, 'DATABASE_DIRECT_URL leads to a pooler', 'Give it the address of PostgreSQL itself.');
  if (seen.isDirect) return ok(name, 'none before the database');
  const advice =
    'Set DATABASE_DIRECT_URL to the database itself: locks and LISTEN need sessions of their own.';
  return failed(name, 'DATABASE_URL leads to a pooler', advice);
}

/** @param policy of Redis; null where `REDIS_URL` is not set */
export function judgeRedis(policy: string | Error | null): EnvironmentCheck {
  const name = 'redis';
  if (policy === null) return ok(name, 'none: the queue is in PostgreSQL');
  if (policy instanceof Error)
    return failed(name, policy.message, 'Is Redis up at REDIS_URL, and is its password right?');
  if (policy === 'noeviction') return ok(name, 'it keeps jobs (noeviction)');
  return failed(name, `it may drop jobs (maxmemory-policy ${policy})`, 'Set maxmemory-policy to noeviction.');
}

/** Judges whether what leaves this machine is encrypted. */
export function judgeTls({ DATABASE_URL, REDIS_URL }: Environment, isEncrypted: boolean): EnvironmentCheck {
  const open = [
    ...(isElsewhere(DATABASE_URL) && !isEncrypted
      ? ['the database (sslmode=verify-full in DATABASE_URL)']
      : []),
    ...(isElsewhere(REDIS_URL) && REDIS_URL?.startsWith('rediss:') === false
      ? ['Redis (rediss:// in REDIS_URL)']
      : []),
  ];
  if (open.length === 0) return ok('tls', 'connections to other machines are encrypted');
  return warning(
    'tls',
    'connections to another machine are not encrypted',
    `Encrypt those to ${open.join(' and ')}.`,
  );
}

export function judgeClocks(databaseNow: number, now: number): EnvironmentCheck {
  const skew = Math.abs(databaseNow - now);
  const found = `${Math.round(skew / 1_000)} s apart from that of the database`;
  if (skew <= MAX_SKEW_MS) return ok('clocks', found);
  return warning('clocks', found, 'Set the clocks of both machines by NTP.');
}

export function judgeModelKeys(environment: Environment): EnvironmentCheck {
  const known = MODEL_KEYS.filter((name) => (environment[name] ?? '') !== '');
  if (known.length > 0) return ok('model keys', known.join(', '));
  const advice = 'Set OPENAI_API_KEY or ANTHROPIC_API_KEY, or give each model configuration a key.';
  return warning('model keys', 'the environment has none', advice);
}

/** @param taken the ports that something listens on */
export function judgePorts(
  asked: Readonly<Record<string, number>>,
  taken: readonly number[],
): EnvironmentCheck {
  const clashes = Object.entries(asked).filter(([, port]) => taken.includes(port));
  const all = Object.values(asked).join(', ');
  if (clashes.length === 0) return ok('ports', `${all} are free`);
  const advice = `Is it this service? Else set ${clashes.map(([name]) => name).join(' and ')} to a free one.`;
  return warning('ports', `${clashes.map(([, port]) => port).join(', ')} of ${all} are taken`, advice);
}

/** @param folder place of files, as it is shown */
export function judgeDisk(folder: string, free: number | Error): EnvironmentCheck {
  if (free instanceof Error)
    return failed(
      'disk',
      `${folder}: ${free.message}`,
      'Make the folder, and let the user of the service write to it.',
    );
  const found = `${(free / GIB).toFixed(1)} GiB free at ${folder}`;
  const advice = 'Free some space, or give files a larger disk (FILES_ROOT).';
  if (free < LEAST_BYTES) return failed('disk', found, advice);
  return free < FEW_BYTES ? warning('disk', found, advice) : ok('disk', found);
}

function isElsewhere(url: string | undefined): boolean {
  if (url === undefined || url === '' || !URL.canParse(url)) return false;
  const { hostname } = new URL(url);
  return !['localhost', '127.0.0.1', '[::1]', ''].includes(hostname);
}
