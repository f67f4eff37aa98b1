import type { FastifyInstance } from 'fastify';
import type { HttpMetrics } from '#libs/observability';
import { reportsFailedExecution } from '../http/failed-executions.js';

/** Counts every answer by its route template, since paths contain ids. */
export function measureRequests(instance: FastifyInstance, metrics: HttpMetrics): void {
  instance.addHook('onResponse', (request, reply, done) => {
    const { method, routeOptions } = request;
    const seconds = reply.elapsedTime / 1_000;
    const cause = reportsFailedExecution(reply.raw) ? 'execution' : undefined;
    metrics.record({ method, route: routeOptions.url, status: reply.statusCode, cause, seconds });
    done();
  });
}
