/** Customers on policies: added, read, changed, confirmed. */
import type { StoredCustomer } from "@quittance/domain/customers/StoredCustomer"
import type { AddCustomer, PatchCustomer } from "@quittance/domain/customers/CustomerRequests"
import { CurrentCaller, Forbidden, UserNotFound } from "@quittance/domain/requests/Caller"
import type { PatchEntry } from "@quittance/domain/policies/Change"
import { type Customer, CustomerNotFound } from "@quittance/domain/customers/Customer"
import { InvalidPaymentMethod } from "@quittance/domain/customers/InvalidPaymentMethod"
import { max } from "@quittance/domain/values/Instant"
import * as Commands from "@quittance/domain/policies/PolicyCommands"
import type { InvalidRole } from "@quittance/domain/products/Product"
import { CustomerPaymentMethodsRepo } from "@quittance/persistence/customers/CustomerPaymentMethodsRepo"
import { CustomersRepo } from "@quittance/persistence/customers/CustomersRepo"
import { GrantsRepo } from "@quittance/persistence/access/GrantsRepo"
import { Ids } from "@quittance/persistence/sql/Ids"
import { pipelineBoth } from "@quittance/persistence/sql/Pipelining"
import { Context, Effect, Layer } from "effect"
import type { CurrentRequest } from "@quittance/domain/requests/CurrentRequest"
import { isListed, notOn, toCustomer } from "@quittance/domain/customers/CustomerView"
import { type CustomerViewRequest, CustomerViews } from "./CustomerViews.ts"
import { type DataFailure, dataChange, isOnBranch } from "../policies/DataChange.ts"
import type { CommandTarget } from "../policies/Policies.ts"
import { checkRole } from "../policies/PolicyChecks.ts"
import { PolicyCommand, type PolicyFailure } from "../policies/PolicyCommand.ts"
import {
  onBranch,
  type PolicyAggregate
} from "@quittance/domain/policies/aggregate/PolicyAggregate"
import { PolicyReader, type ReadFailure, type ViewRequest } from "../policies/PolicyReader.ts"
import type { CustomerId, PolicyId } from "@quittance/domain/values/Ids"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type { InvalidReference } from "@quittance/domain/requests/RequestErrors"

type Failure = DataFailure | InvalidRole
type Scoped = CurrentTenant | CurrentCaller | CurrentRequest

/** Where a command on a customer works: on one of its policies, the earliest unless it is named. */
export type AtCustomer = Omit<CommandTarget, "policyId"> & {
  readonly customerId: CustomerId
  readonly policyId?: PolicyId | undefined
}

/** A customer, and the view of one of its policies that is meant. */
export type ViewOfCustomer = Omit<ViewRequest, "policyId"> & {
  readonly customerId: CustomerId
  readonly policyId?: PolicyId | undefined
}

type Changing<E = never> = Effect.Effect<
  Customer,
  CustomerNotFound | E | Failure | InvalidReference | PolicyFailure,
  Scoped
>

export class Customers extends Context.Service<
  Customers,
  {
    addToPolicy(
      at: CommandTarget,
      input: AddCustomer
    ): Effect.Effect<{ readonly customerId: CustomerId }, Failure | PolicyFailure, Scoped>
    /**
     * As the customer is on the policy, else on the earliest that the caller may see; in a view of that
     * policy, if one is asked for, in which they have to be then.
     */
    get(
      request: ViewOfCustomer
    ): Effect.Effect<Customer, CustomerNotFound | InvalidReference | ReadFailure, Scoped>
    /** What all policies share may be changed by who may do it on the customer's earliest one. */
    update(at: AtCustomer, patch: PatchCustomer): Changing<InvalidPaymentMethod>
    confirm(at: AtCustomer): Changing
  }
>()("@quittance/operations/Customers") {
  static readonly layer = Layer.effect(
    Customers,
    Effect.gen(function* () {
      const command = yield* PolicyCommand
      const customers = yield* CustomersRepo
      const methods = yield* CustomerPaymentMethodsRepo
      const ids = yield* Ids
      const grants = yield* GrantsRepo
      const reader = yield* PolicyReader
      const views = yield* CustomerViews

      const addToPolicy = Effect.fn("Customers.addToPolicy")(function* (
        { whenAt, ...at }: CommandTarget,
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
            const value = { seq: policy.head.changeSeq + 1, role: input.role, customFields }
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

      /** The policy in whose context a customer is read: the one asked for, else the earliest. */
      const contextOf = ({ policies }: StoredCustomer, policyId: PolicyId | undefined) => {
        if (policyId === undefined) return Effect.succeed(policies[0])
        return policies.includes(policyId) ? Effect.succeed(policyId) : Effect.fail(notOn(policyId))
      }

      const getPresent = Effect.fnUntraced(function* ({
        customerId,
        policyId: asked
      }: Pick<ViewOfCustomer, "customerId" | "policyId">) {
        const { row } = yield* customers.authorize("customer.read", customerId)
        const policyId = yield* contextOf(row, asked)
        // A customer who was removed from their last policy has no role any more.
        if (policyId === undefined) return toCustomer(row, undefined)
        const { state } = yield* reader.readWithLater("customer.read", { policyId })
        return toCustomer(row, state.customers[customerId])
      })

      const getInView = Effect.fnUntraced(function* ({ customerId, ...request }: ViewOfCustomer) {
        const coverage = yield* grants.coverage("customer.read")
        const asked = { coverage, knownAt: request.knownAt }
        if (request.policyId !== undefined) {
          return yield* getOnPolicy({ customerId, ...request, policyId: request.policyId }, asked)
        }
        const [row] = yield* views.known([customerId], asked)
        // A caller who may see none of the policies, or a time before the customer was on one.
        yield* customers.authorize("customer.read", customerId)
        const [policyId] = row?.policies ?? []
        if (policyId !== undefined) {
          return yield* getOnPolicy({ customerId, ...request, policyId }, asked)
        }
        // Only on the whole tenant they are known to be on none, and not just on none that one sees.
        const isSeen = coverage._tag === "Tenant"
        if (row === undefined || !isSeen || !isListed(row, request)) {
          return yield* new CustomerNotFound({ customerId })
        }
        return toCustomer(row, undefined)
      })

      const getOnPolicy = Effect.fnUntraced(function* (
        { customerId, ...request }: ViewRequest & { readonly customerId: CustomerId },
        asked: CustomerViewRequest
      ) {
        const view = yield* reader.readWithLater("customer.read", request)
        const onPolicy = view.state.customers[customerId]
        const [row] = yield* views.rowsIn([customerId], view, asked)
        if (row === undefined || (onPolicy === undefined && !isListed(row, request))) {
          return yield* new CustomerNotFound({ customerId })
        }
        return toCustomer(row, onPolicy)
      })

      const get = Effect.fn("Customers.get")(function* (request: ViewOfCustomer) {
        const caller = yield* CurrentCaller
        if (caller._tag === "Client") return yield* new UserNotFound({})
        const { branchId, knownAt, whenAt } = request
        return yield* (branchId ?? knownAt ?? whenAt) === undefined
          ? getPresent(request)
          : getInView(request)
      })

      /** A command on a customer: what it makes of the row, and the changes it makes on the policy. */
      const change = Effect.fnUntraced(function* <E>(
        name: string,
        { customerId, policyId: asked, whenAt, ...at }: AtCustomer,
        decide: (row: StoredCustomer) => Effect.Effect<Changed, E, CurrentTenant>
      ) {
        const action = "customer.write"
        const subject = Effect.gen(function* () {
          const { row } = yield* customers.authorize(action, customerId)
          const policyId = yield* contextOf(row, asked)
          if (policyId === undefined) return yield* new CustomerNotFound({ customerId })
          return { command: name, action, policyId, ...at } as const
        })
        return yield* command.run(
          subject,
          Effect.fnUntraced(function* (policy) {
            const { id } = policy.head
            // Read again under the policy's lock, and its own: it may be changed on another policy.
            const authorized = customers.authorize(action, customerId)
            const [, locked] = yield* pipelineBoth(customers.hold(customerId, id), authorized)
            yield* contextOf(locked.row, id)
            const { isShared, patch, role, row } = yield* decide(locked.row)
            // The right to add a customer to a second policy does not allow renaming them on the first.
            if (isShared && !locked.row.policies.includes(locked.earliest!)) {
              return yield* new Forbidden({ action })
            }
            // What their policies share is theirs, on whatever branch they came.
            if (patch.length > 0 && !isOnBranch(policy, `/customers/${customerId}`)) {
              return yield* new CustomerNotFound({ customerId })
            }
            if (role !== undefined) yield* checkRole(policy.product, role)
            // Also what has no versions moves the etag, and is told as an event.
            const { drafts } = yield* dataChange(policy, patch, whenAt)
            // A change on another policy may have read the clock later.
            const changed = { ...row, lastModifiedAt: max(policy.now, locked.row.lastModifiedAt) }
            yield* customers.update(changed)
            return {
              changes: onBranch(policy, drafts),
              answer: (after: PolicyAggregate) =>
                Effect.succeed(toCustomer(changed, after.state.customers[customerId]))
            }
          })
        )
      })

      /** What a customer prefers to pay by is an active one of theirs, or none. */
      const preferred = Effect.fnUntraced(function* (
        row: StoredCustomer,
        asked: PatchCustomer["preferredPaymentMethodId"]
      ) {
        if (asked === undefined) return row.preferredPaymentMethodId
        if (asked !== null && !(yield* methods.isTheirs(row.id, asked))) {
          return yield* new InvalidPaymentMethod({ reason: "NOT_THEIRS" })
        }
        return asked
      })

      const update = Effect.fn("Customers.update")(function* (
        at: AtCustomer,
        patch: PatchCustomer
      ) {
        const { customFields, role, ...shared } = patch
        const decide = Effect.fnUntraced(function* (row: StoredCustomer) {
          return {
            isShared: Object.keys(shared).length > 0,
            row: {
              ...row,
              type: patch.type ?? row.type,
              name: patch.name === undefined ? row.name : patch.name,
              email: patch.email === undefined ? row.email : patch.email,
              paymentMode: patch.paymentMode ?? row.paymentMode,
              preferredPaymentMethodId: yield* preferred(row, patch.preferredPaymentMethodId)
            },
            role,
            patch: [
              ...(role === undefined ? [] : [{ path: `/customers/${row.id}/role`, value: role }]),
              ...Commands.fieldEntries(`/customers/${row.id}`, customFields ?? [])
            ]
          }
        })
        return yield* change("customer.update", at, decide)
      })

      const confirm = Effect.fn("Customers.confirm")(function* (at: AtCustomer) {
        return yield* change("customer.confirm", at, (row) =>
          Effect.succeed({
            isShared: true,
            row: { ...row, status: "CUSTOMER_CONFIRMED" },
            patch: []
          })
        )
      })

      return Customers.of({ addToPolicy, get, update, confirm })
    })
  ).pipe(
    Layer.provide([
      CustomerPaymentMethodsRepo.layer,
      CustomersRepo.layer,
      CustomerViews.layer,
      GrantsRepo.layer,
      PolicyCommand.layer,
      PolicyReader.layer
    ])
  )
}

/** What a command makes of a customer. */
interface Changed {
  readonly row: StoredCustomer
  /** Whether it changes what is the same on all of the customer's policies. */
  readonly isShared: boolean
  readonly patch: ReadonlyArray<PatchEntry>
  readonly role?: string | undefined
}
