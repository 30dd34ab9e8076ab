/** The pages that the link of a letter opens: to accept an invitation, to choose a password. */
import type { LinkPurpose } from "@quittance/domain/access/Invitation"
import { longestPassword, shortestPassword } from "@quittance/domain/tokens/Password"
import type { Tenant } from "@quittance/domain/tenants/Tenant"
import { linkPaths } from "@quittance/operations/access/OutgoingMail"
import type { LinkView } from "@quittance/operations/access/Accounts"
import * as Page from "@quittance/http/HostedPage"

/** The longest name that the form takes, as the interface does. */
export const longestName = 200

export interface LinkPage {
  readonly tenant: Tenant
  readonly link: LinkView
  readonly hidden: Iterable<readonly [string, string]>
  /** What was filled in before. */
  readonly names: { readonly firstName?: string; readonly lastName?: string }
  /** Why the last try failed. */
  readonly problem: string | undefined
  /** The field that it is about. */
  readonly wrong: "password" | "names" | undefined
}

export const link = (page: LinkPage): Page.Page => {
  const { hidden, link, problem, tenant } = page
  const { button, heading, lead } = wording(tenant)[link.needsPassword ? link.purpose : "ACCEPT"]
  return {
    tenant,
    heading,
    lead,
    problem,
    content: Page.form({
      action: linkPaths[link.purpose],
      hidden,
      fields: link.needsPassword ? fields(page) : [account(link)],
      button
    })
  }
}

const wording = (tenant: Tenant) =>
  ({
    ACCEPT: {
      heading: "Accept your invitation",
      lead: `What you are invited to at ${tenant.name} is added to your account.`,
      button: "Accept"
    },
    INVITATION: {
      heading: "Accept your invitation",
      lead: `Choose a password for your account at ${tenant.name}.`,
      button: "Accept and make the account"
    },
    WELCOME: {
      heading: "Welcome",
      lead: `Choose a password for your account at ${tenant.name}.`,
      button: "Choose this password"
    },
    PASSWORD_RESET: {
      heading: "Choose a new password",
      lead: "You will be signed out everywhere, and sign in with the new one.",
      button: "Choose this password"
    }
  }) as const satisfies Record<LinkPurpose | "ACCEPT", object>

const fields = ({ link, names: filled, wrong }: LinkPage): ReadonlyArray<string> => {
  const names =
    link.purpose === "INVITATION"
      ? ([
          ["firstName", "First name", "given-name", filled.firstName ?? link.firstName],
          ["lastName", "Last name", "family-name", filled.lastName ?? link.lastName]
        ] as const)
      : []
  // Where there is something to do: what is wrong, else what is still empty.
  const [focus] =
    wrong === undefined ? (names.find(([, , , value]) => !value) ?? ["password"]) : [focusOf[wrong]]
  return [
    account(link),
    ...names.map(([name, label, autocomplete, value = ""]) =>
      Page.field({
        name,
        label,
        attributes: {
          type: "text",
          autocomplete,
          maxlength: longestName,
          required: true,
          autofocus: focus === name,
          value
        },
        isWrong: wrong === "names"
      })
    ),
    Page.field({
      name: "password",
      label: "Password",
      attributes: {
        type: "password",
        autocomplete: "new-password",
        // No shorter than the rule and no longer; the check of the password states both again.
        minlength: shortestPassword,
        maxlength: longestPassword,
        required: true,
        autofocus: focus === "password"
      },
      hint: `At least ${shortestPassword} characters; a few words that no one else puts together are good.`,
      isWrong: wrong === "password"
    })
  ]
}

const focusOf = { names: "firstName", password: "password" } as const

/** Shown, and known to programs that keep passwords, but not for changing. */
const account = ({ email }: LinkView) =>
  Page.field({
    name: "email",
    label: "E-mail address",
    attributes: { type: "email", autocomplete: "username", readonly: true, value: email }
  })

/** The link was used up: there is an account, with this password. */
export const done = (tenant: Tenant, purpose: LinkPurpose, email: string): Page.Page => ({
  tenant,
  heading: purpose === "PASSWORD_RESET" ? "Your password is changed" : "You can sign in now",
  lead: `You sign in at ${tenant.name} as ${email}.`,
  content: `<p>Close this page, and go to the application that you want to use.</p>`
})

/** Of a link that is of no use, for whatever reason. */
export const wrong = (tenant: Tenant): Page.Page => ({
  tenant,
  heading: "This link does not work",
  problem: "It was used already, was withdrawn, has expired, or is not complete.",
  content: `<p>Check that you have opened the whole address, from the newest e-mail.</p>
<p class="note">You can <a href="/password/forgot">ask for another password</a>, or ask the person who invited you for another invitation.</p>`
})

/** An address that has tried too many links has to wait. */
export const wait = (tenant: Tenant, seconds: number): Page.Page => ({
  tenant,
  heading: "Wait a little",
  problem: `There were too many tries. Wait ${seconds} seconds, then open the link again.`,
  content: ""
})
