internal import ArgumentParser
internal import Shell

/// `perilune doc STORE | MODEL`
struct Doc: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "doc", abstract: "Write the model for people: its entities as Markdown, and as a diagram.",
    usage: "perilune doc [--svg | --into FOLDER] STORE | MODEL")

  @OptionGroup var place: ModelArguments

  @Option(
    help: "The version of a model that has several: a schema of a Swift file, or a version of a .xcdatamodeld or .momd."
  )
  var schema: String?

  @Flag(help: "The diagram as SVG, in place of Markdown.")
  var svg = false

  @Option(help: "Write both as files, model.md and model.svg, into a folder.", completion: .directory)
  var into: String?

  @OptionGroup var common: CommonOptions

  func validate() throws {
    try place.expect(usage: "perilune doc STORE | MODEL")
    if svg, into != nil { throw ValidationError("--svg and --into exclude each other: --into writes both") }
  }

  var programRun: DocumentRun {
    let form: DocumentRun.Form = into.map { .files(folder: $0) } ?? (svg ? .svg : .markdown)
    return DocumentRun(form, of: place.access(version: schema), common.options)
  }
}
