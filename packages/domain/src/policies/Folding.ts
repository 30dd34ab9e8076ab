/**
 * A state that changes are folded into, one after the other and in place: a fleet's map of a thousand
 * vehicles is not copied for each of a thousand changes. What it has handed out it never writes on again.
 */
import type { JsonObject, PatchEntry } from "./Change.ts"

type Value = JsonObject[string] | undefined
type Members = { [key: string]: JsonObject[string] }

export class Folding {
  #state: JsonObject
  /** What was made here and has not been handed out: the state, and what lies directly in it. */
  readonly #own = new Set<JsonObject>()

  constructor(state: JsonObject = {}) {
    this.#state = state
  }

  /** Sets what a patch names, and removes what it says, one entry after the other. */
  patch(entries: ReadonlyArray<PatchEntry>): void {
    for (const entry of entries) {
      const [, ...keys] = entry.path.split("/")
      this.#set(keys, "value" in entry ? entry.value : undefined)
    }
  }

  /** The state as it is now. */
  state(): JsonObject {
    this.#own.clear()
    return this.#state
  }

  /** What is at a path now; `undefined` where nothing is. */
  at(path: string): Value {
    const value = valueAt(this.#state, path)
    if (isObject(value)) this.#own.delete(value)
    return value
  }

  /** What is of the policy itself: the state without its customers and assets. */
  policy(): JsonObject {
    const { assets: _assets, customers: _customers, ...policy } = this.#state
    for (const value of Object.values(policy)) if (isObject(value)) this.#own.delete(value)
    return policy
  }

  #set([first, second, ...below]: ReadonlyArray<string>, value: Value): void {
    if (first === undefined) return
    const before = memberOf(this.#state, first)
    if (second === undefined) {
      if (value !== before) put(this.#owned(), first, value)
      return
    }
    const members = isObject(before) ? before : {}
    const was = memberOf(members, second)
    // What lies in a customer or an asset that is not there is nowhere.
    const isEntity = first === "customers" || first === "assets"
    if (isEntity && below.length > 0 && !isObject(was)) return
    const is = setIn(was, below, value)
    if (is !== was) put(this.#ownedMembers(first, members), second, is)
  }

  #owned(): Members {
    const own = this.#copied(this.#state)
    this.#state = own
    return own
  }

  #ownedMembers(key: string, members: JsonObject): Members {
    const own = this.#copied(members)
    if (own !== members) put(this.#owned(), key, own)
    return own
  }

  #copied(object: JsonObject): Members {
    // What is in the set was made below, to be written on.
    if (this.#own.has(object)) return object as Members
    const copy = { ...object }
    this.#own.add(copy)
    return copy
  }
}

/** What is at a path of a state; `undefined` where nothing is. */
export const valueAt = (state: JsonObject, path: string): Value => {
  let at: Value = state
  for (const key of path.split("/").slice(1)) {
    // Arrays are values of their own: no path leads into one.
    if (!isObject(at)) return undefined
    at = memberOf(at, key)
  }
  return at
}

/** The same value with another one at a path below it; itself where that changes nothing. */
const setIn = (before: Value, [key, ...rest]: ReadonlyArray<string>, value: Value): Value => {
  if (key === undefined) return value
  // An array or a plain value is replaced by an object when something is set below it.
  const object = isObject(before) ? before : {}
  const was = memberOf(object, key)
  const is = setIn(was, rest, value)
  if (is === was) return before
  const copy: Members = { ...object }
  put(copy, key, is)
  return copy
}

const memberOf = (object: JsonObject, key: string): Value =>
  Object.hasOwn(object, key) ? object[key] : undefined

const isObject = (value: Value): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const put = (members: Members, key: string, value: Value): void => {
  if (value === undefined) delete members[key]
  // Assigned, the name of the prototype would not become a member.
  else if (key === "__proto__") Object.defineProperty(members, key, { ...member, value })
  else members[key] = value
}

const member = { configurable: true, enumerable: true, writable: true }
