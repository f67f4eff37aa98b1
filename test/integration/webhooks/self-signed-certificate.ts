import { generateKeyPairSync, sign } from 'node:crypto';
import type { TlsIdentity } from './receiver.js';

const DAY_MS = 24 * 60 * 60 * 1_000;

const ECDSA_WITH_SHA256 = oid(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02);
const COMMON_NAME = oid(0x55, 0x04, 0x03);
const SUBJECT_ALTERNATIVE_NAME = oid(0x55, 0x1d, 0x11);
const BASIC_CONSTRAINTS = oid(0x55, 0x1d, 0x13);
const TRUE = der(0x01, Buffer.from([0xff]));

/** A key and a certificate (X.509 v3) for one host name, signed by itself and valid around now. */
export function selfSignedCertificate(hostname: string): TlsIdentity {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = sequence(ECDSA_WITH_SHA256);
  const name = sequence(der(0x31, sequence(COMMON_NAME, text(0x0c, hostname))));
  const certificate = sequence(
    der(0xa0, integer(2)),
    integer(1),
    algorithm,
    name,
    sequence(utcTime(Date.now() - DAY_MS), utcTime(Date.now() + DAY_MS)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(
      0xa3,
      sequence(
        sequence(SUBJECT_ALTERNATIVE_NAME, der(0x04, sequence(text(0x82, hostname)))),
        sequence(BASIC_CONSTRAINTS, TRUE, der(0x04, sequence(TRUE))),
      ),
    ),
  );
  const signature = sign('sha256', certificate, privateKey);
  const signed = sequence(certificate, algorithm, der(0x03, Buffer.from([0]), signature));
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${signed.toString('base64')}\n-----END CERTIFICATE-----\n`,
  };
}

function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

function sequence(...parts: readonly Uint8Array[]): Buffer {
  return der(0x30, ...parts);
}

function oid(...bytes: readonly number[]): Buffer {
  return der(0x06, Buffer.from(bytes));
}

function integer(value: number): Buffer {
  return der(0x02, Buffer.from([value]));
}

function text(tag: number, value: string): Buffer {
  return der(tag, Buffer.from(value, 'utf8'));
}

function utcTime(at: number): Buffer {
  const digits = new Date(at).toISOString().replace(/[^\d]/g, '');
  return text(0x17, `${digits.slice(2, 14)}Z`);
}
