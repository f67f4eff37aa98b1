import { REFUSED_ADDRESS_TEXT } from '#libs/guarded-fetch';
import { AppError } from '#libs/kernel';
import { MAX_TOOL_SERVERS } from '#libs/persistence';
import { InvalidRequestError, pointerTo } from '../http/request-errors.js';

export function serverNotFound(): AppError {
  return new AppError({ code: 'NOT_FOUND', kind: 'not_found', message: 'Tool server not found' });
}

export function serverNameTaken(): AppError {
  return new AppError({
    code: 'TOOL_SERVER_NAME_TAKEN',
    kind: 'conflict',
    message: 'Another tool server of the tenant has this name',
  });
}

export function tooManyServers(): AppError {
  return new AppError({
    code: 'TOO_MANY_TOOL_SERVERS',
    kind: 'unprocessable',
    message: `the tenant has ${MAX_TOOL_SERVERS} tool servers, the maximum; delete one first`,
  });
}

/** A change of type requires a new configuration. */
export function missingConfig(): InvalidRequestError {
  const detail = 'is required when the type changes';
  return new InvalidRequestError([{ pointer: '#/config', detail }]);
}

export function missingLiterals(nulls: readonly (readonly string[])[]): InvalidRequestError {
  return new InvalidRequestError(
    nulls.map((path) => ({
      pointer: pointerTo(['config', ...path]),
      detail: 'null keeps a stored text, but none is stored',
    })),
  );
}

export function literalsStay(nulls: readonly (readonly string[])[]): InvalidRequestError {
  return new InvalidRequestError(
    nulls.map((path) => ({
      pointer: pointerTo(['config', ...path]),
      detail:
        'must be sent again when the address or the program changes: a stored text is never sent to another one',
    })),
  );
}

export function refusedCommand(allowed: readonly string[]): InvalidRequestError {
  const detail =
    allowed.length === 0
      ? 'stdio is off: the operator allows command lines with STDIO_SERVERS'
      : `must be a command line that the operator allows: ${allowed.join(' | ')}`;
  const pointer = allowed.length === 0 ? '#/type' : '#/config/command';
  return new InvalidRequestError([{ pointer, detail }]);
}

/** @param path path of the address in the configuration */
export function refusedAddress(path: readonly string[]): InvalidRequestError {
  return new InvalidRequestError([{ pointer: pointerTo(['config', ...path]), detail: REFUSED_ADDRESS_TEXT }]);
}

/** @param problems descriptions, each with its place in the document */
export function unusableDocument(problems: readonly string[]): InvalidRequestError {
  return new InvalidRequestError(problems.map((detail) => ({ pointer: '#/config/document', detail })));
}
