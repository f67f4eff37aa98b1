/** Property that marks refusals of the kit, since `instanceof` fails between two installed copies of it. */
const MARK = 'capstanRefusal';

/** `invalid_input` is answered as 400, the others as 404, 409, 412 and 422. */
export type RefusalKind =
  'invalid_input' | 'not_found' | 'conflict' | 'precondition_failed' | 'unprocessable';

export interface RefusalOptions {
  /** Error code, upper snake case: one of the service, or of `errors` of the domain. */
  readonly code?: string;
  /** Invalid values of the body, by their path. */
  readonly faults?: readonly { readonly path: readonly (string | number)[]; readonly detail: string }[];
}

/** Codes of the service; it has none for conflicts in general. */
const CODES: Readonly<Record<Exclude<RefusalKind, 'conflict'>, string>> = {
  invalid_input: 'VALIDATION_ERROR',
  not_found: 'NOT_FOUND',
  precondition_failed: 'VERSION_CHANGED',
  unprocessable: 'VALIDATION_ERROR',
};

/** Thrown by a route that refuses a request, or by a staged change that no longer fits. Clients read the message. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly [MARK] = true;
  readonly code: string;
  readonly faults: NonNullable<RefusalOptions['faults']>;

  readonly kind: RefusalKind;

  constructor(kind: 'conflict', message: string, options: RefusalOptions & { readonly code: string });
  constructor(kind: Exclude<RefusalKind, 'conflict'>, message: string, options?: RefusalOptions);
  constructor(kind: RefusalKind, message: string, { code, faults = [] }: RefusalOptions = {}) {
    super(message);
    this.kind = kind;
    this.code = code ?? (kind === 'conflict' ? '' : CODES[kind]);
    this.faults = faults;
  }
}

/** True for a refusal of this copy of the kit or another one. */
export function isRefusal(thrown: unknown): thrown is Refusal {
  return thrown instanceof Error && MARK in thrown && thrown[MARK] === true;
}
