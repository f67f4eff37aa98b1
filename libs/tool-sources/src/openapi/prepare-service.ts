import { toArguments, type SchemaBudget } from './to-arguments.js';
import { DocumentFault } from './document-fault.js';
import type { ArgumentPlace, Operation, OperationArguments, Service } from './operation.js';
import { parseDescription, type DescriptionText } from './parse-description.js';
import { readService } from './read-service.js';
import { References, TooManySchemas } from './references.js';

/** An operation with the arguments that its tool takes. Its schemas are in these only. */
export interface OfferedOperation {
  readonly operation: Operation;
  readonly arguments: OperationArguments;
}

/** The end of a description. */
export interface ServiceEnd {
  readonly schemes: Service['schemes'];
  /** Operations that are left out, each with the reason; at most 20. */
  readonly warnings: readonly string[];
}

/** Everything that tools are made of. */
export interface PreparedService extends ServiceEnd {
  readonly operations: readonly OfferedOperation[];
}

/** Bounds of all operations of a description together. */
export interface PreparationLimits {
  /** Schemas that are written out, also in vain. */
  readonly schemas: number;
  /** Values that are looked at, references followed. */
  readonly steps: number;
  /** Characters of the arguments as JSON. */
  readonly chars: number;
}

const MAX_WARNINGS = 20;
const LEFT_OUT = 'the operations behind it are left out: all together have too many or too long schemas';

/**
 * Prepares a description operation by operation. Where a limit is reached, the rest is left out with a warning. Throws a
 * `DocumentFault` where the description is of no use.
 */
export function* prepareService(
  document: DescriptionText,
  limits: PreparationLimits,
): Generator<OfferedOperation, ServiceEnd> {
  const references = new References(parseDescription(document), limits.steps);
  const { operations, schemes, faults } = readService(references);
  const warnings = [...faults];
  const budget: SchemaBudget = { left: limits.schemas };
  let chars = limits.chars;
  for (const operation of operations) {
    try {
      const given = toArguments(operation, references, budget);
      chars -= JSON.stringify(given.inputSchema).length;
      if (chars < 0) throw new TooManySchemas();
      for (const loss of given.losses) warnings.push(`${operation.name}: its body ${loss}`);
      yield withoutSchemas(operation, given);
    } catch (error) {
      if (error instanceof DocumentFault) warnings.push(error.message);
      else if (error instanceof TooManySchemas) {
        warnings.unshift(`${operation.name}: ${LEFT_OUT}`);
        break;
      } else throw error;
    }
  }
  return { schemes, warnings: warnings.slice(0, MAX_WARNINGS) };
}

/** The whole at once; null where it goes beyond the limits. Throws a `DocumentFault` as {@link prepareService} does. */
export function prepareWithin(document: DescriptionText, limits: PreparationLimits): PreparedService | null {
  const operations: OfferedOperation[] = [];
  const preparing = prepareService(document, limits);
  try {
    for (;;) {
      const { done, value } = preparing.next();
      if (done !== true) operations.push(value);
      else return value.warnings[0]?.endsWith(LEFT_OUT) === true ? null : { operations, ...value };
    }
  } catch (error) {
    if (error instanceof TooManySchemas) return null;
    throw error;
  }
}

function withoutSchemas(operation: Operation, given: OperationArguments): OfferedOperation {
  const places = new Map<string, ArgumentPlace>();
  for (const [name, place] of given.places) {
    const isParameter = place.kind === 'parameter';
    places.set(name, isParameter ? { ...place, parameter: { ...place.parameter, schema: null } } : place);
  }
  return {
    operation: {
      ...operation,
      parameters: operation.parameters.map((parameter) => ({ ...parameter, schema: null })),
      body: operation.body && { ...operation.body, schema: null },
    },
    arguments: { ...given, places },
  };
}
