import { randomBytes } from 'node:crypto';

/** The audited APIs; event names begin with these. */
export type AuditedApi = 'responses_api' | 'chat_completions_api' | 'messages_api' | 'claude_agent_sdk';

/** Allowed fields of the three events (S1-45, S1-46); all other fields are dropped. */
const FIELDS = {
  request: [
    'audit_id',
    'model',
    'response_format',
    'enable_stream',
    'stream',
    'input_message_count',
    'tool_count',
    'max_output_tokens',
    'has_user',
    'has_stop',
    'base_url_host',
    'use_custom_base_url',
  ],
  success: ['audit_id', 'model', 'response_model', 'request_id', 'stream', 'stream_event_count'],
  error: [
    'audit_id',
    'model',
    'error_type',
    'status_code',
    'request_id',
    'code',
    'param',
    'api_error_type',
    'response_status',
    'base_url_host',
    'use_custom_base_url',
  ],
} as const;

export type AuditEvent = keyof typeof FIELDS;
type Value = string | number | boolean | null | undefined;
type AuditField = Exclude<(typeof FIELDS)[AuditEvent][number], 'audit_id'>;
export type AuditFields = { readonly [Field in AuditField]?: Value };

export interface AuditLogOptions {
  /** Set by `OPENAI_GPT5_AUDIT_LOG` (S1-44). */
  readonly enabled: boolean;
  /** Receives one line without a line break. */
  readonly write: (line: string) => void;
}

/** Logs requests to model providers and their outcome, never a prompt, schema, argument or key (S1-47). */
export class AuditLog {
  constructor(private readonly options: AuditLogOptions) {}

  /** Opens the trail of one call; its events share an id. Values that contain one of `secrets` are dropped. */
  open(secrets: readonly string[], api: AuditedApi): AuditTrail {
    return new AuditTrail(
      this.options,
      api,
      secrets.filter((secret) => secret !== ''),
    );
  }
}

export class AuditTrail {
  private readonly auditId: string;

  constructor(
    private readonly options: AuditLogOptions,
    private readonly api: AuditedApi,
    private readonly secrets: readonly string[],
  ) {
    this.auditId = options.enabled ? randomBytes(6).toString('hex') : '';
  }

  get isEnabled(): boolean {
    return this.options.enabled;
  }

  write(event: AuditEvent, fields: AuditFields): void {
    if (!this.options.enabled) return;
    const values: Readonly<Record<string, Value>> = { ...fields, audit_id: this.auditId };
    const allowed = FIELDS[event]
      .map((field) => [field, values[field]] as const)
      .filter(([, value]) => this.mayBeWritten(value));
    const sorted = [['event', `${this.api}_${event}`] as const, ...allowed].sort(([a], [b]) =>
      a < b ? -1 : 1,
    );
    this.options.write(`openai_gpt5_audit ${JSON.stringify(Object.fromEntries(sorted))}`);
  }

  private mayBeWritten(value: Value): boolean {
    if (value === undefined || value === null || value === '') return false;
    return !this.secrets.some((secret) => String(value).includes(secret));
  }
}
