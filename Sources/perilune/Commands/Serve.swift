internal import ArgumentParser
internal import Shell

/// `perilune serve STORE`
struct Serve: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Show a store in the browser: tables and objects that follow every commit.",
    usage: "perilune serve STORE [--write] [--notebook FOLDER] [--port N | --socket PATH]",
    discussion: """
      Prints one address, which serves once, and opens it where there is a desktop. Only browsers of this machine can connect. \
      Without --write the store is only read. Ctrl-C ends it.
      """)

  @Argument(help: "A store, or a file of rows.", completion: .file())
  var store: String?

  @Flag(help: "Let pages change objects; nothing is written before it is saved.")
  var write = false

  @Option(
    help: "Show the .lua files of a folder as pages, which run again when they are saved.", completion: .directory)
  var notebook: String?

  @Option(help: "The port of 127.0.0.1; without it, any that is free.")
  var port: Int?

  @Option(help: "Listen on a socket in place of a port: a file that only you can open.", completion: .file())
  var socket: String?

  @Option(
    help: "A model for the store: a Lua or Swift file, or a .xcdatamodeld, .xcdatamodel, .momd or .mom.",
    completion: .file())
  var model: String?

  @OptionGroup var common: CommonOptions

  func validate() throws {
    if store == nil { throw ValidationError("expected one store: perilune serve STORE") }
    if port != nil, socket != nil { throw ValidationError("--port and --socket exclude each other") }
    if let port, !(1...65_535).contains(port) {
      throw ValidationError("--port: expected a number from 1 to 65535, got \(port)")
    }
  }

  var programRun: ServeRun {
    var access = StoreAccess(reading: store)
    access.modelPath = model
    if write { (access.isReadOnly, access.writesCoreData) = (false, true) }
    return ServeRun(access, port: UInt16(clamping: port ?? 0), path: socket, notebook: notebook, common.options)
  }
}
