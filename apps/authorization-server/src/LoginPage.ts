/** The pages of signing in, and of why that can't go on. */
import type { IdentityProvider } from "@quittance/domain/access/IdentityProvider"
import type { Tenant } from "@quittance/domain/tenants/Tenant"
import { escape } from "@quittance/http/HtmlPage"
import * as Page from "@quittance/http/HostedPage"

/** What the login page shows. */
export interface LoginPage {
  readonly tenant: Tenant
  readonly clientName: string
  /** The tenant's own identity provider, if it has one. */
  readonly provider: Provider | undefined
  /** Sent along with the form: the request that brought the person here, and the CSRF token. */
  readonly hidden: Iterable<readonly [string, string]>
  readonly email: string
  /** Why the last try failed. */
  readonly problem: string | undefined
}

/** What the page shows of an identity provider. */
export interface Provider {
  readonly label: string
  readonly href: string
  /** Whether it is the only way to sign in. */
  readonly isOnly: boolean
}

/** The provider with the address that leads there, and takes the request along. */
export const providerOf = (
  offer: Pick<IdentityProvider, "label" | "mode"> | undefined,
  parameters: ReadonlyArray<readonly [string, string]>
): Provider | undefined =>
  offer && {
    label: offer.label,
    href: `/federation/start?${new URLSearchParams(parameters.map(([name, value]) => [name, value]))}`,
    isOnly: offer.mode === "REQUIRED"
  }

const leadTo = ({ href, label }: Provider) =>
  `<p><a class="button" href="${escape(href)}">Sign in with ${escape(label)}</a></p>`

export const login = (page: LoginPage): Page.Page => {
  const { clientName, email, hidden, problem, provider, tenant } = page
  const common = { tenant, heading: "Sign in", lead: `to go on to ${clientName}`, problem }
  if (provider?.isOnly === true) return { ...common, content: leadTo(provider) }
  const isWrong = problem !== undefined
  const fields = [
    Page.field({
      name: "email",
      label: "E-mail address",
      attributes: {
        type: "email",
        autocomplete: "username",
        inputmode: "email",
        spellcheck: "false",
        maxlength: 254,
        required: true,
        autofocus: email === "",
        value: email
      },
      isWrong
    }),
    Page.field({
      name: "password",
      label: "Password",
      attributes: {
        type: "password",
        autocomplete: "current-password",
        maxlength: 1024,
        required: true,
        autofocus: email !== ""
      },
      isWrong
    })
  ]
  return {
    ...common,
    content: `${provider === undefined ? "" : leadTo(provider)}${Page.form({ action: "/oauth2/authorize", hidden, fields, button: "Sign in" })}
<p class="note"><a href="/password/forgot">Forgot your password?</a></p>
<p class="note">We never ask for your password anywhere else. Check that the address of this page is one you know.</p>`
  }
}

/** A page that ends here: the application has to start again. */
export const problem = (tenant: Tenant, problem: string): Page.Page => ({
  tenant,
  title: "Can't sign in",
  heading: "This sign-in can't go on",
  problem,
  content: `<p class="note">Nothing was changed. Close this page and go back to the application you came from.</p>`
})
