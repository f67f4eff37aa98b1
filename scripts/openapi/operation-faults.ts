interface Described {
  readonly operationId?: string;
  readonly summary?: string;
  readonly description?: string;
  readonly requestBody?: { readonly content: Content };
  readonly responses?: Readonly<Record<string, { readonly content?: Content }>>;
}
type Content = Readonly<Record<string, { readonly example?: unknown } | undefined>>;

/** The parts of an OpenAPI document that the rules read. */
export interface OperationsOfDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
}

const ID = /^[a-z]+([A-Z][a-z0-9]+)+$/;

/** Finds operations without an id, summary, description or example, one line for each fault. Pure. */
export function operationFaults({ paths }: OperationsOfDocument): string[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, operation]) =>
      faultsOf(operation).map((fault) => `${method.toUpperCase()} ${path}: ${fault}`),
    ),
  );
}

function faultsOf({
  operationId = '',
  summary,
  description,
  requestBody,
  responses = {},
}: Described): string[] {
  const successes = Object.entries(responses).filter(([status]) => status.startsWith('2'));
  return [
    ...(ID.test(operationId) ? [] : [`"${operationId}" is no id such as listAgents: @Operation(id, …)`]),
    ...(summary ? [] : ['it has no summary: @Operation(…, summary, …)']),
    ...(description ? [] : ['it has no description: @Operation(…, description)']),
    ...(lacksExample(requestBody?.content) ? ['its body has no example: createZodDto(schema, example)'] : []),
    ...successes
      .filter(([, { content }]) => lacksExample(content))
      .map(([status]) => `its answer ${status} has no example: createZodDto(schema, example)`),
  ];
}

function lacksExample(content: Content | undefined): boolean {
  return Object.values(content ?? {}).some((media) => media?.example === undefined);
}
