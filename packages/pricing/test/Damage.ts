/** Documents with one place of them broken. */
import { JsonPointer } from "effect"
import type { Draw } from "@quittance/testing/Draw"

type Json = null | boolean | number | string | Array<Json> | { [key: string]: Json }

export interface Damaged {
  readonly definition: unknown
  /** Where it was broken. */
  readonly pointer: string
  /** What stood there, and all names in it. */
  readonly names: ReadonlySet<string>
}

const isBranch = (json: Json | undefined): json is Array<Json> | { [key: string]: Json } =>
  typeof json === "object" && json !== null

/** Breaks one place of a document: something is gone, renamed, of another size or kind, or unknown. */
export const damaged = (draw: Draw, definition: unknown): Damaged => {
  const copy = structuredClone(definition) as Json
  const places: Array<readonly [Array<Json> | { [key: string]: Json }, string, string]> = []
  const visit = (node: Json, pointer: string) => {
    if (!isBranch(node)) return
    for (const [key, child] of Object.entries(node)) {
      const at = `${pointer}/${JsonPointer.escapeToken(key)}`
      places.push([node, key, at])
      visit(child, at)
    }
  }
  visit(copy, "")
  const [parent, key, pointer] = draw.pick(places)
  // An array's members are reached by their index as a text, as an object's are.
  const holder = parent as { [key: string]: Json }
  const value = holder[key]!
  const names = new Set(JSON.stringify(value).match(/[\w.-]+/gu))
  if (isBranch(value) && !Array.isArray(value) && draw.chance(0.2)) {
    value["unheardOf"] = 1
    return { definition: copy, pointer: `${pointer}/unheardOf`, names }
  }
  if (draw.chance(0.4)) {
    if (Array.isArray(parent)) parent.splice(Number(key), 1)
    else delete holder[key]
  } else if (typeof value === "number") {
    holder[key] = draw.pick([0, -1, 1, value + 1, 1e15, 0.5])
  } else if (typeof value === "string") {
    holder[key] = draw.pick(["", "ONE", `${value}_`, "1/3", "2050-01-01", "power +", "1 / 0 == 1"])
  } else {
    holder[key] = draw.pick<Json>([null, true, 7, "x", [], {}])
  }
  return { definition: copy, pointer, names }
}
