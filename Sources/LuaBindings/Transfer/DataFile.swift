internal import Modeling

/// A file of rows: where it is, how it is written, and what it is called.
public struct DataFile: Sendable {
  /// The file that is opened.
  public var path: String
  /// The file's name in messages.
  public var label: String
  /// How the rows are written; nil where neither the file's name nor the user says so.
  public var format: Format?
  /// What the entity is called that is made for the rows.
  public var entityName: String

  /// A format of rows.
  public enum Format: String, CaseIterable, Sendable {
    case csv, tsv, json, ndjson

    /// The format that a file's name says.
    public init?(path: String) {
      guard let dot = path.lastIndex(of: ".") else { return nil }
      let suffix = path[path.index(after: dot)...].lowercased()
      switch suffix {
      case "jsonl": self = .ndjson
      case "tab": self = .tsv
      default: self.init(rawValue: suffix)
      }
    }

    /// Whether the rows are fields with a delimiter between them.
    var isDelimited: Bool { self == .csv || self == .tsv }
  }

  /// A file, in the format that its name says unless another is given.
  public init(_ path: String, format: Format? = nil) {
    self.path = path
    label = path
    entityName = Naming.entity(file: path)
    self.format = format ?? Format(path: path)
  }

  /// The rows, read from the beginning.
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

  /// A reader at some row of the file.
  enum Rows {
    /// With `isEscaped` a backslash begins an escape, and `\N` is nothing.
    case delimited(DelimitedReader, isEscaped: Bool)
    case json(JSONRowsReader)
  }
}
