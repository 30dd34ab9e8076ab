/** A browser without JavaScript: it shows pages, keeps a cookie and sends forms. */
import { Effect } from "effect"
import * as Server from "./Server.ts"
import type { TenantId } from "@quittance/domain/requests/Tenancy"

export interface Shown {
  readonly status: number
  readonly headers: Headers
  readonly html: string
  readonly cookie: string
  /** Where its form goes, and what the form sends along. */
  readonly action: string
  readonly hidden: Readonly<Record<string, string>>
}

export const visit = (
  tenant: TenantId,
  path: string,
  headers: Readonly<Record<string, string>> = {}
) => Effect.flatMap(Server.call(tenant, { method: "GET", path, headers }), shown)

/** Sends the form of a page as a user has filled it in. */
export const fill = (
  tenant: TenantId,
  page: Shown,
  fields: Readonly<Record<string, string>> = {},
  headers: Readonly<Record<string, string>> = {}
) =>
  Server.call(tenant, {
    path: page.action,
    headers: { ...Server.formType, cookie: page.cookie, ...headers },
    body: new URLSearchParams({ ...page.hidden, ...fields }).toString()
  }).pipe(
    Effect.flatMap(shown),
    // The cookie of the page before goes on to count.
    Effect.map((next) => (next.cookie === "" ? { ...next, cookie: page.cookie } : next))
  )

const shown = (response: Response): Effect.Effect<Shown> =>
  Effect.map(
    Effect.promise(() => response.text()),
    (html) => ({
      status: response.status,
      headers: response.headers,
      html,
      cookie: (response.headers.get("set-cookie") ?? "").split(";")[0]!,
      action: /<form method="post" action="([^"]*)">/u.exec(html)?.[1] ?? "",
      hidden: Object.fromEntries(
        [...html.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/gu)].map(
          ([, name = "", value = ""]) => [name, value]
        )
      )
    })
  )

/** The text of the page's alert. */
export const problem = ({ html }: Shown) => /role="alert">([^<]*)</u.exec(html)?.[1]
