import { Ajv, type AnySchema, type ErrorObject, type Options } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { JsonObject } from '#libs/kernel';
import type { InputReader } from '#libs/tooling';

const DIALECT_2020 = 'https://json-schema.org/draft/2020-12/schema';

/** Unknown keywords are ignored, as JSON Schema requires. Inherited properties do not count as fields. */
const OPTIONS: Options = { strict: false, allErrors: true, ownProperties: true, logger: false };

/** Shared validators of the schemas themselves: compiling the meta-schema takes longer than most validations. */
const CHECKERS = { draft7: makeAjv(Ajv, OPTIONS), draft2020: makeAjv(Ajv2020, OPTIONS) };

/**
 * Compiles the reader of a built-in tool's JSON Schema: draft 7, or 2020-12 if `$schema` says so. Arguments pass
 * unchanged, without coercion or defaults. References must stay within the schema; nothing is fetched. Throws if the
 * schema is invalid.
 */
export function compileJsonSchema(inputSchema: JsonObject): InputReader {
  const { $schema: dialect, ...schema } = inputSchema;
  const [checker, Compiler] =
    dialect === DIALECT_2020 ? [CHECKERS.draft2020, Ajv2020] : [CHECKERS.draft7, Ajv];
  void checker.validateSchema(schema, true);
  // One instance per schema, so that its cached schema is freed together with the reader.
  const ajv = makeAjv(Compiler, { ...OPTIONS, meta: false, validateSchema: false });
  const validate = ajv.compile(schema as AnySchema);
  return (input) => {
    if (validate(input)) return { success: true, data: input };
    return { success: false, reasons: (validate.errors ?? []).map(toReason) };
  };
}

function makeAjv(Compiler: typeof Ajv | typeof Ajv2020, options: Options): Ajv | Ajv2020 {
  const ajv = new Compiler(options);
  addFormats.default(ajv);
  return ajv;
}

/** Names the field as a dotted path, e.g. `lines.0.amount`. */
function toReason({ instancePath, message = 'is not valid', keyword, params }: ErrorObject): string {
  const path = instancePath.split('/').slice(1).map(unescapePointer).join('.');
  const reason = `${message}${detailOf(keyword, params)}`;
  return path === '' ? reason : `${path}: ${reason}`;
}

function detailOf(keyword: string, params: Readonly<Record<string, unknown>>): string {
  if (keyword === 'additionalProperties') return `: ${String(params['additionalProperty'])}`;
  if (keyword === 'enum') return `: ${JSON.stringify(params['allowedValues'])}`;
  if (keyword === 'const') return `: ${JSON.stringify(params['allowedValue'])}`;
  return '';
}

function unescapePointer(segment: string): string {
  return segment.replaceAll('~1', '/').replaceAll('~0', '~');
}
