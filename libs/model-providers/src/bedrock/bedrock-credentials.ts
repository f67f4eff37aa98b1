import type { JsonObject } from '#libs/kernel';
import { z } from 'zod';
import {
  invalidCredential,
  SHARED_FIELDS,
  sharedShape,
  type CredentialForm,
} from '../provider/credential-form.js';
import { readText } from '../provider/credentials.js';

export const DEFAULT_REGION = 'us-west-2';
const REGION = /^[a-z]{2}(?:-[a-z]+)+-\d{1,2}$/;

/** Credentials for Amazon Bedrock. */
export const bedrockCredentials: CredentialForm = {
  keyField: 'bedrock_key',
  baseField: 'bedrock_api_base',
  organizationField: null,
  hasHome: true,
  completeBase: (base) => base,
  readOptions,
  fields: [
    {
      variable: 'bedrock_key',
      label: 'API key, or ACCESS_KEY_ID:SECRET_ACCESS_KEY',
      type: 'secret-input',
      required: true,
    },
    {
      variable: 'bedrock_region',
      label: 'Region',
      type: 'text-input',
      required: false,
      default: DEFAULT_REGION,
    },
    { variable: 'bedrock_api_base', label: 'API base', type: 'text-input', required: false, default: '' },
    ...SHARED_FIELDS,
  ],
  shape: {
    bedrock_key: z
      .string()
      .max(4_000)
      .optional()
      .describe(
        'Provider `bedrock`. An API key of Bedrock, or `ACCESS_KEY_ID:SECRET_ACCESS_KEY`, with `:SESSION_TOKEN` where they are temporary: requests are then signed (SigV4). Kept sealed and never shown again; belongs to this `bedrock_api_base`. Without both, the server’s own are used.',
      ),
    bedrock_region: z
      .string()
      .max(40)
      .optional()
      .describe('Provider `bedrock`. The region that is asked and signed for; us-west-2 by default.'),
    bedrock_api_base: z
      .string()
      .max(2_048)
      .optional()
      .describe(
        'Provider `bedrock`. Where `/model/…/invoke` is found below; the address of the region by default.',
      ),
    ...sharedShape,
  },
};

function readOptions(raw: Readonly<Record<string, unknown>>): JsonObject {
  const region = readText(raw['bedrock_region']);
  return region === '' ? {} : { bedrock_region: readRegion('bedrock_region', region) };
}

/** The region of a field. Throws `INVALID_CREDENTIALS`. */
export function readRegion(field: string, region: string): string {
  if (REGION.test(region)) return region;
  throw invalidCredential(field, `${field} must be a region, e.g. eu-central-1`);
}

/** The region of a connection: the one that is set, else that of the server's name, else the default. */
export function regionOf(options: JsonObject, baseUrl: string | null): string {
  const set = options['bedrock_region'];
  if (typeof set === 'string') return set;
  const host = baseUrl === null ? '' : (URL.parse(baseUrl)?.hostname ?? '');
  return /(?:^|\.)bedrock-runtime(?:-fips)?\.([a-z0-9-]+)\./.exec(host)?.[1] ?? DEFAULT_REGION;
}
