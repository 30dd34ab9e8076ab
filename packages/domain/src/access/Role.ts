/** Roles that a tenant defines for itself: sets of actions, told area by area. */
import { Schema } from "effect"
import { Authority } from "./Authority.ts"
import { BuiltInRole, CustomRoleId } from "./Grant.ts"
import { Instant } from "../values/Instant.ts"
import { Action, actions, type Area } from "../requests/Action.ts"

/** A role of the tenant's own. */
export const CustomRole = Schema.Struct({
  id: CustomRoleId,
  name: Schema.NonEmptyString,
  actions: Schema.Array(Action),
  authority: Authority,
  createdAt: Instant,
  lastModifiedAt: Instant
})
export type CustomRole = typeof CustomRole.Type

type Verb<A extends Area> = Extract<Action, `${A}.${string}`> extends `${A}.${infer V}` ? V : never

/** The verbs of each area, in the order in which the actions are listed. */
const verbs = Object.keys(actions).reduce<Record<string, Array<string>>>((found, action) => {
  const [area = "", verb = ""] = action.split(".")
  ;(found[area] ??= []).push(verb)
  return found
}, {})

const verbsOf = (names: ReadonlyArray<string>) => {
  const [only = "", ...others] = names
  // A choice of one is described as that one.
  const verb = others.length === 0 ? Schema.Literal(only) : Schema.Literals(names)
  return Schema.optionalKey(Schema.Array(verb).check(Schema.isUnique()))
}

// Split from the names of the actions, so that an area and its verbs are written once.
const areas = Object.fromEntries(
  Object.entries(verbs).map(([area, names]) => [area, verbsOf(names)])
) as unknown as {
  readonly [A in Area]: Schema.optionalKey<Schema.$Array<Schema.Literals<ReadonlyArray<Verb<A>>>>>
}

/** Actions by area, such as `{ policy: ["read", "write"], quote: ["read"] }`. */
export const ActionsByArea = Schema.Struct(areas).annotate({ identifier: "ActionsByArea" })
export type ActionsByArea = typeof ActionsByArea.Type

/** A role as the wire shows it; the built-in ones can be neither changed nor deleted. */
export const RoleView = Schema.Struct({
  id: Schema.Union([BuiltInRole, CustomRoleId]),
  name: Schema.NonEmptyString,
  actions: ActionsByArea,
  /** How far its people may go alone; a manager of the tenant without a limit, though none is told. */
  authority: Schema.optionalKey(Authority),
  builtIn: Schema.Boolean
}).annotate({ identifier: "Role" })
export type RoleView = typeof RoleView.Type

/** The actions by area, each in the order in which all actions are listed. */
export const byArea = (held: Iterable<Action>): ActionsByArea => {
  const set = new Set(held)
  const found: Record<string, Array<string>> = {}
  for (const action of Action.literals.filter((name) => set.has(name))) {
    const [area = "", verb = ""] = action.split(".")
    ;(found[area] ??= []).push(verb)
  }
  // Made of actions only.
  return found as ActionsByArea
}

/** The other way round, in the order in which all actions are listed. */
export const toActions = (areas: ActionsByArea): ReadonlyArray<Action> => {
  const named = new Set(
    Object.entries(areas).flatMap(([area, names]) => names.map((verb) => `${area}.${verb}`))
  )
  return Action.literals.filter((action) => named.has(action))
}

/** What the built-in roles are called. */
export const builtInNames: Readonly<Record<BuiltInRole, string>> = {
  TENANT_MANAGER: "Manager of the tenant",
  FIRM_MANAGER: "Manager of a firm",
  BROKER: "Broker",
  AUDITOR: "Auditor",
  POLICYHOLDER: "Policyholder",
  VISITOR: "Visitor"
}

export class RoleNotFound extends Schema.TaggedError<RoleNotFound>()("RoleNotFound", {
  roleId: CustomRoleId
}) {
  override get message() {
    return `The tenant has not defined a role ${this.roleId}; GET /permissions/roles lists its roles.`
  }
}

export class RoleInUse extends Schema.TaggedError<RoleInUse>()("RoleInUse", {
  roleId: CustomRoleId,
  /** How many grants name it. */
  grants: Schema.Int
}) {
  override get message() {
    return `The role ${this.roleId} is granted; take it from everybody first, or take its actions away.`
  }
}
