import { dryRun, type Fixtures, today } from "../MatrixFixture.ts"

export const fixtures: Fixtures = {
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
  "dunning.liftHold": { ...dryRun, record: "signedPolicyId" }
}
