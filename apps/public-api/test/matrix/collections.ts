import type { PaymentFile } from "@quittance/domain/collections/PaymentFile"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { Currency } from "@quittance/domain/values/Amount"
import { Instant } from "@quittance/domain/values/Instant"
import { PaymentFilesRepo } from "@quittance/persistence/collections/PaymentFilesRepo"
import { Ids } from "@quittance/persistence/sql/Ids"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { call, motor, type World } from "../Api.ts"
import { dryRun, type Fixtures, today } from "../MatrixFixture.ts"
import { quoted, send, signature } from "../Sales.ts"
import { bankAccount } from "./bank-accounts.ts"
import { imported } from "./mandates.ts"
import { account } from "./payment-methods.ts"

const tooEarly = { status: 409, code: "INVALID_TRANSITION" } as const

export const fixtures: Fixtures = {
  "debits.notify": { ...dryRun, body: {} },
  "debits.postpone": { ...dryRun, body: { collectOn: "2027-01-04" } },
  "debits.cancel": { ...dryRun, body: {} },
  // It has not failed.
  "debits.retry": { ...dryRun, body: {}, instead: tooEarly },
  // Its debits are still to come.
  "paymentFiles.content": { instead: tooEarly },
  "paymentFiles.markDelivered": { body: {}, instead: tooEarly },
  "paymentFiles.cancel": { body: {}, instead: tooEarly }
}

const payments = {
  modes: ["DIRECT_DEBIT", "BANK_TRANSFER"],
  directDebit: {
    schemes: ["CORE"],
    notificationDays: 14,
    announce: "INVOICE",
    retry: { maxAttempts: 2, afterDays: 5, notificationDays: 2 }
  }
}

/** A debit of a policy that the tenant's anonymous session has bought. */
export const debitedBy = Effect.fnUntraced(function* (
  world: World,
  { accountName, umr }: { readonly accountName: string; readonly umr: string }
) {
  const { client: token, manager, session, tenant } = world
  const put = (path: string, body: unknown) => call(path, { tenant, token, method: "PUT", body })
  yield* put(`/admin/bank-accounts/${accountName}`, bankAccount)
  const productId = `debited-${tenant}`
  yield* put(`/admin/products/${productId}`, { ...motor, productId, payments })
  const { customerId, policyId } = yield* quoted(world, session, { productId })
  const { body: method } = yield* send(
    world,
    manager,
    `/payment-methods/customers/${customerId}`,
    account
  )
  yield* call(`/customers/${customerId}`, {
    tenant,
    token: session,
    method: "PATCH",
    body: { preferredPaymentMethodId: method.id }
  })
  yield* send(world, manager, `/mandates/payment-methods/${method.id}/import`, {
    ...imported,
    productId,
    umr
  })
  yield* send(world, session, `/policies/${policyId}/confirm`, {})
  yield* send(world, session, `/policies/${policyId}/sign`, signature)
  const { body } = yield* send(world, manager, `/debits?policyId=${policyId}`)
  const { bankAccountId, id: debitId, submitOn } = body.data.at(-1)
  return { bankAccountId, debitId: String(debitId), policyId, submitOn }
})

export const recordsOf = Effect.fnUntraced(function* (world: World) {
  const { debitId, policyId, ...made } = yield* debitedBy(world, {
    accountName: `of-${world.tenant}`.slice(0, 40),
    umr: "OLD-2024-000003"
  })
  const paymentFileId = yield* fileOf(world, made, "OPEN")
  return { debitId, debitedPolicyId: policyId, paymentFileId }
})

/** A file without debits. */
export const fileOf = Effect.fnUntraced(function* (
  { tenant }: World,
  { bankAccountId, submitOn }: Pick<PaymentFile, "bankAccountId" | "submitOn">,
  status: "FILLED" | "OPEN" | "SEALED"
) {
  const file: PaymentFile = {
    id: (yield* Ids).next("payment_file"),
    bankAccountId,
    submitOn,
    run: 1 + ["FILLED", "OPEN", "SEALED"].indexOf(status),
    kind: "COLLECTION",
    scheme: "CORE",
    message: "pain.008.001.08",
    currency: Currency.make("EUR"),
    messageId: `QC-${status}`,
    status: "OPEN",
    count: 0,
    sum: 0,
    groups: [],
    faults: [],
    answers: [],
    openedAt: Instant.make(today)
  }
  const tenantSql = yield* TenantSql
  const insert = Effect.gen(function* () {
    const files = yield* PaymentFilesRepo
    yield* files.insert(file)
    if (status === "OPEN") return
    if (status === "FILLED") return yield* files.update({ ...file, status })
    // The bytes of something else will do.
    const [content] = yield* tenantSql.read(
      (yield* SqlClient.SqlClient)<{ readonly address: string }>`
        SELECT address AS address FROM content WHERE tenant_id = ${tenant} LIMIT 1`
    )
    const sealedAt = file.openedAt
    yield* files.update({ ...file, status, contentAddress: content!.address, sealedAt })
  })
  yield* TenantSql.use(({ transaction }) => transaction(insert)).pipe(
    Effect.provide(PaymentFilesRepo.layer),
    Effect.provideService(CurrentTenant, tenant)
  )
  return String(file.id)
})
