import type { Fixture, Fixtures } from "../MatrixFixture.ts"

const writtenOff: Fixture = {
  body: { reason: "x" },
  record: "writtenOffInvoiceId",
  instead: { status: 409, code: "INVALID_TRANSITION" }
}

export const fixtures: Fixtures = {
  // The policy is not signed.
  "billing.charge": {
    body: { componentId: "COPY", label: "Copy", amount: 1 },
    instead: { status: 409, code: "INVALID_TRANSITION" }
  },
  // The policy is not parked.
  "billing.retryParked": { body: {}, instead: { status: 409, code: "POLICY_NOT_PARKED" } },
  // A written-off invoice can be neither written off again nor credited, and it is no draft.
  "billing.writeOff": writtenOff,
  // This invoice was not written off.
  "billing.reverseWriteOff": {
    body: { reason: "x" },
    instead: { status: 409, code: "INVALID_TRANSITION" }
  },
  "billing.credit": writtenOff,
  "billing.cancel": writtenOff
}
