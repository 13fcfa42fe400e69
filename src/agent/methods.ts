import { a2aError, RPC_CODES } from './errors.ts';
import type { A2aReason, RpcError } from './errors.ts';
import { shorten } from './shorten.ts';

/** A2A operations that this agent knows and has no use for: it answers at once and keeps no task. */
const DECLINED_METHODS: ReadonlyMap<string, A2aReason> = new Map<string, A2aReason>([
  ['SendStreamingMessage', 'UNSUPPORTED_OPERATION'],
  ['GetTask', 'UNSUPPORTED_OPERATION'],
  ['ListTasks', 'UNSUPPORTED_OPERATION'],
  ['CancelTask', 'UNSUPPORTED_OPERATION'],
  ['SubscribeToTask', 'UNSUPPORTED_OPERATION'],
  ['GetExtendedAgentCard', 'UNSUPPORTED_OPERATION'],
  ['CreateTaskPushNotificationConfig', 'PUSH_NOTIFICATION_NOT_SUPPORTED'],
  ['GetTaskPushNotificationConfig', 'PUSH_NOTIFICATION_NOT_SUPPORTED'],
  ['ListTaskPushNotificationConfigs', 'PUSH_NOTIFICATION_NOT_SUPPORTED'],
  ['DeleteTaskPushNotificationConfig', 'PUSH_NOTIFICATION_NOT_SUPPORTED'],
]);

/** How A2A 0.3 called its methods: whoever calls one has to change more than the name. */
const OLDER_METHOD = /^(message|tasks|agent)\/[a-zA-Z/]+$/;
const MAX_NAMED_CHARACTERS = 60;

/** Nothing when the method is the one that is served. */
export function refuseMethod(method: string): RpcError | undefined {
  if (method === 'SendMessage') return undefined;
  const reason = DECLINED_METHODS.get(method);
  if (reason !== undefined) {
    return a2aError(reason, `${method} is not supported: this agent answers SendMessage and nothing else`);
  }
  const hint = OLDER_METHOD.test(method)
    ? `${shorten(method, MAX_NAMED_CHARACTERS)} belongs to A2A 0.3; `
    : '';
  return {
    code: RPC_CODES.methodNotFound,
    message: `Method not found: ${hint}this agent answers SendMessage (A2A 1.0)`,
  };
}
