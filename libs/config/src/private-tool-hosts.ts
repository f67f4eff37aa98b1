import { z } from 'zod';

/** A host in a private network that tools may call. */
export interface PrivateToolHost {
  /** Null for every tenant. */
  readonly tenantId: string | null;
  /** Host name in lower case, IPv4 address, or IPv6 address in brackets, as in URLs. */
  readonly host: string;
  /** Null for every port. */
  readonly port: number | null;
}

const FORM = 'a list of tenant:host:port, with * for every tenant or every port, e.g. acme:crm.internal:8443';
const ENTRY =
  /^(?<tenant>\*|[A-Za-z0-9_-]{1,64}):(?<host>\[[0-9a-fA-F:.]+\]|[^:[\]\s*/@?#]+):(?<port>\*|\d{1,5})$/;

/** `acme:crm.internal:8443,*:10.0.0.7:*` */
export const privateToolHosts = z
  .string()
  .transform((text) => text.split(',').map((entry) => entry.trim()))
  .pipe(z.array(z.string().transform(readEntry)));

function readEntry(text: string, context: z.RefinementCtx<string>): PrivateToolHost {
  const { tenant = '', host = '', port = '' } = ENTRY.exec(text)?.groups ?? {};
  // Normalized for comparison: lower case, canonical address.
  const url = URL.parse(`http://${host}/`);
  if (host === '' || url === null || Number(port) > 65_535 || port === '0') {
    context.addIssue({ code: 'custom', message: FORM, input: text });
    return z.NEVER;
  }
  return {
    tenantId: tenant === '*' ? null : tenant,
    host: url.hostname,
    port: port === '*' ? null : Number(port),
  };
}
