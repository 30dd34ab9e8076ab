/** Writes on statements and their entries that succeed, on the account of `paymentWrites`. */
import { Effect } from "effect"
import { call, type World } from "./Api.ts"
import { statementForm } from "./BankFiles.ts"
import { bankAccount } from "./matrix/bank-accounts.ts"
import { send, signed } from "./Sales.ts"

const { iban } = bankAccount
const first = { iban, day: "2026-03-01", amounts: [100, 200, 300], opening: 0, closing: 600 }
const held = { iban, day: "2026-03-03", amounts: [50], opening: 900, closing: 950 }
const next = { iban, day: "2026-03-02", amounts: [50], opening: 600, closing: 650 }

export const treasuryWrites = Effect.fnUntraced(function* (world: World) {
  const { manager, tenant } = world
  const { body: account } = yield* call("/admin/bank-accounts/main", {
    tenant,
    token: manager,
    method: "PUT",
    body: bankAccount
  })
  const path = `/bank-accounts/${account.id}/statements`
  const take = (statement: typeof first) =>
    call(path, { tenant, token: manager, method: "POST", ...statementForm(statement) })
  yield* take(first)
  const { body: waiting } = yield* take(held)
  const { body: queue } = yield* send(world, manager, "/bank-entries")
  const [one, two, three] = queue.data.map(
    ({ id }: { readonly id: string }) => `/bank-entries/${id}`
  )
  const { policyId } = yield* signed(world, world.session)
  const { body: invoices } = yield* send(world, manager, `/billing/policies/${policyId}/invoices`)
  const allocation = {
    allocations: [{ invoiceId: invoices.data[0].id, amount: 10 }],
    rest: "SUSPENSE"
  }
  yield* send(world, manager, `${two}/allocate`, allocation)
  const write = (at: string, body: unknown = {}) => ({
    token: manager,
    method: "POST",
    path: at,
    body
  })
  return {
    "bankStatements.take": { token: manager, method: "POST", path, ...statementForm(next) },
    "bankStatements.accept": write(`/bank-statements/${waiting.statements[0].id}/accept`, {
      reason: "By telephone"
    }),
    "bankEntries.allocate": write(`${one}/allocate`, allocation),
    "bankEntries.unallocate": write(`${two}/unallocate`),
    "bankEntries.ignore": write(`${three}/ignore`, { reason: "Interest", account: "OTHER" })
  }
})
