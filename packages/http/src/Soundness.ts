/** What no part of a request may hold, whatever its schema: the database or we could not keep it. */
import type { RequestIssue, RequestPart } from "@quittance/domain/requests/RequestErrors"

/** Members below members; no body of the interface comes near. */
const maxDepth = 32

/** Characters of a member's name that a fault repeats: a name may be as long as the body. */
const longestName = 200

/** How many faults of one body are reported; a body of a megabyte may have a hundred thousand. */
const mostFaults = 100

/** `~` and `/` in a member's name, as a JSON pointer writes them (RFC 6901, section 3). */
export const pointerSegment = (key: string | number): string =>
  `/${String(key).slice(0, longestName).replaceAll("~", "~0").replaceAll("/", "~1")}`

/** The texts that PostgreSQL or UTF-8 cannot hold, the first hundred; and nesting without end. */
export const unsound = (
  part: RequestPart,
  value: unknown,
  pathOf: (segments: ReadonlyArray<string>) => string
): ReadonlyArray<RequestIssue> => {
  const issues: Array<RequestIssue> = []
  /** The way to what is looked at; only a fault has a use for a copy. */
  const segments: Array<string | number> = []
  const report = (message: string) =>
    issues.push({ in: part, path: pathOf(segments.map(String)), message })
  const walkMembers = (value: object) => {
    for (const key of Object.keys(value)) {
      segments.push(key)
      const fault = key === "__proto__" ? "Expected another name" : textFault(key)
      // An object of which any member may be asked for.
      if (fault === undefined) walk((value as Record<string, unknown>)[key])
      else if (issues.length < mostFaults) report(fault)
      segments.pop()
    }
  }
  const walkItems = (items: ReadonlyArray<unknown>) => {
    for (let index = 0; index < items.length; index++) {
      segments.push(index)
      walk(items[index])
      segments.pop()
    }
  }
  const walk = (value: unknown) => {
    if (issues.length === mostFaults) return
    if (typeof value === "string") {
      const fault = textFault(value)
      if (fault !== undefined) report(fault)
    } else if (typeof value === "object" && value !== null) {
      if (segments.length === maxDepth) report(`Expected less than ${maxDepth} levels`)
      else if (Array.isArray(value)) walkItems(value)
      else walkMembers(value)
    }
  }
  walk(value)
  return issues
}

const textFault = (text: string): string | undefined => {
  if (text.includes("\0")) return "Expected a text without the character NUL"
  return text.isWellFormed() ? undefined : "Expected a text without lone surrogates"
}
