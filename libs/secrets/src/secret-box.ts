import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { AppError } from '#libs/kernel';
import { parseKeyring, type EncryptionKey, type Keyring } from './keyring.js';

/**
 * The place of a secret, e.g. `default/llm/7/api_key`, which is authenticated with it: a sealed secret that was moved
 * elsewhere does not open.
 */
export type SecretPlace = string;

const ALGORITHM = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;
const VERSION = 'v1';
/** Derivation info of the fingerprint key, which is used for nothing else. */
const FINGERPRINTS = 'capstan fingerprints';

/**
 * Seals secrets for storage by envelope encryption: AES-256-GCM with a data key per secret, which is sealed with the
 * ring's active key. Format: `v1.<key id>.<sealed key>.<sealed secret>`, base64url.
 */
export class SecretBox {
  private fingerprintKey: Buffer | undefined;

  /** @param keyring null if `ENCRYPTION_KEY` is not set: then nothing can be sealed or opened */
  constructor(private readonly keyring: Keyring | null) {}

  /** @param encryptionKey in the format of {@link parseKeyring}; null if it is not set */
  static of(encryptionKey: string | null): SecretBox {
    return new SecretBox(encryptionKey === null ? null : parseKeyring(encryptionKey));
  }

  get isConfigured(): boolean {
    return this.keyring !== null;
  }

  /** Throws `ENCRYPTION_NOT_CONFIGURED` without a keyring. */
  requireKeyring(): Keyring {
    if (this.keyring === null) throw notConfigured();
    return this.keyring;
  }

  /** Throws `ENCRYPTION_NOT_CONFIGURED`. */
  seal(secret: string, place: SecretPlace): string {
    const { active } = this.requireKeyring();
    const dataKey = randomBytes(KEY_BYTES);
    const sealedKey = encrypt(dataKey, active.bytes, place);
    return [VERSION, active.id, sealedKey, encrypt(Buffer.from(secret, 'utf8'), dataKey, place)].join('.');
  }

  /**
   * Throws `SECRET_UNREADABLE` if the text was changed, belongs to another place, or its key is not in
   * `ENCRYPTION_KEY`.
   */
  open(sealed: string, place: SecretPlace): string {
    const { key, sealedKey, sealedSecret } = this.parse(sealed);
    try {
      return decrypt(sealedSecret, decrypt(sealedKey, key.bytes, place), place).toString('utf8');
    } catch (cause) {
      throw unreadable('it was changed, or belongs elsewhere', cause);
    }
  }

  /** Seals the secret anew with the active key. */
  reseal(sealed: string, place: SecretPlace): string {
    return this.seal(this.open(sealed, place), place);
  }

  /**
   * A keyed hash that distinguishes secrets in the same place, as 64 hexadecimal digits: without the key, guesses
   * cannot be tested against it. It changes when another key becomes active.
   */
  fingerprint(secret: string, place: SecretPlace): string {
    this.fingerprintKey ??= Buffer.from(
      hkdfSync('sha256', this.requireKeyring().active.bytes, '', FINGERPRINTS, KEY_BYTES),
    );
    return createHmac('sha256', this.fingerprintKey).update(`${place}\n${secret}`).digest('hex');
  }

  isCurrent(sealed: string): boolean {
    return sealed.startsWith(`${VERSION}.${this.requireKeyring().active.id}.`);
  }

  private parse(sealed: string): { key: EncryptionKey; sealedKey: string; sealedSecret: string } {
    const [version, keyId, sealedKey, sealedSecret, ...rest] = sealed.split('.');
    const isWhole = version === VERSION && keyId && sealedKey && sealedSecret && rest.length === 0;
    if (!isWhole) throw unreadable('it does not have the form of a sealed secret');
    if (this.keyring === null) throw unreadable('ENCRYPTION_KEY is not set');
    const key = this.keyring.all.get(keyId);
    if (!key) throw unreadable(`ENCRYPTION_KEY lacks the key "${keyId}"`);
    return { key, sealedKey, sealedSecret };
  }
}

function encrypt(plain: Buffer, key: Buffer, place: SecretPlace): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(ALGORITHM, key, iv, { authTagLength: TAG_BYTES }).setAAD(
    Buffer.from(place, 'utf8'),
  );
  return Buffer.concat([iv, cipher.update(plain), cipher.final(), cipher.getAuthTag()]).toString('base64url');
}

function decrypt(sealed: string, key: Buffer, place: SecretPlace): Buffer {
  const bytes = Buffer.from(sealed, 'base64url');
  const iv = bytes.subarray(0, IV_BYTES);
  const decipher = createDecipheriv(ALGORITHM, key, iv, { authTagLength: TAG_BYTES }).setAAD(
    Buffer.from(place, 'utf8'),
  );
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()]);
}

function notConfigured(): AppError {
  return new AppError({
    code: 'ENCRYPTION_NOT_CONFIGURED',
    kind: 'unprocessable',
    message: 'Secrets cannot be stored, because ENCRYPTION_KEY is not set',
  });
}

function unreadable(reason: string, cause?: unknown): AppError {
  return new AppError({
    code: 'SECRET_UNREADABLE',
    kind: 'internal',
    message: `a stored secret cannot be read: ${reason}`,
    cause,
  });
}
