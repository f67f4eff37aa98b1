import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { tap, type Observable } from 'rxjs';

/** What is new has an id, and stands below its collection. */
interface New {
  readonly id: string | number;
}

/** Says in `Location` where what was made can be read: `<collection><id>/`. */
export class LocationInterceptor implements NestInterceptor<New, New> {
  /** @param collection with its last slash: `/api/skills/` */
  constructor(private readonly collection: string) {}

  intercept(context: ExecutionContext, next: CallHandler<New>): Observable<New> {
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    return next.handle().pipe(tap(({ id }) => void reply.header('Location', `${this.collection}${id}/`)));
  }
}

export const LOCATION_HEADER = {
  Location: { description: 'Where to read it.', schema: { type: 'string' as const } },
};
