/** The pages on which users end letters about webhooks, or ask for them again. */
import type { Tenant } from "@quittance/domain/tenants/Tenant"
import * as Page from "@quittance/http/HostedPage"

/** Before anything is changed: mail programs open links by themselves. */
export const ask = (tenant: Tenant, action: string): Page.Page => ({
  tenant,
  heading: "E-mails about webhooks",
  lead: `${tenant.name} writes to you when a webhook receives nothing, because you may manage webhooks.`,
  content: Page.form({ action, hidden: [], fields: [], button: "Send me no more of them" })
})

export const ended = (tenant: Tenant, action: string): Page.Page => ({
  tenant,
  heading: "You get no more e-mails about webhooks",
  lead: "E-mails about your account and your invitations still reach you.",
  content: Page.form({
    action,
    hidden: [],
    fields: [],
    button: "Send them to me again",
    value: "resume"
  })
})

export const resumed = (tenant: Tenant): Page.Page => ({
  tenant,
  heading: "You get e-mails about webhooks again",
  content: `<p>Close this page: there is nothing else to do.</p>`
})

export const wrong = (tenant: Tenant): Page.Page => ({
  tenant,
  heading: "This link does not work",
  problem: "It is not complete.",
  content: `<p>Check that you have opened the whole address, from the newest e-mail.</p>`
})
