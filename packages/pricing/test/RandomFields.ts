/** The custom fields of a random product, and the inputs that its rating takes of them. */
import type { CustomFieldValue } from "@quittance/domain/values/CustomField"
import type { LocalDate } from "@quittance/domain/values/LocalDate"
import type { Product } from "@quittance/domain/products/Product"
import type { Field } from "@quittance/domain/products/ProductFields"
import type { FieldInput, RatingInput } from "@quittance/domain/products/ProductRating"
import {
  type Domain,
  domainOf,
  domainOfExpression
} from "@quittance/domain/products/ProductTableFaults"
import type { ScalarType } from "../src/Expression.ts"
import type { Draw } from "@quittance/testing/Draw"
import { type DrawnExpression, randomExpression, type Variable } from "./RandomExpression.ts"

const day = (text: string) => text as LocalDate

export const entities = ["policy", "customer", "asset"] as const
type Entity = (typeof entities)[number]
const of = { policy: "POLICY", customer: "CUSTOMER", asset: "ASSET" } as const

export const customerRoles = ["POLICYHOLDER", "DRIVER", "PAYER"] as const

/** An input, and what rating may do with it. */
export interface Known {
  readonly input: RatingInput
  readonly domain: Domain
  readonly type: ScalarType
}

export interface DrawnInputs {
  readonly fields: Product["fields"]
  readonly trunkFields: Product["trunkFields"]
  readonly known: ReadonlyArray<Known>
  /** What each expression is worth, by its input. */
  readonly expressions: ReadonlyMap<string, DrawnExpression>
}

const texts = ["", "A", "B", "é", "un texte", "💥"]

const typed = (draw: Draw): Pick<Field, "example" | "max" | "min" | "type" | "values"> => {
  switch (draw.int(0, 6)) {
    case 0:
      return { type: "BOOLEAN", example: true }
    case 1: {
      const ids = ["A", "B", "C", "D"].slice(0, draw.int(1, 4))
      return { type: "ENUM", values: ids.map((id) => ({ id, label: id })), example: "A" }
    }
    case 2:
      return { type: "DATE", min: day("1920-01-01"), max: day("2019-12-31"), example: "2000-02-29" }
    case 3:
      return { type: "NUMBER", min: 0, max: 50, example: 12.5 }
    case 4:
      return { type: "MONEY", min: 0, max: 10_000_000_000, example: 100_000 }
    case 5:
      return { type: "STRING", max: 20, example: draw.pick(texts) }
    default:
      return { type: "INTEGER", min: 0, max: draw.int(1, 40), example: 1 }
  }
}

const rolesOf = (draw: Draw): ReadonlyArray<string> =>
  draw.pick([["POLICYHOLDER"], ["POLICYHOLDER"], ["DRIVER", "POLICYHOLDER"], ["PAYER"]])

const scalars = {
  STRING: "STRING",
  ENUM: "STRING",
  DATE: "STRING",
  INTEGER: "INTEGER",
  MONEY: "INTEGER",
  NUMBER: "NUMBER",
  BOOLEAN: "BOOLEAN"
} as const

/** A field, and what rating takes of it. */
const randomField = (
  draw: Draw,
  key: string,
  entity: Entity,
  earlier: ReadonlyArray<Field>
): readonly [Field, FieldInput] => {
  const roles = entity === "customer" ? rolesOf(draw) : undefined
  const shown = earlier.find(
    ({ requiredFor, type }) => type === "BOOLEAN" && requiredFor === "QUOTE"
  )
  const isHidden = shown !== undefined && draw.chance(0.3)
  const isOptional = draw.chance(0.15)
  const field: Field = {
    key,
    label: key,
    ...typed(draw),
    requiredFor: isOptional ? draw.pick(["NEVER", "CONFIRM"] as const) : "QUOTE",
    priced: true,
    ...(roles !== undefined && draw.chance(0.4) ? { roles: [...roles] } : {}),
    ...(isHidden ? { showWhen: { key: shown.key, in: [draw.chance(0.5)] } } : {})
  }
  const as =
    field.type === "DATE"
      ? draw.pick(["AGE", "AGE", "AGE_IN_MONTHS", "YEAR", "VALUE"] as const)
      : "VALUE"
  const plain: FieldInput = {
    id: `input_${key}`,
    label: key,
    of: of[entity],
    ...(roles === undefined ? {} : { roles }),
    key,
    as
  }
  const isSure = !isOptional && !isHidden && roles?.includes("POLICYHOLDER") !== false
  const missing = isSure && draw.chance(0.9) ? {} : { default: defaultOf(field, plain) }
  return [field, { ...plain, ...missing, ...bounds(draw, field, plain) }]
}

const defaultOf = (field: Field, { as }: FieldInput): CustomFieldValue => {
  if (as === "AGE" || as === "AGE_IN_MONTHS") return 30
  return as === "YEAR" ? 2000 : field.example
}

/** Bounds that leave the example and the default, and sometimes not what a customer says. */
const bounds = (draw: Draw, { type }: Field, { as }: FieldInput) => {
  if (as === "AGE") return draw.chance(0.6) ? { min: 1, max: draw.pick([90, 150]) } : {}
  if (type !== "INTEGER" && type !== "NUMBER") return {}
  return draw.chance(0.2) ? { min: draw.pick([0, 1]), max: 60 } : {}
}

/** Inputs without any expression, then expressions over them and over each other. */
export const randomInputs = (draw: Draw): DrawnInputs => {
  const fields = { policy: [], customer: [], asset: [] } as Record<Entity, Array<Field>>
  const known: Array<Known> = []
  for (let index = draw.int(1, 9); index > 0; index--) {
    const entity = draw.pick(entities)
    const [field, input] = randomField(draw, `field${index}`, entity, fields[entity])
    fields[entity].push(field)
    const type = input.as === "VALUE" ? scalars[field.type] : "INTEGER"
    known.push({ input, domain: domainOf(field, input), type })
  }
  const note: Field = {
    key: "note",
    label: "Note",
    type: "STRING",
    pattern: "[a-z]{0,5}",
    requiredFor: "NEVER",
    priced: false,
    example: "abc"
  }
  fields.policy.push(note)
  const expressions = new Map<string, DrawnExpression>()
  for (let index = draw.int(0, 4); index > 0; index--) {
    const [one, drawn] = randomExpressionInput(draw, `made${index}`, known)
    known.push(one)
    expressions.set(one.input.id, drawn)
  }
  const trunkFields = { policy: ["note"], customer: [], asset: [] }
  return { fields, trunkFields, known, expressions }
}

const randomExpressionInput = (
  draw: Draw,
  id: string,
  known: ReadonlyArray<Known>
): readonly [Known, DrawnExpression] => {
  const whose = draw.pick(["POLICY", "POLICY", "CUSTOMER", "ASSET"] as const)
  const roles = whose === "CUSTOMER" ? rolesOf(draw) : undefined
  const seen: ReadonlyArray<Variable> = [
    { name: "assetCount", type: "INTEGER" },
    ...known
      .filter(({ input }) => input.of === "POLICY" || isSame(input, whose, roles))
      .map(({ input, type }) => ({ name: input.id, type }))
  ]
  const type = draw.pick(["INTEGER", "BOOLEAN", "STRING"] as const)
  const drawn = bounded(draw, seen, type)
  const values = type === "STRING" && drawn.values !== undefined ? { values: drawn.values } : {}
  const limits = type === "INTEGER" && draw.chance(0.7) ? { min: -39, max: 39 } : {}
  const standIn = { INTEGER: 7, BOOLEAN: false, STRING: "A" }[type]
  const input: RatingInput = {
    id,
    label: id,
    of: whose,
    ...(roles === undefined ? {} : { roles }),
    as: "EXPRESSION",
    expression: drawn.text,
    type,
    ...values,
    ...limits,
    ...(draw.chance(0.7) ? { default: standIn } : {})
  }
  return [{ input, domain: domainOfExpression(input), type }, drawn]
}

const isSame = (input: RatingInput, whose: string, roles: ReadonlyArray<string> | undefined) =>
  input.of === whose && String(input.roles) === String(roles)

/** Of the integers those that tables can be made for, of the texts sometimes only listed ones. */
const bounded = (
  draw: Draw,
  seen: ReadonlyArray<Variable>,
  type: "INTEGER" | "BOOLEAN" | "STRING"
): DrawnExpression & { readonly values?: ReadonlyArray<string> } => {
  const free = (of: ScalarType) => short(draw, seen, of)
  if (type === "INTEGER") {
    const drawn = free("INTEGER")
    return {
      ...drawn,
      text: `(${drawn.text}) % 40`,
      value: (environment) => (drawn.value(environment) as bigint) % 40n
    }
  }
  if (type === "BOOLEAN" || draw.chance(0.4)) return free(type)
  const condition = free("BOOLEAN")
  return {
    ...condition,
    text: `${condition.text} ? "A" : "B"`,
    value: (environment) => (condition.value(environment) === true ? "A" : "B"),
    values: ["A", "B"]
  }
}

/** As long as a document may have it. */
const short = (draw: Draw, seen: ReadonlyArray<Variable>, type: ScalarType): DrawnExpression => {
  for (let depth = draw.int(0, 3); ; depth--) {
    const drawn = randomExpression(draw, seen, type, depth)
    if (drawn.text.length < 600) return drawn
  }
}
