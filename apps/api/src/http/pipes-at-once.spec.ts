import 'reflect-metadata';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ArgumentMetadata } from '@nestjs/common';
import { RouteParamtypes } from '@nestjs/common/internal.js';
import { RouterExecutionContext } from '@nestjs/core/router/router-execution-context.js';
import { runPipesAtOnce } from './pipes-at-once.js';

class Body {
  readonly input = '';
}

describe("the pipes of a route's parameters", () => {
  const own = Object.getOwnPropertyDescriptor(RouterExecutionContext.prototype, 'createPipesFn');
  beforeAll(() => runPipesAtOnce());
  afterAll(() => {
    if (own) Object.defineProperty(RouterExecutionContext.prototype, 'createPipesFn', own);
  });

  const seen: ArgumentMetadata[] = [];
  const pipes = [
    {
      transform: (value: string, metadata: ArgumentMetadata) => {
        seen.push(metadata);
        return `${value} parsed`;
      },
    },
  ];
  const parameter = (index: number, type: RouteParamtypes | string, extractValue: () => unknown) => ({
    ...{ index, type, data: '', extractValue, pipes: [{ transform: (value: string) => `${value}!` }] },
    metatype: Body,
  });

  it('have run when the call returns, those of all routes first, and know what they parse', () => {
    const run = RouterExecutionContext.prototype.createPipesFn(pipes, [
      parameter(1, RouteParamtypes.BODY, () => 'body'),
      parameter(0, 'custom', () => 'caller'),
    ]);
    const args: unknown[] = [];

    expect(run?.(args, {}, {}, () => undefined)).toBeUndefined();

    expect(args).toEqual(['caller parsed!', 'body parsed!']);
    expect(seen.map(({ type, metatype }) => [type, metatype])).toEqual([
      ['body', Body],
      ['custom', Body],
    ]);
  });

  it('are waited for where one returns a promise', async () => {
    const slow = [{ transform: (value: string) => Promise.resolve(`${value} slowly`) }, ...pipes];
    const run = RouterExecutionContext.prototype.createPipesFn(slow, [
      parameter(0, 'custom', () => Promise.resolve('caller')),
    ]);
    const args: unknown[] = [];

    await run?.(args, {}, {}, () => undefined);

    expect(args).toEqual(['caller slowly parsed!']);
  });

  it('throw what a parameter throws, before the method is called', () => {
    const run = RouterExecutionContext.prototype.createPipesFn(pipes, [
      parameter(0, 'custom', () => {
        throw new Error('there is no principal');
      }),
    ]);

    expect(() => run?.([], {}, {}, () => undefined)).toThrow('there is no principal');
  });
});
