/** The pages of asking for another password. */
import type { Tenant } from "@quittance/domain/tenants/Tenant"
import * as Page from "@quittance/http/HostedPage"

export interface ForgotPage {
  readonly tenant: Tenant
  readonly hidden: Iterable<readonly [string, string]>
  readonly email: string
  /** Why the last try failed. */
  readonly problem: string | undefined
}

export const forgot = ({ email, hidden, problem, tenant }: ForgotPage): Page.Page => ({
  tenant,
  heading: "Forgot your password?",
  lead: "We send you an e-mail with a link to choose another one.",
  problem,
  content: Page.form({
    action: "/password/forgot",
    hidden,
    fields: [
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
          autofocus: true,
          value: email
        },
        isWrong: problem !== undefined
      })
    ],
    button: "Send the e-mail"
  })
})

/** The same for known and unknown addresses. */
export const sent = (tenant: Tenant, email: string): Page.Page => ({
  tenant,
  heading: "Look into your e-mail",
  lead: `If ${email} has an account, an e-mail with a link is on its way there.`,
  content: `<p>The link works once, for half an hour. If nothing comes, look among the unwanted mail, and check the address.</p>`
})
