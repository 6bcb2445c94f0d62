internal import Glibc
internal import Modeling

/// A file of rows: its path, its format, and its names.
public struct DataFile: Sendable {
  /// The path of the file to open.
  public var path: String
  /// The file's name in messages.
  public var label: String
  /// The format of the rows; nil if neither the file's name nor the user gives it.
  public var format: Format?
  /// The name of the entity for the rows.
  public var entityName: String

  /// A format of rows.
  public enum Format: String, CaseIterable, Sendable {
    case csv, tsv, json, ndjson

    /// Returns the format for a file's name.
    public init?(path: String) {
      guard let dot = path.lastIndex(of: ".") else { return nil }
      let suffix = path[path.index(after: dot)...].lowercased()
      switch suffix {
      case "jsonl": self = .ndjson
      case "tab": self = .tsv
      default: self.init(rawValue: suffix)
      }
    }

    /// Whether the rows consist of delimited fields.
    var isDelimited: Bool { self == .csv || self == .tsv }
  }

  /// Creates a file, whose name gives the format unless `format` does.
  public init(_ path: String, format: Format? = nil) {
    self.path = path
    label = path
    entityName = Naming.entity(file: path)
    self.format = format ?? Format(path: path)
  }

  /// Whether it is a pipe or the like, whose rows can be read only once.
  var isReadOnce: Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFREG
  }

  /// Opens the rows at the beginning.
  func open(shouldStop: @escaping () -> Bool) throws -> Rows {
    switch format ?? .csv {
    case .csv:
      let reader = try DelimitedReader(path: path, detectsDelimiter: true)
      reader.shouldStop = shouldStop
      return .delimited(reader, isEscaped: false)
    case .tsv:
      let reader = try DelimitedReader(path: path, format: .init(delimiter: UInt8(ascii: "\t"), quote: nil))
      reader.shouldStop = shouldStop
      return .delimited(reader, isEscaped: true)
    case .json, .ndjson:
      let reader = try JSONRowsReader(path: path)
      reader.shouldStop = shouldStop
      return .json(reader)
    }
  }

  /// A reader of the file's rows.
  enum Rows {
    /// With `isEscaped` a backslash begins an escape, and `\N` is nil.
    case delimited(DelimitedReader, isEscaped: Bool)
    case json(JSONRowsReader)
  }
}
