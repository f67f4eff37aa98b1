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
  /** Injected into `useFactory`, in order; the PostgreSQL backend receives its pool this way. */
  readonly inject?: FactoryProvider['inject'];
  readonly useFactory: FactoryProvider<EventStreamOptions | Promise<EventStreamOptions>>['useFactory'];
}

const OPENED = Symbol('opened event stream');

/** Health check of the event stream's open connections. */
@Injectable()
export class EventStreamHealth {
  constructor(@Inject(OPENED) private readonly opened: Pick<OpenedEventStream, 'check'>) {}

  /** Throws if an open connection does not respond. */
  async check(): Promise<void> {
    await this.opened.check();
  }
}

/** Provides `EventStream` and closes its connections when the application shuts down. */
@Module({})
export class EventStreamModule implements OnApplicationShutdown {
  constructor(@Inject(OPENED) private readonly opened: OpenedEventStream) {}

  static forRoot(options: EventStreamModuleOptions): DynamicModule {
    const optionsOf = options.useFactory;
    return {
      module: EventStreamModule,
      global: true,
      imports: options.imports ?? [],
      providers: [
        {
          provide: OPENED,
          inject: options.inject ?? [],
          useFactory: async (...injected: readonly unknown[]) =>
            openEventStream(await optionsOf(...injected)),
        },
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
