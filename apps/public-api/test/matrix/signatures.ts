import type { MatrixCaller } from "@quittance/contract/api/PermissionMatrix"
import { Effect } from "effect"
import { type AreaFixtures, dryRun, type Fixtures, type Instead } from "../MatrixFixture.ts"
import { open, publishRequested, requestable } from "../Requested.ts"
import { send } from "../Sales.ts"

/** Staff have a role on the tenant; they do not sign for a customer. */
const bySigners = (others?: Instead) => (caller: MatrixCaller) =>
  caller === "USER" || caller === "USER_OF_LONG_AGO" ? { status: 403, code: "FORBIDDEN" } : others

const step = { ...dryRun, body: {}, instead: bySigners() }

export const fixtures: Fixtures = {
  // The signature is open.
  "signatures.evidence": { instead: () => ({ status: 409, code: "EVIDENCE_NOT_READY" }) },
  "signatures.request": { ...dryRun, body: {}, record: "requestablePolicyId" },
  "signatures.cancel": { ...dryRun, body: { reason: "x" } },
  // The signer has begun.
  "signatures.correctSigner": {
    ...dryRun,
    body: { phone: "x" },
    instead: () => ({ status: 409, code: "INVALID_TRANSITION" })
  },
  "signatures.remind": {
    ...dryRun,
    body: {},
    instead: () => ({ status: 409, code: "REMINDED_LATELY" })
  },
  "signatures.linkSigner": {
    ...dryRun,
    body: {},
    // Letters bring this signer their links.
    instead: () => ({ status: 422, code: "INVALID_REFERENCE" })
  },
  "signatures.open": step,
  "signatures.sendCode": step,
  // No code was sent, so none is right, and nothing is signed.
  "signatures.prove": {
    ...step,
    body: { code: "000000" },
    instead: bySigners({ status: 409, code: "OTP_LOCKED" })
  },
  "signatures.sign": {
    ...step,
    body: { name: "x", consents: [] },
    instead: bySigners({ status: 409, code: "INVALID_TRANSITION" })
  },
  "signatures.decline": { ...step, body: { reason: "x" } }
}

/** A signature that a signer has opened, and a policy that waits for one. */
export const recordsOf: NonNullable<AreaFixtures["recordsOf"]> = Effect.fnUntraced(
  function* (world) {
    const { session } = world
    yield* publishRequested(world)
    const { policyId: requestablePolicyId } = yield* requestable(world, session)
    const { policyId: openPolicyId, signatureId, signerId } = yield* open(world, session)
    yield* send(world, session, `/signatures/${signatureId}/signers/${signerId}/open`, {})
    return { signatureId, signerId, openPolicyId, requestablePolicyId }
  }
)
