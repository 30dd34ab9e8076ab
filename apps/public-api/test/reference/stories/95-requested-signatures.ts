/** A broker asks customers to sign: one signs, one refuses, and one signature is withdrawn. */
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { AuditSealer } from "@quittance/operations/audit/AuditSealer"
import { Effect } from "effect"
import { call, type World } from "../../Api.ts"
import { form } from "../../Forms.ts"
import { accepted, codeOf, embedded, linked, requested } from "../../Requested.ts"
import { confirmed, type Sold } from "../Sale.ts"
import { by, moveTo } from "../Stage.ts"

export const story = Effect.fnUntraced(function* (world: World, { visitor }: Sold) {
  const manager = by(world, world.manager)
  for (const product of [requested, embedded, linked]) {
    yield* manager.put(`/admin/products/${product.productId}`, product)
  }
  const asked = Effect.fnUntraced(function* ({ productId }: typeof requested) {
    const startedAt = "2026-08-01T00:00:00+02:00"
    const { policyId } = yield* confirmed(visitor, { productId, startedAt })
    const { id, signers } = yield* manager.post(`/signatures/policies/${policyId}`, {
      message: "The contract that we spoke of"
    })
    const ids = { signatureId: String(id), signerId: String(signers[0].id) }
    return { ...ids, signer: `/signatures/${id}/signers/${ids.signerId}` }
  })
  const proven = yield* asked(requested)
  yield* visitor.post(`${proven.signer}/open`)
  yield* visitor.post(`${proven.signer}/otp`)
  yield* visitor.post(`${proven.signer}/prove`, { code: yield* codeOf(world, proven) })
  yield* manager.post(`/signatures/${proven.signatureId}/cancel`, {
    reason: "The customer wants another vehicle"
  })
  const signed = yield* asked(embedded)
  const shown = yield* visitor.post(`${signed.signer}/open`)
  const consents = accepted(shown as unknown as Parameters<typeof accepted>[0])
  yield* visitor.post(`${signed.signer}/sign`, { name: "Camille Martin", consents })
  yield* Effect.provideService(
    AuditSealer.use(({ sealBatch }) => sealBatch),
    CurrentTenant,
    world.tenant
  )
  yield* manager.get(`/signatures/${signed.signatureId}/evidence`)
  const { bytes } = yield* call(`/signatures/${signed.signatureId}/evidence`, {
    tenant: world.tenant,
    token: world.manager
  })
  const sent = form({}, { name: "evidence.zip", type: "application/zip", bytes })
  const verified = yield* call("/signatures/verify", { tenant: world.tenant, ...sent })
  if (verified.body.status !== "INTACT") return yield* Effect.die(new Error(verified.text))
  const refused = yield* asked(requested)
  yield* manager.patch(refused.signer, { email: "camille@martin.example" })
  const { now } = yield* by(world, world.client).get("/admin/test-clock")
  yield* moveTo(world, new Date(Date.parse(now) + 3_600_000).toISOString())
  yield* manager.post(`/signatures/${refused.signatureId}/remind`, {})
  const given = yield* asked(linked)
  yield* manager.post(`${given.signer}/links`)
  yield* visitor.post(`${refused.signer}/decline`, { reason: "Another offer is better" })
})
