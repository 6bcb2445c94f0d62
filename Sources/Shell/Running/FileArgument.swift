internal import Glibc

/// What a name on the command line stands for.
///
/// An SQLite file is a store whatever it is called, and so is everything that does not end in `.lua`: a store that is not
/// there yet, or one that is cut off, is to be reported as such and not run as a script.
enum FileArgument {
  case store
  case script
  /// A word that is kept for a command of a later version; `./test` is a file.
  case reserved

  /// The word before a store that is to be examined; `./doctor` is a file.
  case doctor

  private static let reservedWords = ["check", "test", "types", "init", "doc"]
  private static let header = Array("SQLite format 3\0".utf8)

  init(_ name: String) {
    if Self.reservedWords.contains(name) {
      self = .reserved
    } else if name == "doctor" {
      self = .doctor
    } else if name == "-" {
      self = .script
    } else {
      self = name.hasSuffix(".lua") && !Self.isDatabase(name) ? .script : .store
    }
  }

  private static func isDatabase(_ path: String) -> Bool {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var head = [UInt8](repeating: 0, count: header.count)
    return read(descriptor, &head, head.count) == head.count && head == header
  }
}
