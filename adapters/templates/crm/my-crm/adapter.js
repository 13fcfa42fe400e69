// @ts-check

/**
 * The settings of options.schema.json, defaults filled in.
 * @typedef {{ url: string, token: string, timeout_seconds: number }} Options
 * @typedef {import('dealer-bridge/adapter').AttemptOutcome} AttemptOutcome
 * @typedef {import('dealer-bridge/adapter').LeadDocument} LeadDocument
 */

/** @type {import('dealer-bridge/adapter').CrmAdapter<Options>} */
const adapter = {
  check,
  build,
  classify,
  place: ({ url }) => ({ address: url }),
};
export default adapter;

/**
 * Faults that the schema cannot tell. Told at start, with the place in the settings.
 * @param {Options} options
 * @returns {import('dealer-bridge/adapter').Problem[]}
 */
function check({ url }) {
  if (/^https:\/\/[^@?#]+$/.test(url) && URL.canParse(url)) return [];
  if (/^http:\/\/(127\.0\.0\.1|localhost)(:\d+)?\//.test(url)) return [];
  return [
    {
      code: 'ADAPTER_OPTION_INVALID',
      message: 'url must begin with https:// and hold no login, query or fragment',
      where: { path: 'url' },
    },
  ];
}

/**
 * What the CRM gets. Texts of the buyer may hold anything and may be missing.
 * @param {LeadDocument} lead
 * @param {Options} options
 * @returns {import('dealer-bridge/adapter').HttpDelivery}
 */
function build(lead, options) {
  const { customer, vehicle_of_interest: wanted, message } = lead.request;
  const vehicle = { ...lead.listing, ...wanted };
  return {
    kind: 'http',
    method: 'POST',
    url: options.url,
    headers: {
      'Content-Type': 'application/json',
      Authorization: `Bearer ${options.token}`,
      // The same on every attempt, so that a CRM that knows this header takes the lead once.
      'Idempotency-Key': lead.lead_id,
    },
    body: JSON.stringify({
      id: lead.lead_id,
      received_at: lead.received_at,
      dealer: lead.rooftop.id,
      first_name: customer.first_name,
      last_name: customer.last_name,
      email: customer.email,
      phone: customer.phone,
      vin: vehicle.vin,
      stock: vehicle.stock,
      message,
    }),
    timeoutMs: options.timeout_seconds * 1000,
  };
}

/**
 * What the answer means. Whatever comes must get a verdict.
 * @param {AttemptOutcome} outcome
 * @returns {import('dealer-bridge/adapter').Verdict}
 */
function classify(outcome) {
  if (outcome.kind !== 'http') return { state: 'retry', reason: 'no request was made' };
  if (outcome.sent === 'no') {
    return { state: 'retry', reason: `the CRM could not be reached: ${outcome.error ?? 'no reason given'}` };
  }
  const { status = 0 } = outcome;
  if (outcome.sent === 'maybe')
    return { state: 'uncertain', reason: 'the request went out, no answer came back' };
  if (status >= 200 && status < 300) return { state: 'delivered', reason: `the CRM answered ${status}` };
  if (status === 401 || status === 403) {
    return {
      state: 'retry',
      reason: `the CRM answered ${status}: it refuses the token`,
      pauseDestination: true,
    };
  }
  if ([404, 405, 410].includes(status)) {
    // The same for every lead: a mistyped url must not have all of them refused.
    return {
      state: 'retry',
      reason: `the CRM answered ${status}: check the url`,
      pauseDestination: true,
    };
  }
  const isRefusal = status >= 400 && status < 500 && ![408, 425, 429].includes(status);
  return isRefusal
    ? { state: 'rejected', reason: `the CRM answered ${status}: it refused the lead` }
    : { state: 'retry', reason: `the CRM answered ${status}` };
}
