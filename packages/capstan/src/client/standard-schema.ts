/** A schema of zod, valibot, arktype or another library, as https://standardschema.dev has it. */
export interface Schema<Output = unknown> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => Outcome<Output> | Promise<Outcome<Output>>;
    readonly types?: { readonly input: unknown; readonly output: Output } | undefined;
  };
}

type Outcome<Output> =
  { readonly value: Output; readonly issues?: undefined } | { readonly issues: readonly Issue[] };

interface Issue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** Type of the values that a schema gives. */
export type OutputOf<S extends Schema> = NonNullable<S['~standard']['types']>['output'];

/**
 * Reads JSON by a schema.
 * @returns the value, or the faults in one line
 */
export async function readBySchema<S extends Schema>(
  text: string,
  schema: S,
): Promise<{ readonly value: OutputOf<S> } | { readonly fault: string }> {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return { fault: 'it is no JSON' };
  }
  const outcome = await schema['~standard'].validate(json);
  if (outcome.issues === undefined) return { value: outcome.value as OutputOf<S> };
  return { fault: outcome.issues.map(faultOf).join('; ') };
}

function faultOf({ message, path = [] }: Issue): string {
  const place = path.map((part) => `/${String(typeof part === 'object' ? part.key : part)}`).join('');
  return place === '' ? message : `${place}: ${message}`;
}
