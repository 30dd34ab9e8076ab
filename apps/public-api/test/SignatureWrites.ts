/** Writes on signatures that succeed. */
import { SuperuserSql } from "@quittance/testing/PgTest"
import { Effect } from "effect"
import type { World } from "./Api.ts"
import {
  accepted,
  codeOf,
  embedded,
  linked,
  open,
  publishRequested,
  requestable
} from "./Requested.ts"
import { send } from "./Sales.ts"

// Other writes move the clock before these are tried.
const startedAt = "2026-08-01T00:00:00+02:00"

export const signatureWrites = Effect.fnUntraced(function* (world: World) {
  const { session } = world
  yield* publishRequested(world)
  const { policyId } = yield* requestable(world, session, startedAt)
  const toCancel = yield* open(world, session, startedAt)
  const toDecline = yield* open(world, session, startedAt)
  const toProve = yield* open(world, session, startedAt)
  const toCorrect = yield* open(world, session, startedAt)
  const sql = yield* SuperuserSql
  // As if their letter had left an hour before.
  yield* sql`
    UPDATE signature_signer SET notified_at = notified_at - interval '1 hour'
    WHERE id = ${toDecline.signerId}
  `
  const toLink = yield* open(world, session, startedAt, linked)
  const toSign = yield* open(world, session, startedAt, embedded)
  const post = (path: string, body: unknown, token = world.manager) => ({
    token,
    method: "POST",
    path: `/signatures${path}`,
    body
  })
  const step = ({ signatureId, signerId }: typeof toSign, name: string, body: unknown = {}) =>
    post(`/${signatureId}/signers/${signerId}/${name}`, body, session)
  const { body: shown } = yield* send(world, session, step(toSign, "open").path, {})
  return {
    "signatures.request": post(`/policies/${policyId}`, {}),
    "signatures.cancel": post(`/${toCancel.signatureId}/cancel`, { reason: "x" }),
    "signatures.correctSigner": {
      ...post(`/${toCorrect.signatureId}/signers/${toCorrect.signerId}`, {
        email: "camille.durand@example.test"
      }),
      method: "PATCH"
    },
    "signatures.remind": post(`/${toDecline.signatureId}/remind`, {}),
    "signatures.linkSigner": post(`/${toLink.signatureId}/signers/${toLink.signerId}/links`, {}),
    "signatures.open": step(toProve, "open"),
    "signatures.sendCode": step(toProve, "otp"),
    "signatures.prove": step(toProve, "prove", { code: yield* codeOf(world, toProve) }),
    "signatures.sign": step(toSign, "sign", { name: "Camille Durand", consents: accepted(shown) }),
    "signatures.decline": step(toDecline, "decline", { reason: "x" })
  }
})
