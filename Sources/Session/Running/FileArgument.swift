internal import Glibc
internal import LuaBindings
internal import Modeling

/// What a file is by its name and contents, as it is opened or run.
///
/// An SQLite file of any name is a store, and so is every file whose name ends neither in `.lua` nor as data files do: a
/// missing or truncated store must be reported as such, not run as a script.
package enum FileArgument {
  case store
  case script
  /// A file of rows, of which a store in memory is made.
  case data

  private static let header = Array("SQLite format 3\0".utf8)

  package init(_ name: String) {
    if DataFile.isNamed(name) {
      self = Self.isDatabase(name) ? .store : .data
    } else {
      self = name.hasSuffix(".lua") && !Self.isDatabase(name) ? .script : .store
    }
  }

  /// The command that a name probably means; nil for the name of a file that is there, or one that only a file can have.
  package static func misspelt(_ name: String, among commands: @autoclosure () -> [String]) -> String? {
    guard mayBeCommand(name), access(name, F_OK) != 0 else { return nil }
    return nearestName(to: name.lowercased(), in: commands())
  }

  /// Whether a name has only what the name of a command has: no point and no slash.
  package static func mayBeCommand(_ name: String) -> Bool {
    name.allSatisfy { $0.isLetter || $0 == "-" || $0 == "_" }
  }

  /// Whether a file is a model rather than a store, by its name and contents.
  package static func isModel(_ name: String) -> Bool {
    let plain = name.last == "/" ? String(name.dropLast()) : name
    return [".lua", ".swift", ".xcdatamodeld", ".xcdatamodel", ".momd", ".mom"].contains { plain.hasSuffix($0) }
      && !isDatabase(plain)
  }

  private static func isDatabase(_ path: String) -> Bool {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var head = [UInt8](repeating: 0, count: header.count)
    return read(descriptor, &head, head.count) == head.count && head == header
  }
}
