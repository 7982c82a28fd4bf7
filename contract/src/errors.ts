import { locationNotInPlan } from './locations.ts'

/**
 * Every error a client can meet: its code, its HTTP status and the sentence people read.
 * Where a call says more (a limit with its figures), the sentence is given at the throw.
 * The words 'token' and 'unauthorized' end a session in the client (specification 7): only 401 may hold them.
 */
export const errorTable = {
  invalid_request: { status: 400, sentence: 'Some of the values are not valid.' },
  not_json: { status: 400, sentence: 'The request is not valid JSON.' },
  labels_refused: { status: 400, sentence: 'Some labels cannot be printed.' },
  unauthorized: { status: 401, sentence: 'Unauthorized: please log in again.' },
  invalid_credentials: { status: 401, sentence: 'Invalid email or password. Please try again.' },
  link_invalid: {
    status: 410,
    sentence: 'This link is no longer valid. Ask an administrator for a new one.',
  },
  no_mail: { status: 409, sentence: 'No mail server is set up here, so no mail can be sent.' },
  address_confirmed: { status: 409, sentence: 'Your address is confirmed already.' },
  name_taken: {
    status: 409,
    sentence: 'Somebody in your company is called so already. Add something that tells you apart.',
  },
  last_admin: {
    status: 409,
    sentence: 'A company needs an active administrator. Make somebody else an administrator first.',
  },
  not_seated: {
    status: 402,
    sentence:
      'Your company has more users than its plan allows. You can read everything but change nothing: ask an administrator.',
  },
  plan_reduces: { status: 409, sentence: 'Some of what you use would become read-only with this plan.' },
  no_subscription: { status: 409, sentence: 'There is no subscription yet. Choose a plan first.' },
  billing_failed: {
    status: 502,
    sentence: 'The payment provider did not answer as expected. Nothing was changed. Please try again.',
  },
  branding_not_in_plan: {
    status: 403,
    sentence: 'Your plan does not include branding. It begins with the Professional plan.',
  },
  logo_refused: { status: 400, sentence: 'A logo is a PNG, JPEG or SVG picture.' },
  location_names_alike: {
    status: 400,
    sentence: 'Two places would have the same name. Give each location a name of its own.',
  },
  label_limit: { status: 402, sentence: 'The label limit for this month has been reached.' },
  certificate_too_long: {
    status: 400,
    sentence: 'There are too many differences for one certificate. Choose one location or one session.',
  },
  sheet_too_long: {
    status: 400,
    sentence:
      'A sheet holds 5,000 components at the most. Choose those not counted yet, or count on the screen.',
  },
  trial_expired: { status: 402, sentence: 'Your free trial has ended. Choose a plan to continue.' },
  registration_closed: {
    status: 403,
    sentence: 'New companies are not registered here. Ask whoever runs this installation.',
  },
  wrong_password: { status: 403, sentence: 'The current password is wrong.' },
  forbidden: { status: 403, sentence: 'Only an administrator can do this.' },
  scope_missing: { status: 403, sentence: 'This API key is not allowed to do this.' },
  people_only: { status: 403, sentence: 'No API key can do this: sign in as a person.' },
  plan_required: { status: 403, sentence: 'Your plan does not include API access.' },
  too_many_keys: { status: 409, sentence: 'You have reached the limit of API keys. Revoke one first.' },
  too_many_webhooks: {
    status: 409,
    sentence: 'You have reached the limit of webhooks. Remove one first.',
  },
  shown_once: {
    status: 409,
    sentence: 'This was made before, and its secret was shown then. Remove it and make another.',
  },
  location_not_in_plan: { status: 403, sentence: locationNotInPlan },
  user_limit: { status: 402, sentence: 'The user limit of your plan has been reached.' },
  reason_required: { status: 400, sentence: 'Give a reason for accepting a difference.' },
  not_recorded: {
    status: 409,
    sentence: 'Only a recorded difference can be accepted: this SKU still waits for its second count.',
  },
  record_full: { status: 400, sentence: 'A record holds at most 20,000 entries and 4 MB.' },
  below_zero: {
    status: 409,
    sentence: 'This would bring the stock below 0. Check what was moved since. Nothing was changed.',
  },
  changed_since: { status: 409, sentence: 'A difference was counted again since it was shown.' },
  same_location: { status: 400, sentence: 'Choose two different places to move stock between.' },
  not_enough_stock: { status: 409, sentence: 'There is not enough stock there to move that many.' },
  stock_limit: {
    status: 409,
    sentence:
      'This would bring the stock there above 2,147,483,647, which is more than can be kept. Nothing was changed.',
  },
  component_retired: { status: 409, sentence: 'This component is retired. Bring it back first.' },
  /** Of a scan: who counts cannot bring it back. */
  barcode_retired: {
    status: 404,
    sentence: 'This component is retired. An administrator can bring it back.',
  },
  other_barcode: { status: 409, sentence: 'This is another barcode of a component. Use its own barcode.' },
  component_in_use: { status: 409, sentence: 'This component is in use and cannot be retired.' },
  not_in_transit: {
    status: 409,
    sentence: 'This stock is no longer on its way: it was received, cancelled or written off.',
  },
  more_than_sent: { status: 409, sentence: 'Less than that is still on its way. Nothing was received.' },
  other_location: { status: 409, sentence: 'This stock is on its way to another location.' },
  import_closed: {
    status: 409,
    sentence: 'This import is no longer open: it was finished, cancelled or expired.',
  },
  import_limit: {
    status: 409,
    sentence: 'Three imports are open already. Finish or cancel one of them first.',
  },
  import_empty: { status: 400, sentence: 'No row of this import can be imported.' },
  import_faulty: {
    status: 409,
    sentence: 'Some rows cannot be imported. Correct the file, or leave them out.',
  },
  import_cut: {
    status: 409,
    sentence: 'The file of this import was not read to its end. Cancel the import and choose the file again.',
  },
  import_full: { status: 400, sentence: 'An import takes at most 500,000 rows.' },
  import_not_done: { status: 409, sentence: 'Only a finished import can be undone.' },
  import_in_use: { status: 409, sentence: 'What this import added is in use and cannot be undone.' },
  too_many_archives: {
    status: 429,
    sentence: 'An archive is being made already. Please try again when it is finished.',
  },
  archives_busy: {
    status: 429,
    sentence: 'Archives of other companies are being made. Please try again in a few minutes.',
  },
  too_many_label_files: {
    status: 429,
    sentence: 'Too many label files are being made already. Please try again when one of them is finished.',
  },
  list_too_long: {
    status: 400,
    sentence:
      'There are too many components for one list. An administrator can retire those that are no longer kept.',
  },
  too_many_exports: {
    status: 429,
    sentence: 'Too many lists are being exported already. Please try again when one of them is finished.',
  },
  too_many_tests: {
    status: 429,
    sentence:
      'Ten tests of this webhook are waiting already. Send one of them once more, or wait until they are sent.',
  },
  webhook_off: {
    status: 409,
    sentence: 'This webhook is switched off, so nothing is sent to it. Switch it on first.',
  },
  not_found: { status: 404, sentence: 'There is no such record.' },
  unknown_code_not_kept: {
    status: 404,
    sentence:
      'There is no component with this barcode. Too many unknown codes are waiting for an administrator, so this one is only in the audit trail.',
  },
  email_taken: {
    status: 409,
    sentence: 'An account with this email already exists. Please try logging in instead.',
  },
  barcode_taken: { status: 409, sentence: 'This barcode belongs to a component already.' },
  too_many_aliases: { status: 409, sentence: 'A component has at most 20 other barcodes.' },
  not_in_list: { status: 409, sentence: 'This barcode is not part of the high-volume count of that day.' },
  pack_by_now: {
    status: 409,
    sentence: 'This barcode is that of a pack by now. Say how many pieces were counted.',
  },
  cannot_undo: { status: 409, sentence: 'This entry can no longer be taken back.' },
  /** Apart from not_found, which a server of the version before says of the whole call: it knows no notes. */
  count_not_found: { status: 404, sentence: 'You have no count that this note could be added to.' },
  cannot_note: { status: 409, sentence: 'This entry was taken back, so its note stays as it is.' },
  cannot_reopen: { status: 409, sentence: 'This difference cannot be reopened.' },
  count_too_old: { status: 400, sentence: 'This count is too old to be accepted.' },
  already_counted: { status: 409, sentence: 'This SKU was already counted today.' },
  too_large: { status: 413, sentence: 'The request is too large.' },
  unsupported_media_type: { status: 415, sentence: 'Send the request without compression.' },
  headers_too_large: { status: 431, sentence: 'The address or the headers are too long.' },
  key_reused: { status: 422, sentence: 'This Idempotency-Key was used for another request.' },
  too_many_requests: { status: 429, sentence: 'Too many attempts. Please wait a moment and try again.' },
  request_timeout: { status: 408, sentence: 'The request took too long to arrive.' },
  internal: { status: 500, sentence: 'Something went wrong on the server. Please try again.' },
  unavailable: { status: 503, sentence: 'The server is busy. Please try again in a moment.' },
} as const satisfies Record<string, { status: number; sentence: string }>

export type ErrorCode = keyof typeof errorTable

/** Codes any call may answer with, so no endpoint lists them. */
export const commonErrors = [
  'invalid_request',
  'not_json',
  'too_large',
  'unsupported_media_type',
  'too_many_requests',
  'request_timeout',
  'headers_too_large',
  'internal',
  'unavailable',
] as const satisfies readonly ErrorCode[]
