/** What is wrong with the custom fields of a product's document. */
import type { Product, ProductFault } from "./Product.ts"
import { fieldPatternFault, type FieldType, type Question, valueFault } from "./ProductFields.ts"
import { unknownName } from "../values/ClosestName.ts"

type Faults = Generator<ProductFault, void>

/** Every member of a list whose identifier an earlier one has. */
export function* duplicates(pointer: string, member: string, ids: ReadonlyArray<string>): Faults {
  for (const [index, id] of ids.entries()) {
    if (ids.indexOf(id) < index) {
      const at = member === "" ? `${pointer}/${index}` : `${pointer}/${index}/${member}`
      yield { pointer: at, message: `Choose another name; ${id} is taken by an earlier entry.` }
    }
  }
}

type Fields = Pick<Product, "customerRoles" | "fields" | "trunkFields">

/** Every name that a list of the document does not have. */
export function* strangers(
  pointer: string,
  names: ReadonlyArray<string>,
  known: ReadonlyArray<string>,
  list: string
): Faults {
  for (const [index, name] of names.entries()) {
    if (!known.includes(name)) {
      yield { pointer: `${pointer}/${index}`, message: unknownName(name, known, list) }
    }
  }
}

export function* fieldsFaults(product: Fields): Faults {
  for (const entity of ["policy", "customer", "asset"] as const) {
    const fields = product.fields[entity]
    const pointer = `/fields/${entity}`
    yield* duplicates(
      pointer,
      "key",
      fields.map(({ key }) => key)
    )
    for (const [index, field] of fields.entries()) {
      const at = `${pointer}/${index}`
      yield* definitionFaults(field, at)
      yield* rolesFaults(field, at, entity === "customer" ? product.customerRoles : undefined)
      yield* showWhenFaults(field, at, fields)
    }
    yield* trunkFaults(product, entity)
  }
}

/** What is wrong with questions that stand beside the fields of a product. */
export function* questionFaults(questions: ReadonlyArray<Question>, pointer: string): Faults {
  yield* duplicates(
    pointer,
    "key",
    questions.map(({ key }) => key)
  )
  for (const [index, question] of questions.entries()) {
    const at = `${pointer}/${index}`
    yield* definitionFaults(question, at)
    yield* rolesFaults(question, at, undefined)
    yield* showWhenFaults(question, at, questions)
  }
}

const bounded = new Set<FieldType>(["STRING", "INTEGER", "NUMBER", "MONEY", "DATE"])

function* definitionFaults(field: Question, at: string): Faults {
  const { example, max, min, pattern, type, values = [] } = field
  if (type === "ENUM" && values.length === 0) {
    yield { pointer: `${at}/values`, message: "List the values of an ENUM field." }
  }
  if (type !== "ENUM" && field.values !== undefined) {
    yield { pointer: `${at}/values`, message: "Leave it out; only an ENUM field has values." }
  }
  yield* duplicates(
    `${at}/values`,
    "id",
    values.map(({ id }) => id)
  )
  const bound = type === "DATE" ? "string" : "number"
  for (const [name, value] of [
    ["min", min],
    ["max", max]
  ] as const) {
    if (value === undefined) continue
    if (!bounded.has(type)) {
      yield { pointer: `${at}/${name}`, message: `Leave it out; ${type} has no bounds.` }
    } else if (typeof value !== bound) {
      yield { pointer: `${at}/${name}`, message: `Give a ${bound === "string" ? "day" : bound}.` }
    }
  }
  if (min !== undefined && max !== undefined && typeof min === typeof max && min > max) {
    yield { pointer: `${at}/min`, message: "Choose it at most as large as `max`." }
  }
  if (pattern !== undefined && type !== "STRING") {
    yield { pointer: `${at}/pattern`, message: "Leave it out; only a STRING field has a pattern." }
  }
  const unsafe = fieldPatternFault(field)
  if (unsafe !== undefined) yield { pointer: `${at}/pattern`, message: unsafe }
  else {
    const fault = valueFault(field, example)
    if (fault !== undefined) yield { pointer: `${at}/example`, message: fault }
  }
}

function* rolesFaults(
  { roles }: Question,
  at: string,
  known: ReadonlyArray<string> | undefined
): Faults {
  if (roles === undefined) return
  if (known === undefined) {
    yield { pointer: `${at}/roles`, message: "Leave it out; only a customer's field has roles." }
    return
  }
  yield* duplicates(`${at}/roles`, "", roles)
  yield* strangers(`${at}/roles`, roles, known, "/customerRoles")
}

function* showWhenFaults(field: Question, at: string, fields: ReadonlyArray<Question>): Faults {
  const { showWhen } = field
  if (showWhen === undefined) return
  const other = fields.find(({ key }) => key === showWhen.key)
  if (other === undefined || other === field) {
    yield { pointer: `${at}/showWhen/key`, message: "Name another field of the same record." }
    return
  }
  if (fieldPatternFault(other) !== undefined) return
  for (const [index, value] of showWhen.in.entries()) {
    const fault = valueFault(other, value)
    if (fault !== undefined) yield { pointer: `${at}/showWhen/in/${index}`, message: fault }
  }
}

function* trunkFaults(product: Fields, entity: "policy" | "customer" | "asset"): Faults {
  const pointer = `/trunkFields/${entity}`
  const keys = product.trunkFields[entity]
  yield* duplicates(pointer, "", keys)
  for (const [index, key] of keys.entries()) {
    const field = product.fields[entity].find((field) => field.key === key)
    if (field === undefined) {
      yield { pointer: `${pointer}/${index}`, message: `Name a field of /fields/${entity}.` }
    } else if (field.priced) {
      yield {
        pointer: `${pointer}/${index}`,
        message: "Leave it out; what is priced changes on a branch."
      }
    }
  }
}
