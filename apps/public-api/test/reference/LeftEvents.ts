/** What the writes of the stories leave behind as events. */
import { type EventKind, type EventName, eventTypes } from "@quittance/domain/EventType"
import { SuperuserSql } from "@quittance/testing/PgTest"
import { Effect } from "effect"

interface Row {
  readonly id: string
  readonly kind: EventKind
}

/** The types of the events that were written since it was last asked, each subject's in their order. */
export const reader = Effect.gen(function* () {
  const sql = yield* SuperuserSql
  const seen = new Set<string>()
  return Effect.gen(function* () {
    const rows = yield* sql<Row>`SELECT id, kind FROM event ORDER BY subject, seq`
    const fresh = rows.filter(({ id }) => !seen.has(id))
    for (const { id } of fresh) seen.add(id)
    return fresh.map(({ kind }): EventName => eventTypes[kind].type)
  }).pipe(Effect.orDie)
})

/** Every type that the stories, and what fell due on their way, have left an event of. */
export const all = Effect.gen(function* () {
  const sql = yield* SuperuserSql
  const rows = yield* sql<Pick<Row, "kind">>`SELECT DISTINCT kind FROM event`
  return rows.map(({ kind }): EventName => eventTypes[kind].type)
}).pipe(Effect.orDie)

/** What each write is told as, by the operation that did it: the events that it leaves when it first succeeds. */
export const ofWrites: Readonly<Record<string, ReadonlyArray<EventName>>> = {
  "policies.create": ["policy.created"],
  "customers.addToPolicy": ["policy.updated"],
  "assets.addToPolicy": ["policy.updated"],
  "policies.update": ["policy.updated"],
  "customers.update": ["policy.updated"],
  "assets.update": ["policy.updated"],
  "policies.quote": ["policy.quoted", "policy.quoted", "policy.quoted", "policy.status_changed"],
  "customers.confirm": ["policy.updated"],
  "policies.confirm": ["policy.confirmed", "policy.status_changed"],
  "policies.reopen": ["policy.reopened", "policy.status_changed"],
  "policies.sign": ["policy.signed", "branch.merged", "policy.status_changed"],
  "testClocks.move": ["policy.started", "policy.status_changed", "invoice.issued"],
  "customers.putOnPolicy": ["policy.updated"],
  "customers.takeOffPolicy": ["policy.updated"],
  "assets.stop": ["policy.updated"],
  "assets.remove": ["policy.updated"],
  "policyLifecycle.revert": ["change.reverted"],
  "policyLifecycle.suspend": ["policy.suspended", "policy.status_changed", "credit_note.issued"],
  "policyLifecycle.reactivate": ["policy.reactivated", "policy.status_changed", "invoice.issued"],
  "policyLifecycle.stop": ["policy.stop_announced", "policy.stopped"],
  "policyLifecycle.withdrawStop": ["change.reverted", "change.reverted"],
  "policyLifecycle.reinstate": ["policy.reinstated", "policy.status_changed", "invoice.issued"],
  "branches.open": ["branch.opened"],
  "branches.rebase": ["branch.rebased"],
  "branches.fork": ["branch.opened", "policy.updated", "policy.quoted"],
  "branches.invalidate": ["branch.invalidated"],
  "branches.accept": ["policy.confirmed"],
  "branches.merge": ["policy.updated", "policy.quoted", "branch.invalidated", "branch.merged"],
  "payments.record": ["payment.recorded"],
  "payments.recordRefund": ["payment.refunded"],
  "billing.charge": ["policy.charged", "invoice.issued"],
  "payments.recordReturn": ["payment.returned", "invoice.issued"],
  "billing.writeOff": ["invoice.written_off"],
  "billing.reverseWriteOff": ["invoice.write_off_reversed"],
  "billing.credit": ["invoice.credited", "credit_note.issued"],
  "billing.cancel": ["invoice.cancelled"],
  "dunning.recordNotice": ["formal_notice.sent", "formal_notice.written"],
  "dunning.placeHold": ["hold.placed", "formal_notice.dropped"],
  "dunning.liftHold": ["hold.lifted", "formal_notice.written"],
  "products.publish": ["product.published"],
  "documentRequests.open": ["document_request.opened"],
  "documentRequests.cancel": ["document_request.cancelled"],
  "bankAccounts.put": ["bank_account.defined"],
  "payouts.request": ["payout.requested", "payment.refunded"],
  "approvals.approve": ["payout.approved"],
  "payouts.recordPaid": ["payout.paid"],
  "payouts.recordFailed": ["payout.failed", "payment.refund_returned"],
  "approvals.reject": ["payout.rejected", "payment.refund_returned"],
  "payouts.confirmPayee": ["payout.payee_confirmed"],
  "payouts.cancel": ["payout.cancelled", "payment.refund_returned"],
  "debits.notify": ["debit.notified"],
  "debits.postpone": ["debit.postponed"],
  "debits.retry": ["debit.planned"],
  "debits.cancel": ["debit.cancelled"],
  "paymentFiles.markDelivered": ["payment_file.delivered"],
  "paymentFiles.cancel": ["payment_file.cancelled"],
  "paymentMethods.add": ["payment_method.added"],
  "paymentMethods.disable": ["payment_method.disabled"],
  "mandates.create": ["mandate.created"],
  "mandates.importSigned": ["mandate.imported"],
  "mandates.sign": ["mandate.signed"],
  "mandates.confirmBank": ["mandate.bank_confirmed"],
  "mandates.amend": ["mandate.amended"],
  "mandates.unblock": ["mandate.unblocked"],
  "mandates.cancel": ["mandate.cancelled"],
  "erasures.carryOut": ["customer.erased"],
  "privacyRequests.create": ["privacy_request.received"],
  "privacyRequests.identify": ["privacy_request.identified"],
  "privacyRequests.extend": ["privacy_request.extended"],
  "privacyRequests.start": ["privacy_request.started"],
  "privacyRequests.complete": ["privacy_request.done"],
  "privacyRequests.refuse": ["privacy_request.refused"],
  "privacyRequests.withdraw": ["privacy_request.withdrawn"],
  "assets.importCsv": ["policy.updated"],
  "billing.retryParked": ["branch.rebased"],
  "firms.create": ["brokerage_firm.created"],
  "firms.update": ["brokerage_firm.updated"],
  "users.create": ["user.created"],
  "users.update": ["user.updated"],
  "permissions.putRole": ["role.defined"],
  "permissions.replace": ["user.permissions_replaced"],
  "permissions.removeRole": ["role.removed"],
  "users.disable": ["user.disabled"],
  "users.enable": ["user.enabled"],
  "users.resetSecondFactor": ["user.second_factor_reset"],
  "invitations.create": ["invitation.created"],
  "invitations.resend": ["invitation.resent"],
  "invitations.accept": ["invitation.accepted"],
  "invitations.revoke": ["invitation.revoked"],
  "account.changePassword": ["user.password_set"],
  "clients.create": ["client.created"],
  "clients.addSecret": ["client.secret_added"],
  "clients.removeSecret": ["client.secret_removed"],
  "clients.putKeys": ["client.keys_replaced"],
  "clients.remove": ["client.removed"]
}

/**
 * Writes that leave no event: they only answer, or are of sessions, of tokens, of secrets and replays of
 * webhooks, of files that can't be read yet (what the scanner finds is told), or proofs that stand for themselves.
 */
export const silentWrites: ReadonlyArray<string> = [
  "retention.put",
  "sandboxBank.transfer",
  "erasures.placeHold",
  "erasures.liftHold",
  "quotes.preview",
  "policies.calculateQuote",
  "anonymousSessions.start",
  "certificates.verify",
  "compliance.accept",
  "signatures.sendCode",
  "signatures.prove",
  "signatures.correctSigner",
  "signatures.remind",
  "signatures.linkSigner",
  "documents.upload",
  "documents.makeLink",
  "documents.revokeLink",
  "documents.recordDelivery",
  "documents.acknowledge",
  "documentTemplates.publish",
  "documentTemplates.preview",
  "documentTemplates.addFile",
  "documents.request",
  "documents.retry",
  "documents.void",
  "tokens.issue",
  "account.endSignIn",
  "users.endSignIn",
  "webhooks.addSecret",
  "webhooks.removeSecret",
  "webhooks.test",
  "webhookReplays.start",
  "webhookReplays.startOne",
  "webhookReplays.startDead",
  "webhookReplays.remove"
]

/** Reads that leave events: the first read of a document makes it. */
export const ofReads: ReadonlyArray<string> = ["documents.content", "paymentFiles.content"]

/** What no route does here: `RecordedEvents.test.ts`, `Federation.test.ts`, `SecondFactor.test.ts`, `Documents.test.ts`, `Uploads.test.ts`, `DocumentRequests.test.ts`, `Planning.test.ts` and `Reports.test.ts` record these. */
export const leftElsewhere: ReadonlyArray<EventName> = [
  "tenant.updated",
  "tenant.disabled",
  "tenant.enabled",
  "user.second_factor_added",
  "user.second_factor_removed",
  "user.identity_linked",
  "policy.quote_outdated",
  "policy.first_payment_received",
  "document.failed",
  "document.rejected",
  "document_request.fulfilled",
  "document_request.reopened",
  "bank_statement.told",
  "bank_entry.matched",
  // By the worker, as debits are, and after the last day for a refund.
  "withdrawal.refund_overdue",
  "debit.settled",
  "debit.extended",
  "debit.notification_needed",
  // By what banks answer.
  "debit.returned",
  // By the worker, and by a change of what was to be signed.
  "signature.expired",
  "signature.voided"
]
