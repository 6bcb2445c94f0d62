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

  private static let header = Array("SQLite format 3\0".utf8)

  init(_ name: String) {
    if name == "-" {
      self = StandardInput.bringsData() ? .data : .script
    } else if DataFile.Format(path: name) != nil {
      self = Self.isDatabase(name) ? .store : .data
    } else {
      self = name.hasSuffix(".lua") && !Self.isDatabase(name) ? .script : .store
    }
  }

  /// Whether a file is a model rather than a store.
  static func isModel(_ name: String) -> Bool {
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
