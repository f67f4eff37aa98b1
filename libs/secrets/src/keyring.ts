import { AppError } from '#libs/kernel';

/** A key-encryption key: 32 bytes under a short public name. */
export interface EncryptionKey {
  readonly id: string;
  readonly bytes: Buffer;
}

/** The active key, which seals new secrets, and all keys that can open old ones. */
export interface Keyring {
  readonly active: EncryptionKey;
  readonly all: ReadonlyMap<string, EncryptionKey>;
}

/** The publicly known key of `.env.example`. */
const EXAMPLE = Buffer.from('0123456789abcdef'.repeat(2));

const ENTRY = /^([a-z0-9]{1,16}):([A-Za-z0-9+/]{43}=)$/;

/**
 * Parses `ENCRYPTION_KEY`: one or more `<id>:<base64 of 32 bytes>`, separated by commas. The first key seals; the
 * others only open, until the rotation command has resealed everything.
 */
export function parseKeyring(text: string): Keyring {
  const keys = text.split(',').map((entry) => parseKey(entry.trim()));
  const [active] = keys;
  const all = new Map(keys.map((key) => [key.id, key]));
  if (!active || all.size !== keys.length) throw unusable('two keys have the same id');
  return { active, all };
}

function parseKey(entry: string): EncryptionKey {
  const [, id, base64] = ENTRY.exec(entry) ?? [];
  if (!id || !base64)
    throw unusable('each key has the form <id>:<base64 of 32 bytes>, e.g. from: openssl rand -base64 32');
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.equals(EXAMPLE))
    throw unusable('this is the key of .env.example; make one with: openssl rand -base64 32');
  return { id, bytes };
}

function unusable(reason: string): AppError {
  return new AppError({
    code: 'INVALID_CONFIGURATION',
    kind: 'invalid_input',
    message: `ENCRYPTION_KEY: ${reason}`,
  });
}
