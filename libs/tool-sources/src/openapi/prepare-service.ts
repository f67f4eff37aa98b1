import { toArguments, type SchemaBudget } from './to-arguments.js';
import { DocumentFault } from './document-fault.js';
import type { ArgumentPlace, Operation, OperationArguments, Service } from './operation.js';
import { parseDescription, type DescriptionText } from './parse-description.js';
import { readService } from './read-service.js';
import { References, TooManySchemas } from './references.js';

/** An operation with its tool's arguments; schemas are kept in the arguments only. */
export interface OfferedOperation {
  readonly operation: Operation;
  readonly arguments: OperationArguments;
}

/** The last part of a prepared description. */
export interface ServiceEnd {
  readonly schemes: Service['schemes'];
  /** Omitted operations with the reason; at most 20. */
  readonly warnings: readonly string[];
}

/** All data from which tools are made. */
export interface PreparedService extends ServiceEnd {
  readonly operations: readonly OfferedOperation[];
}

/** Limits of all operations of a description together. */
export interface PreparationLimits {
  /** Maximum schemas written, including discarded attempts. */
  readonly schemas: number;
  /** Maximum values visited, references included. */
  readonly steps: number;
  /** Maximum characters of all arguments as JSON. */
  readonly chars: number;
}

const MAX_WARNINGS = 20;
const LEFT_OUT = 'the operations behind it are left out: all together have too many or too long schemas';

/**
 * Prepares operations one by one. When a limit is reached, the rest is omitted with a warning. Throws a `DocumentFault`
 * if the description is unusable.
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

/** Prepares all operations at once; null beyond the limits. Throws a `DocumentFault` like {@link prepareService}. */
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
