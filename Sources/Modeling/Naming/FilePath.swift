import Glibc

/// Takes file paths apart and joins them, byte by byte.
///
///     FilePath.folder(of: "stores/App.sqlite")     // "stores"
///     FilePath.folder(of: "x")                     // "."
///
/// Foundation's functions end the process for some paths, such as names of one letter; no other file may call them.
/// Only the slash has a meaning here, so that every possible file name works.
public enum FilePath {
  private static let slash = UInt8(ascii: "/")

  /// The folder of a file; "." if the path names none.
  public static func folder(of path: String) -> String {
    let bytes = trimmed(path)
    guard let end = bytes.lastIndex(of: slash) else { return bytes.isEmpty && path.utf8.first == slash ? "/" : "." }
    let folder = bytes[..<end]
    guard let last = folder.lastIndex(where: { $0 != slash }) else { return "/" }
    return String(decoding: folder[...last], as: UTF8.self)
  }

  /// The last component of a path, without trailing slashes.
  public static func name(of path: String) -> String {
    let bytes = trimmed(path)
    let start = bytes.lastIndex(of: slash).map { $0 + 1 } ?? bytes.startIndex
    return String(decoding: bytes[start...], as: UTF8.self)
  }

  /// A file's name without its extension; a leading dot belongs to the name.
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

  /// The absolute path without symbolic links; the path itself if there is no such file.
  public static func resolved(_ path: String) -> String {
    guard let name = realpath(path, nil) else { return path }
    defer { free(name) }
    return String(cString: name)
  }

  /// The bytes without trailing slashes.
  private static func trimmed(_ path: String) -> ArraySlice<UInt8> {
    let bytes = Array(path.utf8)
    return bytes.lastIndex { $0 != slash }.map { bytes[...$0] } ?? []
  }
}
