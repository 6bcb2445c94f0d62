internal import ArgumentParser
internal import Glibc
internal import Session
internal import Shell

/// `perilune manual FOLDER`
struct ManualPage: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "manual",
    abstract: "Write the manual page and the completions of bash, zsh and fish.",
    usage: "perilune manual FOLDER")

  @Argument(help: "The folder, made if it is not there.", completion: .directory)
  var folder: String?

  func validate() throws {
    if folder == nil { throw ValidationError("expected a folder: perilune manual FOLDER") }
  }

  func run() throws {
    guard let folder else { return }
    Glibc.exit(Perilune.manual.write(into: folder))
  }
}
