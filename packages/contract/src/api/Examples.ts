/** What the published document shows as examples: one sale of the motor product that ships with us. */
import type { ApiError } from "./ApiError.ts"

const suffix = "346789ABCDEFGHJKLMNPQ"
const id = (prefix: string) => `${prefix}_test_${suffix}`

/** By name, wherever a parameter has it. */
export const parameters: Readonly<Record<string, string | number | boolean>> = {
  action: "policy.read",
  actorId: id("user"),
  assetId: id("asset"),
  branchId: id("branch"),
  brokerageFirmId: id("brokerage_firm"),
  changeId: id("change"),
  clientId: "acme-integration",
  count: 10,
  customerId: id("customer"),
  dryRun: true,
  firmType: "RETAIL",
  from: "2026-03-01T00:00:00Z",
  hasFormalNotice: false,
  "idempotency-key": "6f1c2e58-sign-1",
  "if-match": '"7"',
  invoiceId: id("invoice"),
  knownAt: "2026-03-01T00:00:00Z",
  outcome: "DONE",
  page: 1,
  paymentId: id("payment"),
  parentBrokerageFirmId: id("brokerage_firm"),
  policyId: id("policy"),
  productId: "motor-fr",
  queryString: "martin lyon",
  quoteId: id("quote"),
  record: id("policy"),
  recordId: id("policy"),
  roleId: "CLAIMS_DESK",
  secretId: "5feceb66ffc86f38",
  subject: id("user"),
  to: "2026-04-01T00:00:00Z",
  unpaidDurationDays: 30,
  unpaidInvoiceIssuedAfter: "2026-01-01",
  unpaidInvoiceIssuedBefore: "2026-02-01T00:00:00Z",
  userId: id("user"),
  whenAt: "2026-03-01T00:00:00Z"
}

const policyFields = [
  { key: "bonusMalus", value: 68 },
  { key: "claims", value: 0 },
  { key: "annualMileage", value: 12_000 }
]
const driverFields = [
  { key: "birthDate", value: "1988-04-12" },
  { key: "licenceDate", value: "2007-06-20" }
]
const vehicleFields = [
  { key: "make", value: "Renault" },
  { key: "model", value: "Clio V" }
]
const choice = {
  tierId: "COMPREHENSIVE",
  perils: [{ id: "GLASS", included: true }]
}

/** Bodies by the name of the operation. */
export const bodies: Readonly<Record<string, unknown>> = {
  "policies.create": {
    productId: "motor-fr",
    startedAt: "2026-03-01T00:00:00+01:00",
    invoicingConfig: { frequency: "MONTHLY", timing: "IN_ADVANCE", firstPayment: "NONE" },
    customFields: policyFields
  },
  "policies.update": { name: "The family's car", customFields: [{ key: "claims", value: null }] },
  "policies.calculateQuote": choice,
  "policies.quote": choice,
  "policies.confirm": {},
  "policies.reopen": {},
  "policies.sign": {
    signer: { firstName: "Camille", lastName: "Martin", email: "camille.martin@example.org" },
    consent: { textId: "SUBSCRIPTION_TERMS", accepted: true }
  },
  "contracts.suspend": { reason: "GARAGED" },
  "contracts.reactivate": {},
  "contracts.stop": { reason: "SALE", details: [{ key: "buyer", value: "A garage" }] },
  "contracts.reinstate": { gap: "COVERED" },
  "contracts.revert": {},
  "branches.open": {
    branchType: "MTA",
    name: "Longer way to work",
    effectiveAt: "2026-05-01T00:00:00+02:00"
  },
  "branches.fork": { name: "The same, with another tier" },
  "branches.invalidate": { reason: "CUSTOMER_REQUEST" },
  "branches.rebase": {
    resolutions: [
      { path: "/customFields/annualMileage", from: "2026-05-01T00:00:00.000Z", take: "ours" }
    ]
  },
  "branches.accept": {},
  "branches.merge": {},
  "customers.addToPolicy": {
    role: "POLICYHOLDER",
    name: "Camille Martin",
    email: "camille.martin@example.org",
    customFields: driverFields
  },
  "customers.putOnPolicy": { role: "DRIVER", customFields: driverFields },
  "customers.update": { paymentMode: "BANK_TRANSFER", customFields: driverFields },
  "customers.confirm": {},
  "assets.addToPolicy": { name: "Clio", customFields: vehicleFields },
  "assets.stop": {},
  "assets.importCsv": "name,power,usage\nClio,5,COMMUTING\n",
  "assets.update": { name: null, customFields: vehicleFields },
  "quotes.preview": {
    productId: "motor-fr",
    customFields: policyFields,
    customers: [{ role: "POLICYHOLDER", customFields: driverFields }],
    assets: [{ customFields: vehicleFields }],
    tierId: "THIRD_PARTY_PLUS"
  },
  "payments.record": { amount: 4217, method: "BANK_TRANSFER", reference: "Transfer of 3 March" },
  "billing.charge": { componentId: "DUPLICATE", label: "Second certificate", amount: 1500 },
  "billing.retryParked": {},
  "billing.writeOff": { reason: "The customer is insolvent" },
  "billing.credit": { reason: "Goodwill after a complaint" },
  "billing.cancel": { reason: "Drafted by mistake" },
  "payments.recordReturn": { reasonCode: "AM04", fee: 1000 },
  "dunning.recordNotice": {
    invoiceIds: [id("invoice")],
    payerCustomerId: id("customer"),
    sentAt: "2026-05-12T15:00:00Z",
    channel: "REGISTERED_LETTER",
    evidence: { carrier: "La Poste", reference: "RK 12 345 678 9 FR" }
  },
  "dunning.placeHold": { to: "2026-07-01T00:00:00Z", reason: "The invoice is disputed" },
  "payments.recordRefund": { amount: 1250, method: "BANK_TRANSFER", reference: "Refund of 7 May" },
  // Its beginning: a whole document is longer than the rest of this page.
  "products.publish": {
    productId: "motor-fr",
    version: "2026.2",
    name: "Assurance automobile",
    type: "INDIVIDUAL",
    country: "FR",
    currency: "EUR",
    timeZone: "Europe/Paris",
    locale: "fr-FR",
    validFrom: "2026-07-01"
  },
  "invitations.create": {
    email: "camille.martin@example.org",
    firstName: "Camille",
    lastName: "Martin",
    customerId: id("customer")
  },
  "invitations.resend": {},
  "invitations.accept": { token: "Vd3tB0Zq7uX1yR9mK5wN2sP8aC4eG6hJfLxTzQvWoYk" },
  "permissions.putRole": {
    name: "Claims desk",
    actions: { policy: ["read"], customer: ["read", "write"], quote: ["read"] }
  },
  "permissions.replace": {
    permissions: [
      { role: "BROKER", on: { kind: "FIRM", brokerageFirmId: id("brokerage_firm") } },
      { role: "CLAIMS_DESK", on: { kind: "TENANT" } }
    ]
  },
  "firms.create": {
    name: "Lambert Courtage",
    firmType: "RETAIL",
    parentBrokerageFirmId: id("brokerage_firm"),
    customFields: [{ key: "orias", value: "07000001" }]
  },
  "firms.update": {
    name: "Lambert & Fils",
    parentBrokerageFirmId: null,
    customFields: [{ key: "orias", value: null }]
  },
  "users.create": {
    email: "nora.lambert@example.org",
    firstName: "Nora",
    lastName: "Lambert",
    brokerRole: "Head of motor",
    brokerageFirmId: id("brokerage_firm")
  },
  "users.update": { lastName: "Lambert-Martin", brokerRole: null },
  "users.disable": {},
  "users.enable": {},
  "clients.create": {
    clientId: "acme-integration",
    name: "Integration",
    scopes: ["platform/broker", "platform/billing"]
  },
  "clients.addSecret": {},
  "testClocks.move": { now: "2026-04-01T00:00:00Z" },
  "anonymousSessions.start": { productId: "motor-fr" }
}

const faultOfField = {
  path: "/customFields/bonusMalus",
  message: "Give a value; the product needs it to quote."
}

/** The details of errors that have any. */
export const details: {
  readonly [Tag in keyof typeof ApiError]?: Readonly<Record<string, unknown>>
} = {
  InvalidRequest: {
    issues: [
      { in: "path", path: "policyId", message: `Expected a policy id, such as ${id("policy")}` },
      { in: "body", path: "/customFields/0/key", message: "Required" }
    ]
  },
  Forbidden: { requiredScope: "platform/billing" },
  PolicyNotFound: { policyId: id("policy") },
  BranchNotFound: { branchId: id("branch") },
  ChangeNotFound: { changeId: id("change") },
  CustomerNotFound: { customerId: id("customer") },
  AssetNotFound: { assetId: id("asset") },
  AssetAlreadyStopped: { assetId: id("asset"), stoppedAt: "2026-07-01T00:00:00.000Z" },
  CustomerAlreadyOnPolicy: { customerId: id("customer"), policyId: id("policy") },
  CustomerNeeded: { customerId: id("customer"), duty: "PAYER" },
  QuoteNotFound: { quoteId: id("quote") },
  InvoiceNotFound: { invoiceId: id("invoice") },
  PaymentNotFound: { paymentId: id("payment") },
  HoldNotFound: { holdId: id("hold") },
  ProductNotFound: { productId: "motor-de" },
  RoleNotFound: { roleId: "CLAIMS_DESK" },
  BrokerageFirmNotFound: { brokerageFirmId: id("brokerage_firm") },
  ClientNotFound: { clientId: "acme-integration" },
  ClientSecretNotFound: { secretId: "5feceb66ffc86f38" },
  RecordNotFound: { recordId: id("policy") },
  RoleInUse: { roleId: "CLAIMS_DESK", grants: 3 },
  MethodNotAllowed: { allowed: ["GET", "HEAD", "PATCH"] },
  InvalidTransition: { status: "POLICY_CREATED", command: "sign", allowed: ["quote"] },
  PolicyNotParked: { policyId: id("policy") },
  Conflict: { etag: '"8"' },
  BranchRequired: { paths: ["/customFields/annualMileage"], branchType: "MTA" },
  BranchConflict: {
    conflicts: [
      {
        path: "/customFields/annualMileage",
        from: "2026-05-01T00:00:00.000Z",
        base: 12000,
        theirs: 15000,
        ours: 20000
      }
    ]
  },
  ChangeHasDependents: { changeId: id("change"), dependents: [id("change")] },
  ChangeNotRevertible: { changeId: id("change"), kind: "SIGN" },
  BranchClosed: { branchId: id("branch"), status: "MERGED" },
  QuoteOutdated: { reason: "EXPIRED" },
  ComplianceGateNotMet: { gates: [{ kind: "CONSENT", textId: "SUBSCRIPTION_TERMS" }] },
  DerogationRequired: {
    derogations: [{ id: "LOSS_RATIO", label: "Twice the premiums went into claims" }]
  },
  DuplicateExternalId: { externalId: "CRM-4711" },
  InvitationClosed: { status: "ACCEPTED" },
  SessionLinked: {},
  WeakPassword: { reason: "SHORT" },
  EmailTaken: { email: "nora.lambert@example.org" },
  ClientIdTaken: { clientId: "acme-integration" },
  TooManySecrets: { maximum: 2 },
  PayloadTooLarge: { maximum: 1_048_576 },
  UnsupportedMediaType: { accepted: ["application/json"] },
  InvalidStopReason: { reason: "BORED", accepted: ["CUSTOMER_REQUEST", "RISK_GONE"] },
  TerminationNotPossible: { reason: "NON_PAYMENT", earliest: "2026-06-02T22:00:00.000Z" },
  InvalidBranch: { branchId: id("branch") },
  InvalidEffectiveDate: { field: "whenAt", latest: "2026-03-31T00:00:00.000Z" },
  InvalidBillingAssignment: { field: "configId", value: "SPLIT" },
  InvalidInvoicingConfig: { reason: "Choose one of the frequencies: YEARLY, MONTHLY." },
  InvalidProduct: {
    faults: [{ pointer: "/tiers/0/perils/1", message: "There is no such peril." }]
  },
  InvalidCustomField: { issues: [faultOfField] },
  InvalidRole: { role: "PILOT", accepted: ["POLICYHOLDER", "DRIVER", "PAYER"] },
  InvalidReference: { field: "brokerageFirm", value: id("brokerage_firm") },
  FirmTreeTooDeep: { maximum: 20 },
  InternalScope: { scopes: ["platform/permissions"] },
  InvalidAmount: { field: "amount", minimum: 1, maximum: 9_007_199_254_740_991 },
  UnknownProduct: { productId: "motor-de" },
  QuoteProviderUnavailable: { reason: "TIMEOUT" },
  RateLimited: { retryAfter: 1800, limit: 100, remaining: 0, reset: 1800 }
}
