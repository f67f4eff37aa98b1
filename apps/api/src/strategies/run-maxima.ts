import { Inject, Injectable } from '@nestjs/common';
import type { AppConfig } from '#libs/config';
import type { JsonObject } from '#libs/kernel';
import type { WrittenScopeLimits } from '#libs/policy';
import type { AgentTool } from '#libs/tool-sources';
import { API_CONFIG } from '../api.tokens.js';
import { pointerTo, type FieldError } from '../http/request-errors.js';

type Place = readonly (string | number)[];

/** Limits requested rounds and times to the operator's maxima. */
@Injectable()
export class RunMaxima {
  private readonly maxima: AppConfig['execution']['maxima'];

  constructor(@Inject(API_CONFIG) { execution }: Pick<AppConfig, 'execution'>) {
    this.maxima = execution.maxima;
  }

  /** Maximum rounds that a request may ask for. */
  get iterations(): number {
    return this.maxima.iterations;
  }

  /** Faults of options, or of the limits of a step or a called agent; `place` is their path in the body. */
  findFaults(
    { timeout_seconds: seconds, maximum_iterations: iterations }: JsonObject | WrittenScopeLimits,
    place: Place,
  ): FieldError[] {
    const { maxima } = this;
    const faultOf = (name: string, value: unknown, most: number, variable: string): FieldError[] =>
      typeof value === 'number' && value > most
        ? [{ pointer: pointerTo([...place, name]), detail: `must be from 1 to ${most} (${variable})` }]
        : [];
    return [
      ...faultOf('timeout_seconds', seconds, maxima.timeoutSeconds, 'EXECUTION_TIMEOUT_MAX_SECONDS'),
      ...faultOf('maximum_iterations', iterations, maxima.iterations, 'MAXIMUM_ITERATIONS_MAX'),
    ];
  }

  /** Faults of `tools.agents`. */
  findAgentToolFaults(tools: readonly AgentTool[]): FieldError[] {
    return tools.flatMap((tool, index) => {
      const place = ['tools', 'agents', index];
      return 'agents' in tool
        ? tool.agents.flatMap(({ limits }, at) => this.findFaults(limits, [...place, 'agents', at, 'limits']))
        : this.findFaults(tool.limits, [...place, 'limits']);
    });
  }
}
