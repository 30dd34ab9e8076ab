/** A small tenant for properties: a tree of firms, records that hang on them, grants drawn at random. */
import {
  BuiltInRole,
  CustomRoleId,
  type Grant,
  type GrantTarget,
  type Role
} from "@quittance/domain/access/Grant"
import { Arbitrary, Schema } from "effect"
import type * as Grants from "../src/Grants.ts"
import type { BrokerageFirmId } from "@quittance/domain/values/Ids"
import { Action } from "@quittance/domain/requests/Action"

/** Firms by letter; each is drawn below one of those before it, or below none. */
const letters = ["a", "b", "c", "d", "e"] as const
export const firmOf = (letter: string) => `brokerage_firm_${letter}` as BrokerageFirmId

/** The place of each firm's parent; one that does not come before it means none. */
export const parents = Arbitrary.array(Arbitrary.schema(Schema.Literals([0, 1, 2, 3, 4])), {
  minLength: letters.length,
  maxLength: letters.length
})

/** A small number: which of a few. */
export const place = Arbitrary.schema(Schema.Literals([0, 1, 2, 3, 4, 5]))

/** Every firm with itself and the firms above it. */
export const pathsOf = (parents: ReadonlyArray<number>): ReadonlyArray<Grants.Target["firms"]> => {
  const paths: Array<Grants.Target["firms"]> = []
  letters.forEach((letter, place) => {
    const parent = paths[parents[place] ?? 0]
    paths.push([firmOf(letter), ...(parent ?? [])])
  })
  return paths
}

/** Two records of every firm, one of no firm, and the tenant itself. */
export const targetsOf = (
  paths: ReadonlyArray<Grants.Target["firms"]>
): ReadonlyArray<Grants.Target> => [
  { firms: [], records: [] },
  { firms: [], records: ["policy_none"] },
  ...paths.flatMap((firms) => [
    { firms, records: [] },
    { firms, records: [`policy_${firms[0]}_1`] },
    { firms, records: [`policy_${firms[0]}_2`] }
  ])
]

/** What a grant on this holds on. */
export const targetOf = (
  on: GrantTarget,
  paths: ReadonlyArray<Grants.Target["firms"]>
): Grants.Target => {
  switch (on.kind) {
    case "TENANT":
      return { firms: [], records: [] }
    case "FIRM":
      return { firms: paths.find(([id]) => id === on.brokerageFirmId) ?? [], records: [] }
    case "RECORD":
      return {
        firms: paths.find(([id]) => on.recordId.startsWith(`policy_${id}_`)) ?? [],
        records: [on.recordId]
      }
  }
}

/** A few actions, so that roles meet; the one that lets people give is likely. */
export const someActions = [
  "permission.write",
  "policy.read",
  "policy.write",
  "quote.override"
] as const satisfies ReadonlyArray<Action>

export const customRoles = [CustomRoleId.make("DESK"), CustomRoleId.make("GIVER")] as const

export const actionSet = Arbitrary.array(Arbitrary.schema(Schema.Literals(someActions)), {
  maxLength: 4
}).pipe(Arbitrary.map((actions): ReadonlySet<Action> => new Set(actions)))

/** The roles that the tenant has defined. */
export const custom = Arbitrary.all({ desk: actionSet, giver: actionSet }).pipe(
  Arbitrary.map(
    ({ desk, giver }): Grants.CustomRoles =>
      new Map([
        [customRoles[0], desk],
        [customRoles[1], giver]
      ])
  )
)

const roles: ReadonlyArray<Role> = [
  ...customRoles,
  ...customRoles,
  ...BuiltInRole.literals.filter((role) => role !== "VISITOR")
]
const role = Arbitrary.schema(Schema.Literals(roles.map((_, index) => index))).pipe(
  Arbitrary.map((index) => roles[index]!)
)
const kind = Arbitrary.schema(Schema.Literals(["TENANT", "FIRM", "FIRM", "RECORD", "RECORD"]))
const firm = Arbitrary.schema(Schema.Literals(letters)).pipe(Arbitrary.map(firmOf))
const number = Arbitrary.schema(Schema.Literals([1, 2]))

export const grant = Arbitrary.all({ role, kind, firm, number }).pipe(
  Arbitrary.map(({ firm, kind, number, role }): Grant => ({
    role,
    on:
      kind === "TENANT"
        ? { kind }
        : kind === "FIRM"
          ? { kind, brokerageFirmId: firm }
          : { kind, recordId: `policy_${firm}_${number}` }
  }))
)
export const grants = Arbitrary.array(grant, { maxLength: 4 })
export const action = Arbitrary.schema(Action)
