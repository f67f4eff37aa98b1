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
  const own = RouterExecutionContext.prototype.createPipesFn;
  beforeAll(() => runPipesAtOnce());
  afterAll(() => {
    RouterExecutionContext.prototype.createPipesFn = own;
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

  it('throw what a parameter throws, before the method is called', () => {
    const run = RouterExecutionContext.prototype.createPipesFn(pipes, [
      parameter(0, 'custom', () => {
        throw new Error('there is no principal');
      }),
    ]);

    expect(() => run?.([], {}, {}, () => undefined)).toThrow('there is no principal');
  });
});
