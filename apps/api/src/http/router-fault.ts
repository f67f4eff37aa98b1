import type { FastifyReply, FastifyRequest } from 'fastify';
import { PROBLEM_MEDIA_TYPE } from '#libs/http-server';
import { toProblem } from './problem-details.filter.js';

/** Answers a path that the router cannot read; it refuses before any route, hook or filter is reached. */
export function answerRouterFault(error: Error, request: FastifyRequest, reply: FastifyReply): void {
  const problem = toProblem(error, request.id);
  void reply.status(problem.status).header('Content-Type', PROBLEM_MEDIA_TYPE).send(problem);
}
