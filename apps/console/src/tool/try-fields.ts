import { isObject } from '../format/json-object.js';

type JsonObject = Readonly<Record<string, unknown>>;

/** One argument as a form shows it. */
export interface TryField {
  readonly name: string;
  readonly kind: 'text' | 'integer' | 'decimal' | 'boolean' | 'choice';
  readonly isRequired: boolean;
  /** Whether an empty control means null, since the argument may not be left out. */
  readonly isNullable: boolean;
  readonly description: string;
  readonly options: readonly string[];
}

const KINDS: Readonly<Record<string, TryField['kind']>> = {
  string: 'text',
  integer: 'integer',
  number: 'decimal',
  boolean: 'boolean',
};

/** Fields of a form for the arguments; null where the schema is not simple, and JSON has to be written. Pure. */
export function tryFields(schema: JsonObject): TryField[] | null {
  const { properties = {} } = schema;
  if (['anyOf', 'oneOf', 'allOf', '$ref'].some((keyword) => keyword in schema) || !isObject(properties))
    return null;
  const required: unknown[] = Array.isArray(schema['required']) ? schema['required'] : [];
  const fields = Object.entries(properties).map(([name, part]) =>
    fieldOf(name, part, required.includes(name)),
  );
  return fields.some((field) => field === null) ? null : fields.filter((field) => field !== null);
}

function fieldOf(name: string, part: unknown, isRequired: boolean): TryField | null {
  if (!isObject(part)) return null;
  const { form, isNullable } = withoutNull(part);
  const words = part['description'] ?? form['description'];
  const description = typeof words === 'string' ? words : '';
  const named = { name, isRequired, isNullable, description };
  const { type, enum: values } = form;
  if (Array.isArray(values)) {
    const options = values.filter((value) => value !== null);
    return options.every((value) => typeof value === 'string') ? { ...named, kind: 'choice', options } : null;
  }
  const kind = typeof type === 'string' ? KINDS[type] : undefined;
  return kind === undefined ? null : { ...named, kind, options: [] };
}

/** The schema of a value that may also be null. */
function withoutNull(part: JsonObject): { readonly form: JsonObject; readonly isNullable: boolean } {
  const { anyOf, type } = part;
  if (Array.isArray(type)) {
    const types = type.filter((each) => each !== 'null');
    return {
      form: { ...part, type: types.length === 1 ? types[0] : null },
      isNullable: types.length < type.length,
    };
  }
  if (!Array.isArray(anyOf)) return { form: part, isNullable: false };
  const all: readonly unknown[] = anyOf;
  const forms = all.filter((form) => !(isObject(form) && form['type'] === 'null'));
  const [first] = forms;
  return {
    form: forms.length === 1 && isObject(first) ? first : {},
    isNullable: forms.length < all.length,
  };
}

/** Arguments from the texts of the controls; an empty one is left out, or null where it must be there. Pure. */
export function inputOf(fields: readonly TryField[], texts: Readonly<Record<string, string>>): JsonObject {
  return Object.fromEntries(
    fields.flatMap((field) => {
      const text = texts[field.name] ?? '';
      if (text !== '') return [[field.name, valueOf(field, text)] as const];
      if (!field.isRequired) return [];
      if (field.isNullable) return [[field.name, null] as const];
      return field.kind === 'text' ? [[field.name, ''] as const] : [];
    }),
  );
}

function valueOf({ kind }: TryField, text: string): unknown {
  if (kind === 'boolean') return text === 'true';
  if (kind !== 'integer' && kind !== 'decimal') return text;
  const number = Number(text);
  return Number.isNaN(number) ? text : number;
}
