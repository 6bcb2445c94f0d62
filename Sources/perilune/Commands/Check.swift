internal import ArgumentParser
internal import Session
internal import Shell

/// `perilune check FILE ...`
struct Check: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Look for mistakes in scripts, and in the predicates of Swift files, without running them.",
    usage: "perilune check FILE | FOLDER ... [--store STORE | --model MODEL] [--format FORMAT]")

  @Argument(
    help: "Lua scripts and Swift files; a folder stands for those in it.",
    completion: .file(extensions: ["lua", "swift"]))
  var files: [String] = []

  @Option(help: "The store that they are for; it is only read.", completion: .file())
  var store: String?

  @Option(
    help: """
      The model of the store: a Lua or Swift file, or a .xcdatamodeld, .xcdatamodel, .momd or .mom; without one and without a \
      store the model.lua beside the first script, or in a folder above it, and for Swift files the models and @Model classes \
      in the same folders.
      """,
    completion: .file())
  var model: String?

  @Option(
    help: "The version of a model that has several: a schema of a Swift file, or a version of a .xcdatamodeld or .momd."
  )
  var schema: String?

  @Option(
    help: """
      How findings are written: text, json (an object for each), github (marks in GitHub Actions) or sarif (one document of \
      SARIF 2.1.0).
      """,
    completion: .list(CheckFormat.allCases.map(\.rawValue)))
  var format: String?

  @OptionGroup var result: ResultOptions

  @OptionGroup var common: CommonOptions

  func validate() throws {
    try expect("--format", format, among: CheckFormat.allCases.map(\.rawValue))
    if format != nil, result.text != nil { throw ValidationError("--format and --json or --mode exclude each other") }
    guard files.isEmpty else { return }
    throw ValidationError(
      "expected scripts, Swift files or folders: perilune check FILE ... [--store STORE | --model MODEL]")
  }

  var programRun: CheckRun {
    let access = StoreAccess(store: store, model: model, version: schema)
    let mode = ["json", "ndjson"].contains(result.text) ? CheckFormat.json : .text
    return CheckRun(files, access, format.flatMap(CheckFormat.init) ?? mode, common.options(mode: result.text))
  }
}
