import { Effect } from "effect"
import { call, type World } from "../Api.ts"
import { statementForm } from "../BankFiles.ts"
import { dryRun, type Fixtures } from "../MatrixFixture.ts"
import { send } from "../Sales.ts"
import { bankAccount } from "./bank-accounts.ts"

const first = {
  iban: bankAccount.iban,
  day: "2026-05-01",
  amounts: [700],
  opening: 0,
  closing: 700
}
/** It does not follow the first one. */
const held = { ...first, day: "2026-05-02", opening: 900, closing: 1600 }

export const fixtures: Fixtures = {
  "bankStatements.take": statementForm(first),
  // The matrix accepts it once.
  "bankStatements.accept": {
    body: { reason: "By telephone" },
    record: "bookedStatementId",
    instead: { status: 409, code: "INVALID_TRANSITION" }
  },
  "bankEntries.allocate": {
    ...dryRun,
    bodyOf: (_caller, { unpaidInvoiceId }) => ({
      allocations: [{ invoiceId: unpaidInvoiceId, amount: 1 }],
      rest: "SUSPENSE"
    })
  },
  // Nothing of it was allocated.
  "bankEntries.unallocate": {
    body: {},
    instead: { status: 409, code: "INVALID_TRANSITION" }
  },
  "bankEntries.ignore": { ...dryRun, body: { reason: "Interest", account: "OTHER" } }
}

export const recordsOf = Effect.fnUntraced(function* (world: World) {
  const { client: token, tenant } = world
  // The account that payments of other areas use as well, where these are played first.
  const { body: account } = yield* call(`/admin/bank-accounts/of-${tenant}`.slice(0, 61), {
    tenant,
    token,
    method: "PUT",
    body: bankAccount
  })
  const path = `/bank-accounts/${account.id}/statements`
  const take = (statement: typeof first) =>
    call(path, { tenant, token: world.manager, method: "POST", ...statementForm(statement) })
  const { body: booked } = yield* take(first)
  const { body: waiting } = yield* take(held)
  const { body: queue } = yield* send(world, world.manager, "/bank-entries")
  return {
    bankAccountId: String(account.id),
    bookedStatementId: String(booked.statements[0].id),
    bankStatementId: String(waiting.statements[0].id),
    bankEntryId: String(queue.data[0].id)
  }
})
