import type { ArgumentMetadata } from '@nestjs/common';
import { ParamsTokenFactory } from '@nestjs/core/pipes/params-token-factory.js';
import { RouterExecutionContext } from '@nestjs/core/router/router-execution-context.js';

type CreatePipes = RouterExecutionContext['createPipesFn'];

/**
 * Has Nest run the pipes of a controller's parameters at once, and wait only for those that return a promise. By itself it
 * waits for each of them, which takes about eight promises a parameter, a fifth of those of a submit. Call it before the
 * application is initialised.
 */
export function runPipesAtOnce(): void {
  RouterExecutionContext.prototype.createPipesFn = createPipes;
}

const createPipes: CreatePipes = (pipes, parameters) => {
  const tokens = new ParamsTokenFactory();
  const runs = parameters.map(({ index, extractValue, pipes: own, ...described }) => {
    const type = tokens.exchangeEnumForString(described.type as never);
    const { data, schema } = described;
    const metatype = described.metatype as unknown;
    const metadata = { type, data, metatype, schema } as ArgumentMetadata;
    return { index, extractValue, metadata, pipes: [...pipes, ...own] };
  });
  return (args, request, response, next) => {
    const waits: Promise<unknown>[] = [];
    for (const { index, extractValue, metadata, pipes: all } of runs) {
      let value = extractValue(request, response, next) as unknown;
      for (const pipe of all) {
        const given = value;
        value =
          given instanceof Promise
            ? given.then((known: unknown) => pipe.transform(known, metadata) as unknown)
            : pipe.transform(given, metadata);
      }
      args[index] = value;
      if (value instanceof Promise) waits.push(value.then((known: unknown) => (args[index] = known)));
    }
    return waits.length > 0 ? Promise.all(waits) : undefined;
  };
};
