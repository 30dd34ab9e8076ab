/** Reads the form of a page of the authorization server, as a browser would. */
import { Effect } from "effect"
import { problem } from "./Problem.ts"

export interface LoginForm {
  /** Where the form is sent. */
  readonly action: string
  /** The hidden fields, which go along unchanged. */
  readonly fields: Readonly<Record<string, string>>
}

/** The form of the page at this address; fails where there is none, as for an unknown tenant. */
export const readForm = (page: string, address: string) => {
  const action = /<form[^>]*\baction="([^"]*)"/.exec(page)?.[1]
  if (action === undefined) {
    return Effect.fail(problem(`There is no login page at ${address}: check the tenant.`))
  }
  const hidden = [...page.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)]
  const form: LoginForm = {
    action: new URL(unescape(action), address).href,
    fields: Object.fromEntries(
      hidden.map(([, name = "", value = ""]) => [unescape(name), unescape(value)])
    )
  }
  return Effect.succeed(form)
}

const characters: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  "#39": "'"
}

const unescape = (text: string): string =>
  text.replaceAll(/&(amp|lt|gt|quot|#39);/g, (entity, name: string) => characters[name] ?? entity)
