internal import Glibc
internal import Modeling
internal import Reactive

/// The readers of a user: those that the settings name, and known ones whose programs are there.
///
/// The settings are in `readers.json` among the user's configuration: `{ "parquet": ["pqrs", "cat", "--json", "FILE"] }`.
public struct Readers {
  /// The file of the settings; nil without a home.
  public let path: String?
  /// The readers that the settings name, by kind; one without words turns a kind off.
  public private(set) var chosen: [String: Reader] = [:]
  /// Whether the file of the settings is not what it must be.
  public private(set) var isDamaged = false

  /// The readers of the user who runs this process.
  public static var ofUser: Readers {
    let storage = PreferenceFile.standardPath { getenv($0).map { String(cString: $0) } }
    return Readers(path: storage.map { FilePath.folder(of: $0) + "/readers.json" })
  }

  /// Reads the settings in a file, which need not exist.
  public init(path: String?) {
    self.path = path
    guard let path else { return }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    if let found = Self.readers(readToEnd(descriptor)) { chosen = found } else { isDamaged = true }
  }

  private static func readers(_ bytes: [UInt8]) -> [String: Reader]? {
    guard let json = try? JSON.parse(bytes), case .object(let fields) = json else { return nil }
    var found: [String: Reader] = [:]
    for (kind, value) in fields {
      guard case .array(let list) = value else { return nil }
      let words = list.compactMap { if case .string(let word) = $0 { word } else { nil } }
      if words.count < list.count { return nil }
      found[kind] = Reader(kind, words)
    }
    return found
  }

  /// The reader of a kind; nil if there is none, or it is turned off.
  public subscript(kind: String) -> Reader? {
    if let reader = chosen[kind] { return reader.words.isEmpty ? nil : reader }
    return Reader.known.first { $0.kind == kind && $0.isThere }
  }

  /// The reader of a file or an address, by its name.
  public func reader(of path: String) -> Reader? { Reader.kind(of: path).flatMap { self[$0] } }

  /// The kinds that there are readers for, or could be.
  public var kinds: [String] { Set(Reader.known.map(\.kind) + chosen.keys).sorted() }

  /// The content of the file of settings, with other words for a kind; nil forgets the setting.
  public func settings(with words: [String]?, for kind: String) -> [UInt8] {
    var fields = chosen.mapValues { JSON.array($0.words.map(JSON.string)) }
    fields[kind] = words.map { .array($0.map(JSON.string)) }
    var bytes: [UInt8] = []
    JSON.object(fields).write(to: &bytes)
    return bytes + [10]
  }
}
