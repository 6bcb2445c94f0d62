import Glibc

/// Names of files, taken apart and put together byte by byte.
///
///     FilePath.folder(of: "stores/App.sqlite")     // "stores"
///     FilePath.folder(of: "x")                     // "."
///
/// Foundation's functions for it end the process where a name is one letter long, among others; nothing but this file
/// may call them. A slash is the only byte that means something here, so that every name that a file can have is served.
public enum FilePath {
  private static let slash = UInt8(ascii: "/")

  /// The folder that a file is in: "." where the path names none.
  public static func folder(of path: String) -> String {
    let bytes = trimmed(path)
    guard let end = bytes.lastIndex(of: slash) else { return bytes.isEmpty && path.utf8.first == slash ? "/" : "." }
    let folder = bytes[..<end]
    guard let last = folder.lastIndex(where: { $0 != slash }) else { return "/" }
    return String(decoding: folder[...last], as: UTF8.self)
  }

  /// The last part of a path, without the slashes behind it.
  public static func name(of path: String) -> String {
    let bytes = trimmed(path)
    let start = bytes.lastIndex(of: slash).map { $0 + 1 } ?? bytes.startIndex
    return String(decoding: bytes[start...], as: UTF8.self)
  }

  /// A file's name without what follows the last dot; a dot that begins it is part of it.
  public static func stem(of path: String) -> String {
    let name = Array(name(of: path).utf8)
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > 0 else { return String(decoding: name, as: UTF8.self) }
    return String(decoding: name[..<dot], as: UTF8.self)
  }

  /// The path of a file in a folder.
  public static func file(_ name: String, in folder: String) -> String {
    if folder.isEmpty { return name }
    return folder.utf8.last == slash ? folder + name : folder + "/" + name
  }

  /// The path without links, from the root; the path itself where there is no such file.
  public static func resolved(_ path: String) -> String {
    guard let name = realpath(path, nil) else { return path }
    defer { free(name) }
    return String(cString: name)
  }

  /// The bytes without the slashes at the end.
  private static func trimmed(_ path: String) -> ArraySlice<UInt8> {
    let bytes = Array(path.utf8)
    return bytes.lastIndex { $0 != slash }.map { bytes[...$0] } ?? []
  }
}
