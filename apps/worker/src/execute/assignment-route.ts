import type { FastifyError, FastifyInstance } from 'fastify';
import type { AssignmentIntake } from '#libs/executions';
import { assignedExecutionsSchema } from '#libs/payloads';

/** Bytes of a request's body; one of the most executions has 8 kB. */
const MAX_BODY = 32_768;

/**
 * Adds `POST /executions`, by which an API hands over executions that it has claimed for this worker. An execution is taken
 * only under the token of its claim, which no other process knows.
 * @param workerId id under which this process is present
 */
export function addAssignmentRoute(
  server: FastifyInstance,
  intake: Pick<AssignmentIntake, 'receive'>,
  workerId: () => string,
): void {
  void server.register((scope, _options, done) => {
    scope.addContentTypeParser(
      'application/json',
      { parseAs: 'string', bodyLimit: MAX_BODY },
      scope.getDefaultJsonParser('error', 'error'),
    );
    scope.setErrorHandler<FastifyError>(({ statusCode = 500 }, _request, reply) =>
      reply.status(statusCode).send({ status: 'invalid' }),
    );
    scope.post('/executions', (request, reply) => {
      const asked = assignedExecutionsSchema.safeParse(request.body);
      if (!asked.success) return reply.status(400).send({ status: 'invalid' });
      if (asked.data.worker !== workerId()) return reply.status(409).send({ status: 'another worker' });
      const assignments = asked.data.assignments.map(({ execution_id: executionId, token }) => ({
        executionId,
        token,
      }));
      return reply.send({ free: intake.receive(assignments) });
    });
    done();
  });
}
