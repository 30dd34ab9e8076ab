/** Customers who join and leave a policy: who is on it when, as the model keeps it, and how it is asked for. */
import type { CustomerId } from "@quittance/domain/values/Ids"
import { CustomerPolicies } from "@quittance/operations/customers/CustomerPolicies"
import { Effect } from "effect"
import type { Draw } from "../Draw.ts"
import type { Command, Day, Place } from "./Commands.ts"
import { type Fact, type Time, valueAt } from "./Facts.ts"
import type { Model } from "./Model.ts"

/** The customers who may join, by number; the policyholder is none of them. */
export const people = [1, 2, 3] as const

type Person = (typeof people)[number]

/** The role that they have: no price depends on it. */
export const role = "FRIEND"

export type PersonCommand =
  | { readonly does: "join"; readonly on: Place; readonly day?: Day; readonly who: Person }
  | { readonly does: "leave"; readonly on: Place; readonly day?: Day; readonly who: Person }

export const keyOf = (who: Person): string => `person ${who}`

export const keys = people.map(keyOf)

export const draw = (from: Draw, on: Place, day: { readonly day?: Day }): PersonCommand => ({
  does: from.one(["join", "join", "leave"]),
  on,
  ...day,
  who: from.one([...people])
})

/** Who is on a policy at a time. */
export const onIt = (shown: ReadonlyArray<Fact>, time: Time): ReadonlyArray<Person> =>
  people.filter((who) => valueAt(shown, keyOf(who), time) !== undefined)

/**
 * A command as the model keeps it: a customer on a policy is a fact with a value, and each time they join
 * another one. A customer who leaves without a day leaves when they have joined, at the earliest.
 */
export const asData = (model: Model, command: Command, number: number): Command => {
  if (command.does !== "join" && command.does !== "leave") return command
  const { on, who } = command
  const key = keyOf(who)
  if (command.does === "join") {
    const { day } = command
    const data = { does: "data", on, key, value: `joined by ${number}` } as const
    return day === undefined ? data : { ...data, day }
  }
  const branch = model.branchOf(on)!
  const since = model
    .shown(branch)
    .findLast((fact) => fact.key === key && fact.value !== undefined)?.at
  const usual = model.usualDay(branch)
  const day = command.day ?? Math.max(usual, since ?? usual)
  return { does: "data", on, key, value: undefined, ...(day === -Infinity ? {} : { day }) }
}

/** Asks for it. */
export const perform = (
  at: Omit<Parameters<CustomerPolicies["Service"]["takeOff"]>[0], "customerId">,
  customers: ReadonlyArray<CustomerId>,
  { does, who }: PersonCommand
) => {
  const to = { ...at, customerId: customers[who - 1]! }
  return CustomerPolicies.use((x) =>
    Effect.gen(function* () {
      if (does === "join") yield* x.put(to, { role })
      else yield* x.takeOff(to)
    })
  )
}

/** Which people a policy shows. */
export const shownOf = (
  customers: ReadonlyArray<CustomerId>,
  shown: ReadonlyArray<CustomerId>
): ReadonlyArray<Person> => people.filter((who) => shown.includes(customers[who - 1]!))
