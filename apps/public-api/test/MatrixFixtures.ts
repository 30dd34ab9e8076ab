/**
 * What the matrix needs to know of a route beyond the contract: a request that succeeds, again and
 * again, for whoever may make it. A read without an entry is called as it is; a write has to have one.
 */
import type { MatrixCaller } from "@quittance/contract/api/PermissionMatrix"
import { motor } from "./Api.ts"
import { fleet, risk, signature } from "./Sales.ts"
import { randomUUID } from "node:crypto"
import { type Records, today } from "./MatrixWorld.ts"

export interface Fixture {
  /** The body of a write, or what makes it where it names a record or has to be another each time. */
  readonly body?: unknown
  readonly bodyOf?: (caller: MatrixCaller, records: Records) => unknown
  /** What is answered where nothing succeeds again and again: the link of a letter works once. */
  readonly instead?: { readonly status: number; readonly code: string }
  /**
   * The query, with its question mark; a dry run where a command can do it once only. What depends on
   * who asks, or names a record, is worked out.
   */
  readonly query?: string | ((caller: MatrixCaller, records: Records) => string)
  readonly headers?: Readonly<Record<string, string>>
  /** The record that the path names, where it is another one than its parameter says. */
  readonly record?: keyof Records
}

const dryRun = { query: "?dryRun=true" }

const writtenOff: Fixture = {
  body: { reason: "x" },
  record: "writtenOffInvoiceId",
  instead: { status: 409, code: "INVALID_TRANSITION" }
}

/** By the name of the route in the contract. */
export const fixtures: Readonly<Record<string, Fixture>> = {
  "policies.create": { ...dryRun, body: { productId: "motor-fr" } },
  "policies.update": { ...dryRun, body: { name: "x" } },
  "policies.calculateQuote": { body: {} },
  "policies.quote": { ...dryRun, body: {} },
  "policies.confirm": { ...dryRun, body: {} },
  "policies.reopen": { ...dryRun, body: {}, record: "confirmedPolicyId" },
  "policies.sign": { ...dryRun, body: signature, record: "confirmedPolicyId" },
  "policyLifecycle.suspend": { ...dryRun, body: { reason: "GARAGED" }, record: "signedPolicyId" },
  "policyLifecycle.reactivate": { ...dryRun, body: {}, record: "suspendedPolicyId" },
  "policyLifecycle.stop": { ...dryRun, body: { reason: "SALE" } },
  "policyLifecycle.withdrawStop": { ...dryRun, record: "stoppingPolicyId" },
  "policyLifecycle.reinstate": { ...dryRun, body: { gap: "COVERED" }, record: "stoppedPolicyId" },
  "policyLifecycle.revert": { ...dryRun, body: {}, record: "signedPolicyId" },
  "branches.open": { ...dryRun, body: { branchType: "NEW_BUSINESS" } },
  "branches.diff": { record: "endorsementId" },
  "branches.fork": { ...dryRun, body: {} },
  "branches.invalidate": {
    ...dryRun,
    body: { reason: "BROKER_REQUEST" },
    record: "endorsementId"
  },
  "branches.rebase": { ...dryRun, body: { resolutions: [] }, record: "endorsementId" },
  "branches.accept": { ...dryRun, body: {}, record: "renewalId" },
  "branches.merge": { ...dryRun, body: {}, record: "variantId" },
  "customers.addToPolicy": { ...dryRun, body: { role: "POLICYHOLDER" } },
  "customers.putOnPolicy": { ...dryRun, body: { role: "PAYER" }, record: "signedCustomerId" },
  "customers.takeOffPolicy": dryRun,
  "customers.update": { ...dryRun, body: { name: "x" } },
  "customers.confirm": { ...dryRun, body: {} },
  "assets.addToPolicy": { ...dryRun, body: { customFields: [] } },
  "assets.importCsv": {
    ...dryRun,
    body: fleet,
    headers: { "content-type": "text/csv" }
  },
  "assets.remove": dryRun,
  "assets.stop": { ...dryRun, body: {} },
  "assets.update": { ...dryRun, body: { name: "x" } },
  "quotes.preview": { body: risk },
  "payments.record": { body: { amount: 1, method: "CARD", reference: "r" } },
  // The payment has been taken back already, which happens once.
  // Nobody has signed it yet.
  "billing.charge": {
    body: { componentId: "COPY", label: "Copy", amount: 1 },
    instead: { status: 409, code: "INVALID_TRANSITION" }
  },
  // Nothing is parked.
  "billing.retryParked": { body: {}, instead: { status: 409, code: "POLICY_NOT_PARKED" } },
  // What is given up already can be neither given up nor credited, nor is it a draft.
  "billing.writeOff": writtenOff,
  "billing.credit": writtenOff,
  "billing.cancel": writtenOff,
  // Nothing is owed to anybody.
  "payments.recordRefund": {
    body: { amount: 1, method: "CARD", reference: "r" },
    instead: { status: 422, code: "INVALID_AMOUNT" }
  },
  "payments.recordReturn": {
    body: { reasonCode: "AM04" },
    instead: { status: 409, code: "INVALID_TRANSITION" }
  },
  "dunning.recordNotice": {
    ...dryRun,
    bodyOf: (_caller, { signedCustomerId, unpaidInvoiceId }) => ({
      invoiceIds: [unpaidInvoiceId],
      payerCustomerId: signedCustomerId,
      sentAt: today,
      channel: "LETTER",
      evidence: { carrier: "x", reference: "x" }
    }),
    record: "signedPolicyId"
  },
  "dunning.placeHold": { ...dryRun, body: { reason: "x" } },
  "dunning.liftHold": { ...dryRun, record: "signedPolicyId" },
  "firms.create": { ...dryRun, body: { name: "x", firmType: "RETAIL" } },
  "firms.update": { ...dryRun, body: { name: "x" } },
  "users.create": {
    ...dryRun,
    body: { email: "mo@example.test", firstName: "Mo", lastName: "Test" }
  },
  "users.update": { ...dryRun, body: { firstName: "x" } },
  "users.disable": { ...dryRun, body: {} },
  "users.enable": { ...dryRun, body: {} },
  "users.resetSecondFactor": { ...dryRun, body: {} },
  "users.endSignIn": dryRun,
  // Those who ask have none that is kept.
  "account.endSignIn": { instead: { status: 404, code: "SIGN_IN_NOT_FOUND" } },
  "account.changePassword": {
    body: { presentPassword: "x", newPassword: "x" },
    instead: { status: 422, code: "WEAK_PASSWORD" }
  },
  // Who gives a scope needs more than the right to give it.
  "clients.create": { ...dryRun, body: { name: "x", scopes: [] } },
  "clients.addSecret": { ...dryRun, body: {}, record: "clientWithRoomId" },
  "clients.removeSecret": dryRun,
  "clients.putKeys": { ...dryRun, body: { keys: [] } },
  "clients.remove": dryRun,
  // A role that lets nobody do anything, where who may invite somewhere may invite.
  "invitations.create": {
    ...dryRun,
    bodyOf: (caller, { northFirmId, policyId, roleId }) => ({
      email: `${randomUUID()}@example.test`,
      permissions: [
        {
          role: roleId,
          on:
            caller === "USER_ON_RECORD" || caller === "USER_OF_LONG_AGO"
              ? { kind: "RECORD", recordId: policyId }
              : { kind: "FIRM", brokerageFirmId: northFirmId }
        }
      ]
    })
  },
  "invitations.revoke": dryRun,
  "invitations.resend": { ...dryRun, body: {} },
  "invitations.accept": {
    body: { token: "n".repeat(43) },
    instead: { status: 404, code: "INVITATION_NOT_FOUND" }
  },
  "permissions.putRole": { ...dryRun, body: { name: "x", actions: {} } },
  "permissions.removeRole": dryRun,
  "permissions.replace": { ...dryRun, body: { permissions: [] } },
  // People ask about themselves; a client has no grants and names somebody.
  "permissions.explain": {
    query: (caller, { userId }) =>
      `?action=policy.read${caller.startsWith("CLIENT") ? `&subject=${userId}` : ""}`
  },
  "products.publish": { ...dryRun, body: motor, record: "sharedProductId" },
  "testClocks.move": { body: { now: today } }
}

/** Identifiers that no tenant has, where they are not made of a prefix and a suffix. */
export const missing: Readonly<Record<string, string>> = {
  productId: "no-such-product",
  secretId: "0000000000000000",
  signInId: "0".repeat(43),
  // Publishing makes what its path names, and its body names it too.
  sharedProductId: motor.productId
}
