import { EventStream } from '#libs/executions';
import {
  Inject,
  Injectable,
  Module,
  type DynamicModule,
  type FactoryProvider,
  type ModuleMetadata,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { openEventStream, type EventStreamOptions, type OpenedEventStream } from './open-event-stream.js';

export interface EventStreamModuleOptions {
  readonly imports?: ModuleMetadata['imports'];
  /** What `useFactory` gets, in order; the pool of the PostgreSQL backend comes this way. */
  readonly inject?: FactoryProvider['inject'];
  readonly useFactory: FactoryProvider<EventStreamOptions | Promise<EventStreamOptions>>['useFactory'];
}

const OPTIONS = Symbol('event stream options');
const OPENED = Symbol('opened event stream');

/** Whether the connections of the event stream answer, those that are in use. */
@Injectable()
export class EventStreamHealth {
  constructor(@Inject(OPENED) private readonly opened: Pick<OpenedEventStream, 'check'>) {}

  /** Throws when one does not. */
  async check(): Promise<void> {
    await this.opened.check();
  }
}

/** Provides `EventStream` and closes its connections when the application shuts down. */
@Module({})
export class EventStreamModule implements OnApplicationShutdown {
  constructor(@Inject(OPENED) private readonly opened: OpenedEventStream) {}

  static forRoot(options: EventStreamModuleOptions): DynamicModule {
    return {
      module: EventStreamModule,
      global: true,
      imports: options.imports ?? [],
      providers: [
        { provide: OPTIONS, inject: options.inject ?? [], useFactory: options.useFactory },
        { provide: OPENED, inject: [OPTIONS], useFactory: openEventStream },
        { provide: EventStream, useExisting: OPENED },
        EventStreamHealth,
      ],
      exports: [EventStream, EventStreamHealth],
    };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.opened.close();
  }
}
