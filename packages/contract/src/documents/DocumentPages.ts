/** Pages of the lists about documents. */
import { Delivery } from "@quittance/domain/documents/Delivery"
import { Document } from "@quittance/domain/documents/Document"
import { LiveDocumentLink } from "@quittance/domain/documents/DocumentLink"
import { UnsentLetter } from "@quittance/domain/documents/UnsentLetter"
import { Page } from "@quittance/domain/values/Page"

export const DocumentPage = Page(Document).annotate({ identifier: "DocumentPage" })

export const DeliveryPage = Page(Delivery).annotate({ identifier: "DeliveryPage" })

export const DocumentLinkPage = Page(LiveDocumentLink).annotate({ identifier: "DocumentLinkPage" })

export const UnsentLetterPage = Page(UnsentLetter).annotate({ identifier: "UnsentLetterPage" })
