/** The page on which a signer reads, proves their address, agrees and signs. It needs no script. */
import { instantText } from "@quittance/domain/mail/MailText"
import { wordingOf } from "@quittance/domain/mail/MailWording"
import type { CeremonyVisit } from "@quittance/domain/signatures/CeremonyVisit"
import { type RequestedSigner, needsCode } from "@quittance/domain/signatures/Signer"
import { type SignWords, signWordsOf } from "@quittance/domain/signatures/words/SignWords"
import { escape } from "@quittance/http/HtmlPage"
import * as HostedPage from "@quittance/http/HostedPage"
import { problemText, type StepProblem } from "./SignProblems.ts"

/** What the buttons of the page send as `do`. */
export type SignStep = "decline" | "open" | "otp" | "prove" | "sign"

/** What begins the names of the boxes by which texts are accepted. */
export const consentPrefix = "consent."

interface Shown {
  readonly visit: CeremonyVisit
  readonly words: SignWords
  /** The address of the page. */
  readonly action: string
  readonly problem: StepProblem | undefined
}

/** The page of a link, as its ceremony is now. */
export const signPage = (
  visit: CeremonyVisit,
  action: string,
  problem?: StepProblem
): HostedPage.Page => {
  const { policyNumber, signer, tenant } = visit
  const words = signWordsOf(tenant.locale)
  const shared = { tenant, language: { code: words.language, error: words.error } }
  const said = endOf(visit, words)
  if (said !== undefined) return { ...shared, ...said, content: "" }
  const shown = { visit, words, action, problem }
  return {
    ...shared,
    isWide: true,
    heading: words.heading,
    lead: words.lead(tenant.name, String(policyNumber)),
    problem: problem === undefined ? undefined : problemText(problem, words),
    content: [
      `<p>${escape(words.signer(`${signer.firstName} ${signer.lastName}`))} ${escape(untilOf(visit, words))}</p>`,
      ...(visit.message === undefined ? [] : [`<blockquote>${escape(visit.message)}</blockquote>`]),
      ...(signer.status === "NOTIFIED"
        ? [button(shown, "open", words.begin)]
        : [papers(shown), ...stepsOf(shown), decline(shown)])
    ].join("\n")
  }
}

/** Of a link that leads nowhere: no one can tell whose it was. */
export const wrongLinkPage = (languages: ReadonlyArray<string>): HostedPage.Page => {
  const words = signWordsOf(...languages)
  const language = { code: words.language, error: words.error }
  return { tenant: undefined, language, ...words.wrongLink, content: "" }
}

/** Of an address that has followed too many links. */
export const waitPage = (languages: ReadonlyArray<string>, seconds: number): HostedPage.Page => {
  const words = signWordsOf(...languages)
  const language = { code: words.language, error: words.error }
  const problem = words.problems.wait(Math.ceil(seconds / 60))
  return { tenant: undefined, language, heading: words.heading, problem, content: "" }
}

/** What is said instead of the ceremony, where there is nothing to do. */
const endOf = ({ signer, status }: CeremonyVisit, words: SignWords) => {
  if (status !== "OPEN") return words.ended[status]
  if (signer.status === "WAITING") return words.notYet
  return signer.status === "SIGNED" ? words.signed : undefined
}

const untilOf = ({ expiresAt, tenant }: CeremonyVisit, words: SignWords): string =>
  words.until(instantText(expiresAt, tenant, wordingOf(tenant.locale)))

const button = ({ action }: Shown, step: SignStep, label: string, isQuiet = false): string =>
  HostedPage.form({ action, hidden: [], fields: [], button: label, value: step, isQuiet })

const section = (heading: string, lead: string, content: string): string =>
  `<section><h2>${escape(heading)}</h2><p>${escape(lead)}</p>${content}</section>`

const papers = ({ action, visit, words }: Shown): string =>
  visit.documents.length === 0
    ? ""
    : section(
        words.read.heading,
        words.read.lead,
        visit.documents
          .map(({ documentId, isShown, pages, title }) => {
            const label = words.open(title, pages)
            return HostedPage.form({
              action: `${action}/documents/${documentId}`,
              hidden: [],
              fields: [],
              button: isShown ? `${label}, ${words.isRead} ✓` : label,
              isQuiet: true
            })
          })
          .join("\n")
      )

/** The code first, where the product asks for one; then the texts and the name. */
const stepsOf = (shown: Shown): ReadonlyArray<string> => {
  const { visit, words } = shown
  const { isCodeSent, signer } = visit
  if (!needsCode(signer) || signer.status === "PROVEN") return [sign(shown)]
  const { heading, lead } = words.prove
  return [
    section(
      heading,
      lead(masked(signer)),
      isCodeSent
        ? code(shown) + button(shown, "otp", words.sendAnother, true)
        : button(shown, "otp", words.sendCode)
    )
  ]
}

const code = ({ action, problem, words }: Shown): string =>
  HostedPage.form({
    action,
    hidden: [],
    fields: [
      HostedPage.field({
        name: "code",
        label: words.code,
        attributes: {
          type: "text",
          inputmode: "numeric",
          autocomplete: "one-time-code",
          maxlength: 12,
          required: true,
          autofocus: true
        },
        hint: words.codeHint,
        isWrong: problem?.field === "code"
      })
    ],
    button: words.enter,
    value: "prove" satisfies SignStep
  })

const sign = ({ action, problem, visit, words }: Shown): string => {
  const { signer, texts } = visit
  return section(
    words.sign.heading,
    words.sign.lead,
    HostedPage.form({
      action,
      hidden: [],
      fields: [
        ...texts.map(({ text, textHash, textId }) =>
          HostedPage.check({ name: `${consentPrefix}${textId}`, value: textHash, label: text })
        ),
        HostedPage.field({
          name: "name",
          label: words.name,
          attributes: { type: "text", autocomplete: "name", maxlength: 200, required: true },
          hint: words.nameHint(`${signer.firstName} ${signer.lastName}`),
          isWrong: problem?.field === "name"
        })
      ],
      button: words.signNow,
      value: "sign" satisfies SignStep
    })
  )
}

const decline = ({ action, problem, words }: Shown): string =>
  `<details${problem?.field === "reason" ? " open" : ""}><summary>${escape(words.decline.heading)}</summary>
<p>${escape(words.decline.lead)}</p>
${HostedPage.form({
  action,
  hidden: [],
  fields: [
    HostedPage.field({
      name: "reason",
      label: words.reason,
      attributes: { type: "text", maxlength: 500, required: true },
      isWrong: problem?.field === "reason"
    })
  ],
  button: words.declineNow,
  value: "decline" satisfies SignStep,
  isQuiet: true
})}</details>`

/** An address as its owner knows it, and as no one learns it who has found the link. */
const masked = ({ email }: Pick<RequestedSigner, "email">): string =>
  email.replace(/^(.).*(?=@)/u, "$1•••")
