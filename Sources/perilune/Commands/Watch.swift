internal import ArgumentParser
internal import Shell

/// `perilune watch VIEW.swift STORE`
struct Watch: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "Show the list of a SwiftUI view from a store, and follow every change.",
    usage: "perilune watch VIEW.swift STORE [--param NAME=VALUE ...]",
    discussion: """
      The view's requests, columns, formats and sections are read; what is only looks is left out, and said. A terminal gets \
      the list on a full screen, a pipe a line of JSON for each row and each change.
      """)

  @Argument(help: "The Swift file with the view, and the store.", completion: .file())
  var files: [String] = []

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Give a parameter of the view's request a value; may be repeated.", valueName: "name=value"))
  var param: [String] = []

  @Option(
    help: "A model for the store: a Lua or Swift file, or a .xcdatamodeld, .xcdatamodel, .momd or .mom.",
    completion: .file())
  var model: String?

  @OptionGroup var common: CommonOptions

  func validate() throws {
    guard files.count == 2 else {
      throw ValidationError("expected a view and a store: perilune watch VIEW.swift STORE")
    }
    try expect(parameters: param)
  }

  var programRun: WatchRun {
    var access = StoreAccess(reading: files.last)
    access.modelPath = model
    return WatchRun(files.first ?? "", namesAndValues(param), access, common.options)
  }
}
