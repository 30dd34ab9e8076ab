/** Customers put on further policies, and taken off. */
import type { PutOnPolicy } from "@quittance/domain/customers/CustomerRequests"
import type { CurrentCaller } from "@quittance/domain/requests/Caller"
import { presenceOf, visible } from "@quittance/domain/policies/ChangeView"
import {
  CustomerAlreadyOnPolicy,
  CustomerNeeded,
  CustomerNotFound
} from "@quittance/domain/customers/Customer"
import type { Instant } from "@quittance/domain/values/Instant"
import {
  type CustomerOnPolicy,
  inOrder,
  type PolicyState
} from "@quittance/domain/policies/PolicyState"
import type { InvalidRole } from "@quittance/domain/products/Product"
import { CustomersRepo } from "@quittance/persistence/customers/CustomersRepo"
import { InvoicesRepo } from "@quittance/persistence/billing/InvoicesRepo"
import { Context, Effect, Layer } from "effect"
import type { CurrentRequest } from "@quittance/domain/requests/CurrentRequest"
import { type DataFailure, dataChange } from "../policies/DataChange.ts"
import {
  lineageOf,
  onBranch,
  type PolicyAggregate
} from "@quittance/domain/policies/aggregate/PolicyAggregate"
import type { CommandTarget } from "../policies/Policies.ts"
import { checkRole } from "../policies/PolicyChecks.ts"
import { PolicyCommand, type PolicyFailure } from "../policies/PolicyCommand.ts"
import type { CustomerId } from "@quittance/domain/values/Ids"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { InvalidEffectiveDate } from "@quittance/domain/requests/RequestErrors"

type AtBoth = CommandTarget & { readonly customerId: CustomerId }
type Answer<E> = Effect.Effect<
  void,
  E | CustomerNotFound | DataFailure | PolicyFailure,
  CurrentTenant | CurrentCaller | CurrentRequest
>

export class CustomerPolicies extends Context.Service<
  CustomerPolicies,
  {
    /** Puts a customer that the caller may read on a policy that they may write. */
    put(at: AtBoth, input: PutOnPolicy): Answer<CustomerAlreadyOnPolicy | InvalidRole>
    /** Takes a customer off a policy that can do without it. */
    takeOff(at: AtBoth): Answer<CustomerNeeded>
  }
>()("@quittance/operations/CustomerPolicies") {
  static readonly layer = Layer.effect(
    CustomerPolicies,
    Effect.gen(function* () {
      const command = yield* PolicyCommand
      const customers = yield* CustomersRepo
      const invoices = yield* InvoicesRepo

      /** Fails for a customer that the caller has no access to; who may write it knows it, too. */
      const requireKnown = (customerId: CustomerId) =>
        Effect.catchTag(customers.authorize("customer.read", customerId), "Forbidden", () =>
          customers.authorize("customer.write", customerId)
        )

      const put = Effect.fn("CustomerPolicies.put")(function* (
        { customerId, whenAt, ...at }: AtBoth,
        { customFields = [], role }: PutOnPolicy
      ) {
        const subject = {
          command: "customer.put-on-policy",
          action: "customer.write",
          ...at
        } as const
        return yield* command.run(
          Effect.as(requireKnown(customerId), subject),
          Effect.fnUntraced(function* (policy) {
            // Checked again under the lock of the policy: another request may have removed them meanwhile.
            yield* requireKnown(customerId)
            if (staysOn(policy, customerId)) {
              return yield* new CustomerAlreadyOnPolicy({ customerId, policyId: at.policyId })
            }
            yield* checkRole(policy.product, role)
            const value = {
              seq: policy.head.changeSeq + 1,
              role,
              customFields: Object.fromEntries(customFields.map(({ key, value }) => [key, value]))
            }
            const { drafts } = yield* dataChange(
              policy,
              [{ path: pathOf(customerId), value }],
              whenAt
            )
            yield* customers.link(customerId, at.policyId, policy.now)
            return { changes: onBranch(policy, drafts), answer: () => Effect.void }
          })
        )
      })

      const takeOff = Effect.fn("CustomerPolicies.takeOff")(function* ({
        customerId,
        whenAt,
        ...at
      }: AtBoth) {
        const subject = {
          command: "customer.take-off-policy",
          action: "customer.write",
          ...at
        } as const
        return yield* command.run(
          Effect.as(requireKnown(customerId), subject),
          Effect.fnUntraced(function* (policy) {
            if (policy.state.customers[customerId] === undefined) {
              return yield* new CustomerNotFound({ customerId })
            }
            const patch = [{ path: pathOf(customerId), removed: true } as const]
            yield* dispensable(policy, customerId)
            const { drafts } = yield* dataChange(policy, patch, whenAt)
            yield* nothingLater(policy, customerId, drafts[0]!.effectiveAt)
            return { changes: onBranch(policy, drafts), answer: () => Effect.void }
          })
        )
      })

      /** A signed policy keeps a confirmed policyholder, and every policy those who pay. */
      const dispensable = Effect.fnUntraced(function* (
        { head, state }: PolicyAggregate,
        customerId: CustomerId
      ) {
        const owes = yield* invoices.hasUnpaid(head.id, customerId)
        if (owes || namesAsPayer(state, customerId)) {
          return yield* new CustomerNeeded({ customerId, duty: "PAYER" })
        }
        const holders = inOrder<CustomerOnPolicy, CustomerId>(state.customers)
          .filter(([, { role }]) => role === "POLICYHOLDER")
          .map(([id]) => id)
        if (!holders.includes(customerId) || state.signedAt === undefined) return
        const others = holders.filter((id) => id !== customerId)
        const rows = yield* customers.findMany(others, { _tag: "Tenant" })
        if (rows.some(({ status }) => status === "CUSTOMER_CONFIRMED")) return
        return yield* new CustomerNeeded({ customerId, duty: "LAST_POLICYHOLDER" })
      })

      return CustomerPolicies.of({ put, takeOff })
    })
  ).pipe(Layer.provide([CustomersRepo.layer, InvoicesRepo.layer, PolicyCommand.layer]))
}

const pathOf = (customerId: CustomerId): string => `/customers/${customerId}`

/** Whether a customer is on the policy, now or later, or leaves it on a day that is still to come. */
const staysOn = ({ branch, branches, changes, now }: PolicyAggregate, customerId: CustomerId) => {
  const presence = presenceOf(changes, lineageOf(branches, branch), pathOf(customerId))
  return presence !== undefined && (presence.until === undefined || presence.until > now)
}

const namesAsPayer = ({ billingAssignment }: PolicyState, customerId: CustomerId): boolean =>
  billingAssignment !== undefined &&
  [
    billingAssignment.defaultPayerId,
    ...(billingAssignment.componentOverrides ?? []).map(({ payerCustomerId }) => payerCustomerId)
  ].includes(customerId)

/** A change of a customer that takes effect after it has left would leave half of one. */
const nothingLater = Effect.fnUntraced(function* (
  { branch, branches, changes }: PolicyAggregate,
  customerId: CustomerId,
  premiumItems: Instant
) {
  const last = visible(changes, lineageOf(branches, branch)).findLast(
    ({ effectiveAt, patch }) =>
      effectiveAt > premiumItems &&
      patch.some(({ path }) => path.startsWith(`${pathOf(customerId)}/`))
  )
  if (last !== undefined) {
    return yield* new InvalidEffectiveDate({ field: "whenAt", earliest: last.effectiveAt })
  }
})
