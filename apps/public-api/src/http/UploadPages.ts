/** The pages of a link that takes a file: what is asked for, and that it has arrived. They need no script. */
import { uploadPageWordsOf } from "@quittance/domain/documents/requests/UploadPageWords"
import { uploadTypes } from "@quittance/domain/documents/Upload"
import { escape } from "@quittance/http/HtmlPage"
import * as HostedPage from "@quittance/http/HostedPage"
import type { LinkedRequest } from "@quittance/operations/documents/requests/LinkedUploads"

const shared = ({ label, tenant }: LinkedRequest) => {
  const words = uploadPageWordsOf(tenant.locale)
  const language = { code: words.language, error: words.error }
  return { words, page: { tenant, language, heading: label } }
}

/** What is asked for, with the form that sends it; once more where a file was not taken. */
export const formPage = (
  request: LinkedRequest,
  action: string,
  isRefused = false
): HostedPage.Page => {
  const { page, words } = shared(request)
  const { label, note, tenant } = request
  const file = HostedPage.field({
    name: "file",
    label: words.file,
    attributes: { type: "file", required: true, accept: uploadTypes.join(",") },
    hint: words.once,
    isWrong: isRefused
  })
  return {
    ...page,
    lead: words.from(tenant.name),
    problem: isRefused ? words.refused : undefined,
    content: [
      ...(note === undefined || note === label ? [] : [`<blockquote>${escape(note)}</blockquote>`]),
      HostedPage.form({ action, hidden: [], fields: [file], button: words.send, hasFile: true })
    ].join("\n")
  }
}

export const receivedPage = (request: LinkedRequest): HostedPage.Page => {
  const { page, words } = shared(request)
  return { ...page, lead: words.received, content: `<p>${escape(words.checked)}</p>` }
}

/** Of a link that takes no file: nothing tells why, nor whose it was. */
export const wrongUploadPage = (languages: ReadonlyArray<string>): HostedPage.Page => {
  const words = uploadPageWordsOf(...languages)
  const language = { code: words.language, error: words.error }
  return { tenant: undefined, language, ...words.wrongLink, content: "" }
}

/** Of an address that has followed too many links. */
export const waitToUploadPage = (
  languages: ReadonlyArray<string>,
  seconds: number
): HostedPage.Page => {
  const words = uploadPageWordsOf(...languages)
  const language = { code: words.language, error: words.error }
  const problem = words.wait(Math.ceil(seconds / 60))
  return { tenant: undefined, language, heading: words.send, problem, content: "" }
}
