internal import Glibc
internal import LuaBindings

/// The meaning of a name on the command line.
///
/// An SQLite file of any name is a store, and so is every file whose name ends neither in `.lua` nor as data files do: a
/// missing or truncated store must be reported as such, not run as a script.
enum FileArgument {
  case store
  case script
  /// A file of rows, of which a store in memory is made.
  case data
  /// A word reserved for a future command; `./test` is a file.
  case reserved

  /// The word `doctor`, which examines the store after it; `./doctor` is a file.
  case doctor
  /// The word `types`, which writes classes for the store after it; `./types` is a file.
  case types
  /// The word `check`, which looks for mistakes in the scripts after it; `./check` is a file.
  case check
  /// The word `test`, which runs the specs after it; `./test` is a file.
  case test
  /// The word `manual`, which writes the manual page and completions; `./manual` is a file.
  case manual

  private static let reservedWords = ["init", "doc"]
  private static let header = Array("SQLite format 3\0".utf8)

  init(_ name: String) {
    if Self.reservedWords.contains(name) {
      self = .reserved
    } else if name == "doctor" {
      self = .doctor
    } else if name == "types" {
      self = .types
    } else if name == "check" {
      self = .check
    } else if name == "test" {
      self = .test
    } else if name == "manual" {
      self = .manual
    } else if name == "-" {
      self = StandardInput.bringsData() ? .data : .script
    } else if DataFile.Format(path: name) != nil {
      self = Self.isDatabase(name) ? .store : .data
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
