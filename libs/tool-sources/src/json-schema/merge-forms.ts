import { isJsonObject, type JsonObject, type JsonValue } from '#libs/kernel';
import { MergedSchemas } from './merged-schemas.js';
import { referredTo } from './subschemas.js';
import { ValidationSteps } from './validation-steps.js';

/** Keywords that providers reject at the root of a tool's parameters. */
const REFUSED_AT_ROOT: ReadonlySet<string> = new Set([
  ...['$ref', 'allOf', 'anyOf', 'const', 'dependencies', 'dependentRequired', 'dependentSchemas', 'else'],
  ...['enum', 'if', 'not', 'oneOf', 'then'],
]);
/** Maximum alternatives listed in the description. */
const MAX_NAMED_FORMS = 12;
const MORE_FORMS = '…';
/** Maximum names listed, copied and compared: about 50 ms on a busy machine. */
const MAX_STEPS = 150_000;

/** The merged fields of an object schema with its parts and alternatives. */
interface Fields {
  readonly properties: JsonObject;
  readonly required: readonly string[];
  /** True if other fields are forbidden. */
  readonly isClosed: boolean;
  /**
   * Field names of each alternative, if there are several; at most {@link MAX_NAMED_FORMS}, followed by a sign for the
   * rest.
   */
  readonly forms: readonly string[];
}

/** State of merging one root. */
interface Merging {
  readonly root: JsonObject;
  readonly known: Map<JsonObject, Fields>;
  readonly schemas: MergedSchemas;
  readonly steps: ValidationSteps;
}

/**
 * Merges the parts (`allOf`) and alternatives (`oneOf`, `anyOf`) at a schema's root into one object with every field;
 * fields are required if all alternatives require them. The description says which fields belong together. Throws
 * `TooManySteps` if heavily reused parts exceed the limit.
 */
export function mergeForms(root: JsonObject): {
  readonly schema: JsonObject;
  readonly losses: readonly string[];
} {
  if (!Object.keys(root).some((keyword) => REFUSED_AT_ROOT.has(keyword))) return { schema: root, losses: [] };
  const steps = new ValidationSteps(MAX_STEPS, 0);
  const merging: Merging = { root, known: new Map(), schemas: new MergedSchemas(steps), steps };
  const { properties, required, isClosed, forms } = fieldsOf(root, merging);
  merging.schemas.assertWritable(properties);
  const { additionalProperties, description, ...others } = Object.fromEntries(
    Object.entries(root).filter(([keyword]) => !REFUSED_AT_ROOT.has(keyword)),
  );
  const isOpen = additionalProperties !== undefined && additionalProperties !== false;
  const said = forms.length > 1 ? `Give the fields of one form: ${forms.join(' | ')}.` : '';
  const own = typeof description === 'string' ? description : '';
  const text = [own, said].filter((part) => part !== '').join('\n');
  const { required: _own, ...kept } = others;
  const schema: JsonObject = {
    ...kept,
    ...(text !== '' && { description: text }),
    type: 'object',
    properties,
    ...(required.length > 0 && { required }),
    ...(isClosed && { additionalProperties: false }),
    ...(isOpen && { additionalProperties }),
  };
  const losses = forms.length > 1 ? [`has ${forms.length} forms, which models are shown as one`] : [];
  return { schema, losses };
}

function fieldsOf(schema: JsonObject, merging: Merging): Fields {
  const { root, known } = merging;
  const before = known.get(schema);
  if (before !== undefined) return before;
  const inner = (part: JsonValue | undefined): Fields[] =>
    isJsonObject(part) ? [fieldsOf(part, merging)] : [];
  const all = (keyword: string): Fields[] =>
    (Array.isArray(schema[keyword]) ? (schema[keyword] as JsonValue[]) : []).flatMap(inner);
  const { $ref, properties, required, additionalProperties } = schema;
  const own: Fields = {
    properties: isJsonObject(properties) ? properties : {},
    required: Array.isArray(required) ? (required as string[]) : [],
    isClosed: additionalProperties === false,
    forms: [],
  };
  const parts = [...(typeof $ref === 'string' ? inner(referredTo($ref, root)) : []), ...all('allOf')];
  const alternatives = ['oneOf', 'anyOf']
    .map((keyword) => all(keyword))
    .filter((forms) => forms.length > 0)
    .map((forms) => eitherOf(forms, merging));
  const conditional = [schema['then'], schema['else']].flatMap(inner).map(optional);
  const fields = [...parts, ...alternatives, ...conditional].reduce(
    (one, other) => bothOf(one, other, merging),
    own,
  );
  known.set(schema, fields);
  return fields;
}

/** Fields of two schemas that apply together; closed if both are closed and have the same fields. */
function bothOf(one: Fields, other: Fields, { schemas, steps }: Merging): Fields {
  steps.take(one.required.length + other.required.length);
  return {
    properties: schemas.union(one.properties, other.properties, 'allOf'),
    required: [...new Set([...one.required, ...other.required])],
    isClosed:
      one.isClosed && Object.keys(other.properties).every((name) => Object.hasOwn(one.properties, name)),
    forms: firstForms([...one.forms, ...other.forms]),
  };
}

/** Fields of alternative schemas. */
function eitherOf(forms: readonly Fields[], { schemas, steps }: Merging): Fields {
  const [first, ...others] = forms as [Fields, ...Fields[]];
  const merged = others.reduce(
    (one, other) => ({
      properties: schemas.union(one.properties, other.properties, 'anyOf'),
      required: shared(one.required, other.required, steps),
      isClosed: one.isClosed && other.isClosed,
      forms: [],
    }),
    first,
  );
  const named = forms.slice(0, MAX_NAMED_FORMS + 1).map(({ properties, required }) => {
    const names = Object.keys(properties);
    steps.take(names.length + required.length);
    return (names.length > 0 ? names : required).join(', ');
  });
  return { ...merged, forms: firstForms(named) };
}

function shared(one: readonly string[], other: readonly string[], steps: ValidationSteps): readonly string[] {
  steps.take(one.length + other.length);
  const others = new Set(other);
  return one.filter((name) => others.has(name));
}

function firstForms(forms: readonly string[]): readonly string[] {
  const differ = [...new Set(forms)].filter((names) => names !== '' && names !== MORE_FORMS);
  const isAll = differ.length <= MAX_NAMED_FORMS && !forms.includes(MORE_FORMS);
  return isAll ? differ : [...differ.slice(0, MAX_NAMED_FORMS), MORE_FORMS];
}

function optional(fields: Fields): Fields {
  return { ...fields, required: [], isClosed: false };
}
