internal import ArgumentParser
internal import Shell

/// `perilune lsp`
struct Lsp: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "lsp",
    abstract:
      "Serve an editor by the Language Server Protocol: mistakes, completion and help in scripts and predicates.",
    usage: "perilune lsp [--store STORE | --model MODEL]",
    discussion: """
      An editor starts it for its Lua and Swift files. The store is only read, and no script runs. Without a store and a model, \
      the model.lua beside a script counts, and for Swift files the models and @Model classes in the open folder.
      """)

  @Option(help: "The store that the files are for; it is only read.", completion: .file())
  var store: String?

  @Option(
    help: "The model of the store: a Lua or Swift file, a .xcdatamodeld, .xcdatamodel, .momd or .mom, or a store.",
    completion: .file())
  var model: String?

  @Option(
    help: "The version of a model that has several: a schema of a Swift file, or a version of a .xcdatamodeld or .momd."
  )
  var schema: String?

  @Flag(name: .customLong("no-values"), help: "Neither show nor offer values of the store.")
  var noValues = false

  @Flag(help: "Show behind each predicate how many objects match.")
  var counts = false

  @Flag(help: "Standard input and output, which are the usual way: editors say it.")
  var stdio = false

  @OptionGroup var common: CommonOptions

  var programRun: LanguageRun {
    LanguageRun(
      StoreAccess(store: store, model: model, version: schema), showsValues: !noValues, showsCounts: counts,
      common.options)
  }
}
