/** Customers on policies: added, read, changed, confirmed. */
import { CurrentCaller, UserNotFound } from "@quittance/domain/Caller"
import type { PatchEntry } from "@quittance/domain/Change"
import { type Customer, type CustomerId, CustomerNotFound } from "@quittance/domain/Customer"
import type { CustomField, CustomFieldPatch } from "@quittance/domain/CustomField"
import * as Commands from "@quittance/domain/PolicyCommands"
import { type CustomerOnPolicy, fieldList } from "@quittance/domain/PolicyState"
import { InvalidRole, type Product } from "@quittance/domain/Product"
import type { CurrentTenant } from "@quittance/domain/Tenant"
import { type CustomerRow, CustomersRepo } from "@quittance/persistence/CustomersRepo"
import { Ids } from "@quittance/persistence/Ids"
import { Context, Effect, Layer } from "effect"
import type { CurrentRequest } from "./CurrentRequest.ts"
import { type DataFailure, dataChange } from "./DataChange.ts"
import type { At } from "./Policies.ts"
import { PolicyCommand, type PolicyFailure } from "./PolicyCommand.ts"
import { onBranch, type OpenPolicy } from "./OpenPolicy.ts"
import { type AccessFailure, PolicyReader } from "./PolicyReader.ts"

/** What `POST /customers/policies/{policyId}` takes. */
export interface AddCustomer {
  readonly role: string
  readonly customFields?: ReadonlyArray<CustomField>
  readonly type?: Customer["type"]
  readonly name?: string
  readonly email?: string
  readonly paymentMode?: Customer["paymentMode"]
}

/** What a patch of a customer may name; `null` removes an optional member. */
export interface CustomerPatch {
  readonly type?: Customer["type"]
  readonly name?: string | null
  readonly email?: string | null
  readonly paymentMode?: Customer["paymentMode"]
  readonly role?: string
  readonly customFields?: ReadonlyArray<CustomFieldPatch>
}

type Failure = DataFailure | InvalidRole
type Scoped = CurrentTenant | CurrentCaller | CurrentRequest

/** Where a command on a customer works: on the policy that it is on. */
export type AtCustomer = Omit<At, "policyId"> & { readonly customerId: CustomerId }

export class Customers extends Context.Service<
  Customers,
  {
    addToPolicy(
      at: At,
      input: AddCustomer
    ): Effect.Effect<{ readonly customerId: CustomerId }, Failure | PolicyFailure, Scoped>
    get(customerId: CustomerId): Effect.Effect<Customer, AccessFailure | CustomerNotFound, Scoped>
    update(
      at: AtCustomer,
      patch: CustomerPatch
    ): Effect.Effect<Customer, CustomerNotFound | Failure | PolicyFailure, Scoped>
    confirm(
      at: AtCustomer
    ): Effect.Effect<Customer, CustomerNotFound | Failure | PolicyFailure, Scoped>
  }
>()("@quittance/operations/Customers") {
  static readonly layer = Layer.effect(
    Customers,
    Effect.gen(function* () {
      const command = yield* PolicyCommand
      const customers = yield* CustomersRepo
      const ids = yield* Ids
      const reader = yield* PolicyReader

      const addToPolicy = Effect.fn("Customers.addToPolicy")(function* (
        { whenAt, ...at }: At,
        input: AddCustomer
      ) {
        const subject = { command: "customer.add", action: "customer.write", ...at } as const
        return yield* command.run(
          subject,
          Effect.fnUntraced(function* (policy) {
            const customerId = ids.next("customer")
            const customFields = Object.fromEntries(
              (input.customFields ?? []).map(({ key, value }) => [key, value])
            )
            const seq = policy.head.changeSeq + 1
            const value = { seq, role: input.role, customFields }
            const patch = [{ path: `/customers/${customerId}`, value }]
            yield* checkRole(policy.product, input.role)
            const { drafts } = yield* dataChange(policy, patch, whenAt)
            yield* customers.insert(
              {
                id: customerId,
                type: input.type ?? "INDIVIDUAL",
                name: input.name ?? null,
                email: input.email ?? null,
                status: "CUSTOMER_CREATED",
                paymentMode: input.paymentMode ?? "DIRECT_DEBIT",
                preferredPaymentMethodId: null,
                createdAt: policy.now,
                lastModifiedAt: policy.now
              },
              policy.head.id
            )
            return {
              changes: onBranch(policy, drafts),
              answer: () => Effect.succeed({ customerId })
            }
          })
        )
      })

      /** The customer, and its earliest policy: the one in whose context it is read. */
      const find = Effect.fnUntraced(function* (customerId: CustomerId) {
        const caller = yield* CurrentCaller
        if (caller._tag === "Client") return yield* new UserNotFound({})
        const row = yield* customers.find(customerId)
        const policyId = row?.policies[0]
        if (row === undefined || policyId === undefined) {
          return yield* new CustomerNotFound({ customerId })
        }
        return { row, policyId }
      })

      const get = Effect.fn("Customers.get")(function* (customerId: CustomerId) {
        const { policyId, row } = yield* find(customerId)
        const { state } = yield* reader.presentWithLater("customer.read", policyId)
        return toCustomer(row, state.customers[customerId])
      })

      /** A command on a customer: what it makes of the row, and the changes it makes on the policy. */
      const change = Effect.fnUntraced(function* (
        name: string,
        { customerId, whenAt, ...at }: AtCustomer,
        decide: (row: CustomerRow) => {
          readonly row: CustomerRow
          readonly patch: ReadonlyArray<PatchEntry>
          readonly role?: string | undefined
        }
      ) {
        const { policyId } = yield* find(customerId)
        const subject = { command: name, action: "customer.write", policyId, ...at } as const
        return yield* command.run(
          subject,
          Effect.fnUntraced(function* (policy) {
            // Read again under the policy's lock.
            const { row: before } = yield* find(customerId)
            const { patch, role, row } = decide(before)
            if (role !== undefined) yield* checkRole(policy.product, role)
            // Also what has no versions moves the etag, and is told as an event.
            const { drafts } = yield* dataChange(policy, patch, whenAt)
            yield* customers.update({ ...row, lastModifiedAt: policy.now })
            return {
              changes: onBranch(policy, drafts),
              answer: (after: OpenPolicy) =>
                Effect.succeed(
                  toCustomer(
                    { ...row, lastModifiedAt: policy.now },
                    after.state.customers[customerId]
                  )
                )
            }
          })
        )
      })

      const update = Effect.fn("Customers.update")(function* (
        at: AtCustomer,
        patch: CustomerPatch
      ) {
        return yield* change("customer.update", at, (row) => ({
          row: {
            ...row,
            type: patch.type ?? row.type,
            name: patch.name === undefined ? row.name : patch.name,
            email: patch.email === undefined ? row.email : patch.email,
            paymentMode: patch.paymentMode ?? row.paymentMode
          },
          role: patch.role,
          patch: [
            ...(patch.role === undefined
              ? []
              : [{ path: `/customers/${row.id}/role`, value: patch.role }]),
            ...Commands.fieldEntries(`/customers/${row.id}`, patch.customFields ?? [])
          ]
        }))
      })

      const confirm = Effect.fn("Customers.confirm")(function* (at: AtCustomer) {
        return yield* change("customer.confirm", at, (row) => ({
          row: { ...row, status: "CUSTOMER_CONFIRMED" },
          patch: []
        }))
      })

      return Customers.of({ addToPolicy, get, update, confirm })
    })
  ).pipe(Layer.provide([CustomersRepo.layer, PolicyCommand.layer, PolicyReader.layer]))
}

const checkRole = ({ customerRoles }: Product, role: string): Effect.Effect<void, InvalidRole> =>
  customerRoles.includes(role)
    ? Effect.void
    : Effect.fail(new InvalidRole({ role, accepted: customerRoles }))

/** A customer as the wire shows it in the context of a policy. */
export const toCustomer = (
  { email, name, policies, preferredPaymentMethodId, ...row }: CustomerRow,
  onPolicy: CustomerOnPolicy | undefined
): Customer => ({
  ...row,
  policies,
  role: onPolicy?.role ?? "",
  customFields: fieldList(onPolicy?.customFields ?? {}),
  ...(name === null ? {} : { name }),
  ...(email === null ? {} : { email }),
  ...(preferredPaymentMethodId === null ? {} : { preferredPaymentMethodId })
})
