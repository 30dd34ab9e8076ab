/** What the benchmark uses of pdfkit, which comes without types. */
declare module "pdfkit" {
  export interface Paper {
    x: number
    y: number
    readonly page: { readonly width: number; readonly height: number }
    on(event: "data", listener: (part: Buffer) => void): this
    on(event: "end", listener: () => void): this
    on(event: "error", listener: (error: Error) => void): this
    registerFont(name: string, bytes: Uint8Array): this
    font(name: string): this
    fontSize(points: number): this
    text(text: string, options?: { readonly continued?: boolean }): this
    text(
      text: string,
      x: number,
      y: number,
      options: { readonly width: number; readonly align: "left" | "right" }
    ): this
    moveDown(lines: number): this
    addPage(): this
    moveTo(x: number, y: number): this
    lineTo(x: number, y: number): this
    rect(x: number, y: number, width: number, height: number): this
    stroke(): this
    file(bytes: Buffer, options: { readonly name: string }): this
    end(): void
  }
  const PdfDocument: new (options: {
    readonly size: string
    readonly margin: number
    readonly lang: string
    readonly subset: string
    readonly pdfVersion: string
    readonly font: Uint8Array
    readonly info: { readonly Title: string }
  }) => Paper
  export default PdfDocument
}
