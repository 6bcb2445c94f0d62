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
  /// The text to which `path` leads, if the rows were unpacked.
  var spooled: SpooledText?
  /// The names of the columns, if the rows are those of a sheet.
  var columns: [String]?

  /// A format of rows.
  public enum Format: String, CaseIterable, Sendable {
    case csv, tsv, json, ndjson, geojson, plist, xlsx, sql

    /// Returns the format for a file's name.
    public init?(path: String) {
      let path = path.withoutGzipSuffix
      guard let dot = path.lastIndex(of: ".") else { return nil }
      let suffix = path[path.index(after: dot)...].lowercased()
      switch suffix {
      case "jsonl": self = .ndjson
      case "tab": self = .tsv
      default: self.init(rawValue: suffix)
      }
    }

    /// The suffixes of all formats, for a sentence: `csv, tsv or json`, or with dots `.csv, .tsv or .json`.
    static func list(_ conjunction: String, dot: String = "") -> String {
      ErrorReport.list(allCases.map { dot + $0.rawValue }, conjunction)
    }

    /// What a file's name that gives no format may mean, as the end of a sentence.
    static func hint(for path: String) -> String {
      guard let dot = path.withoutGzipSuffix.lastIndex(of: ".") else { return "" }
      let suffix = path.withoutGzipSuffix[dot...].dropFirst().lowercased()
      let programs = Reader.known.filter { $0.kind == suffix }.map { $0.words[0] }
      if !programs.isEmpty { return "; \(ErrorReport.list(programs, "or")) would read it, if it were on the PATH" }
      return ErrorReport.hint(nearest(suffix, allCases.map(\.rawValue)).map { ".\($0)" })
    }

    /// Whether the rows consist of delimited fields.
    var isDelimited: Bool { self == .csv || self == .tsv }
  }

  /// Creates a file, whose name gives the format unless `format` does.
  public init(_ path: String, format: Format? = nil) {
    self.path = path
    label = path
    entityName = Naming.entity(file: path.withoutGzipSuffix)
    self.format = format ?? Format(path: path)
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
    case .json, .ndjson, .geojson, .plist, .xlsx, .sql:
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

extension String {
  /// The name without the `.gz` of a packed file.
  fileprivate var withoutGzipSuffix: String { lowercased().hasSuffix(".gz") ? String(dropLast(3)) : self }
}
