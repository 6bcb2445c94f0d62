internal import ArgumentParser
internal import Shell

/// `perilune test [FILE | FOLDER ...]`
struct Test: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "test",
    abstract: "Run specs, each test in a Lua and on a store of its own.",
    usage: "perilune test [FILE | FOLDER ...] [--model MODEL] [--filter TEXT] [--tap] [--junit FILE]")

  @Argument(
    help: "Specs, and folders with files that end in _spec.lua; the current folder without any.", completion: .file())
  var names: [String] = []

  @Option(
    help: """
      The model of the tests' stores: a Lua or Swift file, or a .xcdatamodeld, .xcdatamodel, .momd or .mom; without one the \
      model.lua beside the spec, or in a folder above it.
      """,
    completion: .file())
  var model: String?

  @Option(
    help: "The version of a model that has several: a schema of a Swift file, or a version of a .xcdatamodeld or .momd."
  )
  var schema: String?

  @Option(help: "Run the tests with this text in their names.")
  var filter: String?

  @Flag(help: "Write the Test Anything Protocol.")
  var tap = false

  @Option(help: "Write the results as JUnit's XML, too.", completion: .file(extensions: ["xml"]))
  var junit: String?

  @OptionGroup var common: CommonOptions

  var programRun: SpecRun {
    var run = SpecRun(names.isEmpty ? ["."] : names, common.options)
    (run.modelPath, run.modelVersion) = (model, schema)
    run.filter = filter
    run.writesTAP = tap
    run.junitPath = junit
    return run
  }
}
