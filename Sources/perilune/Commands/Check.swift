internal import ArgumentParser
internal import Shell

/// `perilune check FILE ...`
struct Check: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Look for mistakes in scripts without running them.",
    usage: "perilune check FILE ... [--store STORE | --model MODEL] [--json]")

  @Argument(help: "The scripts.", completion: .file(extensions: ["lua"]))
  var files: [String] = []

  @Option(help: "The store that they are for; it is only read.", completion: .file())
  var store: String?

  @Option(
    help: """
      The model of the store: a Lua or Swift file, or a .xcdatamodeld, .xcdatamodel, .momd or .mom; without one and without a \
      store the model.lua beside the first script, or in a folder above it.
      """,
    completion: .file())
  var model: String?

  @Option(
    help: "The version of a model that has several: a schema of a Swift file, or a version of a .xcdatamodeld or .momd."
  )
  var schema: String?

  @OptionGroup var result: ResultOptions

  @OptionGroup var common: CommonOptions

  func validate() throws {
    guard files.isEmpty else { return }
    throw ValidationError("expected scripts: perilune check FILE ... [--store STORE | --model MODEL] [--json]")
  }

  var programRun: CheckRun {
    let access = StoreAccess(reading: store, modelPath: model, modelVersion: schema)
    return CheckRun(files, access, common.options(mode: result.text))
  }
}
