internal import Compression
internal import Foundation
internal import Modeling
internal import Spreadsheets
internal import Stores
internal import Transfer

/// The reason why a file was not imported, with its name and the place in it; the store then contains none of it.
struct ImportFailure: ReportedError {
  var path: String
  var error: any Error
  /// The names of the file's columns.
  var names: [String] = []

  var report: ErrorReport {
    switch error {
    case let error as ImportFailure: return error.report
    case let error as ImportError: return report(error)
    case is NoRows: return report("the file is empty", line: nil, column: nil)
    case let error as DelimitedError:
      if case .unreadable(let number) = error.fact { return unreadable(number) }
      return report(error.mistake, line: error.place.line, column: error.place.column)
    case let error as JSONRowsError:
      if case .unreadable(let number) = error.fact { return unreadable(number) }
      return report(error.mistake, line: error.place.line, column: error.place.column)
    case let error as CompressionError:
      if case .unreadable(let number) = error { return unreadable(number) }
      return report(error.mistake, line: nil, column: nil)
    case let error as DocumentError: return report(error.mistake, line: nil, column: nil)
    case let error as ReaderRun.Failure: return report(error.mistake, line: nil, column: nil)
    case let error as DataFileError: return report(error.mistake, line: nil, column: nil)
    default: return ErrorReport(error)
    }
  }

  private func unreadable(_ number: Int32) -> ErrorReport {
    ErrorReport("file", "'\(path)' cannot be read: \(String(cString: strerror(number)))", exitStatus: 74)
  }

  private func report(_ error: ImportError) -> ErrorReport {
    let column = error.field.flatMap { names.indices.contains($0) ? names[$0] : nil }
    var message: String
    switch error.fact {
    case .value(let error):
      message = ErrorReport(error).message
    case .violation(let violation):
      message = "\(violation.entity): \(violation.sentence)"
    case .noSuchObject(let entity, let property, let value):
      message = "there is no \(entity) with \(property) \(value.quotedForLua)"
    case .store(let error): message = ErrorReport(error).message
    case .missingProperty(let entity, let property):
      message = "no column goes to \(entity).\(property), which must have a value (map says where a column goes)"
    case .noSuchProperty(let entity, let nearest):
      message =
        "\(entity) has no property '\(column ?? "")' (map says where a column goes, or false)\(ErrorReport.hint(nearest))"
    case .notImportable(let entity, let property):
      message = "\(entity).\(property) cannot be imported (map says where a column goes, or false)"
    }
    let place = [error.row.map { "row \(Quantity.grouped($0))" }, column.map { "column \($0)" }].compactMap(\.self)
    if !place.isEmpty { message = "\(place.joined(separator: ", ")): \(message)" }
    return report(message, line: error.place?.line, column: error.place?.column)
  }

  private func report(_ message: String, line: Int?, column: Int?) -> ErrorReport {
    let place = [line, column].compactMap { $0.map(String.init) }.joined(separator: ":")
    let fields = [("file", path), ("line", line.map(String.init)), ("column", column.map(String.init))]
    return ErrorReport(
      "import", "\(path)\(place.isEmpty ? "" : ":" + place): \(message)",
      details: [.init(message, fields: fields.compactMap { name, value in value.map { (name, $0) } })], exitStatus: 65)
  }
}

/// An empty data file, for which no entity can be made.
struct NoRows: Error {}

extension Engine {
  /// The file whose rows were not read to the end; nil for an error of something else.
  package func dataFile(of error: any Error) -> String? { (error as? ImportFailure)?.path }
}
